#include "ntune/study/keys/present_options.h"

#include <filesystem>
#include <string>

#include "catch.h"
#include "ntune/core/files.h"
#include "ntune/study/journal/journal.h"
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

}  // namespace ntune
