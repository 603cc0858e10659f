#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/bao/training/training.h"
#include "ntune/core/rng.h"
#include "ntune/games/bao/evaluation.h"

namespace ntune {

/// A function that TD-Leaf trains. From the numbers of a position it predicts how the game ends,
/// from 1 for won to -1 for lost.
class BaoPredictor {
 public:
  virtual ~BaoPredictor() = default;

  /// The prediction, and its derivatives by the parameters.
  virtual double predict(const BaoFeatures& at, std::span<double> gradient) const = 0;
  /// An evaluation that orders positions as the prediction does.
  [[nodiscard]] virtual BaoEvaluation evaluation() const = 0;
  [[nodiscard]] virtual std::span<const double> parameters() const = 0;
  virtual void set_parameters(std::span<const double> parameters) = 0;
  /// Learning rates of the parameters relative to one another; 0: the parameter is fixed. With them
  /// learning does not depend on the units of the numbers.
  [[nodiscard]] virtual std::span<const double> rates() const = 0;
};

/// tanh(scale u), u the linear evaluation of 54 parameters. scale: 1 / the standard deviation that
/// the initial evaluation has in the sample.
class BaoLinearPredictor final : public BaoPredictor {
 public:
  /// `sample`: at least one position.
  BaoLinearPredictor(const BaoLinearEvaluation& initial, std::span<const BaoFeatures> sample);

  double predict(const BaoFeatures& at, std::span<double> gradient) const override;
  [[nodiscard]] BaoEvaluation evaluation() const override;
  [[nodiscard]] std::span<const double> parameters() const override { return parameters_; }
  void set_parameters(std::span<const double> parameters) override;
  [[nodiscard]] std::span<const double> rates() const override { return rates_; }

 private:
  double scale_;
  // Weights of u: the player's, then the opponent's with their sign turned.
  std::vector<double> parameters_;
  std::vector<double> rates_;
};

/// The value of a normalised Gaussian network. Its widths stay as they are.
class BaoNetworkPredictor final : public BaoPredictor {
 public:
  BaoNetworkPredictor(BaoNetwork initial, std::span<const BaoFeatures> sample);

  double predict(const BaoFeatures& at, std::span<double> gradient) const override {
    return network_.value(at, gradient);
  }
  [[nodiscard]] BaoEvaluation evaluation() const override;
  [[nodiscard]] std::span<const double> parameters() const override {
    return network_.parameters();
  }
  void set_parameters(std::span<const double> parameters) override;
  [[nodiscard]] std::span<const double> rates() const override { return rates_; }

 private:
  BaoNetwork network_;
  std::vector<double> rates_;
};

/// A network of `nuclei` nuclei, an even number, whose value is tanh(u / sd(u)) everywhere; u is
/// the linear evaluation. Its nuclei are pairs m ± a of values ±1 and of one width. Here a is along
/// the weights of u, and m is a drawn position of the sample, moved along a to u(m) = 0. `width`:
/// in units of the median distance between the m.
BaoNetwork bao_network_like(const BaoLinearEvaluation& linear, std::span<const BaoFeatures> sample,
                            int nuclei, double width, Rng rng);

/// The outcome that a game's predictions learn, from -1 to 1. It is how the game itself ended, or
/// the share that the learner won of the last `batch_games` games. The paper's words, "the number
/// of games in the batch that the player won", fit the sum of the former and the latter.
enum class TdOutcome { kGame, kBatch };

/// TD-Leaf (Baxter, Tridgell and Weaver 1998) of the linear form of 54 parameters, which made TDL2B
/// (Donkers et al. 2005, Section 6). The paper leaves open the learning rate, the number of
/// batches, the initial weights and which weights are kept in the end. Here these are the weights
/// that win the most validation games, the initial ones included.
struct BaoTdLeafOptions {
  std::int64_t seed = 1;
  BaoGamesOptions games = {.depth = 10, .opponent = "ga3.yaml", .starts = "random"};
  std::string initial = "ga3.yaml";  ///< a linear evaluation
  double lambda = 0.99;
  double learning_rate = 0.01;
  double annealing = 0.99;  ///< factor of the learning rate after each batch
  TdOutcome outcome = TdOutcome::kGame;
  int batches = 300;
  int batch_games = 25;
  int update_games = 25;        ///< the parameters change after so many games of a batch
  int calibration_games = 100;  ///< games of the initial weights that set the parameters' units
  int validate_every = 10;      ///< batches
  int validation_games = 400;   ///< the same games at each validation

  void visit(Options& options);
  void move_to(const std::filesystem::path& folder);
};

/// TD-Leaf of a normalised Gaussian network, which made NGND6A. The network begins as a function
/// that orders positions as the initial linear evaluation does.
struct BaoNetworkOptions {
  BaoTdLeafOptions td_leaf = {.games = {.depth = 6, .opponent = "tdl2b.yaml", .starts = "random"},
                              .initial = "tdl2b.yaml",
                              .lambda = 0.8,
                              .learning_rate = 0.004,
                              .annealing = 0.993,
                              .update_games = 1};
  int nuclei = 54;
  double width = 0.25;  ///< width of the nuclei, in median distances between their pairs

  void visit(Options& options);
  void move_to(const std::filesystem::path& folder) { td_leaf.move_to(folder); }
};

/// Train an evaluation; none if the run was told to stop. Throw InputError for an initial
/// evaluation that is not linear.
std::optional<BaoEvaluation> train_bao_td_leaf(const BaoTdLeafOptions& options,
                                               const BaoTrainingRun& run);
std::optional<BaoEvaluation> train_bao_network(const BaoNetworkOptions& options,
                                               const BaoTrainingRun& run);

/// The learner's forecast at one of its moves.
struct BaoForesight {
  BaoFeatures leaf{};    ///< the numbers of the principal leaf, to the learner
  double decided = 0.0;  ///< 1 or -1: the search sees a win or loss, and there is no leaf
};

/// A game as TD-Leaf learns from it.
struct BaoTdGame {
  std::vector<BaoForesight> moves;  ///< the learner's
  bool won = false;                 ///< whether the learner won
};

/// Game `game` of a training (BaoSparring): the learner's leaves are those of its searches.
BaoTdGame play_bao_td_game(const BaoSparring& sparring, const BaoEvaluation& learner,
                           std::int64_t game, const Rng& rng);

/// The errors of TD(lambda): sum over j >= t of lambda^(j - t) (p_{j+1} - p_j), where p are the
/// predictions and then the outcome (Baxter, Tridgell and Weaver 1998, eq. 3).
std::vector<double> td_errors(std::span<const double> predictions, double outcome, double lambda);

/// Adds the sum over the moves of error times derivatives of the prediction (their eq. 5).
void add_td_leaf_update(const BaoPredictor& predictor, const BaoTdGame& game, double outcome,
                        double lambda, std::span<double> update);

}  // namespace ntune
