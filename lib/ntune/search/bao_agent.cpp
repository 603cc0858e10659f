#include "ntune/search/bao_agent.h"

#include <array>
#include <utility>
#include <variant>

namespace ntune {

std::unique_ptr<BaoSearch> make_bao_search(const BaoEvaluation& evaluation,
                                           const AlphaBetaOptions& options) {
  return std::visit(
      [&]<class Evaluation>(const Evaluation& e) -> std::unique_ptr<BaoSearch> {
        return std::make_unique<AlphaBeta<Bao, Evaluation>>(e, options);
      },
      evaluation);
}

std::unique_ptr<BaoAgent> make_bao_agent(const BaoPlayer& player) {
  std::vector<SearchAgent<Bao>::Model> models;
  for (const BaoModel& model : player.models) {
    models.push_back({make_bao_search(model.evaluation, player.alpha_beta), model.weight});
  }
  return std::make_unique<SearchAgent<Bao>>(make_bao_search(player.evaluation, player.alpha_beta),
                                            std::move(models), player.agent, player.opponent_model);
}

std::vector<BaoGame> play_bao_match(const BaoPlayer& south, const BaoPlayer& north,
                                    std::span<const Bao> starts, std::size_t repeats,
                                    const Rng& rng, Parallel& parallel) {
  std::vector<BaoGame> games(starts.size() * repeats);
  parallel.for_each(games.size(), [&](std::size_t i) {
    BaoGame& game = games[i];
    game.start = i / repeats;
    game.repeat = i % repeats;
    const auto first = make_bao_agent(south);
    const auto second = make_bao_agent(north);
    const std::array<BaoAgent*, 2> agents = {first.get(), second.get()};
    game.result =
        play_turn_game(starts[game.start], agents, rng.stream("game", game.start, game.repeat));
  });
  return games;
}

BaoMatchSummary summarise(std::span<const BaoGame> games) {
  BaoMatchSummary summary;
  for (const BaoGame& game : games) {
    ++summary.games;
    summary.south_wins += game.result.winner == 0 ? 1 : 0;
    summary.plies += game.result.plies;
    summary.south += game.result.counts[0];
    summary.north += game.result.counts[1];
  }
  return summary;
}

}  // namespace ntune
