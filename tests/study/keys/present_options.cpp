#include <filesystem>
#include <string>

#include "catch.h"
#include "ntune/core/files.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/keys/study_identity.h"
#include "study/make.h"
#include "support/temporary_folder.h"

namespace ntune {

TEST_CASE("options that an older version did not write have their defaults") {
  const Study study = test::study_of(
      "{objectives: [hartmann3, {function: nk, dimensions: 5}], iterations: 5, runs: 2}");
  Json old = study.config;
  for (Json& objective : old["objectives"]) objective.erase("noise");
  CHECK(with_present_options(old) == study.config);
  CHECK(with_present_options(study.config) == study.config);
  const Json strange = {{"objective", {{"program", "my agent"}}}, {"objectives", 5}};
  CHECK(with_present_options(strange) == strange);
}

TEST_CASE("the journal of an older version is resumed") {
  const test::TemporaryFolder folder;
  const Study study = test::study_of(
      "{objective: {command: [echo, '{a}']}, space: {a: [1, 2]}, iterations: 5, runs: 1}");
  { const Journal journal(folder.path(), study, Journal::Open::kNew); }
  const std::filesystem::path file = folder.path() / kJournalName;
  std::string text = test::content_of(file);
  const std::string option = R"("timeout_retries":0,)";
  REQUIRE(text.find(option) != std::string::npos);
  text.erase(text.find(option), option.size());
  write_file_atomically(file, text);
  CHECK_NOTHROW(Journal(folder.path(), study, Journal::Open::kResume));
}

TEST_CASE("a program of an older study keeps what its penalties were") {
  const Json program = {{"command", {"agent", "{x}"}},
                        {"result", {{"cost", "number"}}},
                        {"cutoff", 5.0},
                        {"par", 2.0}};
  const Json older = with_recorded_rules({{"objective", program}, {"fail", {{"value", 3}}}});
  CHECK(older["objective"]["penalty"] == 10.0);
  CHECK(older["objective"]["unsolved"] == "none");
  CHECK(older["learn_from_penalties"] == false);
  Json timed = program;
  timed["result"] = "time";
  const Json time = with_recorded_rules({{"objective", timed}});
  CHECK_FALSE(time["objective"].contains("penalty"));
  CHECK(time["learn_from_penalties"] == false);
  // What this version has written stays as it is.
  timed["unsolved"] = "auto";
  const Json written = {{"objective", timed}, {"fail_limit", 0.2}, {"learn_from_penalties", true}};
  CHECK(with_recorded_rules(written) == written);
  CHECK_FALSE(with_recorded_rules({{"objective", "hartmann6"}}).contains("learn_from_penalties"));
}

}  // namespace ntune
