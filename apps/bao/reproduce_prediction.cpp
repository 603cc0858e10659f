// Sections 5 and 8 of the paper: how often a probe predicts the opponent's reply.

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "apps/bao/reproduce.h"
#include "apps/bao/sample_games.h"
#include "apps/common/rows.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/games/bao/agent.h"

namespace ntune::bao {

namespace {

constexpr int kNorth = 1;
constexpr int kOpponentDepth = 6;
constexpr std::array kProbes = {3, 4, 5, 6};  ///< plies

/// What a probe knows of the opponent's replies.
struct ProbeHits {
  std::int64_t same = 0;   ///< positions with the same best moves
  RunningStats predicted;  ///< the probability of the same move
};
/// By probe.
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
  std::vector<HitsOfPlayer> hits(players.size());
  laboratory.watched(
      static_cast<std::int64_t>(players.size()), [&](Progress& progress, Parallel& parallel) {
        parallel.for_each(players.size(), [&](std::size_t p) {
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
      });
  return hits;
}

/// The table, and a row for each evaluation and probe in `rows`.
std::string prediction_table(const std::vector<int>& players, const std::vector<HitsOfPlayer>& hits,
                             std::size_t positions, std::vector<Json>& rows) {
  TextTable table({"<evaluation", "probe, plies", "n", "<same best moves", "<move predicted"});
  const auto n = static_cast<double>(positions);
  for (std::size_t p = 0; p < players.size(); ++p) {
    if (p > 0) table.add_rule();
    for (std::size_t i = 0; i < kProbes.size(); ++i) {
      const auto same_count = static_cast<double>(hits[p][i].same);
      const double same = same_count / n;
      const Interval of_same = wilson_interval(same_count, n);
      const double predicted = hits[p][i].predicted.mean();
      const Interval of_move = student_interval(hits[p][i].predicted);
      table.add_row({player_name(players[p]), std::to_string(kProbes[i]), count_text(positions),
                     cli::interval_text(same, of_same), cli::interval_text(predicted, of_move)});
      rows.push_back({{"evaluation", player_name(players[p])},
                      {"probe", kProbes[i]},
                      {"positions", positions},
                      {"same_best_moves", same},
                      {"same_low", of_same.low},
                      {"same_high", of_same.high},
                      {"predicted", predicted},
                      {"predicted_low", of_move.low},
                      {"predicted_high", of_move.high}});
    }
  }
  return table.text();
}

}  // namespace

Reproduction reproduce_prediction(Laboratory& laboratory) {
  Reproduction result;
  const std::vector<Bao> positions =
      choices_of_north(sample_games(laboratory, 4, "prediction games"));
  const std::vector<HitsOfPlayer> hits = measure_probes(laboratory, positions);
  if (laboratory.stopped()) return result;
  result.title =
      "Sections 5 and 8 of Donkers et al. (2005): what a probe knows of the reply of alpha-beta, "
      "depth 6";
  result.table = prediction_table(laboratory.players(), hits, positions.size(), result.rows);
  result.remarks =
      "A probe of depth p at the root looks p - 1 plies ahead: 5 in tournaments 3, 4 and 8, 6 in "
      "the\nothers. Where both sides break ties at random a move is predicted with the probability "
      "of the\nlast column. Positions with a single move are left out.\n";
  return result;
}

}  // namespace ntune::bao
