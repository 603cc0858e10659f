// Instances of a study: how they are read, in which order they are visited, and what the search is
// told of them.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/json.h"
#include "ntune/core/yaml.h"
#include "ntune/facts/result_text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/optim/models/ordinary_payoffs.h"
#include "ntune/study/evaluation/backend.h"
#include "ntune/study/evaluation/instance_values.h"
#include "ntune/study/evaluation/study_observer.h"
#include "ntune/study/instances/instance_aware_search.h"
#include "ntune/study/instances/instance_effects.h"
#include "ntune/study/keys/instance_keys.h"
#include "ntune/study/results/saved_result.h"
#include "study/make.h"
#include "support/error_text.h"
#include "support/optimisers.h"
#include "support/temporary_folder.h"
#include "support/unwrapped.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using test::input_error;
using test::TemporaryFolder;

namespace {

/// Arms that pay their index and a tenth of the instance.
std::shared_ptr<const Objective> arms_on_instances() {
  return std::make_shared<LambdaObjective>(
      SearchSpace({make_integers("arm", 0, 4)}),
      [](const Settings& settings, Rng& rng, const Instance& instance) {
        return settings.number("arm") + 10.0 * value_number(instance.value) + 0.1 * rng.normal();
      },
      "arms");
}

Study study_on(const std::string& keys) {
  return test::study_of("{" + keys + "}", arms_on_instances());
}

InstanceList read_list(const TemporaryFolder& folder, const std::string& text) {
  const YamlNode node = parse_yaml("instances: " + text, (folder.path() / "study.yaml").string());
  return read_instance_list(*node.find("instances"));
}

std::vector<std::string> names_of(const InstanceList& list) {
  std::vector<std::string> names;
  for (const Instance& instance : list.all()) names.push_back(instance.name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("instances are values, maps, the lines of a file or the files of a folder") {
  const TemporaryFolder folder;
  const InstanceList list =
      read_list(folder, "[forest, 7, {map: lake, size: 3}, {instance: hill, weight: 2, name: H}]");
  CHECK(names_of(list) == Names{"forest", "7", "map=lake size=3", "H"});
  CHECK(list[1].json() == 7);
  CHECK(list[2].json() == Json{{"map", "lake"}, {"size", 3}});
  CHECK(list[3].text() == "hill");
  CHECK(list[3].weight == 2.0);
  CHECK(instances_json(list) == Json::parse(R"(["forest", 7, {"map": "lake", "size": 3},
                        {"instance": "hill", "name": "H", "weight": 2.0}])"));

  (void)folder.file("train.txt", "# levels\nforest  # easy\n\n lake 2\nc#1\n");
  CHECK(names_of(read_list(folder, "train.txt")) == Names{"forest", "lake 2", "c#1"});
  (void)folder.file("levels.csv", "name,map,size,weight\na,forest,1,1\nb,lake,2.5,3\n");
  const InstanceList levels = read_list(folder, "{file: levels.csv}");
  CHECK(levels[1].json() == Json{{"map", "lake"}, {"size", 2.5}});
  CHECK(levels[1].weight == 3.0);

  (void)folder.file("b.cnf", "");
  (void)folder.file("a.cnf", "");
  const InstanceList files = read_list(folder, "{folder: ., pattern: '*.cnf'}");
  CHECK(names_of(files) == Names{"a.cnf", "b.cnf"});
  CHECK(files[0].text() == (folder.path() / "a.cnf").lexically_normal().string());
  (void)folder.file("some.txt", "b.cnf\n");
  CHECK(read_list(folder, "{file: some.txt, folder: .}")[0].text() == files[1].text());
}

TEST_CASE("the right answer is no part of the name of an instance") {
  const TemporaryFolder folder;
  (void)folder.file("solved.csv", "file,size,expect\na.cnf,3,sat\nb.cnf,4,unsat\n");
  const auto solved = read_list(folder, "solved.csv");
  REQUIRE(solved.size() == 2);
  CHECK(solved[0].name == "file=a.cnf size=3");
  REQUIRE(solved[1].find("expect") != nullptr);
  CHECK(value_text(*solved[1].find("expect")) == "unsat");
  CHECK(read_list(folder, "[{level: 3, expect: sat}]")[0].name == "level=3");
  CHECK(read_list(folder, "[{expect: 3}, {expect: 4}]")[1].name == "expect=4");
  // Where it alone tells two apart, it stays.
  const auto twins = read_list(folder, "[{level: 3, expect: 1}, {level: 3, expect: 2}]");
  CHECK(twins[0].name == "level=3");
  CHECK(twins[1].name == "level=3 expect=2");
}

TEST_CASE("what is wrong with instances is said at its line") {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& text) {
    return input_error([&] { (void)read_list(folder, text); });
  };
  CHECK_THAT(refusal("[]"), ContainsSubstring("study.yaml:1: instances: holds no instance"));
  CHECK_THAT(refusal("[a, b, a]"),
             ContainsSubstring("instances[3]: the instance 'a' stands twice"));
  CHECK_THAT(
      refusal("[{instance: a, weight: 0}]"),
      ContainsSubstring("instances[1].weight: is '0', a number from 1e-9 to 1e9 is allowed"));
  CHECK_THAT(refusal("[{instance: a, map: b}]"), ContainsSubstring("stands beside 'instance'"));
  CHECK_THAT(refusal("[{weight: 2}]"), ContainsSubstring("names no value"));
  CHECK_THAT(refusal("none.txt"), ContainsSubstring("there is no file"));
  CHECK_THAT(refusal("{folder: none}"), ContainsSubstring("there is no folder"));
  CHECK_THAT(refusal("{folder: ., pattern: '*.cnf'}"), ContainsSubstring("is called '*.cnf'"));
  CHECK_THAT(refusal("{pattern: '*'}"), ContainsSubstring("names neither"));
  (void)folder.file("twins.txt", "a\nb\na\n");
  CHECK_THAT(refusal("twins.txt"), ContainsSubstring("twins.txt:3: the instance 'a' stands twice"));
  (void)folder.file("zero.csv", "name,weight\na,1\nb,0\n");
  CHECK_THAT(refusal("zero.csv"), ContainsSubstring("zero.csv:3: the weight is '0'"));
  (void)folder.file("empty.csv", "map,size\nlake,1\n,2\n");
  CHECK_THAT(refusal("empty.csv"), ContainsSubstring("empty.csv:3: 'map' is empty"));
  (void)folder.file("some.txt", "a.cnf\n");
  CHECK_THAT(refusal("{file: some.txt, folder: .}"), ContainsSubstring("some.txt:1: there is no"));
  CHECK(input_error([] { (void)study_on("instances: [0, 1], aggregate: median"); }) ==
        "study.yaml:1: aggregate: is 'median', mean, worst, geometric_mean or {quantile: q} is "
        "allowed");
  CHECK(input_error([] { (void)study_on("instances: [0, 1], aggregate: {quantil: 0.1}"); }) ==
        "study.yaml:1: aggregate.quantil: unknown key, did you mean 'quantile'?; allowed: "
        "quantile");
  CHECK(input_error([] { (void)study_on("instances: [0, 1], aggregate: {quantile: }"); }) ==
        "study.yaml:1: aggregate.quantile: is missing, a number between 0 and 1");
  CHECK_THAT(input_error([] { (void)study_on("test_instances: [0, 1]"); }),
             ContainsSubstring("test_instances: needs 'instances:' beside it"));
  CHECK_THAT(input_error([] { (void)study_on("instances: [0, 1], test_instances: [1, 2]"); }),
             ContainsSubstring("holds '1', which stands in 'instances' too"));
  CHECK_THAT(input_error([] {
               (void)test::study_of("{instances: [0, 1]}", test::coins({0.1, 0.2}));
             }),
             ContainsSubstring("instances: has no use: arms takes no instance"));
}

TEST_CASE("weights are bounded, so that the shares of all instances keep their digits") {
  const TemporaryFolder folder;
  for (const char* weight : {"0", "-1", "1e-10", "1e10", "1.7e308", ".inf", ".nan", "x"}) {
    CHECK_THAT(input_error([&] {
                 (void)read_list(folder, fmt::format("[a, {{instance: b, weight: {}}}]", weight));
               }),
               ContainsSubstring("a number from 1e-9 to 1e9 is allowed"));
    (void)folder.file("weights.csv", fmt::format("name,weight\na,1\nb,{}\n", weight));
    CHECK_THAT(input_error([&] { (void)read_list(folder, "weights.csv"); }),
               ContainsSubstring("weights.csv:3: the weight is"));
  }
  // However far apart, every visit has an instance.
  for (const std::vector<double>& weights :
       {std::vector<double>{1e-9, 1e9, 1.0}, {1e9, 1e9, 1e-9, 1e-9}, {3e-9, 2e-9, 1e-9}}) {
    const InstanceOrder order(weights);
    for (std::int64_t i = 0; i < 5000; ++i) CHECK(order.at(Rng(1), i) < weights.size());
  }
}

TEST_CASE("names of instances that are not UTF-8 are refused where they stand") {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& text) {
    return input_error([&] { (void)read_list(folder, text); });
  };
  (void)folder.file("lines.txt", "plain\ncaf\xe9\n");
  CHECK_THAT(refusal("lines.txt"), ContainsSubstring("lines.txt:2: 'caf\\xe9' is not UTF-8"));
  (void)folder.file("records.csv", "map,size\nlake,1\ncaf\xe9,2\n");
  CHECK_THAT(refusal("records.csv"), ContainsSubstring("records.csv:3: holds a byte that is not"));
  std::filesystem::create_directory(folder / "files");
  (void)folder.file("files/a.cnf", "");
  CHECK(read_list(folder, "{folder: files}").size() == 1);
  (void)folder.file("files/caf\xe9.cnf", "");
  CHECK_THAT(refusal("{folder: files}"), ContainsSubstring("'caf\\xe9.cnf' is not UTF-8"));
  (void)folder.file("nul.txt", std::string("plain\n\n# more\na\0b\n", 18));
  CHECK_THAT(refusal("nul.txt"), ContainsSubstring("nul.txt:4: 'a\\x00b' has the character NUL"));
  (void)folder.file("nul.csv", std::string("map,size\nla\0ke,1\n", 17));
  CHECK_THAT(refusal("nul.csv"), ContainsSubstring("nul.csv:2: holds the character NUL"));
}

TEST_CASE("test instances may be called as training instances where they are other files") {
  const TemporaryFolder folder;
  for (const char* name : {"train", "test"}) {
    std::filesystem::create_directory(folder.path() / name);
    (void)folder.file(fmt::format("{}/7.cnf", name), "");
  }
  const auto study = [&](const std::string& test) {
    const std::string text =
        "objective: {command: [cat, '{instance}', '{x}']}\nspace: {x: [1, 2]}\nbudget: 20\n"
        "instances: {folder: train}\ntest_instances: " +
        test + "\n";
    return read_study(parse_yaml(text, (folder.path() / "study.yaml").string()));
  };
  const Study numbered = study("{folder: test}");
  CHECK(names_of(numbered.instances.train) == Names{"7.cnf"});
  CHECK(names_of(numbered.instances.test) == Names{"test/7.cnf"});
  CHECK_THAT(input_error([&] { (void)study("{folder: train}"); }),
             ContainsSubstring("holds '7.cnf', which stands in 'instances' too"));
}

TEST_CASE("options of an objective vary by maps of instances") {
  const Study study = test::study_of(
      "{objective: {function: nk, dimensions: 4, k: 1}, instances: [{seed: 1}, {seed: 2}], "
      "iterations: 10, runs: 1}");
  const Objective& objective = *study.objectives[0].objective;
  REQUIRE(objective.on_instances() != nullptr);
  const Point point(4);
  for (const int seed : {1, 2}) {
    const YamlNode node = parse_yaml(
        fmt::format("{{objective: {{function: nk, dimensions: 4, k: 1, seed: {}}}}}", seed));
    const Study alone = read_study(node);
    const auto index = static_cast<std::size_t>(seed - 1);
    Rng one(5);
    Rng other(5);
    CHECK(objective.on_instances()->evaluate_on(study.instances.train[index], point, one) ==
          alone.objectives[0].objective->evaluate(point, other));
  }
  // Options in a map have a dot.
  const Study wars = test::study_of(
      "{objective: {game: planet_wars, rules: {planets: 6}}, instances: [{map: 1, rules.ticks: 3}, "
      "{opponent: 2019, agent.tick_budget: 60}], iterations: 10, runs: 1}");
  const Study war = test::study_of(
      "{objective: {game: planet_wars, rules: {planets: 6, ticks: 3}, map: 1}, iterations: 10, "
      "runs: 1}");
  for (int game = 0; game < 10; ++game) {
    Rng one(static_cast<std::uint64_t>(game));
    Rng other(static_cast<std::uint64_t>(game));
    CHECK(wars.objectives[0].objective->on_instances()->evaluate_on(wars.instances.train[0],
                                                                    Point(5), one) ==
          war.objectives[0].objective->evaluate(Point(5), other));
  }
  const auto refusal = [](const std::string& instances) {
    return input_error(
        [&] { (void)test::study_of("{objective: {function: nk}, instances: " + instances + "}"); });
  };
  CHECK_THAT(input_error([] {
               (void)test::study_of(
                   "{objective: {game: bao}, space: {material: [1, 2]}, iterations: 9, runs: 1, "
                   "instances: [{material: 3}]}");
             }),
             ContainsSubstring("'material' is a parameter of the space"));
  CHECK_THAT(refusal("[{function.k: 1}]"),
             ContainsSubstring("'function.k' is an option in a map, but function is none"));
  CHECK_THAT(refusal("[1, 2]"), ContainsSubstring("the instance '1' has no named values"));
  CHECK_THAT(
      refusal("[{sead: 1}]"),
      ContainsSubstring("study.yaml:1: instances: the instance 'sead=1', as options of nk: "));
  CHECK_THAT(refusal("[{dimensions: 3}, {dimensions: 4}]"),
             ContainsSubstring("changes the search space"));
}

TEST_CASE("every block of evaluations visits all instances once, in orders of its own") {
  const InstanceOrder order(std::vector<double>(7, 1.0));
  const Rng stream(3);
  std::vector<std::vector<std::size_t>> blocks;
  for (std::int64_t block = 0; block < 20; ++block) {
    std::vector<std::size_t> visited;
    for (std::int64_t i = 0; i < 7; ++i) visited.push_back(order.at(stream, 7 * block + i));
    blocks.push_back(visited);
    std::ranges::sort(visited);
    CHECK(visited == std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6});
  }
  CHECK(std::ranges::adjacent_find(blocks, std::not_equal_to()) != blocks.end());
  CHECK(order.at(stream, 1'000'000'000) < 7);
}

TEST_CASE("visits are within one of the shares that weights give") {
  for (const std::vector<double>& weights :
       {std::vector<double>{1.0, 2.0, 3.0}, {0.1, 5.0, 0.7, 0.7, 1.0}, {1.0, 1.0, 10.0}}) {
    const InstanceOrder order(weights);
    double total = 0.0;
    for (const double weight : weights) total += weight;
    std::vector<double> counts(weights.size(), 0.0);
    for (std::int64_t i = 0; i < 3000; ++i) {
      ++counts[order.at(Rng(1), i)];
      for (std::size_t k = 0; k < weights.size(); ++k) {
        const double share = weights[k] / total * static_cast<double>(i + 1);
        REQUIRE(std::abs(counts[k] - share) < 1.0 + 1e-6);
      }
    }
  }
}

TEST_CASE("so many visits reach the lightest instance too") {
  for (const std::vector<double>& weights :
       {std::vector<double>{1.0, 1.0, 1.0}, {1.0, 7.0, 2.5}, {100.0, 1.0, 3.0, 3.0}, {0.1, 0.3}}) {
    std::vector<Instance> list;
    for (const double weight : weights) {
      list.push_back({.name = std::to_string(list.size()), .weight = weight});
    }
    const InstanceList instances(list);
    const std::int64_t visits = instances.visits_of_all();
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      std::set<std::size_t> visited;
      for (std::int64_t i = 0; i < visits; ++i) visited.insert(instances.order().at(Rng(seed), i));
      CHECK(visited.size() == weights.size());
    }
  }
  CHECK(InstanceList({{.name = "a"}, {.name = "b"}, {.name = "c"}}).visits_of_all() == 3);
}

TEST_CASE("all candidates, the default and the hold-out have the instance of the call") {
  const Study study = study_on(
      "instances: [1, 2, 3], test_instances: [4, 5], runs: 4, iterations: 20, re_evaluation: 60, "
      "hold_out: 20, default: {arm: 1}");
  test::MemoryLog log;
  struct Watch final : StudyObserver {
    std::mutex mutex;
    std::map<std::pair<Stage, std::int64_t>, std::map<std::int64_t, std::string>> seen;
    void asked(const Request& request) override {
      const std::lock_guard lock(mutex);
      seen[{request.key.stage, request.key.run}][request.key.index] = request.instance->name;
    }
  } watch;
  LocalBackend backend(2);
  StudyProgress progress;
  (void)run_study(study, backend, progress, &log, &watch);
  std::map<std::int64_t, std::string> compared;
  for (const auto& [place, calls] : watch.seen) {
    const auto& [stage, run] = place;
    std::map<std::string, int> counts;
    for (const auto& [index, name] : calls) {
      ++counts[name];
      if (stage == Stage::kReEvaluation) {
        CHECK(compared.emplace(index, name).first->second == name);
      }
    }
    int least = 1000;
    int most = 0;
    for (const auto& [name, count] : counts) {
      least = std::min(least, count);
      most = std::max(most, count);
    }
    CHECK(most - least <= 1);
    CHECK(counts.contains(stage == Stage::kHoldOut ? "4" : "1"));
    CHECK(counts.contains("3") == (stage != Stage::kHoldOut));
  }
  CHECK(watch.seen.at({Stage::kHoldOut, -1}) == watch.seen.at({Stage::kHoldOut, kIncumbentRun}));
}

namespace {

/// The search evaluations of a study: instance, random stream and points by block.
struct BlockWatch final : StudyObserver {
  struct Block {
    std::set<std::string> instances;
    std::set<std::uint64_t> draws;
    std::vector<Point> points;
  };
  std::map<std::int64_t, Block> blocks;
  std::vector<std::string> alone;  ///< instances of evaluations without a block

  void asked(const Request& request) override {
    if (request.key.stage != Stage::kSearch) return;
    if (!request.block) {
      alone.push_back(request.instance->name);
      return;
    }
    Block& block = blocks[*request.block];
    block.instances.insert(request.instance->name);
    block.draws.insert(Rng(request.stream)());
    block.points.push_back(*request.point);
  }
};

BlockWatch watch_blocks(const std::string& keys) {
  const Study study = study_on(
      "instances: [0, 1, 2, 3, 4, 5, 6], runs: 1, threads: 1, re_evaluation: none, hold_out: 0, " +
      keys);
  BlockWatch watch;
  LocalBackend backend(1);
  StudyProgress progress;
  (void)run_study(study, backend, progress, nullptr, &watch);
  return watch;
}

}  // namespace

TEST_CASE("all candidates of a race meet the same instance with the same seed, block by block") {
  for (const int in_flight : {1, 3}) {
    const BlockWatch watch = watch_blocks(fmt::format(
        "iterations: 60, optimiser: racing, start: [{{arm: 1}}], parallel_evaluations: {}",
        in_flight));
    REQUIRE(watch.alone.size() == 1);  // the start
    std::map<std::string, int> visits = {{watch.alone[0], 1}};
    std::size_t evaluations = 0;
    for (const auto& [number, block] : watch.blocks) {
      CAPTURE(in_flight, number);
      CHECK(number >= 1);
      CHECK(block.instances.size() == 1);
      CHECK(block.draws.size() == 1);
      CHECK(std::set(block.points.begin(), block.points.end()).size() == block.points.size());
      ++visits[*block.instances.begin()];
      evaluations += block.points.size();
    }
    CHECK(evaluations == 59);
    CHECK(visits.size() == 7);
    int least = 1000;
    int most = 0;
    for (const auto& [name, count] : visits) {
      least = std::min(least, count);
      most = std::max(most, count);
    }
    CHECK(most - least <= 1);
  }
  // Nothing else is in blocks, nor a race to which instances are noise.
  CHECK(watch_blocks("iterations: 30, optimiser: ntbea").blocks.empty());
  CHECK(watch_blocks("iterations: 30, optimiser: racing, instance_effects: kept").blocks.empty());
  CHECK(watch_blocks("iterations: 30, optimiser: racing, instance_blocks: false").blocks.empty());
}

TEST_CASE("a study with instances is the same on any number of threads, and in flight") {
  for (const char* optimiser :
       {"ntbea", "gaussian_process", "pooled_starts", "multi_start", "racing"}) {
    for (const int in_flight : {1, 3}) {
      CAPTURE(optimiser, in_flight);
      const std::string keys = fmt::format(
          "instances: [0, 1, 2, {{instance: 3, weight: 2}}], runs: 2, iterations: 40, optimiser: "
          "{}, hold_out: 8, parallel_evaluations: {}, record: evaluations, threads: ",
          optimiser, in_flight);
      CHECK(test::full_outputs(study_on(keys + "1")) == test::full_outputs(study_on(keys + "3")));
    }
  }
}

TEST_CASE("effects are the means of instances, shrunk by their share of noise") {
  Rng rng(11);
  const std::vector<double> truth = {-3.0, 0.0, 1.0, 2.0};
  std::vector<InstanceResidual> residuals;
  for (int i = 0; i < 400; ++i) {
    const auto instance = static_cast<std::size_t>(i % 4);
    residuals.push_back({instance, 5.0 + truth[instance] + rng.normal()});
  }
  const std::vector<double> weights(4, 1.0);
  const std::vector<double> effects = instance_effects(residuals, weights);
  double sum = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(std::abs(effects[i] - truth[i]) < 0.4);  // four standard errors
    sum += effects[i];
  }
  CHECK(std::abs(sum) < 1e-9);
}

TEST_CASE("effects are shown two standard errors of F above 1, by hand") {
  // Nine instances with two residuals each: means m, -m and 0, and 1 to either side of them. Then F
  // is m^2, with 8 and 9 degrees: its standard error is sqrt(2 / 8 + 2 / 9) = 0.69. The variance
  // between is m^2 - 1, that within is 2, so each mean is shrunk by (m^2 - 1) / m^2.
  const auto effects_of = [](double square) {
    std::vector<InstanceResidual> residuals;
    for (std::size_t i = 0; i < 9; ++i) {
      const double mean = std::sqrt(square) * (i == 8 ? 0.0 : i % 2 == 0 ? 1.0 : -1.0);
      residuals.push_back({i, mean - 1.0});
      residuals.push_back({i, mean + 1.0});
    }
    return instance_effects(residuals, std::vector<double>(9, 1.0));
  };
  CHECK(effects_of(2.3) == std::vector<double>(9, 0.0));
  for (const double square : {2.5, 3.0}) {
    const std::vector<double> effects = effects_of(square);
    const double expected = std::sqrt(square) * (square - 1.0) / square;
    CHECK(effects[0] == Approx(expected));
    CHECK(effects[1] == Approx(-expected));
    CHECK(std::abs(effects[8]) < 1e-9);
  }
}

TEST_CASE("where instances are alike there are no effects, and the search is what it was") {
  Rng rng(12);
  const std::vector<double> weights(5, 1.0);
  int shown = 0;
  for (int repeat = 0; repeat < 400; ++repeat) {
    std::vector<InstanceResidual> residuals;
    for (std::size_t i = 0; i < 60; ++i) residuals.push_back({i % 5, rng.normal()});
    const std::vector<double> effects = instance_effects(residuals, weights);
    shown += std::ranges::any_of(effects, [](double effect) { return effect != 0.0; });
  }
  CHECK(shown < 40);  // about one in 20
  CHECK(instance_effects({}, weights) == std::vector<double>(5, 0.0));
  const std::vector<InstanceResidual> one_each = {{0, 1.0}, {1, 5.0}};
  CHECK(instance_effects(one_each, weights) == std::vector<double>(5, 0.0));
}

namespace {

void tell_on(Optimiser& search, std::size_t instance, const Proposal& asked, double payoff) {
  search.tell(asked, {.payoffs = std::span(&payoff, 1), .instance = instance});
}

}  // namespace

TEST_CASE("a search is told payoffs less the effects of their instances") {
  /// Remembers what it was told.
  struct Listener final : Optimiser {
    std::shared_ptr<std::vector<double>> told;
    explicit Listener(std::shared_ptr<std::vector<double>> list) : told(std::move(list)) {
      told->clear();
    }
    Proposal ask(Rng&) override { return {.point = test::arm(0)}; }
    void tell(const Proposal&, const Report& report) override {
      told->insert(told->end(), report.payoffs.begin(), report.payoffs.end());
    }
    [[nodiscard]] Recommendation recommend() const override { return {}; }
  };
  const auto told = std::make_shared<std::vector<double>>();
  InstanceAwareSearch search(
      [&](const OptimiserContext&) { return std::make_unique<Listener>(told); }, {}, {1.0, 1.0},
      Rng(1));
  Rng rng(1);
  Rng noise(2);
  for (int i = 0; i < 200; ++i) {
    const Proposal asked = search.ask(rng);
    const double payoff = (i % 2 == 0 ? 10.0 : -10.0) + noise.normal();
    tell_on(search, static_cast<std::size_t>(i % 2), asked, payoff);
  }
  // What nobody asked for: on an instance, and on none.
  for (int i = 0; i < 40; ++i) {
    search.adopt(test::arm(0), rng);
    tell_on(search, 0, {.point = test::arm(0)}, 10.0 + noise.normal());
  }
  search.adopt(test::arm(0), rng);
  search.tell(test::arm(0), 0.5);
  search.finish();
  CHECK(told->size() == 241);
  CHECK(std::ranges::all_of(*told, [](double payoff) { return std::abs(payoff) < 5.0; }));
}

TEST_CASE("wins and losses less the effects of their levels count as what they are") {
  // Level 0 is nearly always won, level 2 nearly always lost.
  const auto objective = std::make_shared<LambdaObjective>(
      SearchSpace({make_integers("arm", 0, 4), make_integers("other", 0, 4)}),
      [](const Settings& settings, Rng& rng, const Instance& instance) {
        const double share = 0.85 - 0.4 * value_number(instance.value) +
                             0.02 * settings.number("arm") + 0.01 * settings.number("other");
        return rng.uniform() < share ? 1.0 : -1.0;
      },
      "levels", Payoffs{.low = -1.0, .high = 1.0, .two_valued = true});
  for (const char* optimiser : {"ntbea", "gaussian_process", "rmhc", "auto"}) {
    CAPTURE(optimiser);
    const Study study =
        test::study_of(fmt::format("{{instances: [0, 1, 2], runs: 1, iterations: 240, hold_out: 0, "
                                   "optimiser: {}}}",
                                   optimiser),
                       objective);
    const StudyResult result = test::run(study);
    CHECK(result.set_aside == 0);
    CHECK_THAT(test::unwrapped(result_text(study, result, summarise(study, result))),
               !ContainsSubstring("far from all others"));
  }
  // A search keeps to its declared range and is told what lies beyond by the effects.
  OrdinaryPayoffs payoffs(-1.0, 1.0, 0.4);
  const OrdinaryPayoffs::Changes none;
  CHECK(payoffs.add(test::arm(0), 1.3, none) == 1.3);
  CHECK(payoffs.add(test::arm(0), -1.4, none) == -1.4);
  CHECK(payoffs.set_aside() == 0);
  CHECK(payoffs.add(test::arm(0), 9.0, none) == 1.4);
  CHECK(payoffs.set_aside() == 1);
}

TEST_CASE("costs that instances multiply are modelled by their logarithms for a geometric mean") {
  // Problem p is 100^p times as hard, each run lasts 0.5 to 2 times as long: x = 0 is fastest.
  const SearchSpace space({make_integers("x", 0, 4), make_integers("y", 0, 4)});
  const OptimiserMaker make = test::make_plan("gaussian_process", space).make;
  const auto search_by = [&](const ModelScale& scale, std::uint64_t seed) {
    InstanceAwareSearch search(make, {.space = &space, .budget = 80}, std::vector<double>(4, 1.0),
                               Rng(seed), scale);
    Rng rng = Rng(seed).stream("search");
    Rng noise = Rng(seed).stream("noise");
    for (int i = 0; i < 80; ++i) {
      const Proposal asked = search.ask(rng);
      const Point& point = asked.point;
      const double hard = std::pow(100.0, i % 4);
      const double payoff = -hard * std::exp(0.3 * point[0] + 0.7 * (noise.uniform() * 2.0 - 1.0));
      tell_on(search, static_cast<std::size_t>(i % 4), asked, payoff);
    }
    search.finish();
    return search.recommend();
  };
  int best = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Recommendation recommendation = search_by(ModelScale::logarithmic(Unit::cost()), seed);
    best += recommendation.point[0] == 0 ? 1 : 0;
    // The geometric mean of the four problems is 1,000 at x = 0.
    CHECK(recommendation.estimate < -700.0);
    CHECK(recommendation.estimate > -1600.0);
  }
  CHECK(best >= 9);
  const ModelScale scale = ModelScale::logarithmic(Unit::cost());
  CHECK(scale.of_payoff(-20.0) == -std::log(20.0));
  CHECK(std::abs(scale.payoff_of(scale.of_payoff(-20.0)) + 20.0) < 1e-12);
  CHECK(scale.of_payoff(0.0) == scale.of_payoff(-1e-9));
  CHECK(std::isinf(scale.payoff_of(-std::numeric_limits<double>::infinity())));
}

TEST_CASE("what a search would recommend now has the effects of all payoffs") {
  const SearchSpace space({make_integers("x", 0, 9), make_integers("y", 0, 9)});
  const OptimiserMaker make = test::make_plan("ntbea", space).make;
  InstanceAwareSearch search(make, test::make_context(space, 300), std::vector<double>(5, 1.0),
                             Rng(1));
  Rng rng(2);
  int renewed = 0;
  for (int i = 0; i < 140; ++i) {
    const Proposal asked = search.ask(rng);
    const Point& point = asked.point;
    const auto instance = static_cast<std::size_t>(i % 5);
    const double payoff = 0.1 * (point[0] + point[1]) + static_cast<double>(i % 5) + rng.normal();
    tell_on(search, instance, asked, payoff);
    if (i % 20 != 19) continue;
    const Recommendation before = search.recommend();
    const Recommendation now = search.recommend_now();
    CHECK(search.recommend().estimate == before.estimate);  // nothing has changed
    renewed += now.estimate != before.estimate ? 1 : 0;
    if (i < 139) continue;
    search.finish();
    CHECK(search.recommend().point == now.point);
    CHECK(search.recommend().estimate == now.estimate);
  }
  CHECK(renewed > 0);
}

TEST_CASE("the result has a row for each instance, and test beside training") {
  const Study study = study_on(
      "instances: [0, 1, 2], test_instances: [5, 7], runs: 3, iterations: 30, re_evaluation: 90, "
      "hold_out: 20, default: {arm: 1}");
  const StudyResult result = test::run(study);
  const Pick& pick = result.cells[0].picks[0];
  const std::vector<InstanceRow> rows = instance_rows(study, pick);
  REQUIRE(rows.size() == 5);
  CHECK(rows[0].name == "5");
  CHECK(rows[0].test);
  CHECK(rows[0].n == 10);
  CHECK(std::abs(rows[0].value.value() - 54.0) < 0.3);
  CHECK(std::abs(rows[0].default_value.value() - 51.0) < 0.3);
  CHECK_FALSE(rows[2].test);
  CHECK(std::abs(rows[2].value.value() - 4.0) < 0.3);
  CHECK(std::abs(pick.hold_out.value({}) - 64.0) < 0.3);
  // The variance between the instances is no part of the interval.
  CHECK(pick.hold_out.interval->high - pick.hold_out.interval->low < 0.3);
  CHECK(std::abs(pick.incumbent->difference.value() - 3.0) < 0.3);
  // The noise cancels in every pair: what is left is a bound as of a sign test.
  REQUIRE(pick.incumbent->interval.has_value());
  const Interval& ends = *pick.incumbent->interval;
  CHECK(ends.low > 1.5);
  CHECK(std::abs(ends.low + ends.high - 2.0 * pick.incumbent->difference.value()) < 1e-9);
  CHECK(pick.incumbent->constant);
  CHECK(pick.incumbent->finding == IncumbentFinding::kBetter);
  const Json json = result_json(study, result, summarise(study, result));
  CHECK(json["instances"].size() == 5);
  CHECK(json["instances"][1]["name"] == "7");
  CHECK(json["instances"][1]["n"] == 10);
  const std::string text = test::unwrapped(result_text(study, result, summarise(study, result)));
  CHECK_THAT(text, ContainsSubstring("of the test instances"));
  CHECK_THAT(text, ContainsSubstring("trained on"));
}

TEST_CASE("an instance on which every evaluation failed has a row") {
  const auto objective = std::make_shared<LambdaObjective>(
      SearchSpace({make_integers("arm", 0, 1)}),
      [](const Settings& settings, Rng& rng, const Instance& instance) {
        if (settings.integer("arm") == 1 && instance.name == "B") throw std::runtime_error("crash");
        return 10.0 * settings.number("arm") + rng.uniform();
      },
      "arms");
  const Study study = test::study_of(
      "{instances: [A, C], test_instances: [B, D], runs: 1, iterations: 20, hold_out: 8, "
      "optimiser: random, default: {arm: 0}, start: {arm: 1}, fail: skip}",
      objective);
  const StudyResult result = test::run(study);
  const Pick& pick = result.cells[0].picks[0];
  REQUIRE(pick.point == test::arm(1));
  const std::vector<InstanceRow> rows = instance_rows(study, pick);
  REQUIRE(rows.size() >= 2);
  CHECK(rows[0].name == "B");
  CHECK(rows[0].n == 0);
  CHECK(rows[0].failures == 4);
  CHECK_FALSE(rows[0].value.has_value());
  CHECK(rows[0].default_value.has_value());
  CHECK(rows[0].default_failures == 0);
  CHECK(rows[1].failures == 0);
  CHECK_THAT(test::unwrapped(result_text(study, result, summarise(study, result))),
             ContainsSubstring("\nB              4 of 4 failed "));
  const Json json = result_json(study, result, summarise(study, result));
  CHECK(json["instances"][0]["value"].is_null());
  CHECK(json["instances"][0]["failures"] == 4);
  CHECK(json["default"]["finding"] == "not_shown");
}

TEST_CASE("aggregates are of the means of instances") {
  std::vector<RunningStats> by_instance;
  for (const double value : {4.0, 1.0, 2.0, 8.0}) by_instance.push_back(stats_of({{value, value}}));
  std::vector<Instance> instances;
  for (const char* name : {"a", "b", "c", "d"}) instances.push_back({.name = name});
  const InstanceList list(instances);
  const auto value = [&](const char* text, const Unit& unit = {}) {
    const YamlNode node = parse_yaml(std::string("x: ") + text);
    return aggregate_payoff(read_aggregate(*node.find("x")), unit, list, by_instance);
  };
  CHECK(value("mean") == 3.75);
  CHECK(value("worst") == 1.0);
  CHECK(value("{quantile: 0.5}") == 2.0);
  CHECK(std::abs(*value("geometric_mean") - std::sqrt(8.0)) < 1e-12);
  CHECK_FALSE(value("geometric_mean", Unit::cost()));
  by_instance[1] = {};
  CHECK(value("worst") == 2.0);
}

TEST_CASE("the worst instance decides where a study says so") {
  // Arm 1 is the better one on average, arm 0 on its worst instance.
  const auto objective = std::make_shared<LambdaObjective>(
      SearchSpace({make_integers("arm", 0, 1)}),
      [](const Settings& settings, Rng& rng, const Instance& instance) {
        const bool hard = instance.name == "hard";
        const double value = settings.integer("arm") == 0 ? 1.0 : hard ? 0.0 : 4.0;
        return value + 0.1 * rng.normal();
      },
      "arms");
  for (const auto& [aggregate, arm, expected] :
       {std::tuple("mean", 1, 2.0), std::tuple("worst", 0, 1.0)}) {
    const Study study = test::study_of(
        fmt::format(
            "{{instances: [easy, hard], aggregate: {}, runs: 2, iterations: 10, start: "
            "[{{arm: 0}}, {{arm: 1}}], re_evaluation: 40, hold_out: 20, default: {{arm: 0}}}}",
            aggregate),
        objective);
    const StudyResult result = test::run(study);
    const Pick& pick = result.cells[0].picks[0];
    CHECK(pick.point == test::arm(arm));
    CHECK(std::abs(pick.hold_out.value({}) - expected) < 0.2);
    // The smallest of noisy means is biased, and has no interval.
    CHECK(pick.hold_out.interval.has_value() == study.instances.aggregate.is_mean());
  }
  // Nor has the difference to the default, so that there is no finding.
  const Study study = study_on(
      "instances: [0, 1], aggregate: worst, runs: 1, iterations: 40, hold_out: 3, default: {arm: "
      "0}");
  const StudyResult result = test::run(study);
  const IncumbentComparison& compared = *result.cells[0].picks[0].incumbent;
  REQUIRE_FALSE(compared.recommended);
  CHECK(compared.difference.has_value());
  CHECK_FALSE(compared.interval.has_value());
  CHECK_FALSE(compared.probability_better.has_value());
  const std::string text = test::unwrapped(result_text(study, result, summarise(study, result)));
  CHECK_THAT(text, !ContainsSubstring("better than the default: "));
}

TEST_CASE("intervals of geometric means hold the truth, and so do those of differences") {
  // Instances of 1, 10 and 100 points; arm 0 makes 1.1 times as many as the default, arm 1.
  const auto objective = std::make_shared<LambdaObjective>(
      SearchSpace({make_integers("arm", 0, 1)}),
      [](const Settings& settings, Rng& rng, const Instance& instance) {
        const double factor = settings.integer("arm") == 0 ? 1.1 : 1.0;
        const double mean = std::pow(10.0, std::get<std::int64_t>(instance.value));
        return factor * mean * (0.7 + 0.6 * rng.uniform());
      },
      "points");
  int studies = 0;
  int values = 0;
  int differences = 0;
  for (int seed = 1; seed <= 100; ++seed) {
    const Study study = test::study_of(
        fmt::format("{{instances: [0, 1, 2], aggregate: geometric_mean, optimiser: grid, runs: 1, "
                    "iterations: 12, hold_out: 30, default: {{arm: 1}}, seed: {}}}",
                    seed),
        objective);
    const StudyResult result = test::run(study);
    const Pick& pick = result.cells[0].picks[0];
    if (pick.incumbent->recommended) continue;
    ++studies;
    REQUIRE(pick.hold_out.interval.has_value());
    REQUIRE(pick.incumbent->interval.has_value());
    const auto holds = [](const Interval& interval, double truth) {
      return interval.low <= truth && truth <= interval.high;
    };
    values += holds(*pick.hold_out.interval, 11.0) ? 1 : 0;
    differences += holds(*pick.incumbent->interval, 1.0) ? 1 : 0;
  }
  // At 95 %, fewer than 87 % of 60 or more would come up once in 200 times.
  CHECK(studies >= 60);
  CHECK(values >= 0.87 * studies);
  CHECK(differences >= 0.87 * studies);
}

TEST_CASE("a geometric mean owes little to what few payoffs scatter") {
  const InstanceList instances({{.name = "a"}, {.name = "b", .weight = 3.0}});
  const auto value = [&](std::vector<std::vector<double>> payoffs) {
    return aggregate_payoff({.kind = Aggregate::Kind::kGeometricMean}, Unit(), instances,
                            stats_by_instance(payoffs));
  };
  // Of 1 and 3: log 2 twice, less the mean of log 1 and log 3, which either leaves of the other.
  CHECK(
      value({{1.0, 3.0}, {5.0, 5.0}}).value() ==
      Approx(std::exp(0.25 * (2.0 * std::log(2.0) - 0.5 * std::log(3.0)) + 0.75 * std::log(5.0))));
  CHECK(value({{2.0}, {5.0, 5.0, 5.0}}).value() == Approx(std::pow(2.0 * 125.0, 0.25)));
  CHECK(value({{0.0, 4.0}, {5.0}}).value() == Approx(std::pow(2.0 * 125.0, 0.25)));
  CHECK_FALSE(value({{-1.0, 1.0}, {5.0}}).has_value());
}

TEST_CASE(
    "intervals of geometric means hold the truth at two visits of noise as large as the mean") {
  // Thirty instances, of 1, 10 and 100 points in the mean, with exponential noise. The default, arm
  // 1, makes 0.6 of them. By the delta method 35 % and 77 % of the intervals held the truth.
  const auto objective = std::make_shared<LambdaObjective>(
      SearchSpace({make_integers("arm", 0, 1)}),
      [](const Settings& settings, Rng& rng, const Instance& instance) {
        const double mean = std::pow(10.0, std::get<std::int64_t>(instance.value) % 3);
        const double first = rng.uniform();
        const double second = rng.uniform();
        return settings.integer("arm") == 0 ? -mean * std::log1p(-first)
                                            : -0.6 * mean * std::log1p(-second);
      },
      "points");
  std::string names = "0";
  for (int i = 1; i < 30; ++i) names += fmt::format(", {}", i);
  int studies = 0;
  int values = 0;
  int differences = 0;
  for (int seed = 1; seed <= 150; ++seed) {
    const Study study = test::study_of(
        fmt::format("{{instances: [{}], aggregate: geometric_mean, optimiser: grid, runs: 1, "
                    "iterations: 240, hold_out: 60, default: {{arm: 1}}, seed: {}}}",
                    names, seed),
        objective);
    const StudyResult result = test::run(study);
    const Pick& pick = result.cells[0].picks[0];
    if (pick.incumbent->recommended) continue;
    ++studies;
    const auto holds = [](const std::optional<Interval>& interval, double truth) {
      return interval.value().low <= truth && truth <= interval.value().high;
    };
    values += holds(pick.hold_out.interval, 10.0) ? 1 : 0;
    differences += holds(pick.incumbent->interval, 4.0) ? 1 : 0;
  }
  // At 94 %, fewer than 88 % of 140 or more would come up once in 200 times.
  CHECK(studies >= 140);
  CHECK(values >= 0.88 * studies);
  CHECK(differences >= 0.88 * studies);
}

}  // namespace ntune
