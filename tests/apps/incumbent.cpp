// A declared default as a user meets it.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "apps/command.h"
#include "catch.h"
#include "ntune/core/csv.h"
#include "ntune/core/json.h"
#include "support/temporary_folder.h"
#include "support/unwrapped.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using test::command;

namespace {

const std::string kStudy =
    "objective: {function: hartmann3, noise: win_loss}\n"
    "space:\n"
    "  x1: {choices: [0, 0.25, 0.5, 0.75], default: 0.75}\n"
    "  x2: {range: [0, 0.9], step: 0.3, default: 0.1}\n"
    "  x3: {choices: [0, 0.5, 0.9], default: 0}\n"
    "optimiser: ntbea\nruns: 2\niterations: 150\nhold_out: 100\n";

}  // namespace

TEST_CASE("the page says that the recommendation fails more often than the default") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "objective:\n"
      "  command: [sh, -c, 'test $2 = B && test $1 = 2 && exit 1; echo $(( 100 - 40 * $1 ))', sh,\n"
      "    '{x}', '{instance}']\n"
      "  result: {cost: number}\n"
      "space: {x: {choices: [1, 2, 0], default: 1}}\n"
      "instances: [A, C]\ntest_instances: [B, D]\nbudget: 24\nhold_out: 8\nfail: skip\n");
  const std::string out = (folder.path() / "out").string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == 0);
  const std::string page = (folder.path() / "page.html").string();
  CHECK(command({"report", out, "-o", page}).code == 0);
  const std::string html = test::content_of(page);
  CHECK_THAT(html,
             ContainsSubstring(
                 "Not decided: 4 of the "
                 "recommendation&#39;s 8 fresh evaluations failed, none of the default&#39;s"));
  CHECK_THAT(html,
             ContainsSubstring("<data value=\"4\">4</data> of <data value=\"4\">4</data> failed"));
}

TEST_CASE("run, report and verify compare with the declared default") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kStudy);
  const std::string out = (folder.path() / "out").string();
  const auto text = command({"run", study, "--out", out});
  CHECK(text.code == 0);
  CHECK_THAT(text.out, ContainsSubstring("compared with the default: x1 = 0.75, x2 = 0.1, x3 = 0"));
  CHECK_THAT(test::unwrapped(text.out), ContainsSubstring("100 evaluations with the same seeds"));
  CHECK_THAT(text.out, ContainsSubstring("  finding      better than the default"));
  const Json json = Json::parse(test::content_of(out + "/result.json"));
  const Json& compared = json["default"];
  CHECK(compared["finding"] == "better");
  CHECK(compared["probability_better"] > 0.97);
  CHECK(compared["parameters"]["x2"] == 0.1);
  CHECK(compared["difference"]["interval"][0] > 0.0);
  CHECK(json["study"]["default"]["x2"] == 0.1);

  const std::string page = (folder.path() / "page.html").string();
  CHECK(command({"report", out, "-o", page}).code == 0);
  const std::string html = test::content_of(page);
  CHECK_THAT(html, ContainsSubstring("data-fact=\"default\""));
  CHECK_THAT(html, ContainsSubstring("Better than the default</dt>"));
  CHECK_THAT(html, ContainsSubstring(">default</td>"));
  for (const Json& row : json["recommended_by_runs"]) {
    CHECK(row["fresh"]["n"] > 0);  // the default is compared like what the runs recommend
    CHECK(row["best_probability"].is_number());
  }

  const auto verified = command({"verify", out, "--against", "default", "--quiet"});
  CHECK(verified.code == 0);
  CHECK_THAT(verified.out, ContainsSubstring("Decision  better"));
  CHECK(command({"deviations", out, "--evaluations", "500", "--quiet"}).code == 0);
  CHECK(command({"export", out, "--to", "csv", "-o", (folder.path() / "e.csv").string()}).code ==
        0);
  // The study of the folder is the same study.
  const std::string again = (folder.path() / "again").string();
  CHECK(command({"run", out + "/study.yaml", "--out", again, "--quiet"}).code == 0);
  Json there = Json::parse(test::content_of(out + "/result.json"));
  there["default"].erase("tested");
  CHECK(Json::parse(test::content_of(again + "/result.json")) == there);
}

TEST_CASE("verify says in what it does not compare with the agent of a file") {
  const test::TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  REQUIRE(command({"run", folder.file("study.yaml", kStudy), "--out", out, "--quiet"}).code == 0);
  const std::string agent = folder.file(
      "agent.json",
      R"({"class": "players.A", "x1": 0.25, "heuristic": {"class": "X", "w": [1, 2]}})");
  const std::vector<std::string> words = {"verify", out, "--against", agent, "--evaluations", "40"};
  const auto told = command(words);
  CHECK(told.code == 0);
  CHECK_THAT(told.err,
             ContainsSubstring("note: " + agent +
                               ": passed over, as the space does not have it: class and heuristic; "
                               "filled in, as the file does not have it: x2 = 0.1 and x3 = 0\n"));
  // Nothing is filled in; then a value that the space does not have, in its line.
  (void)folder.file("agent.json", R"({"x1": 0.25, "x2": 0.3, "x3": 0.5, "more": {}})");
  CHECK_THAT(command(words).err, ContainsSubstring("does not have it: more\n"));
  (void)folder.file("agent.json", "{\"class\": \"players.A\",\n\n \"x1\": 7, \"x2\": 0.3}");
  const auto refused = command(words);
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err,
             ContainsSubstring("agent.json:3: x1: is 7, which is no value of 'x1'; allowed: "));
}

TEST_CASE("as CSV the default is a row beside the recommendation") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kStudy);
  const std::string out = (folder.path() / "out").string();
  const auto csv = command({"run", study, "--out", out, "--format", "csv", "--quiet"});
  REQUIRE(csv.code == 0);
  CsvReader reader(csv.out, "standard output");
  const auto row = [&] {
    REQUIRE(reader.next());
    std::vector<std::string> fields;
    for (const CsvField& field : reader.fields()) fields.emplace_back(field.text);
    return fields;
  };
  CHECK(row() == std::vector<std::string>{"point", "value", "low", "high", "n", "true_value",
                                          "estimate", "difference", "difference_low",
                                          "difference_high", "better", "x1", "x2", "x3"});
  const auto recommendation = row();
  const auto by_default = row();
  CHECK_FALSE(reader.next());
  const Json json = Json::parse(test::content_of(out + "/result.json"));
  CHECK(recommendation[0] == "recommendation");
  CHECK(std::stod(recommendation[1]) == json["recommendation"]["value"]);
  CHECK(recommendation[7].empty());
  CHECK(by_default[0] == "default");
  CHECK(std::stod(by_default[1]) == json["default"]["value"]);
  CHECK(std::stod(by_default[2]) == json["default"]["interval"][0]);
  CHECK(by_default[4] == "100");
  CHECK(by_default[6].empty());
  CHECK(std::stod(by_default[7]) == json["default"]["difference"]["value"]);
  CHECK(std::stod(by_default[9]) == json["default"]["difference"]["interval"][1]);
  CHECK(std::stod(by_default[10]) == json["default"]["probability_better"]);
  CHECK(by_default[11] == "0.75");
  // Without a default nothing changes.
  const std::string none =
      folder.file("none.yaml", "{objective: hartmann3, runs: 1, iterations: 9}");
  CHECK_THAT(command({"run", none, "--format", "csv", "--quiet"}).out,
             Catch::Matchers::StartsWith("value,low,high,n,true_value,estimate,x1,x2,x3\n"));
}

TEST_CASE("eval takes from the default what --set leaves out") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kStudy);
  CHECK_THAT(command({"eval", study, "--times", "10"}).out,
             ContainsSubstring("x1 = 0.75, x2 = 0.1, x3 = 0\n"));
  CHECK_THAT(command({"eval", study, "--set", "x2=0.6", "--times", "10"}).out,
             ContainsSubstring("x1 = 0.75, x2 = 0.6, x3 = 0\n"));
  const std::string none = folder.file("none.yaml", "objective: hartmann3\n");
  CHECK(command({"eval", none, "--set", "x1=0"}).code == 2);
}

TEST_CASE("the first question of a served study is the default") {
  const test::TemporaryFolder folder;
  const std::string study =
      folder.file("study.yaml",
                  "objective: {ask_tell: my agent, payoffs: [0, 1], two_valued: true}\n"
                  "space: {x: {integers: [1, 9], default: 4}}\n"
                  "runs: 1\niterations: 20\n");
  const std::string out = (folder.path() / "out").string();
  const auto asked = command({"ask", out, "--study", study});
  CHECK(asked.code == 0);
  CHECK(Json::parse(asked.out)["params"]["x"] == 4);
  const auto refused = command({"tell", out, "--id", "0", "--value", "nan"});
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, ContainsSubstring("--value: is nan, a finite number is allowed"));
  CHECK(command({"tell", out, "--id", "0", "--value", "1"}).code == 0);
}

TEST_CASE("an imported space is a study with a default") {
  const test::TemporaryFolder folder;
  const std::string csv = folder.file("params.csv", "x1, float, 0.4, 0, 0.9, 0.1, 0.002\n");
  const auto imported = command({"import-space", csv});
  CHECK(imported.code == 0);
  CHECK_THAT(imported.out, ContainsSubstring("default: 0.4"));
}

}  // namespace ntune
