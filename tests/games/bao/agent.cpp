#include <vector>

#include "agents/toy_games.h"
#include "catch.h"
#include "games/bao/positions.h"
#include "ntune/core/parallel.h"
#include "ntune/games/bao/player.h"
#include "ntune/games/bao/start_positions.h"
#include "ntune/games/bao/weights.h"

namespace ntune {

namespace {

std::vector<Bao> starts(std::size_t most = 1000) {
  const auto read =
      read_bao_start_positions(std::string(NTUNE_SOURCE_DIR) + "/configs/bao/start_positions.csv");
  std::vector<Bao> positions;
  for (const auto& start : read.usable) {
    if (positions.size() < most) positions.push_back(start.position);
  }
  return positions;
}

BaoPlayer player(const BaoEvaluation& evaluation, int depth) {
  BaoPlayer player;
  player.evaluation = evaluation;
  player.agent.depth = depth;
  return player;
}

/// Opponent-model search that knows the evaluation `model`.
BaoPlayer knower(const BaoEvaluation& evaluation, const BaoEvaluation& model, int depth) {
  BaoPlayer knower = player(evaluation, depth);
  knower.models = {{model, 1.0}};
  knower.opponent_model.probe_depth = depth;
  knower.agent.compared_depth = depth;
  return knower;
}

/// What South did in a match.
struct MatchSummary {
  std::int64_t games = 0;
  std::int64_t south_wins = 0;
  std::int64_t plies = 0;
  SearchCounts south;
};

/// `repeats` games from each of the first `count` start positions.
MatchSummary match(const BaoPlayer& south, const BaoPlayer& north, std::size_t count,
                   std::size_t repeats = 1, const Rng& rng = Rng(1)) {
  const std::vector<Bao> from = starts(count);
  std::vector<TurnGameResult> results(from.size() * repeats);
  Parallel parallel(2);
  parallel.for_each(results.size(), [&](std::size_t i) {
    const auto first = make_bao_agent(south);
    const auto second = make_bao_agent(north);
    results[i] = play_turn_game(from[i / repeats], {first.get(), second.get()},
                                rng.stream("game", i / repeats, i % repeats));
  });
  MatchSummary summary;
  for (const TurnGameResult& result : results) {
    ++summary.games;
    summary.south_wins += result.is_won_by(0) ? 1 : 0;
    summary.plies += result.plies;
    summary.south += result.counts[0];
  }
  return summary;
}

}  // namespace

TEST_CASE("bao search: alpha-beta equals plain minimax with every evaluation") {
  Rng rng(1);
  BaoWeights weights;
  for (double& weight : weights) weight = rng.uniform();
  std::vector<double> parameters(4 * BaoNetwork::kParametersPerNucleus);
  for (double& p : parameters) p = 1 + rng.uniform();
  const std::vector<BaoEvaluation> all = {BaoMaterialEvaluation(), BaoDefaultEvaluation(),
                                          BaoLinearEvaluation(weights),
                                          BaoNetworkEvaluation(BaoNetwork(parameters))};
  const std::vector<Bao> positions = test::random_bao_positions(20, 2);
  for (const BaoEvaluation& evaluation : all) {
    const auto search = make_bao_search(evaluation);
    for (std::size_t i = 0; i < positions.size(); i += 23) {
      const int eyes = static_cast<int>(i % 2);
      const auto plain = [&](const Bao& at, int who) { return evaluate(evaluation, at, who); };
      const double expected = minimax(positions[i], 4, 0, eyes, plain);
      REQUIRE(search->best_moves(positions[i], 4, judge_of(eyes)).value == expected);
    }
  }
}

TEST_CASE("bao search: the order of moves halves the work at least") {
  const auto nodes = [](int order_depth) {
    const auto search = make_bao_search(BaoMaterialEvaluation(), {.order_depth = order_depth});
    for (const Bao& start : starts(20)) search->best_moves(start, 6, Judge::kPlayer0);
    return search->nodes();
  };
  CHECK(nodes(2) * 2 < nodes(kMostPlies));
}

TEST_CASE("bao match: a deeper search wins more games") {
  const MatchSummary deeper =
      match(player(BaoMaterialEvaluation(), 4), player(BaoMaterialEvaluation(), 1), 95);
  CHECK(deeper.games == 95);
  CHECK(deeper.south_wins > 60);
}

TEST_CASE("bao agent: knowing that the opponent thinks as we do changes no move's value") {
  const MatchSummary summary = match(knower(BaoMaterialEvaluation(), BaoMaterialEvaluation(), 4),
                                     player(BaoMaterialEvaluation(), 4), 10);
  CHECK(summary.south.probes > 0);
  CHECK(summary.south.deviations == 0);
}

TEST_CASE("bao agent: a better informed player deviates, and strict risk avoidance does not") {
  BaoPlayer south = knower(BaoMaterialEvaluation(), BaoDefaultEvaluation(), 4);
  const BaoPlayer north = player(BaoDefaultEvaluation(), 4);
  CHECK(match(south, north, 10).south.deviations > 0);
  for (const RiskAvoidance risk : {RiskAvoidance::kAdvice, RiskAvoidance::kBestTie}) {
    south.agent.risk_avoidance = risk;
    south.agent.deviation = DeviationRule::kNotBest;
    CHECK(match(south, north, 10).south.deviations == 0);
    south.agent.deviation = DeviationRule::kNotChosen;
    CHECK(match(south, north, 10).south.deviations > 0);
  }
}

TEST_CASE("bao agent: counting deviations does not change the game") {
  BaoPlayer south = knower(BaoMaterialEvaluation(), BaoDefaultEvaluation(), 3);
  const BaoPlayer north = player(BaoDefaultEvaluation(), 3);
  const MatchSummary counted = match(south, north, 8);
  south.agent.compared_depth = 0;
  const MatchSummary plain = match(south, north, 8);
  CHECK(counted.plies == plain.plies);
  CHECK(counted.south_wins == plain.south_wins);
  CHECK(plain.south.deviations == 0);
}

TEST_CASE("bao agent: with ties to the compared move a player that agrees never deviates") {
  BaoPlayer south = player(BaoMaterialEvaluation(), 4);
  south.agent.compared_depth = 4;
  south.agent.deviation = DeviationRule::kNotChosen;
  const BaoPlayer north = player(BaoMaterialEvaluation(), 3);
  CHECK(match(south, north, 6).south.deviations > 0);
  south.agent.own_ties = OwnTies::kCompared;
  CHECK(match(south, north, 6).south.deviations == 0);
  south.agent.own_ties = OwnTies::kFirst;
  CHECK(match(south, north, 6).south.deviations == 0);
}

TEST_CASE("bao match: MATERIAL and DEFAULT at depth 6 share the games as the paper's players do",
          "[slow][statistical]") {
  // An independent engine over 20 repeats: 54.5, 55.3, 44.3 and 46.3 % for South, 40 plies a game.
  constexpr double kShares[2][2] = {{0.545, 0.553}, {0.443, 0.463}};
  std::int64_t plies = 0;
  std::int64_t games = 0;
  for (std::size_t s = 0; s < 2; ++s) {
    for (std::size_t n = 0; n < 2; ++n) {
      const MatchSummary summary =
          match(player(bao_evaluations()[s].evaluation, 6),
                player(bao_evaluations()[n].evaluation, 6), 1000, 10, Rng(9).stream("match", s, n));
      const double share =
          static_cast<double>(summary.south_wins) / static_cast<double>(summary.games);
      INFO(bao_evaluations()[s].name << " - " << bao_evaluations()[n].name);
      CHECK(share == Approx(kShares[s][n]).margin(0.05));
      plies += summary.plies;
      games += summary.games;
    }
  }
  CHECK(static_cast<double>(plies) / static_cast<double>(games) == Approx(40.0).margin(2.0));
}

}  // namespace ntune
