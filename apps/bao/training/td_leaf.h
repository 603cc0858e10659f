#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "apps/bao/training/training.h"

namespace ntune {

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

}  // namespace ntune
