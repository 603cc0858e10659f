#include "apps/bao/training/genetic.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "catch.h"
#include "ntune/core/error.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace {

using Catch::Matchers::ContainsSubstring;

BaoGeneticOptions small_options() {
  BaoGeneticOptions options;
  options.seed = 3;
  options.rounds = 2;
  options.games.depth = 1;
  options.games.opponent = "material";
  options.population = 8;
  options.parents = 3;
  options.fitness_games = 12;
  options.most_generations = 3;
  options.validation_games = 14;
  return options;
}

BaoLinearEvaluation trained(const BaoGeneticOptions& options, const BaoTrainingRun& run) {
  const auto evaluation = train_bao_genetic(options, run);
  REQUIRE(evaluation.has_value());
  return std::get<BaoLinearEvaluation>(*evaluation);
}

}  // namespace

TEST_CASE("random genes are all the values up to the limit, equally often") {
  Rng rng(1);
  std::array<int, 5> counts{};
  constexpr int kChromosomes = 2000;
  for (int i = 0; i < kChromosomes; ++i) {
    for (const int gene : random_bao_chromosome(2, rng))
      ++counts.at(static_cast<std::size_t>(gene + 2));
  }
  const double expected = kChromosomes * 27 / 5.0;
  for (const int count : counts) {
    CHECK(std::abs(count - expected) < 5.0 * std::sqrt(expected));  // 6 in 10 million
  }
}

TEST_CASE("crossover takes the mother's genes up to each of the 26 points, then the father's") {
  BaoChromosome mother, father;
  mother.fill(1);
  father.fill(2);
  std::set<std::ptrdiff_t> points;
  Rng rng(2);
  for (int i = 0; i < 1000; ++i) {
    const BaoChromosome child = cross_bao_chromosomes(mother, father, rng);
    const auto point = std::find(child.begin(), child.end(), 2);
    CHECK(std::all_of(point, child.end(), [](int gene) { return gene == 2; }));
    points.insert(point - child.begin());
  }
  CHECK(points.size() == 26);
  CHECK(*points.begin() == 1);
  CHECK(*points.rbegin() == 26);
}

TEST_CASE("large and small mutations come at their rates, and genes stay within the limit") {
  BaoGeneticOptions options;
  options.gene_limit = 1'000'000;
  options.small_step = 10;
  Rng rng(3);
  constexpr int kChromosomes = 4000;
  int large = 0;
  int small = 0;
  for (int i = 0; i < kChromosomes; ++i) {
    BaoChromosome genes{};
    mutate_bao_chromosome(genes, options, rng);
    for (const int gene : genes) {
      CHECK(std::abs(gene) <= options.gene_limit);
      large += std::abs(gene) > options.small_step ? 1 : 0;
      small += gene != 0 && std::abs(gene) <= options.small_step ? 1 : 0;
    }
  }
  constexpr double kGenes = kChromosomes * 27.0;
  const auto is_rate = [&](int count, double p) {
    return std::abs(count - kGenes * p) < 5.0 * std::sqrt(kGenes * p * (1.0 - p));
  };
  CHECK(is_rate(large, 0.05));
  CHECK(is_rate(small, 0.95 * 0.20));

  options.gene_limit = 3;
  BaoChromosome genes{};
  for (int i = 0; i < 100; ++i) mutate_bao_chromosome(genes, options, rng);
  for (const int gene : genes) CHECK(std::abs(gene) <= 3);
}

TEST_CASE("every contender plays the same games, whatever the others and the threads") {
  const BaoSparring sparring({.depth = 1, .opponent = "", .starts = "random"},
                             BaoMaterialEvaluation());
  const std::vector<BaoEvaluation> contenders = {BaoDefaultEvaluation(), BaoMaterialEvaluation(),
                                                 BaoDefaultEvaluation()};
  Parallel one(1);
  Parallel two(2);
  Progress progress;
  const auto wins = sparring.wins(contenders, 25, Rng(4), one, progress);
  CHECK(progress.done == 75);
  CHECK(wins[0] == wins[2]);
  CHECK(wins == sparring.wins(contenders, 25, Rng(4), two, progress));
  CHECK(wins[1] == sparring.wins({&contenders[1], 1}, 25, Rng(4), two, progress)[0]);

  const Bao start = sparring.start(6, Rng(4));
  CHECK(start == sparring.start(7, Rng(4)));
  CHECK(start != sparring.start(8, Rng(4)));
  CHECK(start.to_move() == 0);
  CHECK(start.store(0) == 12);
  CHECK(start.store(1) == 12);
}

TEST_CASE("genetic training is the same for one and two threads") {
  Parallel one(1);
  Parallel two(2);
  Progress progress;
  CHECK(trained(small_options(), {one, progress}) == trained(small_options(), {two, progress}));
}

TEST_CASE("with the same games for a round, parents keep their fitness and need not play again") {
  Parallel parallel(2);
  BaoGeneticOptions options = small_options();
  options.rounds = 1;
  Progress fresh;
  train_bao_genetic(options, {parallel, fresh});
  CHECK(fresh.done == 3 * 8 * 12 + 3 * 14);
  options.fresh_games = false;
  options.patience = 3;
  Progress same;
  double last = 0.0;
  BaoTrainingRun run{parallel, same};
  run.report = [&](const BaoTrainingStep& step) {
    CHECK(step.share >= last);
    last = step.share;
  };
  train_bao_genetic(options, run);
  CHECK(same.done == 8 * 12 + 2 * 5 * 12 + 3 * 14);
}

TEST_CASE("genetic training that was stopped anywhere goes on as if it had not been") {
  const test::TemporaryFolder folder;
  Parallel parallel(2);
  Progress whole;
  int steps = 0;
  BaoTrainingRun run{parallel, whole};
  run.report = [&](const BaoTrainingStep&) { ++steps; };
  const BaoLinearEvaluation expected = trained(small_options(), run);
  REQUIRE(steps > 4);

  std::optional<BaoEvaluation> result;
  int parts = 0;
  while (!result) {  // one step at a time
    Progress progress;
    BaoTrainingRun part{parallel, progress, folder / "state.json", true};
    part.report = [&](const BaoTrainingStep&) { progress.stop = true; };
    result = train_bao_genetic(small_options(), part);
    REQUIRE(++parts <= steps + 1);
    if (!result && parts == steps) {
      // The last step has no successor to be stopped.
      part.report = {};
      progress.stop = false;
      result = train_bao_genetic(small_options(), part);
    }
  }
  CHECK(std::get<BaoLinearEvaluation>(*result) == expected);
}

TEST_CASE("a checkpoint is for the same training alone, and damage is one line") {
  const test::TemporaryFolder folder;
  Parallel parallel(1);
  Progress progress;
  BaoTrainingRun run{parallel, progress, folder / "state.json", true};
  run.report = [&](const BaoTrainingStep&) { progress.stop = true; };
  CHECK_FALSE(train_bao_genetic(small_options(), run).has_value());

  BaoGeneticOptions other = small_options();
  other.seed = 4;
  CHECK_THAT(test::input_error([&] { train_bao_genetic(other, run); }),
             ContainsSubstring("other options"));
  run.resume = false;
  CHECK_THAT(test::input_error([&] { train_bao_genetic(small_options(), run); }),
             ContainsSubstring("resume it, name another file or delete it"));
  run.resume = true;
  const std::string text = test::content_of(run.checkpoint);
  run.checkpoint = folder.file("cut.json", text.substr(0, text.size() / 2));
  CHECK_THAT(test::input_error([&] { train_bao_genetic(small_options(), run); }),
             ContainsSubstring("cut.json: damaged"));
}

TEST_CASE("genetic training refuses as many parents as there are chromosomes") {
  Parallel parallel(1);
  Progress progress;
  BaoGeneticOptions options = small_options();
  options.parents = 8;
  CHECK_THAT(test::input_error([&] {
               train_bao_genetic(options, {parallel, progress});
             }),
             ContainsSubstring("parents: must be fewer than population (8), not 8"));
}

TEST_CASE("a little genetic training beats the best of the first generation") {
  Parallel parallel(2);
  Progress progress;
  BaoGeneticOptions options = small_options();
  options.rounds = 1;
  options.population = 10;
  options.parents = 3;
  options.fitness_games = 60;
  options.most_generations = 1;
  options.validation_games = 60;
  const BaoEvaluation first = trained(options, {parallel, progress});
  options.most_generations = options.patience = 100;
  const BaoEvaluation last = trained(options, {parallel, progress});
  const BaoSparring sparring(options.games, BaoMaterialEvaluation());
  const std::vector<int> wins =
      sparring.wins(std::vector{first, last}, 1000, Rng(9), parallel, progress);
  // Of equal players 1 in a million would differ so much.
  CHECK(wins[1] >= wins[0] + 106);
}

}  // namespace ntune
