// Tables 3 and 4.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/amazons/matches.h"
#include "apps/amazons/reproduce.h"
#include "apps/common/watched.h"
#include "ntune/core/error.h"
#include "ntune/core/normal.h"
#include "ntune/core/text.h"

namespace ntune::amazons {

namespace {

constexpr int kPublishedGames = 400;
constexpr double kPublishedSeconds = 10.0;

/// A cell of Table 3 or 4 of Zhang and Mueller (2015): Hotstrat-TDS+ against the table's opponent,
/// from 200 random sums with both colours and 10 s a move.
struct PublishedMatch {
  int boards;
  int size;
  double score;
  double score_sd;
  double share;  ///< of the games won, in percent

  /// Half of a 95 % interval of the share, if its games were independent.
  [[nodiscard]] double share_margin() const {
    return kNormal95 * std::sqrt(share * (100.0 - share) / kPublishedGames);
  }
};

/// Score, its standard deviation, share: of Tables 3 and 4, by number and size of boards, both 2,
/// 4, 6 and 4, 5, 6.
constexpr double kMatches[2][3][3][3] = {
    {{{-2.20, 6.06, 44.0}, {-1.62, 8.95, 52.3}, {0.58, 11.8, 57.3}},
     {{-2.60, 8.49, 49.3}, {2.54, 12.3, 58.6}, {25.4, 19.7, 77.5}},
     {{-1.58, 10.1, 50.1}, {16.4, 16.9, 72.8}, {53.9, 25.4, 86.8}}},
    {{{9.77, 5.53, 82.5}, {22.2, 9.26, 88.2}, {43.2, 13.5, 91.4}},
     {{19.7, 7.59, 90.0}, {39.7, 12.2, 94.7}, {61.1, 16.2, 97.7}},
     {{29.9, 9.85, 93.3}, {50.7, 15.5, 96.7}, {76.6, 21.6, 98.8}}}};

/// Table 3 (against Arrow) or 4 (against Hotstrat-TDS).
std::vector<PublishedMatch> published_matches(int table) {
  std::vector<PublishedMatch> matches;
  for (int i = 0; i < 9; ++i) {
    const auto& [score, sd, share] = kMatches[table - 3][i / 3][i % 3];
    matches.push_back({2 + 2 * (i / 3), 4 + i % 3, score, sd, share});
  }
  return matches;
}

bool is_chosen(const std::vector<int>& chosen, int number) {
  return chosen.empty() || std::ranges::find(chosen, number) != chosen.end();
}

std::vector<PublishedMatch> cells_of(int table, const MatchTableArguments& arguments) {
  std::vector<PublishedMatch> cells;
  for (const PublishedMatch& cell : published_matches(table)) {
    if (is_chosen(arguments.boards, cell.boards) && is_chosen(arguments.sizes, cell.size)) {
      cells.push_back(cell);
    }
  }
  if (cells.empty()) {
    throw InputError(fmt::format(
        "--boards and --sizes: table {} has 2, 4 and 6 boards of the sizes 4, 5 and 6", table));
  }
  return cells;
}

/// The limits, and how they compare with the paper's.
struct MoveLimits {
  LimitArguments limits;
  std::string text;
};
MoveLimits move_limits_of(const ReproduceArguments& arguments) {
  if (const auto nodes = arguments.matches.nodes) {
    return {{.nodes = nodes, .seconds = {}}, fmt::format("{} nodes a move", *nodes)};
  }
  const double seconds = kPublishedSeconds * arguments.time_scale;
  return {{.nodes = {}, .seconds = seconds},
          fmt::format("{} s of processor time a move, {} of the paper's", number_text(seconds),
                      number_text(arguments.time_scale))};
}

struct Cell {
  PublishedMatch published;
  SumMatchResult result;

  /// The two intervals have a point in common.
  [[nodiscard]] bool agrees() const {
    const Interval ours = result.share_interval();
    const double margin = published.share_margin();
    return 100.0 * ours.low <= published.share + margin &&
           100.0 * ours.high >= published.share - margin;
  }
};

void add_row(cli::ResultTable& table, const Cell& cell) {
  const PublishedMatch& published = cell.published;
  const SumCounts& counts = cell.result.counts[0];
  const auto moves = static_cast<double>(std::max<std::int64_t>(counts.moves, 1));
  table.row()
      .both("boards", "boards", published.boards)
      .data("size", published.size)
      .text("size", fmt::format("{0}x{0}", published.size))
      .both("published_score", "<score, published", published.score, "{:+.2f}")
      .text("<ours", score_text(cell.result))
      .number("published_score_sd", "sd, published", published.score_sd)
      .text("ours", fmt::format("{:.2f}", cell.result.score.sd()))
      .data("published_share", published.share / 100.0)
      .text("<won, published",
            fmt::format("{:.1f} % ± {:.1f}", published.share, published.share_margin()))
      .data("agrees", cell.agrees())
      .text("<ours", share_text(cell.result) + (cell.agrees() ? "" : " !"))
      .data_of(result_json(cell.result))
      .text("unknown",
            fmt::format("{:.0f} %", 100.0 * static_cast<double>(counts.unknown) / moves));
}

Reproduction reproduce(int table, const ReproduceArguments& arguments, const Terminal& terminal) {
  const MatchTableArguments& settings = arguments.matches;
  const std::vector<PublishedMatch> published = cells_of(table, settings);
  // 1. The players, and what each decision may cost them.
  const MoveLimits limits = move_limits_of(arguments);
  const std::string opponent = !settings.opponent.empty() ? settings.opponent
                               : table == 3               ? "arrow"
                                                          : "hotstrat-TDS";
  const Rng rng = cli::rng_of(settings.seed);
  SumMatch match = {.player = read_sum_player("--player", settings.player, limits.limits),
                    .opponent = read_sum_player("--opponent", opponent, limits.limits),
                    .sums = {},
                    .count = (settings.games + 1) / 2,
                    .rng = rng,
                    .database = nullptr};
  Parallel parallel(arguments.output.threads);
  // 2. Every cell is a match on sums of so many boards of that size.
  const std::int64_t games = 2 * match.count * static_cast<std::int64_t>(published.size());
  const auto play = [&](Progress& progress) {
    std::vector<Cell> cells;
    for (const PublishedMatch& cell : published) {
      if (progress.stop) break;
      match.sums = {.boards = cell.boards, .size = cell.size};
      match.rng = rng.stream("cell", cell.boards, cell.size);
      match.database = database_for({match.player, match.opponent}, cell.size, "", parallel);
      cells.push_back({cell, play_match(match, parallel, progress)});
    }
    return cells;
  };
  const std::vector<Cell> cells = cli::watched(games, "games", arguments.output, terminal, play);
  Reproduction result;
  for (const Cell& cell : cells) add_row(result.table, cell);
  result.title = fmt::format(
      ": {} against {}\n{}; {} games a cell (the paper: 10 s, 400 games), seed {}",
      match.player.name, match.opponent.name, limits.text, 2 * match.count, settings.seed);
  result.remarks = fmt::format(
      "95 % intervals; of {} cells {} agree with the published share, ! marks the others.\n"
      "unknown: moves on a board where no search of the player came to an end.\n",
      cells.size(), std::ranges::count_if(cells, &Cell::agrees));
  return result;
}

}  // namespace

Reproduction reproduce_table_3(const ReproduceArguments& arguments, const Terminal& terminal) {
  return reproduce(3, arguments, terminal);
}

Reproduction reproduce_table_4(const ReproduceArguments& arguments, const Terminal& terminal) {
  return reproduce(4, arguments, terminal);
}

}  // namespace ntune::amazons
