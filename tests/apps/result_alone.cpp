// Folders whose result has no journal, or is not whole.

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "apps/command.h"
#include "catch.h"
#include "ntune/core/json.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::command;

namespace {

/// A study whose best setting is x = 9, in a folder of its own.
std::string study_made(const test::TemporaryFolder& folder, const std::string& name, int seed) {
  const std::string study =
      folder.file(name + ".yaml",
                  "{objective: {command: [sh, -c, 'echo $1', x, '{x}'], noisy: false}, space: {x: "
                  "{integers: [1, 9], default: 2}}, iterations: 9, runs: 1, optimiser: grid, "
                  "seed: " +
                      std::to_string(seed) + "}");
  const std::string out = (folder / name).string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == 0);
  return out;
}

}  // namespace

TEST_CASE("status, top and recommend know a folder that merge has made") {
  const test::TemporaryFolder folder;
  const std::string first = study_made(folder, "first", 1);
  const std::string second = study_made(folder, "second", 2);
  const std::string merged = (folder / "merged").string();
  REQUIRE(command({"merge", first, second, "--out", merged}).code == 0);
  const test::CommandOutcome status = command({"status", merged});
  CHECK(status.code == 0);
  CHECK_THAT(status.out, StartsWith("done  100 %") && ContainsSubstring("x = 9"));
  CHECK(Json::parse(command({"status", merged, "--format", "json"}).out)["done"] == true);
  CHECK(Json::parse(command({"recommend", merged}).out)["params"]["x"] == 9);
  CHECK_THAT(command({"top", merged, "--once"}).out, ContainsSubstring("merged"));
}

TEST_CASE("a report of a result alone says that the folder has no journal") {
  const test::TemporaryFolder folder;
  const std::string out = study_made(folder, "alone", 1);
  std::filesystem::remove(std::filesystem::path(out) / "journal.log");
  const test::CommandOutcome report =
      command({"report", out, "-o", (folder / "alone.html").string()});
  CHECK(report.code == 0);
  CHECK_THAT(report.err, ContainsSubstring("the folder has no journal"));
}

TEST_CASE("a result that was cut off is named, and made anew from the journal") {
  const test::TemporaryFolder folder;
  const std::string out = study_made(folder, "torn", 1);
  const std::filesystem::path result = std::filesystem::path(out) / "result.json";
  const std::string whole = test::content_of(result);
  std::filesystem::resize_file(result, 700);
  const char* const fault = "result.json: is not the result of an ntune study, or not the whole";
  // What the journal says is said too.
  CHECK_THAT(command({"status", out}).out, ContainsSubstring(fault) && ContainsSubstring("x = 9"));
  CHECK_THAT(command({"status", out, "--format", "json"}).out, ContainsSubstring(fault));
  CHECK_THAT(command({"recommend", out}).out,
             ContainsSubstring(fault) && ContainsSubstring("\"x\":9"));
  CHECK_THAT(command({"top", out, "--once"}).out, ContainsSubstring("result.json: is not the"));
  for (const char* name : {"verify", "report"}) {
    const test::CommandOutcome refused = command({name, out});
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, ContainsSubstring(fault));
  }
  const std::string study = (folder / "torn.yaml").string();
  CHECK(command({"run", study, "--out", out, "--resume", "--quiet"}).code == 0);
  CHECK(test::content_of(result) == whole);
}

}  // namespace ntune
