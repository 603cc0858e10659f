// Alpha-beta of depth 8 with MATERIAL (and DEFAULT) from every usable start position of Bao, beside
// a plain twin: alpha-beta without table and order of moves. That both find the same values is
// checked first. A node is a position made, that is a successor generated; "searched" are those of
// them that the search entered or, as leaves, evaluated for their value.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "ntune/games/bao/player.h"
#include "ntune/games/bao/start_positions.h"

namespace ntune {
namespace {

constexpr int kDepth = 8;

const std::vector<Bao>& starts() {
  static const std::vector<Bao> positions = [] {
    const std::string file = std::string(NTUNE_SOURCE_DIR) + "/configs/bao/start_positions.csv";
    std::vector<Bao> usable;
    for (const auto& start : read_bao_start_positions(file).usable)
      usable.push_back(start.position);
    return usable;
  }();
  return positions;
}

/// The textbook's: fail-soft, moves as they come.
template <class Evaluation>
class PlainAlphaBeta {
 public:
  int value(const Bao& at, int depth, int ply, int alpha, int beta) {
    ++searched;
    if (at.is_over()) return at.winner() == at.to_move() ? kWin - ply : ply - kWin;
    if (depth == 0) return at.to_move() == 0 ? Evaluation()(at, 0) : -Evaluation()(at, 0);
    BaoSuccessors list;
    at.successors(list);
    made += static_cast<std::int64_t>(list.size());
    int best = ply - kWin;
    for (const BaoSuccessor& successor : list) {
      best = std::max(best, -value(successor.next, depth - 1, ply + 1, -beta, -alpha));
      alpha = std::max(alpha, best);
      if (alpha >= beta) break;
    }
    return best;
  }

  std::int64_t made = 0;
  std::int64_t searched = 0;

  static constexpr int kWin = static_cast<int>(kWinScore);
};

template <class Evaluation>
double plain_value(PlainAlphaBeta<Evaluation>& plain, const Bao& at) {
  return plain.value(at, kDepth, 0, -2 * PlainAlphaBeta<Evaluation>::kWin + 1,
                     2 * PlainAlphaBeta<Evaluation>::kWin - 1);
}

void report(benchmark::State& state, std::int64_t made) {
  using benchmark::Counter;
  const auto searches =
      static_cast<double>(state.iterations()) * static_cast<double>(starts().size());
  state.counters["nodes/s"] = Counter(static_cast<double>(made), Counter::kIsRate);
  state.counters["nodes/search"] = Counter(static_cast<double>(made) / searches);
  state.counters["searches/s"] = Counter(searches, Counter::kIsRate);
}

template <class Evaluation>
void bao_alpha_beta(benchmark::State& state, const Evaluation& evaluation) {
  AlphaBeta<Bao, Evaluation> search(evaluation);
  PlainAlphaBeta<Evaluation> plain;
  for (const Bao& start : starts()) {
    if (search.best_moves(start, kDepth, Judge::kPlayer0).value != plain_value(plain, start)) {
      state.SkipWithError("not the value of the plain search");
      return;
    }
  }
  const std::int64_t before = search.nodes();
  for (auto _ : state) {
    for (const Bao& start : starts()) {
      search.forget();
      benchmark::DoNotOptimize(search.best_moves(start, kDepth, Judge::kPlayer0));
    }
  }
  report(state, search.nodes() - before);
}

template <class Evaluation>
void bao_plain_alpha_beta(benchmark::State& state, const Evaluation& /*evaluation*/) {
  PlainAlphaBeta<Evaluation> plain;
  for (auto _ : state) {
    for (const Bao& start : starts()) benchmark::DoNotOptimize(plain_value(plain, start));
  }
  report(state, plain.made);
  state.counters["searched/s"] =
      benchmark::Counter(static_cast<double>(plain.searched), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(bao_alpha_beta, material, BaoMaterialEvaluation())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bao_plain_alpha_beta, material, BaoMaterialEvaluation())
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bao_alpha_beta, default, BaoDefaultEvaluation())->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bao_plain_alpha_beta, default, BaoDefaultEvaluation())
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ntune
