// slide3 moves, autoplay, reproduce.

#include <set>
#include <string>
#include <vector>

#include "apps/slide3/reproduce.h"
#include "catch.h"
#include "laboratories/slide3/slide3.h"
#include "ntune/core/files.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::StartsWith;
using test::CommandOutcome;
using test::run_slide3;
using test::slide3_json;

namespace {

// Positions of DTW 5, as `slide3 sample` prints them.
const char* const kSample =
    "215\n125463789\n303\n123586749\n212\n423716859\n108\n124387569\n"
    "114\n123459768\n315\n531462897\n305\n526341978\n401\n136452789\n";

std::vector<std::string> with_arguments(std::vector<std::string> words,
                                        const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("slide3 moves measures hits and misses at every depth") {
  const test::TemporaryFolder folder;
  const std::string database = (folder / "db").string();
  REQUIRE(run_slide3({"database", "--out", database}).code == 0);
  const std::vector<std::string> command = {"moves",   "--database", database,  "--dtw", "6",
                                            "--count", "40",         "--depth", "1-3",   "--quiet"};
  const Json json = slide3_json(command);
  CHECK(json["player"] == "Eu, table all, Win -1000");
  CHECK(json["sample"] == "40 positions of DTW 6, seed 1");
  REQUIRE(json["depths"].size() == 3);
  for (const Json& row : json["depths"]) {
    CHECK(row["positions"] == 40);
    CHECK(row["hits"].get<double>() + row["fakes"].get<double>() == Approx(1.0));
    CHECK(row["hits_low"] <= row["hits"]);
    CHECK(row["hits"] <= row["hits_high"]);
    CHECK(row["rejecting"].get<int>() + row["all_best"].get<int>() == 40);
  }
  CHECK(run_slide3(with_arguments(command, {"--threads", "1"})).out ==
        run_slide3(with_arguments(command, {"--threads", "3"})).out);

  const Json play = slide3_json(with_arguments(command, {"--eval", "random_play"}));
  CHECK(play["depths"][0]["all_best"] == 40);
  CHECK(play["depths"][0]["misses"].is_null());
}

TEST_CASE("slide3 autoplay plays the same games on any number of threads") {
  const test::TemporaryFolder folder;
  const std::string sample = folder.file("sample", kSample);
  const std::vector<std::string> command = {
      "autoplay", "--sample",        sample, "--quiet",     "--eval",
      "Man",      "--randomisation", "add",  "--intensity", "2.5"};
  const CommandOutcome one = run_slide3(with_arguments(command, {"--threads", "1"}));
  CHECK(one.code == 0);
  CHECK(one.err == "");
  CHECK_THAT(one.out, StartsWith("Man-Add [-2.5, 2.5], table all, Win -1000, depth 5, up to "
                                 "100 moves\n8 positions of "));
  CHECK(run_slide3(with_arguments(command, {"--threads", "3"})).out == one.out);
  CHECK(run_slide3(with_arguments(command, {"--seed", "2"})).out != one.out);

  const Json result = slide3_json(command)["result"];
  CHECK(result["won"] == 8);  // five moves deep, five moves from Win
  CHECK(result["winning_quota"] == 1.0);
  CHECK(result["least_moves"] == 5);
  CHECK(result["most_moves"] == 5);
  CHECK(slide3_json(with_arguments(command, {"--no-fat"}))["result"]["ties"].is_null());

  for (const char* search : {"astar", "idastar"}) {
    const Json best = slide3_json(
        {"autoplay", "--sample", sample, "--quiet", "--search", search, "--evaluations", "5000"});
    CHECK(best["result"]["won"] == 8);
  }
}

TEST_CASE("slide3 reproduce draws the figures of the thesis") {
  const test::TemporaryFolder folder;
  const std::string database = (folder / "db").string();
  REQUIRE(run_slide3({"database", "--out", database}).code == 0);
  const std::string picture = (folder / "d.svg").string();
  const Json d = slide3_json(
      {"reproduce", "d", "--quiet", "--database", database, "--games", "2", "--plot", picture});
  // DTW 8 to 18; six evaluations with and without Add, and two without knowledge.
  CHECK(d["rows"].size() == 11 * 14);
  CHECK(d["summary"].size() == 7);
  CHECK(d["summary"]["Eu"]["cells"] == 11);
  CHECK(read_file(picture, 1'000'000).find("Random Evaluation") != std::string::npos);
  const Json b = slide3_json(
      {"reproduce", "b", "--quiet", "--database", database, "--games", "2", "--plot", picture});
  std::set<std::string> series;
  for (const Json& row : b["rows"]) series.insert(row["series"].get<std::string>());
  CHECK(series == std::set<std::string>{"winning quota", "fat quota", "ties broken fat"});
  CHECK(read_file(picture, 1'000'000).find("Perm, DTW 24") != std::string::npos);
  CHECK(b["summary"]["fat_against_none"]["cells"] == 6 * 2);
  CHECK(b["summary"]["fat_against_add"]["cells"] == 6 * 2 * 6);
  // Six evaluations with Add and Norm-, none and seven intensities each, Win worth 0 and -1000.
  const Json seven = slide3_json({"reproduce", "7", "--quiet", "--database", database, "--games",
                                  "2", "--depth", "2", "--plot", picture});
  CHECK(seven["rows"].size() == 12 * 2 * 8);
  CHECK(seven["summary"]["pairs"] == 12);
  CHECK(seven["summary"]["repaired_against_first"]["cells"] == 12 * 7);
  CHECK(read_file(picture, 1'000'000).find("L2 Norm-") != std::string::npos);
}

TEST_CASE("slide3 reproduce goes through the intensities and the appendices of the thesis") {
  const test::TemporaryFolder folder;
  const std::string database = (folder / "db").string();
  REQUIRE(run_slide3({"database", "--out", database}).code == 0);
  const auto rows_of = [&](const char* experiment, const std::vector<std::string>& more) {
    return slide3_json(
        with_arguments({"reproduce", experiment, "--quiet", "--database", database}, more));
  };
  const Json intensities = rows_of("intensities", {"--games", "3", "--depth", "2"});
  CHECK(intensities["rows"].size() == 6 + 180);
  CHECK(intensities["summary"]["pairs"] == 29);
  CHECK(rows_of("6.4", {"--games", "2", "--depth", "2"})["rows"].size() == 29);
  CHECK(rows_of("c", {"--games", "2", "--depth", "2"})["rows"].size() == 28);
  CHECK(rows_of("f", {"--games", "2", "--depth", "2"})["summary"]["pairs"] == 17);
  const Json moves = rows_of("moves", {"--games", "4", "--last-depth", "1"});
  CHECK(moves["rows"].size() == 5 * (6 + 23 * 3));
  CHECK(moves["summary"]["pairs"] == 23);
  const Json reasons = rows_of("reasons", {"--games", "2", "--depth", "2"});
  REQUIRE(reasons["rows"].size() == 24);
  CHECK(reasons["rows"][0]["other_moves"] == 0.0);  // without chance
  const Json count = rows_of("3.4", {});
  REQUIRE(count["rows"].size() == 4);
  CHECK(count["rows"][0]["positions"] == 192);
  CHECK(count["rows"][0]["reached"] == 192);
  CHECK(count["rows"][1]["reached"] == 11612160);
  CHECK(count["rows"][2]["bytes"] == 669529276416000.0);
  CHECK_THAT(run_slide3({"reproduce", "b", "--depth", "4", "--database", database}).err,
             StartsWith("--depth: does not go with b; it goes with "));
  CHECK(run_slide3({"reproduce", "7", "--win-value", "0", "--database", database}).err ==
        "--win-value: does not go with 7, which has Win worth 0 and -1000\n");
}

TEST_CASE("the course of a quota with intensity has a pattern") {
  using slide3::pattern_of;
  using slide3::pattern_text;
  const auto pattern = [](double plain, const std::vector<double>& quotas) {
    return pattern_text(pattern_of(plain, quotas, 1000));
  };
  CHECK(pattern(0.3, {0.5, 0.5, 0.2}) == "1");
  CHECK(pattern(0.3, {0.3, 0.5, 0.2}) == "2");
  CHECK(pattern(0.3, {0.3, 0.31, 0.1}) == "3");
  CHECK(pattern(0.3, {0.0, 0.01, 0.0}) == "4");
  CHECK(pattern(0.3, {0.3, 0.31, 0.3}) == "5 ≈");
  CHECK(pattern(0.3, {0.5, 0.5, 0.51}) == "5 +");
  CHECK(slide3::sign_of(0.5, 0.3, 1000) == '+');
  CHECK(slide3::sign_of(0.3, 0.3, 1000) == '=');
}

TEST_CASE("slide3 reproduce puts every published number beside ours") {
  const test::TemporaryFolder folder;
  const std::string database = (folder / "db").string();
  REQUIRE(run_slide3({"database", "--out", database}).code == 0);
  const auto run = [&](const std::string& experiment, const std::vector<std::string>& more) {
    return slide3_json(
        with_arguments({"reproduce", experiment, "--quiet", "--database", database}, more));
  };
  const Json quotas = run("a1-a3", {"--games", "2"});
  CHECK(quotas["rows"].size() == 105);
  CHECK(quotas["rows"][1]["randomisation"] == "Add");
  CHECK(quotas["rows"][1]["published"] == 0.421);
  CHECK(quotas["summary"]["signs"] == 87);
  CHECK(quotas["summary"]["deterministic_cells"] == 18);
  // The criterion on the published quotas: Norm+ of L2 at depths 4 and 5 is not below the rest.
  CHECK(quotas["summary"]["published_quotas_signs_in_agreement"] == 85);

  const Json values = run("4.2", {"--games", "20"});
  CHECK(values["rows"].size() == 36);
  CHECK(values["rows"][0]["published"] == 53);
  const Json ties = run("4.3", {"--games", "20"});
  CHECK(ties["rows"].size() == 36);
  CHECK(ties["rows"][0]["published"] == 23.6);
  CHECK(run("e1", {"--games", "2"})["rows"].size() == 12);
  const Json ranking = run("ranking", {"--games", "2", "--last-depth", "2"});
  CHECK(ranking["rows"].size() == 8);
  CHECK(ranking["rows"][7]["evaluation"] == "Random Play");
  CHECK(ranking["rows"][7]["published_quota"].is_null());

  const std::vector<std::string> text = {"reproduce", "e1",         "--quiet", "--games",
                                         "2",         "--database", database};
  const CommandOutcome one = run_slide3(with_arguments(text, {"--threads", "1"}));
  CHECK(run_slide3(with_arguments(text, {"--threads", "3"})).out == one.out);
  CHECK_THAT(one.out, StartsWith("Table E.1 of Heuser (2003): winning quotas of 2 games\n"
                                 "table all, Win -1000, seed 1\n\n"
                                 "DTW  depth    Man  ours "));
}

TEST_CASE("slide3 names wrong options of players and experiments in one line") {
  const test::TemporaryFolder folder;
  const std::string sample = folder.file("sample", kSample);
  const std::string win = folder.file("win", "115\n123456789\n");
  const std::string broken = folder.file("broken", "115\n12345678\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--eval", "Euclid"}, "slide3: --eval: is 'Euclid'; allowed: Eu, Man, "},
      {{"--weight", "Eu"}, "--weight: is 'Eu', name=number is allowed"},
      {{"--weight", "E=1"}, "--weight: 'E' is not an evaluation; allowed: Eu, Man, Nb"},
      {{"--weight", "Eu=nan"}, "--weight Eu: is 'nan', a number from -1000000"},
      {{"--eval", "Eu", "--weight", "Man=1"}, "slide3: --eval excludes --weight"},
      {{"--randomisation", "add"}, "--randomisation: needs --intensity"},
      {{"--randomisation", "plus", "--intensity", "1"},
       "slide3: --randomisation: is 'plus'; allowed: add, comb, mult, n"},
      {{"--intensity", "1"}, "--intensity: needs --randomisation"},
      {{"--interval", "both"}, "--interval: needs --randomisation"},
      {{"--randomisation", "add", "--intensity", "-1"}, "slide3: --intensity: is '-1', a number"},
      {{"--randomisation", "add", "--intensity", "nan"}, "slide3: --intensity: is 'nan', a num"},
      {{"--eval", "random", "--randomisation", "add", "--intensity", "1"},
       "--eval random: takes no --randomisation"},
      {{"--eval", "tile_tab", "--rounded"}, "--eval tile_tab: takes no"},
      {{"--eval", "random_play", "--randomisation", "add", "--intensity", "1"},
       "--eval random_play: takes no"},
      {{"--weight", "Eu=0", "--randomisation", "add", "--intensity", "1"},
       "--randomisation: needs an evaluation whose weight is not 0"},
      {{"--depth", "0"}, "slide3: --depth: "},
      {{"--depth", "21"}, "slide3: --depth: "},
      {{"--win-value", "inf"}, "slide3: --win-value: is 'inf', a number"},
      {{"--table", "none"}, "slide3: --table: is 'none'; allowed: all, expanded or off"},
      {{"--evaluations", "100"}, "--evaluations, --h-weight and --target go with --search"},
      {{"--search", "astar", "--depth", "3"}, "--depth: goes with --search depth"},
      {{"--dtw", "14"}, "slide3: --dtw excludes --sample"},
      {{"--threads", "-1"}, "slide3: --threads: "}};
  for (const auto& [options, text] : cases) {
    const CommandOutcome outcome =
        run_slide3(with_arguments({"autoplay", "--sample", sample}, options));
    INFO(options[0] << " " << options.back());
    CHECK(outcome.code == 2);
    CHECK(outcome.out == "");
    CHECK(test::is_one_line(outcome.err));
    CHECK_THAT(outcome.err, StartsWith(text));
  }
  for (const char* depth : {"0", "3-2", "1-21", "x", "1-", "-3", "2 "}) {
    CHECK_THAT(run_slide3({"moves", std::string("--depth=") + depth}).err,
               StartsWith("--depth: is '" + std::string(depth) + "', a depth or a range"));
  }
  CHECK(run_slide3({"moves", "--sample", win}).err ==
        "the sample holds Win, where there is no move to choose\n");
  CHECK_THAT(run_slide3({"autoplay", "--sample", broken}).err, StartsWith(broken + ":2: "));
}

}  // namespace ntune
