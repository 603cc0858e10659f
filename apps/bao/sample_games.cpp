// The games and positions of the experiments that are about positions and not about matches.

#include <array>

#include "apps/bao/reproduce.h"

namespace ntune::bao {

BaoPlayer alpha_beta_player(const BaoEvaluation& evaluation, int depth) {
  BaoPlayer player{.evaluation = evaluation};
  player.agent.depth = depth;
  return player;
}

SampleGame play_sample_game(const BaoPlayer& south_player, const BaoPlayer& north_player,
                            const Bao& start, const Rng& rng) {
  const auto south = make_bao_agent(south_player);
  const auto north = make_bao_agent(north_player);
  SampleGame game;
  game.result = play_turn_game(start, std::array<BaoAgent*, 2>{south.get(), north.get()}, rng,
                               10'000, [&](const Bao& at, int) { game.positions.push_back(at); });
  return game;
}

std::vector<SampleGame> sample_games(Laboratory& laboratory, int depth, const char* purpose) {
  const std::vector<int>& players = laboratory.players();
  const std::vector<Bao>& starts = laboratory.starts().positions;
  const std::size_t count =
      starts.size() * static_cast<std::size_t>(laboratory.arguments().repeats);
  return laboratory.watched(count, [&](Progress& progress) {
    std::vector<SampleGame> games(count);
    laboratory.parallel().for_each(count, [&](std::size_t i) {
      if (progress.stop) return;
      const int south = players[i % players.size()];
      const int north = players[(i / players.size()) % players.size()];
      games[i] = play_sample_game(alpha_beta_player(laboratory.evaluation(south), depth),
                                  alpha_beta_player(laboratory.evaluation(north), depth),
                                  starts[i % starts.size()], laboratory.rng().stream(purpose, i));
      ++progress.done;
    });
    return games;
  });
}

std::vector<Bao> draw_positions(const Laboratory& laboratory, const std::vector<SampleGame>& games,
                                const char* purpose) {
  std::vector<Bao> positions;
  for (std::size_t i = 0; i < games.size(); ++i) {
    const std::vector<Bao>& all = games[i].positions;
    if (all.empty()) continue;
    Rng draw = laboratory.rng().stream(purpose, i);
    positions.push_back(all[draw.below(static_cast<std::uint32_t>(all.size()))]);
  }
  return positions;
}

std::size_t move_count(const Bao& at) {
  BaoSuccessors list;
  at.successors(list);
  return list.size();
}

}  // namespace ntune::bao
