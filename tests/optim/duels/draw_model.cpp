// Wins, draws and losses from a difference of strengths.

#include "ntune/optim/duels/draw_model.h"

#include <cmath>

#include "catch.h"

namespace ntune {

using Catch::Matchers::WithinAbs;

TEST_CASE("Davidson's model: the weights of win, draw and loss, and the slopes of their sum") {
  for (const double nu : {0.0, 0.5, 4.0, 50.0}) {
    const DrawModel model(nu);
    for (const double g : {-30.0, -1.0, 0.0, 0.01, 2.0, 7.0}) {
      CAPTURE(nu, g);
      const double win = std::exp(g / 2.0);
      const double loss = std::exp(-g / 2.0);
      const double sum = win + loss + nu;
      CHECK_THAT(model.draw_probability(g), WithinAbs(nu / sum, 1e-12));
      const double score = (win + 0.5 * nu) / sum;
      CHECK_THAT(model.excess(g), WithinAbs(score - 0.5, 1e-12));
      CHECK_THAT(model.variance(g), WithinAbs((win + 0.25 * nu) / sum - score * score, 1e-12));
      CHECK_THAT(model.log_sum(g), WithinAbs(std::log(sum), 1e-9));
      constexpr double kStep = 1e-5;
      const double slope = (model.log_sum(g + kStep) - model.log_sum(g - kStep)) / (2.0 * kStep);
      CHECK_THAT(model.excess(g), WithinAbs(slope, 1e-6));
    }
  }
}

TEST_CASE("an Elo of the draw model is an Elo of the expected score between equals") {
  for (const double nu : {0.0, 1.0, 20.0}) {
    const DrawModel model(nu);
    const double score = 0.5 + model.excess(model.per_elo());
    CHECK_THAT(400.0 * std::log10(score / (1.0 - score)), WithinAbs(1.0, 1e-3));
  }
}

}  // namespace ntune
