// `ntune verify`, `ntune deviations` and `ntune recommend FILE` as a user meets them.

#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/command.h"
#include "catch.h"
#include "facts/studies.h"
#include "ntune/core/json.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::command;
using test::CommandOutcome;

namespace {

const std::string kVerifiedStudy =
    "objective: {function: hartmann6, noise: win_loss}\n"
    "space: {x1: {choices: [0, 0.2, 0.4], default: 0}}\n"
    "runs: 2\niterations: 200\n";

const std::string kBad = "{x1: 0, x2: 0, x3: 0, x4: 0, x5: 0, x6: 0}\n";

/// The folder of a finished_study study.
std::string finished_study(const test::TemporaryFolder& folder,
                           const std::string& yaml = kVerifiedStudy) {
  const std::string study = folder.file("study.yaml", yaml);
  const std::string out = (folder.path() / "out").string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == 0);
  return out;
}

void check_verify_refused(const std::vector<std::string>& arguments, const std::string& text) {
  const CommandOutcome outcome = command(arguments);
  CAPTURE(text, outcome.err, outcome.out);
  CHECK(outcome.code == 2);
  CHECK(outcome.out == "");
  CHECK(test::is_one_line(outcome.err));
  CHECK_THAT(outcome.err, ContainsSubstring(text));
}

}  // namespace

TEST_CASE("verify tests a recommendation against a point of a file") {
  const test::TemporaryFolder folder;
  const std::string out = finished_study(folder);
  const std::string bad = folder.file("bad.yaml", kBad);
  const std::string result = (folder.path() / "verify.json").string();
  const CommandOutcome text =
      command({"verify", out, "--against", bad, "--out", result, "--quiet"});
  CHECK(text.code == 0);
  CHECK(text.err == "");
  for (const char* phrase :
       {"hartmann6", "pairs (same seed for both)", "normalised Elo", "pentanomial",
        "GSPRT on pentanomial counts", "log-likelihood ratio", "Decision  better"}) {
    CHECK_THAT(text.out, ContainsSubstring(phrase));
  }
  const Json json = Json::parse(test::content_of(result));
  CHECK(json["decision"] == "better");
  CHECK(json["test"] == "normalised");
  const CommandOutcome same =
      command({"verify", out, "--against", bad, "--threads", "1", "--format", "json", "--quiet"});
  CHECK(Json::parse(same.out) == json);
  const std::string table = (folder.path() / "verify.csv").string();
  const CommandOutcome csv =
      command({"verify", out, "--against", bad, "--format", "csv", "--out", table});
  CHECK_THAT(csv.out, StartsWith("against,decision,test,h0,h1,log_likelihood_ratio,pairs,"));
  CHECK(test::content_of(table) == csv.out);
  CHECK_THAT(command({"verify", out, "--against", out}).out,
             ContainsSubstring("Decision  same: the recommendation is"));
}

TEST_CASE("what verify decides against the default is the verdict of the study") {
  const test::TemporaryFolder folder;
  const std::string out =
      finished_study(folder,
                     "objective: {function: hartmann3, noise: win_loss}\n"
                     "space:\n"
                     "  x1: {choices: [0, 0.25, 0.5, 0.75], default: 0.75}\n"
                     "  x2: {range: [0, 0.9], step: 0.3, default: 0}\n"
                     "  x3: {choices: [0, 0.5, 0.9], default: 0}\n"
                     "optimiser: ntbea\nruns: 2\niterations: 150\nhold_out: 2\nseed: 1\n");
  const auto result = [&] { return Json::parse(test::content_of(out + "/result.json")); };
  const Json before = result();
  REQUIRE(before["verdict"] == "not_decided");
  REQUIRE(before["setting"] == before["default"]["parameters"]);

  // A test that may be wrong more often, or whose H0 is a loss, is no verdict.
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--alpha", "0.2"}, {"--elo0", "-20", "--elo1", "0"}}) {
    std::vector<std::string> words = {"verify", out};
    words.insert(words.end(), options.begin(), options.end());
    CHECK_THAT(command(words).out, ContainsSubstring("Decision  better"));
    CHECK(result() == before);
  }

  const CommandOutcome verified = command({"verify", out});
  CHECK_THAT(verified.out, ContainsSubstring("Decision  better"));
  CHECK_THAT(verified.err, ContainsSubstring("The verdict of " + out + " follows this test"));
  const Json after = result();
  CHECK(after["verdict"] == "use");
  CHECK(after["setting"] == after["recommendation"]["parameters"]);
  CHECK(after["default"]["tested"]["better"] == true);
  CHECK(after["default"]["tested"]["pairs"] > 30);
  CHECK(after["default"]["finding"] == before["default"]["finding"]);

  const std::string found = "`ntune verify` found Elo +";
  CHECK_THAT(command({"status", out}).out, ContainsSubstring("verdict use by ntune verify"));
  CHECK_THAT(test::on_one_line(command({"top", out, "--once"}).out), ContainsSubstring(found));
  CHECK(Json::parse(command({"recommend", out}).out)["verdict"] == "use");
  CHECK_THAT(command({"export", out, "--to", "uci"}).out,
             ContainsSubstring("name x1 value " + after["setting"]["x1"].dump()));
  const std::string page = out + "/page.html";
  CHECK(command({"report", out, "-o", page}).code == 0);
  CHECK_THAT(test::content_of(page), ContainsSubstring("Use the new setting: " + found));
  CHECK_THAT(test::content_of(page), ContainsSubstring("<b class=\"good\">Yes</b>: " + found));

  // The study that is shown again keeps it.
  const CommandOutcome again =
      command({"run", out + "/study.yaml", "--out", out, "--resume", "--quiet"});
  CHECK_THAT(test::on_one_line(again.out), ContainsSubstring("Use the new setting: " + found));
  CHECK(result() == after);
}

TEST_CASE("verify of other payoffs is a sequential t-test") {
  const test::TemporaryFolder folder;
  const std::string out =
      finished_study(folder,
                     "objective: {function: hartmann6, noise: {gaussian: 0.3}}\n"
                     "runs: 2\niterations: 200\n");
  const std::string bad = folder.file("bad.yaml", kBad);
  const CommandOutcome outcome = command({"verify", out, "--against", bad, "--quiet"});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, ContainsSubstring("Hajnal's sequential t-test"));
  CHECK_THAT(outcome.out, ContainsSubstring("Decision  better"));
}

TEST_CASE("players of two points meet in pairs of games") {
  const test::TemporaryFolder folder;
  const std::string out =
      finished_study(folder,
                     "objective: {game: bao, depth: 1}\n"
                     "space: {material: [1, 4], house: [0, 20], back1: [-1, 0, 1]}\n"
                     "runs: 1\niterations: 20\nhold_out: 10\n");
  const std::string other = folder.file("other.yaml", "{material: 4, house: 20, back1: -1}\n");
  const CommandOutcome match =
      command({"verify", out, "--against", other, "--match", "--evaluations", "200", "--quiet"});
  CHECK(match.code == 0);
  CHECK_THAT(match.out, ContainsSubstring("two games from one start, one from either side"));
  const CommandOutcome defaults = command({"verify", out, "--evaluations", "100", "--quiet"});
  CHECK(defaults.code == 0);
  CHECK_THAT(defaults.out, ContainsSubstring("Decision  "));
}

TEST_CASE("deviations tells what matters") {
  const test::TemporaryFolder folder;
  const std::string out = finished_study(folder);
  const std::string table = (folder.path() / "deviations.csv").string();
  const CommandOutcome text =
      command({"deviations", out, "--evaluations", "4000", "--out", table, "--quiet"});
  CHECK(text.code == 0);
  CHECK_THAT(text.out, ContainsSubstring("Defaults are not known"));
  CHECK_THAT(text.out, ContainsSubstring("Better than the recommendation"));
  CHECK_THAT(test::content_of(table),
             StartsWith("parameter,value,recommended,is_default,is_neighbour,n,difference,low,"));
  const std::string bad = folder.file("bad.yaml", kBad);
  const CommandOutcome known = command({"deviations", out, "--evaluations", "4000", "--default",
                                        bad, "--quiet", "--format", "json"});
  CHECK(Json::parse(known.out)["default"]["x2"] == 0.0);
  CHECK_THAT(command({"deviations", out, "--default", bad + ".none"}).err,
             StartsWith("--default: there is no file "));
  CHECK_THAT(command({"verify", out, "--against", bad + ".none"}).err,
             StartsWith("--against: there is no file "));
}

TEST_CASE("recommend reads a table of another program") {
  const test::TemporaryFolder folder;
  std::string text = "x,y,score\n";
  for (int i = 0; i < 60; ++i) {
    const int x = i % 5;
    const int y = i % 3;
    text += std::to_string(x) + "," + std::to_string(y) + "," +
            std::to_string(-(x - 3) * (x - 3) + y + (i % 7) * 0.1) + "\n";
  }
  const std::string data = folder.file("data.csv", text);
  const CommandOutcome outcome = command({"recommend", data, "--payoff", "score"});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, ContainsSubstring("note: the space of 2 parameters and 15 points is "
                                            "inferred from the data"));
  for (const char* phrase : {"60 observations of 15 points", "Recommendation by gaussian_process",
                             "  x  3\n", "  y  2\n", "best single trial", "rank"}) {
    CHECK_THAT(outcome.out, ContainsSubstring(phrase));
  }
  CHECK(command({"recommend", data, "--payoff", "score", "--quiet"}).err == "");
  const std::string space = folder.file("space.yaml", "{x: {integers: [0, 4]}, y: [0, 1, 2]}\n");
  const CommandOutcome costs =
      command({"recommend", data, "--payoff", "score", "--minimise", "--space", space, "--model",
               "gaussian_process", "--format", "json"});
  CHECK(costs.err == "");
  const Json json = Json::parse(costs.out);
  CHECK(json["recommendation"]["parameters"]["x"] == 0);
  CHECK(json["recommendation"]["interval"][0] < json["recommendation"]["interval"][1]);
  CHECK(json["best_trial"]["payoff"].get<double>() < -8.0);
}

TEST_CASE("one lucky observation puts no point first") {
  const test::TemporaryFolder folder;
  std::string rows = "x,y,payoff\n";
  for (int x = 0; x < 10; ++x) {
    // Wins of 40 games, most at x = 6, and of each x one game with y = 1.
    for (int game = 0; game < 40; ++game) {
      rows += fmt::format("{},0,{}\n", x, game < 34 - 3 * std::abs(x - 6) ? 1 : 0);
    }
    rows += fmt::format("{},1,{}\n", x, x == 0 ? 1 : 0);
  }
  const CommandOutcome outcome =
      command({"recommend", folder.file("games.csv", rows), "--top", "20", "--format", "json"});
  REQUIRE(outcome.code == 0);
  const Json json = Json::parse(outcome.out);
  const Json& first = json["recommendation"];
  CHECK(first["parameters"]["y"] == 0);
  CHECK(std::abs(first["parameters"]["x"].get<int>() - 6) <= 1);
  for (const Json& point : json["top"]) {
    CHECK(point["posterior_mean"].get<double>() <= first["posterior_mean"].get<double>() + 1e-9);
  }
}

TEST_CASE("auto makes of many foreign observations what one search would, not several") {
  const test::TemporaryFolder folder;
  std::string rows = "x,y,payoff\n";
  for (int i = 0; i < 1200; ++i) {
    rows += fmt::format("{},{},{}\n", i % 5, i % 3, (i % 5 == 3 ? 1.0 : 0.0) + 0.1 * (i % 7));
  }
  const CommandOutcome outcome =
      command({"recommend", folder.file("many.csv", rows), "--model", "auto", "--format", "json"});
  CHECK(outcome.code == 0);
  CHECK(Json::parse(outcome.out)["recommendation"]["parameters"]["x"] == 3);
}

TEST_CASE("recommend reads a journal of ours as it reads Optuna's") {
  const test::TemporaryFolder folder;
  const std::string out = finished_study(folder, kVerifiedStudy + "record: evaluations\n");
  const std::string journal = (folder.path() / "trials.log").string();
  REQUIRE(command({"export", out, "--to", "optuna-journal", "-o", journal}).code == 0);
  const std::string space = folder.file(
      "space.yaml",
      "{x1: {choices: [0, 0.2, 0.4]}, x2: {range: [0, 0.8], step: 0.2}, x3: {range: [0, 0.8], "
      "step: 0.2}, x4: {range: [0, 0.8], step: 0.2}, x5: {range: [0, 0.8], step: 0.2}, x6: {range: "
      "[0, 0.8], step: 0.2}}");
  const CommandOutcome outcome =
      command({"recommend", journal, "--space", space, "--format", "json"});
  CHECK(outcome.code == 0);
  CHECK(outcome.err.find("count at the nearest") == std::string::npos);
  const Json json = Json::parse(outcome.out);
  CHECK(json["observations"].get<int>() >= 400);
  // The same rows as CSV have the same best trial: values, and not places among choices.
  const std::string rows = (folder.path() / "rows.csv").string();
  REQUIRE(command({"export", out, "-o", rows}).code == 0);
  const CommandOutcome other = command({"recommend", rows, "--space", space, "--format", "json"});
  for (const char* key : {"observations", "points", "recommendation"}) {
    CHECK(Json::parse(other.out)[key] == json[key]);
  }
}

TEST_CASE("wrong calls of verify, deviations and recommend are one line") {
  const test::TemporaryFolder folder;
  const std::string out = finished_study(folder);
  const std::string bad = folder.file("bad.yaml", "{x1: 7}\n");
  check_verify_refused({"verify", (folder.path() / "none").string()}, "is not a folder");
  check_verify_refused({"verify", folder.path().string()}, "holds no result.json");
  check_verify_refused({"verify", out}, "--against default: x2: has no default");
  check_verify_refused({"verify", out, "--against", "nothing"},
                       "--against: there is no file nothing");
  check_verify_refused({"verify", out, "--against", bad},
                       "bad.yaml:1: x1: is 7, which is no value");
  check_verify_refused({"verify", out, "--alpha", "0.7"}, "--alpha");
  check_verify_refused({"verify", out, "--elo0", "5", "--elo1", "5"}, "--elo1: is 5");
  check_verify_refused({"verify", out, "--test", "z"}, "--test");
  check_verify_refused({"verify", out, "--match", "--against", out + "/study.yaml"}, "study.yaml");
  check_verify_refused({"deviations", out, "--evaluations", "0"}, "--evaluations");
  check_verify_refused({"recommend", "nothing.csv"}, "nothing.csv: does not exist");
  const std::string data = folder.file("data.csv", "x,payoff\n1,2\n2,3\n");
  check_verify_refused({"recommend", data, "--model", "ntbae"}, "--model: ");
  for (const std::string model : {"spsa", "multi_start", "pooled_starts", "random"}) {
    check_verify_refused({"recommend", data, "--model", model},
                         "--model: '" + model + "' learns only from what it asked for; allowed: ");
  }
  const std::string space = folder.file("space.yaml", "{x1: [1, 2]}\n");
  check_verify_refused({"recommend", data, "--space", space}, "x1");
  for (const std::vector<std::string>& option : std::vector<std::vector<std::string>>{
           {"--space", space}, {"--model", "ntbea"}, {"--minimise"}, {"--top", "3"}}) {
    std::vector<std::string> words = {"recommend", out};
    words.insert(words.end(), option.begin(), option.end());
    check_verify_refused(words, option[0] + ": goes with a file of observations; ");
  }
}

}  // namespace ntune
