// Tables 1 to 8.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/bao/reproduce.h"
#include "apps/common/laboratory_figures.h"
#include "ntune/core/text.h"
#include "ntune/plot/axis.h"

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

Figure draw_tournament(const std::string& title, const std::vector<Json>& rows) {
  // 1. South from top to bottom, where y grows upwards.
  std::vector<std::string> south;
  std::vector<std::string> north;
  for (const Json& row : rows) {
    cli::place_of(south, row["south"].get<std::string>());
    cli::place_of(north, row["north"].get<std::string>());
  }
  const std::vector<std::string> upwards(south.rbegin(), south.rend());
  // 2. A heat map of the published numbers and one of ours.
  Figure figure{.name = "matrix", .title = title};
  for (const char* const whose : {"published", "ours"}) {
    Panel panel{
        .title = whose, .x = category_axis("North", north), .y = category_axis("South", upwards)};
    for (const Json& row : rows) {
      const std::size_t s = cli::place_of(south, row["south"].get<std::string>());
      const std::size_t n = cli::place_of(north, row["north"].get<std::string>());
      const auto x = static_cast<double>(n);
      const auto y = static_cast<double>(south.size() - 1 - s);
      const double value = row[whose].get<double>();
      panel.marks.emplace_back(Block{
          .from = {x - 0.5, y - 0.5},
          .to = {x + 0.5, y + 0.5},
          .shade = value / 100.0,
          .palette = Palette::kDiverging,
          .text = fmt::format("{:.0f}", value),
          .tip = fmt::format("{} against {}: ours {:.1f} [{:.1f}, {:.1f}], published {}", south[s],
                             north[n], row["ours"].get<double>(), row["ours_low"].get<double>(),
                             row["ours_high"].get<double>(), row["published"].get<int>())});
    }
    figure.panels.push_back(std::move(panel));
  }
  constexpr const char* kUnit = "games of 100 that South won";
  figure.description =
      fmt::format("{} of {} rows by {} columns.", kUnit, south.size(), north.size());
  figure.panel_width = 210.0;
  figure.panel_height = 34.0 * static_cast<double>(south.size());
  figure.shades = ShadeScale{kUnit, 0.0, 100.0, Palette::kDiverging};
  return figure;
}

Figure draw_numbers(const std::string& title, const std::vector<Json>& rows) {
  return cli::agreement_figure(
      {.title = title, .unit = "number", .name = {"player", "south", "tournament"}}, rows);
}

namespace {

constexpr const char* kHeader =
    "key,tournament,south,north,reading,games,south_wins,plies_mean,plies_squares,plies_min,"
    "plies_max,deviations_mean,deviations_squares,deviations_min,deviations_max,south_moves,"
    "south_nodes,south_probes,south_ties,south_deviations,north_moves,north_nodes,north_ties";
constexpr std::size_t kFields = 23;
constexpr std::size_t kFirstNumber = 5;
constexpr cli::ResultFileForm kForm = {kHeader, "bao reproduce", "the match played"};

/// Nothing for a damaged line.
std::optional<MatchResult> read_result(const std::vector<CsvField>& fields) {
  if (fields.size() != kFields) return std::nullopt;
  std::size_t at = kFirstNumber;
  bool good = true;
  const auto number = [&] {
    double value = 0.0;
    good = read_number(fields[at++].text, value) && good;
    return value;
  };
  const auto count = [&] {
    std::int64_t value = 0;
    good = read_number(fields[at++].text, value) && value >= 0 && good;
    return value;
  };
  MatchResult result;
  const auto stats = [&] {
    RunningStats::State state{.count = result.games};
    for (double* const one : {&state.mean, &state.squares, &state.min, &state.max}) *one = number();
    return RunningStats(state);
  };
  // The numbers in the order of the header.
  result.games = count();
  result.south_wins = count();
  result.plies = stats();
  result.deviations = stats();
  SearchCounts& south = result.south;
  SearchCounts& north = result.north;
  for (std::int64_t* const one : {&south.moves, &south.nodes, &south.probes, &south.ties,
                                  &south.deviations, &north.moves, &north.nodes, &north.ties}) {
    *one = count();
  }
  good = good && result.games > 0 && result.south_wins <= result.games;
  return good ? std::optional(result) : std::nullopt;
}

std::string stats_text(const RunningStats& stats) {
  const RunningStats::State& state = stats.state();
  return fmt::format("{},{},{},{}", number_text(state.mean), number_text(state.squares),
                     number_text(state.min), number_text(state.max));
}

}  // namespace

ResultFile open_results(const std::string& path) { return {path, kForm, read_result}; }

std::string result_line(const Cell& cell, const std::string& reading, const MatchResult& result) {
  std::string words = reading;
  for (char& c : words) c = c == ',' ? ' ' : c;
  const SearchCounts& s = result.south;
  const SearchCounts& n = result.north;
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", cell.tournament,
                     player_name(cell.south), player_name(cell.north), words, result.games,
                     result.south_wins, stats_text(result.plies), stats_text(result.deviations),
                     s.moves, s.nodes, s.probes, s.ties, s.deviations, n.moves, n.nodes, n.ties);
}

}  // namespace ntune::bao
