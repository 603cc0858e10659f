#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "apps/bao/training/td_leaf_forms.h"
#include "apps/bao/training/training.h"

namespace ntune {

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
