// Does chance in the evaluation help A* and IDA* on SlideThree, as it helps depth-t search? Winning
// quota within 100 moves from positions of DTW 14, with as many evaluations per move as depth-t
// search without chance makes, t = 4, 5, 6. All players meet the same positions; differences to the
// same player without chance are paired. Prints CSV.
//
//   slide_best_first [games] [seed]

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/slide3/best_first/best_first.h"
#include "apps/slide3/experiments/sample.h"
#include "benchmarks/programs/experiment.h"
#include "ntune/core/csv.h"
#include "ntune/core/parallel.h"
#include "ntune/core/statistics.h"
#include "ntune/core/text.h"
#include "ntune/games/slide/depth_agent.h"
#include "ntune/games/slide/exact/database.h"

namespace ntune {
namespace {

constexpr int kDtw = 14;
constexpr int kMoves = 100;
constexpr std::size_t kBlock = 64;  ///< games of one agent

using MakeAgent = std::function<std::unique_ptr<SlideAgent>()>;

struct Chance {
  Randomisation kind = Randomisation::kNone;
  double intensity = 0.0;
};
constexpr Chance kChances[] = {{Randomisation::kNone, 0.0},     {Randomisation::kAdd, 0.1},
                               {Randomisation::kAdd, 0.3},      {Randomisation::kMult, 0.02},
                               {Randomisation::kMult, 0.1},     {Randomisation::kNormMinus, 0.1},
                               {Randomisation::kNormMinus, 0.5}};

/// Weights of h, the best of a few for players without chance at t = 5. A norm is near 1 whatever
/// the position, so that its differences are small.
struct Weights {
  SlideFeature feature;
  double astar;
  double idastar;
};
constexpr Weights kWeights[] = {{SlideFeature::kEu, 2.0, 1.0}, {SlideFeature::kMan, 1.0, 0.5}};
constexpr double kNormWeight = 20.0;

struct Result {
  std::vector<int> won;  ///< by game
  RunningStats moves;    ///< of the games won
  std::int64_t all_moves = 0;
  std::int64_t evaluations = 0;

  [[nodiscard]] double evaluations_per_move() const {
    return static_cast<double>(evaluations) / static_cast<double>(all_moves);
  }
};

class Experiment {
 public:
  Experiment(std::vector<SlidePosition<3>> starts, const Rng& rng, Parallel& parallel)
      : starts_(std::move(starts)), rng_(rng), parallel_(parallel) {}

  /// Depth-t search with and without chance, then both others with its evaluations per move.
  void compare(const Weights& weights, int depth) const {
    const std::int64_t evaluations = compare_depth(weights.feature, depth);
    for (const auto& [name, kind] : best_first_names()) {
      Result plain;
      for (const Chance& chance : kChances) {
        BestFirstPlayer player{
            .evaluation = SlideEvaluation::of(weights.feature, chance.kind, chance.intensity),
            .kind = kind,
            .evaluations = evaluations,
            .weight = kind == BestFirstKind::kAStar ? weights.astar : weights.idastar};
        if (chance.kind == Randomisation::kNormMinus) player.weight = kNormWeight;
        const Result result = play([&] { return make_best_first_agent(player); });
        if (chance.kind == Randomisation::kNone) plain = result;
        print(fmt::format("{},{},{},{},{}", name, csv_field(player.evaluation.text()),
                          player.weight, depth, evaluations),
              result, plain);
      }
    }
  }

 private:
  /// Evaluations per move without chance.
  std::int64_t compare_depth(SlideFeature feature, int depth) const {
    Result plain;
    for (const Chance& chance : {Chance{}, Chance{Randomisation::kMult, 0.1}}) {
      const DepthPlayer player{
          .evaluation = SlideEvaluation::of(feature, chance.kind, chance.intensity),
          .depth = depth};
      const Result result = play([&] { return std::make_unique<DepthAgent>(player); });
      if (chance.kind == Randomisation::kNone) plain = result;
      print(fmt::format("depth,{},,{},", csv_field(player.evaluation.text()), depth), result,
            plain);
    }
    return std::llround(plain.evaluations_per_move());
  }

  [[nodiscard]] Result play(const MakeAgent& make_agent) const {
    std::vector<SlideGame> games(starts_.size());
    const std::size_t blocks = (games.size() + kBlock - 1) / kBlock;
    std::vector<std::int64_t> evaluations(blocks);
    parallel_.for_each(blocks, [&](std::size_t block) {
      const std::unique_ptr<SlideAgent> agent = make_agent();
      const std::size_t end = std::min(games.size(), (block + 1) * kBlock);
      for (std::size_t i = block * kBlock; i < end; ++i) {
        Rng stream = rng_.stream("game", i);
        games[i] = play_slide_game(*agent, starts_[i], kMoves, stream);
      }
      evaluations[block] = agent->evaluations();
    });
    Result result;
    for (const SlideGame& game : games) {
      result.won.push_back(game.won ? 1 : 0);
      if (game.won) result.moves.add(game.moves);
      result.all_moves += game.moves;
    }
    for (const std::int64_t count : evaluations) result.evaluations += count;
    return result;
  }

  static void print(const std::string& player, const Result& result, const Result& plain) {
    RunningStats wins;
    RunningStats differences;
    for (std::size_t i = 0; i < result.won.size(); ++i) {
      wins.add(result.won[i]);
      differences.add(result.won[i] - plain.won[i]);
    }
    const auto games = static_cast<double>(result.won.size());
    const Interval quota = wilson_interval(std::round(wins.mean() * games), games);
    const Interval paired = student_interval(differences);
    fmt::print("{},{},{:.4f},{:.4f},{:.4f},{:.1f},{:.0f},{:.4f},{:.4f},{:.4f}\n", player,
               result.won.size(), wins.mean(), quota.low, quota.high, result.moves.mean(),
               result.evaluations_per_move(), differences.mean(), paired.low, paired.high);
    std::fflush(stdout);
  }

  std::vector<SlidePosition<3>> starts_;
  Rng rng_;
  Parallel& parallel_;
};

void run(std::int64_t games, std::uint64_t seed) {
  Parallel parallel;
  const Rng rng(seed);
  const auto database = SlideDatabase<3>::build(parallel);
  const Experiment experiment(sample_positions(database, kDtw, games, rng.stream("sample")),
                              rng.stream("play"), parallel);
  fmt::print(
      "search,evaluation,weight,depth,limit,games,quota,low,high,moves,evaluations_per_move,"
      "difference,difference_low,difference_high\n");
  for (const Weights& weights : kWeights) {
    for (const int depth : {4, 5, 6}) experiment.compare(weights, depth);
  }
}

}  // namespace
}  // namespace ntune

int main(int argc, char** argv) {
  std::int64_t games = 3204;
  std::uint64_t seed = 1;
  CLI::App program("Best-first search in SlideThree, as CSV on standard output");
  program.add_option("games", games, "games a row (default 3204)")->check(CLI::PositiveNumber);
  program.add_option("seed", seed, "seed (default 1)");
  return ntune::run_experiment(program, argc, argv, [&] { ntune::run(games, seed); });
}
