// Studies of programs that play each other, as a user meets them.

#include <string>

#include <nlohmann/json.hpp>

#include "apps/command.h"
#include "catch.h"
#include "ntune/core/json.h"
#include "support/temporary_folder.h"

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

const std::string kStudy =
    "objective:\n"
    "  command: [sh, match.sh, '{depth}', '{opponent.depth}', '{seed}']\n"
    "  result: fastchess\n"
    "space: {depth: {integers: [1, 5], default: 2}}\n"
    "optimiser: random\nruns: 1\niterations: 30\nhold_out: 20\n";

}  // namespace

TEST_CASE("a study of matches has Elo in its text, its result, its page and top") {
  const test::TemporaryFolder folder;
  const std::string script = folder.file("match.sh", kMatch);
  const std::string study = folder.file("study.yaml", kStudy);
  const auto run = [&](const std::string& name, const std::string& seed) {
    const std::string out = (folder / name).string();
    const CommandOutcome outcome = command({"run", study, "--out", out, "--seed", seed, "--quiet"});
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
    CHECK_THAT(outcome.out, ContainsSubstring("  Elo          +"));
    CHECK_THAT(outcome.out, ContainsSubstring("from 40 games: "));
    CHECK_THAT(outcome.out, ContainsSubstring("(normalised Elo)"));
    CHECK_THAT(outcome.out, ContainsSubstring("(of 0, 1/2, 1, 3/2 and 2 points)"));
    return out;
  };
  const std::string out = run("out", "1");
  const Json result = Json::parse(test::content_of(folder / "out" / "result.json"));
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
  CHECK_THAT(test::content_of(page), ContainsSubstring("Games of the hold-out"));
  CHECK_THAT(command({"export", out, "--to", "csv"}).out,
             ContainsSubstring("wins,draws,losses,pentanomial"));

  const std::string second = run("second", "2");
  const std::string merged = (folder / "merged").string();
  REQUIRE(command({"merge", out, second, "--out", merged}).code == 0);
  const Json both = Json::parse(test::content_of(folder / "merged" / "result.json"));
  const int merged_games = both["elo"]["wins"].get<int>() + both["elo"]["draws"].get<int>() +
                           both["elo"]["losses"].get<int>();
  CHECK((merged_games == 40 || merged_games == 80));  // one pick, or two different ones
}

TEST_CASE("of games against a fixed opponent the Elo above the default is told") {
  const test::TemporaryFolder folder;
  const std::string script = folder.file("match.sh", kMatch);
  std::string yaml = kStudy;
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
  CHECK_THAT(test::content_of(page), ContainsSubstring("Elo above the default"));
}

TEST_CASE("verify of a program that names the opponent is a match of the two points") {
  const test::TemporaryFolder folder;
  const std::string script = folder.file("match.sh", kMatch);
  const std::string study = folder.file("study.yaml", kStudy);
  const std::string out = (folder / "out").string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == 0);
  const CommandOutcome verified =
      command({"verify", out, "--study", study, "--elo1", "100", "--quiet"});
  CAPTURE(verified.err);
  CHECK(verified.code == 0);
  CHECK_THAT(verified.out,
             ContainsSubstring("pairs (two games from one start, one from either side)"));
  CHECK_THAT(verified.out, ContainsSubstring("GSPRT on pentanomial counts"));
  const CommandOutcome wrong =
      command({"verify", out, "--study", study, "--effect1", "1", "--quiet"});
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err, ContainsSubstring("--effect0, --effect1: the payoffs are wins"));
  CHECK(command({"verify", out, "--study", study, "--elo1", "30", "--test", "t"}).code == 2);
  const CommandOutcome checked = command({"check", "--dry-run", study});
  CHECK_THAT(checked.out, ContainsSubstring("pairs of 0 to 2 points"));
}

}  // namespace ntune
