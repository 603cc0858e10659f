// Which reading of opponent-model search comes closest to Tables 3 to 8 and 10.

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "apps/bao/reproduce.h"

namespace ntune::bao {

namespace {

/// How far a reading is from the published numbers.
struct Distance {
  std::string reading;
  std::vector<double> wins;        ///< by tournament, root mean square, games of 100
  std::vector<double> deviations;  ///< likewise, a game
  double all_wins = 0.0;
  double all_deviations = 0.0;
};

double rms(const std::vector<double>& differences) {
  double squares = 0.0;
  for (const double difference : differences) squares += difference * difference;
  return std::sqrt(squares / static_cast<double>(differences.size()));
}

/// Differences of the deviations of each South.
std::vector<double> deviation_differences(std::span<const Cell> cells,
                                          std::span<const MatchResult> results,
                                          std::size_t players) {
  std::vector<double> differences;
  for (std::size_t first = 0; first < cells.size(); first += players) {
    MatchResult all;
    for (const MatchResult& result : results.subspan(first, players)) all.merge(result);
    differences.push_back(all.deviations.mean() -
                          published_deviations(cells[first].tournament, cells[first].south).mean);
  }
  return differences;
}

void append(std::vector<double>& all, const std::vector<double>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

Distance distance_of(Laboratory& laboratory, const std::vector<int>& tournaments,
                     const Reading& reading) {
  Distance distance;
  distance.reading = reading.text.empty() ? "(defaults)" : reading.text;
  std::vector<double> all_wins;
  std::vector<double> all_deviations;
  for (const int tournament : tournaments) {
    const std::vector<Cell> cells = laboratory.cells(tournament);
    const std::vector<MatchResult> results = laboratory.play(cells, reading);
    std::vector<double> wins;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      wins.push_back(score_of(results[i]).value -
                     published_wins(tournament, cells[i].south, cells[i].north));
    }
    const std::vector<double> deviations =
        deviation_differences(cells, results, laboratory.players().size());
    distance.wins.push_back(rms(wins));
    distance.deviations.push_back(rms(deviations));
    append(all_wins, wins);
    append(all_deviations, deviations);
  }
  distance.all_wins = rms(all_wins);
  distance.all_deviations = rms(all_deviations);
  return distance;
}

/// A reading's distances, by tournament and of all.
void add_line(cli::ResultTable& table, const Distance& distance,
              const std::vector<int>& tournaments, const std::vector<double>& values, double all,
              const char* format) {
  const auto text = [&](double value) { return fmt::format(fmt::runtime(format), value); };
  table.line().text("<reading", distance.reading);
  for (std::size_t i = 0; i < values.size(); ++i) {
    table.text(std::to_string(tournaments[i]), text(values[i]));
  }
  table.text("all", text(all));
}

}  // namespace

const std::vector<std::string>& candidate_readings() {
  // A deviation is a move other than alpha-beta's own, ties among it or not: by the other rule
  // Table 10 would have none in the eighth tournament.
  static const std::vector<std::string> kReadings = [] {
    const std::string kCounted = "own_ties=compared,deviation=not_chosen";
    std::vector<std::string> readings = {"", "own_ties=first,deviation=not_chosen", kCounted};
    for (const char* more :
         {"probe_horizon=probe", "probe_roles=kept", "probe_roles=on_turn", "opponent_ties=first",
          "opponent_ties=random", "own_extension=1", "own_extension=-1", "risk_avoidance=best_tie",
          "probe_horizon=probe,own_extension=1", "probe_horizon=probe,opponent_ties=random"}) {
      readings.push_back(fmt::format("{},{}", kCounted, more));
    }
    return readings;
  }();
  return kReadings;
}

Reproduction reproduce_readings(Laboratory& laboratory) {
  std::vector<int> tournaments = laboratory.arguments().tournaments;
  if (tournaments.empty()) tournaments = {3, 4, 5, 6, 7, 8};
  std::vector<std::string> texts = candidate_readings();
  if (!laboratory.reading().text.empty()) texts = {laboratory.reading().text};
  // 1. Every reading plays the tournaments; the nearest comes first.
  std::vector<Distance> distances;
  for (const std::string& text : texts) {
    distances.push_back(distance_of(laboratory, tournaments, read_reading(text)));
  }
  std::stable_sort(distances.begin(), distances.end(),
                   [](const Distance& a, const Distance& b) { return a.all_wins < b.all_wins; });
  Reproduction result;
  // 2. Distances of wins and of deviations, by tournament.
  cli::ResultTable wins;
  cli::ResultTable deviations;
  for (const Distance& distance : distances) {
    result.table.entry()
        .data("reading", distance.reading)
        .data("tournaments", fmt::format("{}", fmt::join(tournaments, " ")))
        .data("rms_wins", distance.all_wins)
        .data("rms_deviations", distance.all_deviations);
    add_line(wins, distance, tournaments, distance.wins, distance.all_wins, "{:.1f}");
    add_line(deviations, distance, tournaments, distance.deviations, distance.all_deviations,
             "{:.2f}");
  }
  result.more = fmt::format(
      "Games of 100 that South won, root mean square difference by tournament:\n{}\n"
      "Deviations from alpha-beta a game, likewise:\n{}",
      wins.text(), deviations.text());
  result.remarks =
      "Two samples of 100 games of one truth differ by about 7 games; readings that differ by less "
      "than 1 are\nhardly told apart. Games are drawn from the same streams for all readings.\n";
  return result;
}

}  // namespace ntune::bao
