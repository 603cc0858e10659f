// Legal moves of Bao a second: perft of the library against the rules played stone by stone, from
// the opening and from a position of the mtaji stage. An item is a legal move played.

#include <cstdint>

#include <benchmark/benchmark.h>

#include "ntune/agents/turn_game/turn_game.h"
#include "ntune/games/bao/notation.h"
#include "ntune/games/bao/position.h"
#include "tests/games/bao/reference.h"

namespace ntune {
namespace {

std::uint64_t reference_perft(const Bao& position, int depth) {
  if (depth == 0) return 1;
  std::uint64_t lines = 0;
  for (const auto& move : test::BaoReference(position).moves()) {
    lines += reference_perft(move.next, depth - 1);
  }
  return lines;
}

/// Moves played by a perft: the nodes of its tree but the first.
std::int64_t moves_of_perft(const Bao& position, int depth) {
  std::int64_t moves = 0;
  for (int d = 1; d <= depth; ++d) moves += static_cast<std::int64_t>(perft(position, d));
  return moves;
}

Bao position(std::int64_t stage) {
  if (stage == 0) return {};
  return parse_bao_position(
      "0 1 2 1 4 8 2 2/10 0 0 10 2 1 0 1/0 2 0 0 0 0 2 0/0 0 2 2 0 2 6 4 st 0,0 h -- South tk -");
}

void bao_reference(benchmark::State& state) {
  const Bao start = position(state.range(0));
  constexpr int kDepth = 6;
  if (reference_perft(start, kDepth) != perft(start, kDepth)) {
    state.SkipWithError("perft differs from the rules played stone by stone");
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(reference_perft(start, kDepth));
  state.SetItemsProcessed(state.iterations() * moves_of_perft(start, kDepth));
}
BENCHMARK(bao_reference)->ArgName("mtaji")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void bao_perft(benchmark::State& state) {
  if (perft(Bao(), 10) != 494'462) {
    state.SkipWithError("perft differs from the known count");
    return;
  }
  const Bao start = position(state.range(0));
  const int depth = state.range(0) == 0 ? 10 : 8;
  for (auto _ : state) benchmark::DoNotOptimize(perft(start, depth));
  state.SetItemsProcessed(state.iterations() * moves_of_perft(start, depth));
}
BENCHMARK(bao_perft)->ArgName("mtaji")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ntune
