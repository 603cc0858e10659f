// bao match, train, reproduce.

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "laboratories/bao/bao.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::bao_json;
using test::CommandOutcome;
using test::run_bao;

namespace {

std::vector<std::string> with_more(std::vector<std::string> words,
                                   const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// A command that plays from the positions of the source folder, without progress.
std::vector<std::string> quiet(std::vector<std::string> words) {
  return with_more(std::move(words), {"--folder", test::bao_folder(), "--quiet"});
}

const char* const kWeightsText = "evaluation: linear\nmaterial: 1\nback: 2\ncapture: 1\n";

}  // namespace

TEST_CASE("bao match plays from both sides and says how sure the share is") {
  const std::vector<std::string> command =
      quiet({"match", "default:depth=2", "material:depth=2,compared_depth=1"});
  const Json json = bao_json(command);
  CHECK(json["games"] == 190);
  CHECK(json["starts"]["usable"] == 95);
  CHECK(json["starts"]["left_out"] == Json::array({38, 85, 90, 99, 100}));
  CHECK(json["share"].get<double>() == Approx(json["wins"].get<double>() / 190));
  CHECK(json["share_low"] < json["share"]);
  CHECK(json["share"] < json["share_high"]);
  const int as_north = 95 - json["as_north"]["south_wins"].get<int>();
  CHECK(json["wins"] == json["as_south"]["south_wins"].get<int>() + as_north);
  CHECK(json["as_south"]["deviations"] == 0.0);
  CHECK(json["as_north"]["deviations"] > 0.0);
  CHECK(json["player"]["options"]["depth"] == 2);

  const CommandOutcome one = run_bao(with_more(command, {"--threads", "1"}));
  CHECK(one.code == 0);
  CHECK(one.err == "");
  CHECK(run_bao(with_more(command, {"--threads", "3"})).out == one.out);
  CHECK(run_bao(with_more(command, {"--seed", "2"})).out != one.out);
  CHECK_THAT(one.out, ContainsSubstring("; left out: 38, 85, 90 (damaged), 99, 100 (missing)"));

  const Json fresh =
      bao_json(with_more(command, {"--random", "10", "--one-side", "--repeats", "3"}));
  CHECK(fresh["games"] == 30);
  CHECK(fresh["starts"]["random"] == 10);
  CHECK_FALSE(fresh.contains("as_north"));
}

TEST_CASE("bao match takes opponent-model search, models and weights files") {
  const test::TemporaryFolder folder;
  const std::string weights = folder.file("mine.yaml", kWeightsText);
  const Json json = bao_json(
      quiet({"match",
             weights + ":search=opponent_model,depth=2,probe_depth=2,models=default*0.7+material",
             "default:depth=2", "--one-side", "--random", "10"}));
  CHECK(json["player"]["evaluation"] == "mine");
  CHECK(json["as_south"]["south_probes"] > 0);
  CHECK(json["player"]["options"]["models"] == "default*0.7+material");
}

TEST_CASE("bao reproduce keeps finished matches in a file and goes on from it") {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "results.csv").string();
  const std::vector<std::string> command =
      quiet({"reproduce", "3", "--players", "MATERIAL,default", "--random", "2"});
  const CommandOutcome plain = run_bao(command);
  CHECK(plain.code == 0);
  CHECK_THAT(plain.out, StartsWith("Table 3 of Donkers et al. (2005), OM plain: games of 100"));
  const std::vector<std::string> kept = with_more(command, {"--out", file});
  CHECK(run_bao(kept).out == plain.out);
  const std::string content = test::content_of(file);
  CHECK(std::ranges::count(content, '\n') == 5);
  CHECK(run_bao(kept).out == plain.out);
  CHECK(test::content_of(file) == content);
  // A match that is missing is played again, to the same result.
  REQUIRE(folder.file("results.csv",
                      content.substr(0, content.rfind('\n', content.size() - 2) + 1)) == file);
  CHECK(run_bao(kept).out == plain.out);

  const Json json = bao_json(kept);
  REQUIRE(json["rows"].size() == 4);
  CHECK(json["rows"][0]["published"] == 64);
  CHECK(json["rows"][3]["published"] == 47);
  CHECK(json["summary"]["cells"] == 4);

  REQUIRE(folder.file("results.csv", content + "damaged,1\n") == file);
  const CommandOutcome refused = run_bao(kept);
  CHECK(refused.code == 2);
  CHECK(refused.out == "");
  CHECK(refused.err == file + ":6: damaged; delete the line to have the match played again\n");
  CHECK(test::content_of(file) == content + "damaged,1\n");
}

TEST_CASE("bao reproduce says what the paper says of positions") {
  const auto json_of = [](const char* experiment) {
    return bao_json(
        quiet({"reproduce", experiment, "--players", "MATERIAL,DEFAULT", "--random", "3"}));
  };
  const Json prediction = json_of("prediction");
  REQUIRE(prediction["rows"].size() == 2 * 4);
  CHECK(prediction["rows"][3]["probe"] == 6);  // as deep as the opponent: all is known
  CHECK(prediction["rows"][3]["same_best_moves"] == 1.0);
  CHECK(prediction["rows"][0]["same_best_moves"] < 1.0);
  const Json orderings = json_of("orderings");
  CHECK(orderings["rows"].size() == 2);
  REQUIRE(orderings["summary"]["admissibility"].size() == 4);
  CHECK(orderings["summary"]["admissibility"][0]["both_overestimate"] == 0.0);  // the same player
  const Json size = json_of("size");
  CHECK(size["summary"]["games"] == 3);
  CHECK(size["summary"]["mean_moves"] > 1.0);
}

TEST_CASE("bao reproduce sums the tournaments up and compares readings", "[slow]") {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "results.csv").string();
  const auto run = [&](const std::string& table, const std::vector<std::string>& more) {
    return bao_json(with_more(
        quiet({"reproduce", table, "--players", "MATERIAL", "--random", "2", "--out", file}),
        more));
  };
  const Json scores = run("9", {});
  CHECK(scores["rows"].size() == 8);
  CHECK(scores["rows"][6]["published"] == 73);
  CHECK(scores["summary"]["findings"].size() == 11);
  const Json deviations = run("10", {});
  CHECK(deviations["rows"].size() == 7);
  CHECK(deviations["rows"][0]["published"] == 4.58);
  const Json readings = run("readings", {"--tournaments", "3,8"});
  CHECK(readings["rows"].size() > 5);
  CHECK(run("readings", {"--tournaments", "3", "--reading", "own_ties=first"})["rows"].size() == 1);
}

TEST_CASE("bao names wrong players, weights and options in one line") {
  const test::TemporaryFolder folder;
  const std::string short_row = folder.file("short.yaml", "evaluation: linear\nback: [1, 2]\n");
  const std::string unknown = folder.file("unknown.yaml", "evaluation: linear\nbak: 1\n");
  const std::string damaged = folder.file("damaged.yaml", "evaluation: [linear\n");
  const std::string text = folder.file("text.yaml", "hello\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"match", "defalt", "material"},
       "player: 'defalt' is no evaluation, did you mean 'default'?, and no weights file; names: "},
      {{"match", "default", "default:dept=3"}, "opponent: dept: unknown key, did you mean 'depth'"},
      {{"match", "default:depth=0", "default"}, "player: depth: is '0', a whole number from 1"},
      {{"match", "default:depth", "default"}, "player: is 'depth', name=value is allowed"},
      {{"match", "default:search=mcts", "default"}, "player: search: is 'mcts'"},
      {{"match", "default:models=materiel", "default"}, "player models: 'materiel' is no eval"},
      {{"match", "default:models=material*0", "default"}, "player models: weight '0', a number"},
      {{"match", short_row, "default"}, short_row + ":2: back: is a list of 2, a list of 8"},
      {{"match", unknown, "default"}, unknown + ":2: bak: unknown key, did you mean 'back'?"},
      {{"match", damaged, "default"}, damaged + ":"},
      {{"match", text, "default"}, text + ":"},
      {{"match", "default", "default", "--starts", text}, text + ":1: has 1 fields; 36"},
      {{"match", "default", "default", "--repeats", "0"}, "bao: --repeats: "},
      {{"match", "default", "default", "--random", "3", "--starts", text},
       "bao: --starts excludes --random"},
      {{"reproduce", "1", "--players", "EVA"}, "--players: 'EVA' is no player of the paper; all"},
      {{"reproduce", "3", "--reading", "depth=3"}, "--reading: depth: is set by the tournament"},
      {{"reproduce", "3", "--reading", "probe=1"}, "--reading: probe: unknown key"},
      {{"reproduce", "3", "--out", text}, text + ":1: no results of bao reproduce"},
      {{"reproduce", "readings", "--tournaments", "2"}, "bao: --tournaments: "}};
  for (const auto& [command, message] : cases) {
    INFO(command[0] << " " << command[1] << " " << command.back());
    const CommandOutcome outcome = run_bao(quiet(command));
    CHECK(outcome.code == 2);
    CHECK(outcome.out == "");
    CHECK(test::is_one_line(outcome.err));
    CHECK_THAT(outcome.err, StartsWith(message));
  }
  CHECK(test::content_of(text) == "hello\n");
  const CommandOutcome absent =
      run_bao({"match", "GA3", "default", "--folder", folder.path().string(), "--quiet"});
  CHECK_THAT(absent.err, StartsWith("player: " + (folder / "ga3.yaml").string() + ": no such"));
}

TEST_CASE("bao train learns weights that can be played with") {
  const test::TemporaryFolder folder;
  const std::string out = (folder / "ga.yaml").string();
  const std::string options =
      folder.file("options.yaml",
                  "depth: 1\nrounds: 1\npopulation: 4\nparents: 2\nfitness_games: 4\npatience: 1\n"
                  "most_generations: 2\nvalidation_games: 4\n");
  const CommandOutcome learned = run_bao({"train", "ga", options, "--out", out, "--quiet"});
  CHECK(learned.err == "");
  CHECK(learned.code == 0);
  CHECK_THAT(test::content_of(out), ContainsSubstring("made_by: \"bao train ga "));
  CHECK(bao_json(
            quiet({"match", out + ":depth=1", "material:depth=1", "--random", "2"}))["games"] == 4);
  const CommandOutcome again = run_bao({"train", "ga", options, "--out", out, "--quiet"});
  CHECK(again.code == 2);
  CHECK(again.err == out + ": is there already; name another file or delete it\n");

  const std::string study = folder.file(
      "study.yaml",
      "objective: {game: bao, depth: 1}\nspace: {back1: [0, 1], front3: [0, 2]}\nbudget: 40\n"
      "runs: 1\niterations: 20\nhold_out: 10\n");
  const std::string tuned = (folder / "ntbea.yaml").string();
  const CommandOutcome ntbea = run_bao({"train", "ntbea", study, "--out", tuned, "--quiet"});
  CHECK(ntbea.err == "");
  CHECK(ntbea.code == 0);
  CHECK_THAT(test::content_of(tuned), ContainsSubstring("material: 1"));

  // It goes on from a journal of before searches were told of failures, which has no such key.
  const fs::path journal = tuned + ".study/journal.log";
  const std::string recorded = test::content_of(journal);
  const std::string key = R"("fail_limit":0.2,)";
  REQUIRE_THAT(recorded, ContainsSubstring(key));
  std::string older = recorded.substr(0, recorded.find('\n') + 1);
  older.erase(older.find(key), key.size());
  (void)folder.file("ntbea.yaml.study/journal.log", older);
  fs::rename(tuned, folder / "first.yaml");
  const CommandOutcome resumed =
      run_bao({"train", "ntbea", study, "--out", tuned, "--quiet", "--resume"});
  CHECK(resumed.err == "");
  CHECK(test::content_of(tuned) == test::content_of(folder / "first.yaml"));

  const std::string other = folder.file("other.yaml", "objective: hartmann6\nbudget: 40\n");
  CHECK_THAT(run_bao({"train", "ntbea", other, "--out", (folder / "x").string()}).err,
             StartsWith(other + ": bao train ntbea needs a study of one objective, {game: bao}"));
  CHECK_FALSE(fs::exists(folder / "x"));
}

}  // namespace ntune
