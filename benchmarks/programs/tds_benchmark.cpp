// Temperature discovery search on 4x4 Amazons. It measures nodes per second of both kernels, and
// counts how many of 120 positions with 2 to 13 empty squares are solved within 20,000 nodes each.
// Every answer that counts is compared with the database first.

#include <cstdint>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "ntune/core/parallel.h"
#include "ntune/core/rng.h"
#include "ntune/games/amazons/database/database.h"
#include "ntune/games/amazons/tds.h"

namespace ntune {
namespace {

using Position = AmazonsDatabase::Position;

const AmazonsDatabase& database() {
  static const AmazonsDatabase built = [] {
    Parallel parallel;
    return AmazonsDatabase::build(parallel);
  }();
  return built;
}

/// Ten positions each, whose queens are in one area.
std::vector<Position> draw_positions() {
  const Rng rng(1);
  std::vector<Position> positions;
  for (int empties = 2; empties <= 13; ++empties) {
    Rng stream = rng.stream("positions", empties);
    for (int found = 0; found < 10;) {
      const Position position =
          AmazonsDatabase::position_at(stream.below(AmazonsDatabase::kPositions));
      if (position.empties() != empties || position.integer_value()) continue;
      positions.push_back(position);
      ++found;
    }
  }
  return positions;
}

void tds_solved_in_20000_nodes(benchmark::State& state, const std::string& variant) {
  const std::vector<Position> positions = draw_positions();
  TdsOptions options;
  options.enhancements = parse_tds_variant(variant);
  options.nodes = {false, 20'000};
  options.table_mb = 4;
  TemperatureDiscovery<Position> search(options);
  std::int64_t nodes = 0;
  int solved = 0;
  for (auto _ : state) {
    nodes = 0;
    solved = 0;
    for (const Position& position : positions) {
      const auto result = search.solve(position);
      nodes += result.nodes;
      if (!result.is_finished) continue;
      ++solved;
      if (result.value != database().value(position)) {
        state.SkipWithError("a wrong value");
        return;
      }
    }
  }
  state.counters["solved"] = solved;
  state.counters["nodes"] =
      benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kIsIterationInvariantRate);
}
#define NTUNE_TDS(name, variant) \
  BENCHMARK_CAPTURE(tds_solved_in_20000_nodes, name, variant)->Unit(benchmark::kMillisecond)
NTUNE_TDS(tds, "TDS");
NTUNE_TDS(tds_1, "1");
NTUNE_TDS(tds_3, "3");
NTUNE_TDS(tds_13, "13");
NTUNE_TDS(tds_134, "134");
NTUNE_TDS(tds_plus, "TDS+");
NTUNE_TDS(tds_36, "36");
NTUNE_TDS(all, "all");

}  // namespace
}  // namespace ntune
