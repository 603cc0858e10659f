// Results of matches in a file.

#include <cstddef>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "apps/bao/reproduce.h"
#include "ntune/core/text.h"

namespace ntune::bao {

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
