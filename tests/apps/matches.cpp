// Studies of programs that play each other, as a user meets them.

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/command.h"
#include "catch.h"
#include "ntune/core/json.h"
#include "support/temporary_folder.h"
#include "support/unwrapped.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using test::command;
using test::CommandOutcome;

namespace {

/// A mock of fastchess: two games of one opening, better at the greater depth.
const std::string kMatch =
    "#!/bin/sh\n"
    "lead=$(($1 - $2)); luck=$(($3 % 10))\n"
    "if [ $((luck + lead)) -ge 7 ]; then w=1 l=0 d=1 pairs='0, 0, 0, 1, 0'\n"
    "elif [ $((luck + lead)) -ge 2 ]; then w=1 l=1 d=0 pairs='0, 0, 1, 0, 0'\n"
    "else w=0 l=1 d=1 pairs='0, 1, 0, 0, 0'; fi\n"
    "echo 'Started game 1 of 2 (A vs B)'\n"
    "echo \"Games: 2, Wins: $w, Losses: $l, Draws: $d, Points: - (- %)\"\n"
    "echo \"Ptnml(0-2): [$pairs], WL/DD Ratio: -nan\"\n";

const std::string kMatchStudy =
    "objective:\n"
    "  command: [sh, match.sh, '{depth}', '{opponent.depth}', '{seed}']\n"
    "  result: fastchess\n"
    "space: {depth: {integers: [1, 5], default: 2}}\n"
    "optimiser: random\nruns: 1\niterations: 30\nhold_out: 20\n";

}  // namespace

TEST_CASE("a study of matches has Elo in its text, its result, its page and top") {
  const test::TemporaryFolder folder;
  const std::string script = folder.file("match.sh", kMatch);
  const std::string study = folder.file("study.yaml", kMatchStudy);
  const auto run = [&](const std::string& name, const std::string& seed) {
    const std::string out = (folder / name).string();
    const CommandOutcome outcome = command({"run", study, "--out", out, "--seed", seed, "--quiet"});
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
    CHECK_THAT(outcome.out, ContainsSubstring("  Elo          +"));
    CHECK_THAT(outcome.out, ContainsSubstring("from 40 games: "));
    CHECK_THAT(outcome.out, ContainsSubstring("by definition: every match is against it"));
    CHECK_THAT(outcome.out, ContainsSubstring("50 evaluations: 30 search, 0 re-evaluation, 20"));
    CHECK_THAT(outcome.out, ContainsSubstring("(normalised Elo)"));
    CHECK_THAT(outcome.out, ContainsSubstring("(of 0, 1/2, 1, 3/2 and 2 points)"));
    return out;
  };
  const std::string out = run("out", "1");
  const Json result = Json::parse(test::content_of(folder / "out" / "result.json"));
  const Json& compared = result["default"];  // the default is worth 1/2 by definition
  CHECK(compared["value"] == 0.5);
  CHECK(compared["interval"] == Json::array({0.5, 0.5}));
  CHECK(compared["hold_out"].is_null());
  const Json& interval = result["recommendation"]["interval"];
  for (const std::size_t end : {0U, 1U}) {
    CHECK(compared["difference"]["interval"][end].get<double>() ==
          Approx(interval[end].get<double>() - 0.5));
  }
  const Json& elo = result["elo"];
  CHECK(elo["value"].get<double>() > 0.0);
  CHECK(elo["interval"][0].get<double>() < elo["value"].get<double>());
  CHECK(elo["interval"][1].get<double>() > elo["value"].get<double>());
  CHECK(elo["normalised_elo"]["interval"].size() == 2);
  CHECK(elo["wins"].get<int>() + elo["draws"].get<int>() + elo["losses"].get<int>() == 40);
  int pairs = 0;
  for (const Json& count : elo["pentanomial"]) pairs += count.get<int>();
  CHECK(pairs == 20);

  CHECK_THAT(command({"top", out, "--once"}).out, ContainsSubstring("Elo"));
  CHECK_THAT(command({"top", out, "--once"}).out, ContainsSubstring("[0 "));
  const std::string page = (folder / "page.html").string();
  REQUIRE(command({"report", out, "-o", page}).code == 0);
  CHECK_THAT(test::content_of(page), ContainsSubstring("data-fact=\"normalised_elo\""));
  CHECK_THAT(command({"export", out, "--to", "csv"}).out,
             ContainsSubstring("wins,draws,losses,pentanomial"));

  const std::string second = run("second", "2");
  const std::string merged = (folder / "merged").string();
  REQUIRE(command({"merge", out, second, "--out", merged}).code == 0);
  const Json both = Json::parse(test::content_of(folder / "merged" / "result.json"));
  const int merged_games = both["elo"]["wins"].get<int>() + both["elo"]["draws"].get<int>() +
                           both["elo"]["losses"].get<int>();
  CHECK(both["default"]["interval"] == Json::array({0.5, 0.5}));
  CHECK((merged_games == 40 || merged_games == 80));  // one pick, or two different ones
}

TEST_CASE("of games against a fixed opponent the Elo above the default is told") {
  const test::TemporaryFolder folder;
  const std::string script = folder.file("match.sh", kMatch);
  std::string yaml = kMatchStudy;
  yaml.replace(yaml.find("{opponent.depth}"), std::string("{opponent.depth}").size(), "3");
  const std::string study = folder.file("study.yaml", yaml);
  const std::string out = (folder / "out").string();
  const CommandOutcome outcome = command({"run", study, "--out", out, "--quiet"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK_THAT(outcome.out, ContainsSubstring("]  above the default\n"));
  const Json result = Json::parse(test::content_of(folder / "out" / "result.json"));
  const double elo = result["elo"]["value"];
  const Json& compared = result["default"];
  CHECK(compared["elo"]["wins"].get<int>() + compared["elo"]["draws"].get<int>() +
            compared["elo"]["losses"].get<int>() ==
        40);
  const Json& above = compared["elo_difference"];
  CHECK(above["value"].get<double>() == Approx(elo - compared["elo"]["value"].get<double>()));
  CHECK(above["value"].get<double>() > 0.0);
  CHECK(above["interval"][0].get<double>() < above["value"].get<double>());
  CHECK(above["interval"][1].get<double>() > above["value"].get<double>());
  const std::string page = (folder / "page.html").string();
  REQUIRE(command({"report", out, "-o", page}).code == 0);
  CHECK_THAT(test::content_of(page), ContainsSubstring("data-fact=\"elo_difference\""));
}

TEST_CASE(
    "the games of a default that plays none against itself are told beside those of the new") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", R"(
objective:
  match: {game: simulated, landscape: bowl, dimensions: 2, elo: 100, draws: 0.3}
  opponents: [default, {p1: 0.25}]
budget: 300
seed: 3
)");
  const CommandOutcome outcome =
      command({"run", study, "--out", (folder / "out").string(), "--quiet"});
  CAPTURE(outcome.out, outcome.err);
  REQUIRE(outcome.code == 0);
  const Json result = Json::parse(test::content_of(folder / "out" / "result.json"));
  const auto games = [](const Json& elo) {
    return elo["wins"].get<int>() + elo["draws"].get<int>() + elo["losses"].get<int>();
  };
  const int today = games(result["default"]["elo"]);
  REQUIRE(games(result["elo"]) == 120);
  REQUIRE(today < 120);
  CHECK_THAT(outcome.out,
             ContainsSubstring(fmt::format("120 fresh games, {} of today's, same seeds\n", today)));
  CHECK(result["duels"]["los"] == result["default"]["probability_better"]);
  // A search that comes back to the default has shown it neither superior nor inferior.
  const std::string kept =
      folder.file("kept.yaml", test::content_of(study) + "optimiser: {algorithm: spsa_duels}\n");
  const std::string there = (folder / "kept").string();
  REQUIRE(command({"run", kept, "--out", there, "--quiet"}).code == 0);
  const Json same = Json::parse(test::content_of(folder / "kept" / "result.json"));
  REQUIRE(same["verdict"] == "keep");
  CHECK(same["recommendation"]["hold_out"]["n"] > 0);
  CHECK(same["duels"]["los"].is_null());
}

TEST_CASE("a setting of matches is better only where it is with the failed ones lost") {
  for (const auto& [share, is_better] : {std::pair(3, false), {50, true}}) {
    CAPTURE(share);
    const test::TemporaryFolder folder;
    (void)folder.file("match.sh", fmt::format("[ $(($3 % {})) -eq 0 ] && exit 1\n"
                                              "[ $(($3 % 2)) -eq 0 ] && echo WL && exit\n"
                                              "if [ $1 -gt $2 ]; then echo WW; else echo LL; fi\n",
                                              share));
    const std::string study = folder.file("study.yaml", R"(
objective:
  match: {command: [sh, match.sh, '{x}', '{opponent.x}', '{seed}'], result: letters}
  opponents: [default]
space: {x: {integers: [1, 2], default: 1}}
runs: 1
iterations: 20
hold_out: 60
fail: skip
fail_limit: 1
)");
    const std::string out = (folder / "out").string();
    const CommandOutcome outcome = command({"run", study, "--out", out, "--quiet"});
    CAPTURE(outcome.out, outcome.err);
    REQUIRE(outcome.code == 0);
    const Json result = Json::parse(test::content_of(folder / "out" / "result.json"));
    REQUIRE(result["recommendation"]["parameters"]["x"] == 2);
    const Json& compared = result["default"];
    CHECK(compared["difference"]["interval"][0].get<double>() > 0.0);
    CHECK(result["verdict"] == (is_better ? "use" : "not_decided"));
    CHECK(compared["finding_reason"].is_null() == is_better);
    CHECK(compared["probability_better"].is_null() != is_better);
    const CommandOutcome tested = command({"verify", out, "--evaluations", "400", "--quiet"});
    CAPTURE(tested.out, tested.err);
    CHECK_THAT(tested.out, ContainsSubstring(is_better ? "\nDecision  better: "
                                                       : "and with these lost H1 is not accepted"));
    if (is_better) continue;
    CHECK_THAT(
        compared["finding_reason"].get<std::string>(),
        ContainsSubstring(" of 60 fresh matches failed, and with these lost no gain is shown"));
    CHECK_THAT(outcome.out, ContainsSubstring("Not decided: "));
  }
}

TEST_CASE("one game more that is won never makes a recommendation less sure") {
  const test::TemporaryFolder folder;
  // x = 2 wins one of 8 games in the first calls of 24; all other games are drawn.
  (void)folder.file("match.sh",
                    "if [ $3 = 2 ] && [ $2 -lt $1 ]; then echo W D D D D D D D; "
                    "else echo D D D D D D D D; fi\n");
  double before = 0.5;
  bool better = false;
  for (int won = 7; won <= 16; ++won) {
    const std::string name = std::to_string(won);
    const std::string study = folder.file(
        name + ".yaml", R"(
objective:
  match: {command: [sh, match.sh, ')" +
                            name + R"(', '{evaluation}', '{x}', '{opponent.x}'], result: letters}
space: {x: {integers: [1, 2], default: 1}}
optimiser: random
runs: 1
iterations: 20
hold_out: 24
)");
    const CommandOutcome outcome =
        command({"run", study, "--out", (folder / name).string(), "--quiet"});
    CAPTURE(won, outcome.out, outcome.err);
    REQUIRE(outcome.code == 0);
    const Json result = Json::parse(test::content_of(folder / name / "result.json"));
    REQUIRE(result["elo"]["wins"] == won);
    const double sure = result["default"]["probability_better"];
    CHECK(sure > before);
    if (won > 7) CHECK(sure < before + 0.01);
    before = sure;
    const bool better_now = result["default"]["finding"] == "better";
    CHECK(better_now >= better);
    better = better_now;
    // All that is told of the match agrees.
    CHECK(better == (result["elo"]["interval"][0].get<double>() > 0.0));
    CHECK(better == (result["recommendation"]["interval"][0].get<double>() > 0.5));
    CHECK(better == (sure > 0.975));
    const CommandOutcome eval =
        command({"eval", study, "--set", "x=2", "--times", "24", "--format", "json"});
    CHECK(Json::parse(eval.out)["interval"] == result["recommendation"]["interval"]);
  }
  CHECK(better);
}

TEST_CASE("a default of matches that wins is worth 1/2, without an interval of games") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml", "{objective: {match: {game: simulated, elo: 5}}, budget: 60, seed: 3}");
  const std::string out = (folder / "out").string();
  const CommandOutcome outcome = command({"run", study, "--out", out, "--quiet"});
  REQUIRE(outcome.code == cli::kDone);
  REQUIRE_THAT(outcome.out, ContainsSubstring("default      is the recommendation"));
  CHECK_THAT(outcome.out, ContainsSubstring("value        0.5000  by definition"));
  const Json result = Json::parse(test::content_of(folder / "out" / "result.json"));
  CHECK(result["recommendation"]["interval"] == Json::array({0.5, 0.5}));
  CHECK(result["default"]["interval"] == Json::array({0.5, 0.5}));
}

TEST_CASE("a study of matches that all failed says so and ends as a failed evaluation") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", R"(
objective:
  match: {command: [sh, -c, 'exit 1', sh, '{x}', '{opponent.x}'], result: letters}
space: {x: {integers: [1, 9], default: 4}}
fail: skip
runs: 1
iterations: 12
seed: 3
)");
  const CommandOutcome outcome = command({"run", study, "--quiet"});
  CHECK(outcome.code == cli::kEvaluationFailed);
  CHECK(outcome.out.empty());
  CHECK_THAT(outcome.err, ContainsSubstring("all 11 evaluations of 1 run failed: matches of "));

  // The folders say the same, and recommend nothing.
  const std::string first = (folder / "first").string();
  const std::string second = (folder / "second").string();
  for (const std::string optimiser : {"ntbea", "duels"}) {
    const std::string asked = folder.file("asked.yaml", R"(
objective: {match: {ask_tell: an engine}}
space: {x: {integers: [1, 9], default: 4}}
fail: skip
runs: 1
iterations: 4
hold_out: 4
optimiser: )" + optimiser);
    const std::string out = (folder / optimiser).string();
    CommandOutcome asks = command({"ask", out, "--study", asked});
    while (asks.code == cli::kDone) {
      const Json next = Json::parse(asks.out);
      REQUIRE(next.contains("id"));
      CHECK(command({"tell", out, "--id", next["id"].dump(), "--fail", "broken"}).code !=
            cli::kWrongInput);
      asks = command({"ask", out});
    }
    CHECK(asks.code == cli::kEvaluationFailed);
    CHECK_THAT(asks.err, ContainsSubstring("of 1 run failed: "));
    CHECK_FALSE(std::filesystem::exists(folder / optimiser / "result.json"));
  }
  CHECK(command({"run", study, "--quiet", "--out", first}).code == cli::kEvaluationFailed);
  CHECK(command({"run", study, "--quiet", "--out", second, "--seed", "4"}).code ==
        cli::kEvaluationFailed);
  CHECK(command({"merge", first, second}).code == cli::kEvaluationFailed);
  CHECK_THAT(command({"recommend", first}).err,
             ContainsSubstring("no run has a recommendation yet"));
  CHECK_THAT(command({"watch", first, "--once"}).out, !ContainsSubstring("by the model"));
}

TEST_CASE("a match with seats is asked for game by game, and told by seat") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("asked.yaml", R"(
objective: {match: {ask_tell: a table}, players: 4}
space: {x: {integers: [1, 9], default: 4}}
runs: 1
iterations: 6
)");
  const std::string out = (folder / "out").string();
  CommandOutcome asked = command({"ask", out, "--study", study});
  REQUIRE(asked.code == cli::kDone);
  const Json next = Json::parse(asked.out);
  REQUIRE(next.at("games").size() == 2);
  CHECK(next.at("games").at(0).at("seats").size() == 4);
  // The default has met itself, which takes no time and tells no rate.
  CHECK_THAT(command({"status", out}).out, ContainsSubstring(" 0 of 1 run  -  now "));
  const std::string id = next.at("id").dump();
  CHECK_THAT(command({"tell", out, "--id", id, "--games", "{"}).err,
             ContainsSubstring("--games: is no JSON such as {"));
  CHECK_THAT(command({"tell", out, "--id", id, "--games", R"([{"winner": 1}])"}).err,
             ContainsSubstring("a list of 2 results by seat is allowed"));
  const std::string games = R"([{"ranks": [1, 2, 3, 4]}, {"winner": null}])";
  CHECK(command({"tell", out, "--id", id, "--games", games}).code == cli::kDone);
}

TEST_CASE("tell takes counts of games") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("asked.yaml", R"(
objective: {match: {ask_tell: an engine}}
space: {x: {integers: [1, 9], default: 4}}
runs: 1
iterations: 6
)");
  const std::string out = (folder / "out").string();
  const std::string id = Json::parse(command({"ask", out, "--study", study}).out).at("id").dump();
  CHECK_THAT(command({"tell", out, "--id", id, "--games", "{}"}).err, ContainsSubstring("'value'"));
  const std::string games = R"({"wins": 2, "draws": 1, "losses": 1})";
  CHECK(command({"tell", out, "--id", id, "--games", games}).out == "{\"told\":" + id + "}\n");
  CHECK_THAT(test::content_of(folder / "out" / "journal.log"), ContainsSubstring(" g2-1-1"));
}

TEST_CASE("the Elo above the default is as sure as the difference that it is of") {
  const test::TemporaryFolder folder;
  // Most games are decided by the seed, for all settings alike.
  (void)folder.file("match.sh",
                    "for i in 1 2 3 4 5 6 7 8; do\n"
                    "luck=$(( ($1 * 31 + i * 7919 + $1 / 97 * i) % 20 + $2 ))\n"
                    "if [ $luck -ge 15 ]; then echo W; elif [ $luck -ge 6 ]; then echo D; "
                    "else echo L; fi; done\n");
  const std::string study = folder.file("study.yaml", R"(
objective: {command: [sh, match.sh, '{seed}', '{x}'], result: letters}
space: {x: {integers: [1, 2], default: 1}}
optimiser: random
runs: 1
iterations: 20
hold_out: 24
)");
  const CommandOutcome outcome =
      command({"run", study, "--out", (folder / "out").string(), "--quiet"});
  CAPTURE(outcome.out, outcome.err);
  REQUIRE(outcome.code == 0);
  const Json compared = Json::parse(test::content_of(folder / "out" / "result.json"))["default"];
  const Json& difference = compared["difference"]["interval"];
  const Json& elo = compared["elo_difference"]["interval"];
  const double score = compared["value"];
  const double slope = 400.0 / std::log(10.0) / (score * (1.0 - score));
  const double width = difference[1].get<double>() - difference[0].get<double>();
  CHECK(width < 0.1);
  CHECK(elo[1].get<double>() - elo[0].get<double>() == Approx(slope * width).epsilon(0.05));
}

TEST_CASE("a few games that end alike leave the Elo above the default open") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", R"(
objective:
  command: [bash, -c, ": {x}; (( {seed} % 2 )) && echo W || echo L"]
  result: letters
space: {x: {integers: [1, 5], step: 2, default: 2}}
optimiser: random
iterations: 6
runs: 1
hold_out: 10
seed: 3
)");
  const CommandOutcome outcome =
      command({"run", study, "--out", (folder / "out").string(), "--quiet"});
  CAPTURE(outcome.out, outcome.err);
  REQUIRE(outcome.code == 0);
  const Json result = Json::parse(test::content_of(folder / "out" / "result.json"));
  const Json& compared = result["default"];
  CHECK(compared["difference"]["value"] == 0.0);
  const Json& elo = compared["elo_difference"];
  CHECK(elo["value"] == 0.0);
  // A difference of 0.2 points a game is about 140 Elo at an even score, and not ruled out.
  CHECK(compared["difference"]["interval"][1].get<double>() > 0.2);
  CHECK(elo["interval"][1].get<double>() > 100.0);
  CHECK(elo["interval"][0].get<double>() < -100.0);
}

TEST_CASE("a budget of matches holds nothing back for the default, whose value is known") {
  const test::TemporaryFolder folder;
  (void)folder.file("match.sh", kMatch);
  std::string yaml = kMatchStudy;
  yaml.replace(yaml.find("iterations: 30\nhold_out: 20"), 27, "budget: 50");
  const std::string study = folder.file("study.yaml", yaml);
  CHECK_THAT(command({"check", study}).out, ContainsSubstring("1 x 40 + 10 hold-out; 50 eval"));
  const std::string out = (folder / "out").string();
  const CommandOutcome outcome = command({"run", study, "--out", out, "--quiet"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  const Json result = Json::parse(test::content_of(folder / "out" / "result.json"));
  const Json& spent = result["budget"];
  CHECK(spent["search"] == 40);
  CHECK(spent["hold_out"] == 10);
  CHECK(result["evaluations"] == 50 + spent["re_evaluation"].get<int>());
  CHECK(result["default"]["interval"] == Json::array({0.5, 0.5}));
  CHECK_THAT(test::content_of(folder / "out" / "journal.log"), !ContainsSubstring("\nh-2."));
}

TEST_CASE("without a hold-out Elo is that of the comparison, and says so") {
  const test::TemporaryFolder folder;
  (void)folder.file("match.sh", kMatch);
  std::string yaml = kMatchStudy;
  yaml.resize(yaml.find("optimiser:"));
  yaml += "optimiser: ntbea\nruns: 3\niterations: 20\nhold_out: 0\n";
  const std::string study = folder.file("study.yaml", yaml);
  const std::string out = (folder / "out").string();
  const CommandOutcome outcome = command({"run", study, "--out", out, "--quiet"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK_THAT(test::unwrapped(outcome.out),
             ContainsSubstring(" games of the comparison, which chose it: "));
  const Json result = Json::parse(test::content_of(folder / "out" / "result.json"));
  for (const Json& row : result["recommended_by_runs"]) {
    if (row["parameters"]["depth"] != 2 || row["fresh"].is_null()) continue;
    CHECK(row["fresh"]["interval"] == Json::array({0.5, 0.5}));  // the default, by definition
  }
  const Json& elo = result["elo"];
  CHECK(elo["from"] == "comparison");
  CHECK(elo["wins"].get<int>() + elo["draws"].get<int>() + elo["losses"].get<int>() > 0);
  CHECK_THAT(command({"top", out, "--once"}).out,
             ContainsSubstring("+") && ContainsSubstring(" [0 "));
  const std::string page = (folder / "page.html").string();
  REQUIRE(command({"report", out, "-o", page}).code == 0);
  CHECK_THAT(test::content_of(page), ContainsSubstring("of the comparison, which chose it: "));
}

TEST_CASE("top and watch of a study of matches that has not ended show the games of the search") {
  const test::TemporaryFolder folder;
  (void)folder.file("match.sh", kMatch);
  const std::string study = folder.file("study.yaml", kMatchStudy);
  const std::string out = (folder / "out").string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == 0);
  // As a kill in the middle of the search leaves it.
  const std::string journal = test::content_of(folder / "out" / "journal.log");
  std::size_t end = 0;
  for (int line = 0; line < 20; ++line) end = journal.find('\n', end) + 1;
  (void)folder.file("out/journal.log", journal.substr(0, end));
  std::string result = test::content_of(folder / "out" / "result.json");
  std::filesystem::remove(folder / "out" / "result.json");
  for (const char* name : {"top", "watch"}) {
    const std::string shown = command({name, out, "--once"}).out;
    CAPTURE(shown);
    CHECK_THAT(shown, ContainsSubstring("stopped"));
    CHECK_THAT(shown, ContainsSubstring("+") && ContainsSubstring(" [0 "));
  }
  // And as Ctrl-C leaves it, with a result that has no fresh games.
  Json interrupted = Json::parse(result);
  interrupted["status"] = "interrupted";
  interrupted["elo"] = nullptr;
  interrupted["recommendation"]["value"] = nullptr;
  (void)folder.file("out/result.json", interrupted.dump());
  for (const char* name : {"top", "watch"}) {
    const std::string shown = command({name, out, "--once"}).out;
    CAPTURE(shown);
    CHECK_THAT(shown, ContainsSubstring("interrupted"));
    CHECK_THAT(shown, ContainsSubstring(" [0 "));
  }
  const Json status = Json::parse(command({"status", out, "--format", "json"}).out);
  CHECK(status["elo"]["wins"].get<int>() + status["elo"]["draws"].get<int>() > 0);
}

TEST_CASE("verify finds a program of matches beside the study file") {
  const test::TemporaryFolder folder;
  (void)folder.file("match.sh", kMatch);
  const std::string study =
      folder.file("study.yaml",
                  "objective:\n  match:\n"
                  "    command: [sh, match.sh, '{depth}', '{opponent.depth}', '{seed}']\n"
                  "    result: fastchess\n"
                  "space: {depth: {integers: [1, 5], default: 2}}\nbudget: 30\n");
  const std::string out = (folder / "results" / "out").string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == 0);
  const CommandOutcome verified = command({"verify", out, "--elo1", "100", "--quiet"});
  CAPTURE(verified.err);
  CHECK(verified.code == 0);
  CHECK_THAT(verified.out, ContainsSubstring("GSPRT on pentanomial counts"));
}

TEST_CASE("verify of a program that names the opponent is a match of the two points") {
  const test::TemporaryFolder folder;
  const std::string script = folder.file("match.sh", kMatch);
  const std::string study = folder.file("study.yaml", kMatchStudy);
  const std::string out = (folder / "out").string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == 0);
  const CommandOutcome verified =
      command({"verify", out, "--study", study, "--elo1", "100", "--quiet"});
  CAPTURE(verified.err);
  CHECK(verified.code == 0);
  CHECK_THAT(verified.out,
             ContainsSubstring("pairs (two games from one start, one from either side)"));
  CHECK_THAT(verified.out, ContainsSubstring("GSPRT on pentanomial counts"));
  CHECK_THAT(verified.out, ContainsSubstring("  (score less 1/2)\n"));
  const CommandOutcome as_json = command({"verify", out, "--study", study, "--elo1", "100",
                                          "--quiet", "--resume", "--format", "json"});
  const Json json = Json::parse(as_json.out);
  const double difference = json["difference"]["value"];
  CHECK(difference == Approx(json["recommended"]["value"].get<double>() - 0.5));
  CHECK(json["difference"]["interval"][0] < difference);
  CHECK(json["difference"]["interval"][1] > difference);
  const CommandOutcome wrong =
      command({"verify", out, "--study", study, "--effect1", "1", "--quiet"});
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err, ContainsSubstring("--effect0, --effect1: the payoffs are wins"));
  CHECK(command({"verify", out, "--study", study, "--elo1", "30", "--test", "t"}).code == 2);
  const CommandOutcome checked = command({"check", "--dry-run", study});
  CHECK_THAT(checked.out, ContainsSubstring("pairs of 0 to 2 points"));
}

TEST_CASE("where the opponent crashes, verify names both players") {
  const test::TemporaryFolder folder;
  (void)folder.file("match.sh", "[ $2 = 1 ] && { echo broken >&2; exit 1; }\n" + kMatch);
  const std::string study = folder.file("study.yaml", kMatchStudy + "fail: skip\n");
  const std::string out = (folder / "out").string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == 0);
  const Json result = Json::parse(test::content_of(folder / "out" / "result.json"));
  const int depth = result["recommendation"]["parameters"]["depth"];
  REQUIRE(depth != 1);
  const std::string other = folder.file("other.yaml", "depth: 1\n");
  const CommandOutcome outcome =
      command({"verify", out, "--study", study, "--against", other, "--quiet"});
  CAPTURE(outcome.err);
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.err,
             ContainsSubstring(fmt::format(" at depth = {} against depth = 1\n", depth)));
  CHECK_THAT(outcome.err, !ContainsSubstring("--retry-failed"));
}

TEST_CASE("a study of games with seats goes on where it was cut, and verify plays at the table") {
  const test::TemporaryFolder folder;
  // Three seats, of which a later one is better; the higher x, the better too.
  (void)folder.file("game.sh",
                    "score() { echo $(($1 * 2 + $2 / $3 % 13 + $4)); }\n"
                    "echo \"{\\\"scores\\\": [$(score $2 $1 1 0), $(score $3 $1 13 2), "
                    "$(score $4 $1 169 4)]}\"\n");
  const std::string study = folder.file(
      "study.yaml",
      "objective:\n"
      "  match: {command: [sh, game.sh, '{seed}', '{seat1.x}', '{seat2.x}', '{seat3.x}']}\n"
      "  players: 3\n"
      "space: {x: {integers: [0, 9], default: 3}}\nbudget: 60\nparallel_evaluations: 2\n");
  const auto out = [&](const char* name) { return (folder / name).string(); };
  CHECK_THAT(command({"check", "--dry-run", study}).out, ContainsSubstring("seat 3      x = "));
  REQUIRE(command({"run", study, "--out", out("whole"), "--quiet"}).code == 0);
  const Json whole = Json::parse(test::content_of(folder / "whole" / "result.json"));
  CHECK(whole["recommendation"]["parameters"]["x"] > 5);
  CHECK(whole["elo"]["pentanomial"].size() == 5);
  // The first half of the journal, which the other half follows anew.
  std::filesystem::copy(folder / "whole", folder / "cut");
  const std::string journal = test::content_of(folder / "cut" / "journal.log");
  const std::size_t end = journal.find('\n', journal.size() / 2) + 1;
  std::filesystem::resize_file(folder / "cut" / "journal.log", end);
  const CommandOutcome resumed =
      command({"run", study, "--out", out("cut"), "--resume", "--threads", "2", "--quiet"});
  CAPTURE(resumed.err);
  REQUIRE(resumed.code == 0);
  const Json again = Json::parse(test::content_of(folder / "cut" / "result.json"));
  for (const char* key : {"recommendation", "default", "elo", "verdict", "duels"}) {
    CHECK(again[key] == whole[key]);
  }
  const CommandOutcome verified = command({"verify", out("whole"), "--elo1", "200", "--quiet"});
  CAPTURE(verified.err);
  CHECK(verified.code == 0);
  CHECK_THAT(verified.out, ContainsSubstring("GSPRT on pentanomial counts"));
}

}  // namespace ntune
