// Tables 1 to 8.

#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "apps/bao/reproduce.h"
#include "ntune/core/text_table.h"

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

std::string wins_table(const std::vector<Row>& rows) {
  std::vector<std::string> titles = {"<South", "<"};
  for (const int north : rows.front().norths) titles.push_back("<" + player_name(north));
  titles.emplace_back("<score");
  TextTable table(titles);
  for (const Row& row : rows) {
    std::vector<std::string> published = {player_name(row.south), "published"};
    std::vector<std::string> ours = {"", "ours"};
    for (std::size_t n = 0; n < row.norths.size(); ++n) {
      published.push_back(std::to_string(row.published(n)));
      ours.push_back(score_text(score_of(row.results[n])) + (row.within(n) ? "" : " !"));
    }
    published.push_back(std::to_string(row.published_total()));
    ours.push_back(score_text(total_of(row.results)));
    table.add_row(published);
    table.add_row(ours);
  }
  return table.text();
}

std::string deviations_table(const std::vector<Row>& rows) {
  TextTable table({"<South", "<deviations a game", "<published", "plies", "nodes a move", "ties"});
  for (const Row& row : rows) {
    const MatchResult all = row.all();
    const auto moves = static_cast<double>(all.south.moves);
    std::string published = "-";
    std::string ours = "-";
    if (row.tournament > 1) {
      const PublishedDeviations known = published_deviations(row.tournament, row.south);
      published = fmt::format("{:.2f} ± {:.1f}", known.mean, known.sd);
      ours = fmt::format("{:.2f} ± {:.1f}", all.deviations.mean(), all.deviations.sd());
    }
    table.add_row({player_name(row.south), ours, published, fmt::format("{:.1f}", all.plies.mean()),
                   fmt::format("{:.0f}", static_cast<double>(all.south.nodes) / moves),
                   fmt::format("{:.2f}", static_cast<double>(all.south.ties) / moves)});
  }
  return table.text();
}

Json row_json(const Row& row, std::size_t n) {
  const Score score = score_of(row.results[n]);
  const Interval published = published_interval(row.published(n));
  Json json = {{"tournament", row.tournament},
               {"south", player_name(row.south)},
               {"north", player_name(row.norths[n])},
               {"published", row.published(n)},
               {"published_low", published.low},
               {"published_high", published.high},
               {"ours", score.value},
               {"ours_low", score.interval.low},
               {"ours_high", score.interval.high},
               {"within", row.within(n)}};
  json.update(result_json(row.results[n]));
  return json;
}

}  // namespace

Reproduction reproduce_tournament(Laboratory& laboratory, int tournament) {
  Reproduction result;
  const std::vector<Cell> cells = laboratory.cells(tournament);
  const std::vector<MatchResult> results = laboratory.play(cells, laboratory.reading());
  if (laboratory.stopped()) return result;
  const std::vector<int>& players = laboratory.players();
  std::vector<Row> rows;
  for (std::size_t s = 0; s < players.size(); ++s) {
    rows.push_back({tournament, players[s],
                    std::span(results).subspan(s * players.size(), players.size()), players});
  }
  int within = 0;
  double squares = 0.0;
  for (const Row& row : rows) {
    for (std::size_t n = 0; n < players.size(); ++n) {
      within += row.within(n) ? 1 : 0;
      squares += std::pow(score_of(row.results[n]).value - row.published(n), 2);
      result.rows.push_back(row_json(row, n));
    }
  }
  const double rms = std::sqrt(squares / static_cast<double>(cells.size()));
  const PublishedTournament& setup = published_tournament(tournament);
  result.title = fmt::format(
      "Table {} of Donkers et al. (2005), {}: games of 100 that South won, with 95 % intervals",
      tournament, setup.name);
  result.table = wins_table(rows) + '\n' + deviations_table(rows);
  result.summary = {{"cells", cells.size()}, {"cells_within", within}, {"rms_difference", rms}};
  result.remarks = fmt::format(
      "Within the 95 % interval of the published number: {} of {} cells; ! marks the others.\n"
      "Root mean square difference: {:.1f}; two samples of 100 games of one truth give about 7.\n",
      within, cells.size(), rms);
  return result;
}

}  // namespace ntune::bao
