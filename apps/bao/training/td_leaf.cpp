#include "apps/bao/training/td_leaf.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/option_json.h"
#include "ntune/core/options.h"
#include "ntune/games/bao/weights.h"

namespace ntune {
namespace {

BaoLinearEvaluation linear_evaluation(const std::string& name) {
  const BaoEvaluation evaluation = find_bao_evaluation(name).evaluation;
  const auto* linear = std::get_if<BaoLinearEvaluation>(&evaluation);
  if (linear == nullptr) {
    throw InputError(fmt::format("initial: weights of a linear evaluation needed, not '{}'", name));
  }
  return *linear;
}

/// The nearest numbers of six digits: weights that can be read and are as good.
std::vector<double> rounded(std::vector<double> numbers) {
  for (double& number : numbers) number = std::stod(fmt::format("{:.6g}", number));
  return numbers;
}

class TdLeafTraining {
 public:
  using Sample = std::vector<BaoFeatures>;

  TdLeafTraining(const BaoTdLeafOptions& options, const BaoTrainingRun& run)
      : options_(options),
        run_(run),
        rng_(static_cast<std::uint64_t>(options.seed)),
        sparring_(options.games, find_bao_evaluation(options.games.opponent).evaluation) {
    const int validations =
        1 + (options.batches + options.validate_every - 1) / options.validate_every;
    run_.progress.total = options.calibration_games +
                          std::int64_t{options.batches} * options.batch_games +
                          std::int64_t{validations} * options.validation_games;
  }

  /// Leaves of games by the initial evaluation; empty only if the run was told to stop.
  Sample sample(const BaoEvaluation& initial) {
    Sample leaves;
    for (const BaoTdGame& game :
         play(initial, 0, options_.calibration_games, rng_.stream("calibration"))) {
      for (const BaoForesight& move : game.moves) {
        if (move.decided == 0.0) leaves.push_back(move.leaf);
      }
    }
    if (leaves.empty()) leaves.emplace_back();
    return leaves;
  }

  std::optional<BaoEvaluation> train(BaoPredictor& predictor, const BaoCheckpoint& checkpoint) {
    checkpoint.load([&](const Json& state) { restore(state, predictor); });
    if (batch_ == 0) validate(predictor);
    while (batch_ < options_.batches && !run_.progress.stop) {
      const double share = learn_batch(predictor);
      if (run_.progress.stop) break;
      ++batch_;
      if (batch_ % options_.validate_every == 0 || batch_ == options_.batches) validate(predictor);
      if (run_.progress.stop) break;
      save(checkpoint, predictor);
      run_.tell({0, batch_, share, static_cast<double>(best_wins_) / options_.validation_games});
    }
    if (run_.progress.stop) return std::nullopt;
    predictor.set_parameters(rounded(best_));
    return predictor.evaluation();
  }

 private:
  std::vector<BaoTdGame> play(const BaoEvaluation& learner, std::int64_t first, int count,
                              const Rng& rng) {
    std::vector<BaoTdGame> games(static_cast<std::size_t>(count));
    run_.parallel.for_each(games.size(), [&](std::size_t i) {
      if (run_.progress.stop) return;
      games[i] = play_bao_td_game(sparring_, learner, first + static_cast<std::int64_t>(i), rng);
      ++run_.progress.done;
    });
    return games;
  }

  /// Returns the share of its games won.
  double learn_batch(BaoPredictor& predictor) {
    const double rate = options_.learning_rate * std::pow(options_.annealing, batch_);
    int won = 0;
    for (int begin = 0; begin < options_.batch_games; begin += options_.update_games) {
      const int count = std::min(options_.update_games, options_.batch_games - begin);
      const std::int64_t first = std::int64_t{batch_} * options_.batch_games + begin;
      const auto games = play(predictor.evaluation(), first, count, rng_.stream("training"));
      for (const BaoTdGame& game : games) won += remember(game.won);
      learn(predictor, games, rate);
    }
    return static_cast<double>(won) / options_.batch_games;
  }

  /// One step along the mean update of the games.
  void learn(BaoPredictor& predictor, std::span<const BaoTdGame> games, double rate) {
    std::vector<double> parameters(predictor.parameters().begin(), predictor.parameters().end());
    std::vector<double> update(parameters.size());
    for (const BaoTdGame& game : games) {
      add_td_leaf_update(predictor, game, outcome(game.won), options_.lambda, update);
    }
    rate /= static_cast<double>(games.size());
    const auto relative = predictor.rates();
    for (std::size_t i = 0; i < update.size(); ++i) parameters[i] += rate * relative[i] * update[i];
    predictor.set_parameters(parameters);
  }

  int remember(bool won) {
    recent_.push_back(won ? 1 : 0);
    if (recent_.size() > static_cast<std::size_t>(options_.batch_games))
      recent_.erase(recent_.begin());
    return recent_.back();
  }

  [[nodiscard]] double outcome(bool won) const {
    if (options_.outcome == TdOutcome::kGame) return won ? 1.0 : -1.0;
    const auto wins = std::count(recent_.begin(), recent_.end(), 1);
    return 2.0 * static_cast<double>(wins) / static_cast<double>(recent_.size()) - 1.0;
  }

  void validate(const BaoPredictor& predictor) {
    const BaoEvaluation evaluation = predictor.evaluation();
    const int wins = sparring_.wins({&evaluation, 1}, options_.validation_games,
                                    rng_.stream("validation"), run_.parallel, run_.progress)[0];
    if (run_.progress.stop || wins <= best_wins_) return;
    best_wins_ = wins;
    best_.assign(predictor.parameters().begin(), predictor.parameters().end());
  }

  void save(const BaoCheckpoint& checkpoint, const BaoPredictor& predictor) const {
    const auto now = predictor.parameters();
    checkpoint.save({{"batch", batch_},
                     {"recent", recent_},
                     {"parameters", std::vector<double>(now.begin(), now.end())},
                     {"best_wins", best_wins_},
                     {"best", best_}});
  }

  void restore(const Json& state, BaoPredictor& predictor) {
    state.at("batch").get_to(batch_);
    state.at("recent").get_to(recent_);
    predictor.set_parameters(state.at("parameters").get<std::vector<double>>());
    state.at("best_wins").get_to(best_wins_);
    state.at("best").get_to(best_);
    run_.progress.done += std::int64_t{batch_} * options_.batch_games;
  }

  BaoTdLeafOptions options_;
  const BaoTrainingRun& run_;
  Rng rng_;
  BaoSparring sparring_;
  int batch_ = 0;            // batches learned
  std::vector<int> recent_;  // the last games: 1 won, 0 lost
  int best_wins_ = -1;
  std::vector<double> best_;
};

}  // namespace

void BaoTdLeafOptions::visit(Options& options) {
  constexpr double kMany = 1'000'000;
  options.integer("seed", seed, at_least(0), "seed of all random numbers");
  games.visit(options);
  options.text("initial", initial, "weights of a linear evaluation that learning begins with");
  options.number("lambda", lambda, between(0, 1), "of TD(lambda)");
  options.number("learning_rate", learning_rate, above(0),
                 "learning rate of the sum over a game's moves, in units in which the numbers of a "
                 "position have variance 1");
  options.number("annealing", annealing, {.low = 0, .high = 1, .low_excluded = true},
                 "factor of the learning rate after each batch");
  options.choice("outcome", outcome, {{"game", TdOutcome::kGame}, {"batch", TdOutcome::kBatch}},
                 "what predictions learn: the end of their game, or the share of the last "
                 "batch_games games won");
  options.integer("batches", batches, between(1, kMany), "batches of games");
  options.integer("batch_games", batch_games, between(1, kMany), "games of a batch");
  options.integer("update_games", update_games, between(1, kMany),
                  "the weights change after so many games of a batch");
  options.integer("calibration_games", calibration_games, between(1, kMany),
                  "games of the initial weights, for the units");
  options.integer("validate_every", validate_every, between(1, kMany),
                  "batches between two validations");
  options.integer("validation_games", validation_games, between(1, kMany),
                  "games by which the best weights are kept");
}

void BaoTdLeafOptions::move_to(const std::filesystem::path& folder) {
  games.move_to(folder);
  move_bao_file(initial, folder);
}

void BaoNetworkOptions::visit(Options& options) {
  td_leaf.visit(options);
  options.integer("nuclei", nuclei, between(2, BaoNetwork::kMostNuclei), "an even number");
  options.number("width", width, above(0),
                 "width of the nuclei, in median distances between their pairs");
}

std::optional<BaoEvaluation> train_bao_td_leaf(const BaoTdLeafOptions& options,
                                               const BaoTrainingRun& run) {
  const BaoCheckpoint checkpoint(run, "td-leaf", options_json(options));
  const BaoLinearEvaluation initial = linear_evaluation(options.initial);
  TdLeafTraining training(options, run);
  BaoLinearPredictor predictor(initial, training.sample(initial));
  return training.train(predictor, checkpoint);
}

std::optional<BaoEvaluation> train_bao_network(const BaoNetworkOptions& options,
                                               const BaoTrainingRun& run) {
  if (options.nuclei % 2 != 0) {
    throw InputError(fmt::format("nuclei: must be even, not {}", options.nuclei));
  }
  const BaoCheckpoint checkpoint(run, "ngn", options_json(options));
  const BaoLinearEvaluation initial = linear_evaluation(options.td_leaf.initial);
  TdLeafTraining training(options.td_leaf, run);
  const auto sample = training.sample(initial);
  const Rng rng = Rng(static_cast<std::uint64_t>(options.td_leaf.seed)).stream("nuclei");
  BaoNetworkPredictor predictor(
      bao_network_like(initial, sample, options.nuclei, options.width, rng), sample);
  return training.train(predictor, checkpoint);
}

}  // namespace ntune
