// Sections 5 and 8 of the paper: how often a probe predicts the opponent's reply.

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "apps/bao/reproduce.h"
#include "apps/common/rows.h"
#include "ntune/core/text.h"

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

namespace {

constexpr int kNorth = 1;
constexpr int kOpponentDepth = 6;
constexpr std::array kProbes = {3, 4, 5, 6};  ///< plies

/// What a probe knows of the opponent's replies.
struct ProbeHits {
  std::int64_t same = 0;   ///< positions with the same best moves
  RunningStats predicted;  ///< the probability of the same move
};
using HitsOfPlayer = std::array<ProbeHits, kProbes.size()>;

/// The positions in which North is on turn and has a choice.
std::vector<Bao> choices_of_north(const std::vector<SampleGame>& games) {
  std::vector<Bao> choices;
  for (const SampleGame& game : games) {
    for (const Bao& at : game.positions) {
      if (at.to_move() == kNorth && move_count(at) > 1) choices.push_back(at);
    }
  }
  return choices;
}

/// What probes know of the replies of each player in these positions, by place in players().
std::vector<HitsOfPlayer> measure_probes(Laboratory& laboratory,
                                         const std::vector<Bao>& positions) {
  const std::vector<int>& players = laboratory.players();
  return laboratory.watched(players.size(), [&](Progress& progress) {
    std::vector<HitsOfPlayer> hits(players.size());
    laboratory.parallel().for_each(players.size(), [&](std::size_t p) {
      const auto search = make_bao_search(laboratory.evaluation(players[p]));
      for (const Bao& at : positions) {
        if (progress.stop) return;
        const Judge judge = judge_of(kNorth);
        const std::vector<int> real = search->best_moves(at, kOpponentDepth, judge).indices;
        for (std::size_t i = 0; i < kProbes.size(); ++i) {
          const std::vector<int> probed = search->best_moves(at, kProbes[i], judge).indices;
          std::vector<int> both;
          std::ranges::set_intersection(real, probed, std::back_inserter(both));
          hits[p][i].same += real == probed ? 1 : 0;
          hits[p][i].predicted.add(static_cast<double>(both.size()) /
                                   static_cast<double>(real.size() * probed.size()));
        }
      }
      ++progress.done;
    });
    return hits;
  });
}

}  // namespace

Reproduction reproduce_prediction(Laboratory& laboratory) {
  const std::vector<int>& players = laboratory.players();
  const std::vector<Bao> positions =
      choices_of_north(sample_games(laboratory, 4, "prediction games"));
  const std::vector<HitsOfPlayer> hits = measure_probes(laboratory, positions);
  const auto n = static_cast<double>(positions.size());
  Reproduction result;
  for (std::size_t p = 0; p < players.size(); ++p) {
    if (p > 0) result.table.rule();
    for (std::size_t i = 0; i < kProbes.size(); ++i) {
      // How often all best moves are the same, and how probable the same move is.
      const auto same = static_cast<double>(hits[p][i].same);
      const RunningStats& predicted = hits[p][i].predicted;
      const Interval of_same = wilson_interval(same, n);
      const Interval of_move = student_interval(predicted);
      result.table.row()
          .both("evaluation", "<evaluation", player_name(players[p]))
          .both("probe", "probe, plies", kProbes[i])
          .data("positions", positions.size())
          .text("n", count_text(positions.size()))
          .data("same_best_moves", same / n)
          .ends("same", of_same)
          .text("<same best moves", cli::interval_text(same / n, of_same))
          .data("predicted", predicted.mean())
          .ends("predicted", of_move)
          .text("<move predicted", cli::interval_text(predicted.mean(), of_move));
    }
  }
  result.title = ", depth 6";
  result.remarks =
      "A probe of depth p at the root looks p - 1 plies ahead: 5 in tournaments 3, 4 and 8, 6 in "
      "the\nothers. Where both sides break ties at random a move is predicted with the probability "
      "of the\nlast column. Positions with a single move are left out.\n";
  return result;
}

}  // namespace ntune::bao
