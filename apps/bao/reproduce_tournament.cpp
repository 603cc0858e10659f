// Tables 1 to 8.

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/bao/reproduce.h"

namespace ntune::bao {

namespace {

bool is_within(double value, const Interval& interval) {
  return interval.low <= value && value <= interval.high;
}

/// The matches of South against all, with the published numbers.
struct Row {
  int tournament;
  int south;
  std::span<const MatchResult> results;  ///< by North
  std::vector<int> norths;

  [[nodiscard]] int published(std::size_t n) const {
    return published_wins(tournament, south, norths[n]);
  }
  [[nodiscard]] bool within(std::size_t n) const {
    return is_within(score_of(results[n]).value, published_interval(published(n)));
  }
  [[nodiscard]] int published_total() const {
    int total = 0;
    for (std::size_t n = 0; n < norths.size(); ++n) total += published(n);
    return total;
  }
  [[nodiscard]] MatchResult all() const {
    MatchResult all;
    for (const MatchResult& result : results) all.merge(result);
    return all;
  }
};

/// The published games of South and, below, ours, by North. Each match is a row.
void add_row(cli::ResultTable& table, const Row& row) {
  table.line().text("<South", player_name(row.south)).text("<", "published");
  for (std::size_t n = 0; n < row.norths.size(); ++n) {
    table.text("<" + player_name(row.norths[n]), std::to_string(row.published(n)));
  }
  table.text("<score", std::to_string(row.published_total()));
  table.line().text("<South", "").text("<", "ours");
  for (std::size_t n = 0; n < row.norths.size(); ++n) {
    const Score score = score_of(row.results[n]);
    table.text("", score_text(score) + (row.within(n) ? "" : " !"));
    table.entry()
        .data("tournament", row.tournament)
        .data("south", player_name(row.south))
        .data("north", player_name(row.norths[n]))
        .data("published", row.published(n))
        .ends("published", published_interval(row.published(n)))
        .data("ours", score.value)
        .ends("ours", score.interval)
        .data("within", row.within(n))
        .data_of(result_json(row.results[n]));
  }
  table.text("<score", score_text(total_of(row.results)));
}

/// South's deviations and the cost of his search.
void add_search(cli::ResultTable& table, const Row& row) {
  const MatchResult all = row.all();
  const auto moves = static_cast<double>(all.south.moves);
  std::string published = "-";
  std::string ours = "-";
  if (row.tournament > 1) {
    const PublishedDeviations known = published_deviations(row.tournament, row.south);
    published = fmt::format("{:.2f} ± {:.1f}", known.mean, known.sd);
    ours = fmt::format("{:.2f} ± {:.1f}", all.deviations.mean(), all.deviations.sd());
  }
  table.line()
      .text("<South", player_name(row.south))
      .text("<deviations a game", ours)
      .text("<published", published)
      .text("plies", fmt::format("{:.1f}", all.plies.mean()))
      .text("nodes a move", fmt::format("{:.0f}", static_cast<double>(all.south.nodes) / moves))
      .text("ties", fmt::format("{:.2f}", static_cast<double>(all.south.ties) / moves));
}

}  // namespace

Reproduction reproduce_tournament(Laboratory& laboratory) {
  const int tournament = std::stoi(laboratory.arguments().experiment);
  const std::vector<Cell> cells = laboratory.cells(tournament);
  const std::vector<MatchResult> results = laboratory.play(cells, laboratory.reading());
  const std::vector<int>& players = laboratory.players();
  Reproduction result;
  cli::ResultTable searches;
  int within = 0;
  double squares = 0.0;
  for (std::size_t s = 0; s < players.size(); ++s) {
    // A line of the matrix, and its part of the sums.
    const Row row = {tournament, players[s],
                     std::span(results).subspan(s * players.size(), players.size()), players};
    add_row(result.table, row);
    add_search(searches, row);
    for (std::size_t n = 0; n < players.size(); ++n) {
      within += row.within(n) ? 1 : 0;
      squares += std::pow(score_of(row.results[n]).value - row.published(n), 2);
    }
  }
  const double rms = std::sqrt(squares / static_cast<double>(cells.size()));
  result.title = ": games of 100 that South won, with 95 % intervals";
  result.more = '\n' + searches.text();
  result.summary = {{"cells", cells.size()}, {"cells_within", within}, {"rms_difference", rms}};
  result.remarks = fmt::format(
      "Within the 95 % interval of the published number: {} of {} cells; ! marks the others.\n"
      "Root mean square difference: {:.1f}; two samples of 100 games of one truth give about 7.\n",
      within, cells.size(), rms);
  return result;
}

}  // namespace ntune::bao
