// Section 7 and Appendix A of the paper: infinite moves and the size of the game.

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "apps/bao/reproduce.h"
#include "ntune/core/text.h"

namespace ntune::bao {

namespace {

constexpr int kSizeDepth = 6;
constexpr int kTreePlies = 3;
constexpr int kNoLimit = 20'000;

/// The lengths of games, and the possible moves in their positions.
struct GameSizes {
  RunningStats plies;
  std::vector<double> lengths;  ///< plies of each game, rising
  RunningStats moves;
  std::size_t most_moves = 0;
  std::int64_t forced = 0;  ///< positions with a single move

  /// The length that a share q of the games does not exceed.
  [[nodiscard]] double quantile(double q) const {
    return lengths[static_cast<std::size_t>(q * static_cast<double>(lengths.size() - 1))];
  }
};

GameSizes measure_games(const std::vector<SampleGame>& games) {
  GameSizes sizes;
  for (const SampleGame& game : games) {
    if (game.positions.empty()) continue;
    sizes.plies.add(game.result.plies);
    sizes.lengths.push_back(game.result.plies);
    for (const Bao& at : game.positions) {
      const std::size_t count = move_count(at);
      sizes.moves.add(static_cast<double>(count));
      sizes.most_moves = std::max(sizes.most_moves, count);
      sizes.forced += count == 1 ? 1 : 0;
    }
  }
  std::ranges::sort(sizes.lengths);
  return sizes;
}

/// The board with other rules; the house and takasia of the player on turn stay.
Bao with_limit(const Bao& at, int infinite_limit) {
  BaoBoard board;
  for (int p = 0; p < 2; ++p) {
    const auto player = static_cast<std::size_t>(p);
    for (int i = 0; i < Bao::kPits; ++i) {
      board.pits[player][static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(at.pit(p, i));
    }
    board.stores[player] = static_cast<std::uint8_t>(at.store(p));
    board.houses[player] = at.owns_house(p);
  }
  board.to_move = at.to_move();
  board.takasia = at.takasia();
  BaoRules rules = at.rules();
  rules.infinite_limit = infinite_limit;
  return Bao(board, rules);
}

/// Calls visit(position) for every position of the whole tree below, the root included.
template <class Visit>
void for_each_below(const Bao& at, int plies, Visit& visit) {
  visit(at);
  if (plies == 0 || at.is_over()) return;
  BaoSuccessors list;
  at.successors(list);
  for (const BaoSuccessor& successor : list) for_each_below(successor.next, plies - 1, visit);
}

/// Moves of more than 100 stones in whole trees. What the paper counts is not said: positions with
/// a long move among those that may move, such moves among all, or such positions where no capture
/// is possible and a move may be endless.
struct LongMoves {
  std::int64_t visited = 0;  ///< positions that may move
  std::int64_t infinite = 0;
  std::int64_t infinite_sowings = 0;
  std::int64_t moves_met = 0;
  std::int64_t infinite_moves = 0;
  std::size_t most_moves = 0;  ///< possible in a position
};

LongMoves count_long_moves(const std::vector<Bao>& roots) {
  LongMoves counts;
  auto visit = [&](const Bao& at) {
    if (at.is_over()) return;
    ++counts.visited;
    const std::size_t finite = move_count(at);
    const std::size_t all = move_count(with_limit(at, kNoLimit));
    counts.most_moves = std::max(counts.most_moves, finite);
    counts.moves_met += static_cast<std::int64_t>(all);
    if (all == finite) return;
    ++counts.infinite;
    counts.infinite_moves += all > finite ? static_cast<std::int64_t>(all - finite) : 1;
    counts.infinite_sowings += at.captures(at.to_move()) == 0 ? 1 : 0;
  };
  for (const Bao& root : roots) for_each_below(root, kTreePlies, visit);
  return counts;
}

cli::ResultTable size_table(const GameSizes& sizes, const LongMoves& counts) {
  cli::ResultTable table;
  const auto add = [&](const char* what, const char* published, const std::string& ours) {
    table.row()
        .both("what", "<what", what)
        .both("published", "<published", published)
        .both("ours", "<ours", ours);
  };
  const auto add_rate = [&](const char* what, const char* published, std::int64_t count,
                            std::int64_t of) {
    const Interval interval = wilson_interval(static_cast<double>(count), static_cast<double>(of));
    add(what, published,
        fmt::format("{:.4f} % [{:.4f}, {:.4f}] of {}",
                    100.0 * static_cast<double>(count) / static_cast<double>(of),
                    100.0 * interval.low, 100.0 * interval.high, count_text(of)));
  };
  const double forced_share =
      static_cast<double>(sizes.forced) / static_cast<double>(sizes.moves.count());
  add_rate("positions with a move of more than 100 stones", "0.015 %", counts.infinite,
           counts.visited);
  add_rate("the same where no capture is possible", "", counts.infinite_sowings, counts.visited);
  add_rate("moves of more than 100 stones", "", counts.infinite_moves, counts.moves_met);
  add("possible moves, mean", "3 to 5", fmt::format("{:.2f}", sizes.moves.mean()));
  add("possible moves, most", "32", std::to_string(std::max(sizes.most_moves, counts.most_moves)));
  add("forced moves", "quite often", fmt::format("{:.1f} %", 100.0 * forced_share));
  add("plies of a game from a start position, mean", "39.8",
      fmt::format("{:.1f}", sizes.plies.mean()));
  add("plies, tenth, median, nine tenths", "most 50 to 60 from the opening",
      fmt::format("{:.0f}, {:.0f}, {:.0f}", sizes.quantile(0.1), sizes.quantile(0.5),
                  sizes.quantile(0.9)));
  add("plies, least", "5 from the opening", fmt::format("{:.0f}", sizes.plies.min()));
  return table;
}

}  // namespace

Reproduction reproduce_game_size(Laboratory& laboratory) {
  const std::vector<SampleGame> games = sample_games(laboratory, kSizeDepth, "size games");
  const GameSizes sizes = measure_games(games);
  const LongMoves counts = count_long_moves(draw_positions(laboratory, games, "size position"));
  Reproduction result;
  result.title = fmt::format(", {} games of depth {}", count_text(games.size()), kSizeDepth);
  result.table = size_table(sizes, counts);
  result.summary = {
      {"games", games.size()},
      {"visited", counts.visited},
      {"infinite_rate", static_cast<double>(counts.infinite) / static_cast<double>(counts.visited)},
      {"mean_moves", sizes.moves.mean()},
      {"mean_plies", sizes.plies.mean()}};
  result.remarks = fmt::format(
      "Infinite moves are sought in the whole trees of {} plies below one position of each game. "
      "The start\npositions have moves behind them, so that games from the opening are longer.\n",
      kTreePlies);
  return result;
}

}  // namespace ntune::bao
