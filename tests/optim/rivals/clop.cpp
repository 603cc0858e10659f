// CLOP: its regression, its weights, and what it does with a bowl.

#include "ntune/optim/rivals/clop.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "catch.h"
#include "optim/duels/matches.h"
#include "support/spaces.h"

namespace ntune {

using Catch::Matchers::WithinAbs;

TEST_CASE("clop: a regression is where the slope of the penalised likelihood is 0") {
  Rng rng(2);
  constexpr Eigen::Index kPoints = 80;
  Eigen::MatrixXd terms(kPoints, 6);
  Eigen::VectorXd games(kPoints);
  Eigen::VectorXd scores(kPoints);
  Eigen::VectorXd weights(kPoints);
  for (Eigen::Index i = 0; i < kPoints; ++i) {
    terms.row(i) =
        Clop::terms_of({2.0 * rng.uniform() - 1.0, 2.0 * rng.uniform() - 1.0}).transpose();
    games[i] = 1.0 + rng.below(3);
    scores[i] = rng.uniform();
    weights[i] = rng.uniform();
  }
  constexpr double kPrecision = 0.3;
  const auto found = Clop::regress(terms, games, scores, weights, kPrecision, {});
  const Eigen::VectorXd q = terms * found.coefficients;
  Eigen::VectorXd slope = -kPrecision * found.coefficients;
  for (Eigen::Index i = 0; i < kPoints; ++i) {
    const double p = 1.0 / (1.0 + std::exp(-q[i]));
    slope += games[i] * weights[i] * (scores[i] - p) * terms.row(i).transpose();
  }
  CHECK(slope.norm() < 1e-4);
  const double all = games.dot(weights);
  const double score = (games.cwiseProduct(weights).dot(scores) + 0.5) / (all + 1.0);
  CHECK_THAT(found.mean, WithinAbs(std::log(score / (1.0 - score)), 1e-12));
}

TEST_CASE("clop: the terms are one, each parameter, and each product of two") {
  const Eigen::VectorXd terms = Clop::terms_of({2.0, 3.0, 5.0});
  REQUIRE(terms.size() == 10);
  CHECK_THAT(terms.sum(), WithinAbs(1 + 2 + 3 + 5 + 4 + 6 + 9 + 10 + 15 + 25, 1e-12));
  CHECK(Clop::terms_of(std::vector<double>(40, 1.0)).size() == 81);
}

TEST_CASE("clop: every match is with the default, and points gather where games are won") {
  const SimulatedGames games({.dimensions = 2, .elo = 120.0, .draws = 0.0});
  OptimiserContext context = test::make_context(games.space(), 1500);
  context.incumbent = games.default_point();
  const auto trace = test::search("clop", context, 1, test::duels_of(games));
  double early = 0.0;
  double late = 0.0;
  for (std::size_t i = 0; i < trace.matches.size(); ++i) {
    CHECK(trace.matches[i].second == games.default_point());
    const double strength = games.strength(trace.matches[i].first);
    if (i < 300) early += strength / 300.0;
    if (i >= 1200) late += strength / 300.0;
  }
  CHECK(late > early + 20.0);
  CHECK(games.strength(trace.recommendation.point) > 60.0);
}

TEST_CASE("clop: after one match its point is recommended, whatever is asked next") {
  const SearchSpace space = test::grid_space({101});
  OptimiserContext context = test::make_context(space, 100);
  context.incumbent = test::make_point({50});
  const auto search = test::make_plan("clop", space).make(context);
  Rng rng(1);
  const Proposal match = search->ask(rng);
  test::tell_match(*search, match, {.score = 1.0});
  REQUIRE(search->ask(rng).point != match.point);
  CHECK(search->recommend().point == match.point);
}

TEST_CASE("clop: where clauses tie parameters together, its chain still moves") {
  const SearchSpace space = test::yaml_space(
      "{w: [0, 1, 2, 3], x: [0, 1, 2, 3], forbid: [{w: 0, x: [1, 2, 3]}, {w: 1, x: [0, 2, 3]}, "
      "{w: 2, x: [0, 1, 3]}, {w: 3, x: [0, 1, 2]}]}");
  OptimiserContext context = test::make_context(space, 120);
  context.incumbent = test::make_point({1, 1});
  const auto higher_wins = [](const Point& first, const Point& second, Rng&) {
    return MatchResult{.score = 0.5 + 0.5 * std::clamp(first[0] - second[0], -1, 1)};
  };
  const auto trace = test::search("clop", context, 1, higher_wins);
  std::set<Point> met;
  for (const auto& match : trace.matches) met.insert(match.first);
  CHECK(met.size() == 4);
  CHECK(trace.recommendation.point[0] >= 2);  // the weighted mean of all points
}

}  // namespace ntune
