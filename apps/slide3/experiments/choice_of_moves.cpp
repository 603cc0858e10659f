#include "apps/slide3/experiments/choice_of_moves.h"

#include <algorithm>
#include <memory>
#include <set>

#include "ntune/core/object_pool.h"
#include "ntune/games/slide/search.h"

namespace ntune {

namespace {

constexpr std::size_t kPositionsPerTask = 32;

/// Calls body(search, i, part) for every i below `count` in blocks that share a search. Each block
/// fills a part, and the parts come back in order.
template <class Part, class Body>
std::vector<Part> in_blocks(std::size_t count, ObjectPool<SlideSearch>& pool, Parallel& parallel,
                            Progress& progress, Body body) {
  std::vector<Part> parts((count + kPositionsPerTask - 1) / kPositionsPerTask);
  parallel.for_each(parts.size(), [&](std::size_t block) {
    if (progress.stop) return;
    const std::shared_ptr<SlideSearch> search = pool.borrow();
    for (std::size_t i = block * kPositionsPerTask;
         i < std::min(count, (block + 1) * kPositionsPerTask); ++i) {
      if (progress.stop) return;
      body(*search, i, parts[block]);
      ++progress.done;
    }
  });
  return parts;
}

bool is_least(const SlideSuccessor& successor, std::span<const SlideSuccessor> all) {
  return successor.value == std::ranges::min(all, {}, &SlideSuccessor::value).value;
}

void classify(const SlidePosition<3>& position, std::span<const SlideSuccessor> successors,
              const SlideDatabase<3>& database, ChoiceOfMoves& result) {
  const int dtw = database.dtw(position);
  int candidates = 0;
  int hits = 0;
  int rejected = 0;
  int misses = 0;
  for (const SlideSuccessor& successor : successors) {
    const bool good = database.dtw(position.after(successor.line)) < dtw;
    if (is_least(successor, successors)) {
      ++candidates;
      hits += good ? 1 : 0;
    } else {
      ++rejected;
      misses += good ? 1 : 0;
    }
  }
  result.hits.add(static_cast<double>(hits) / candidates);
  if (rejected > 0) result.misses.add(static_cast<double>(misses) / rejected);
  result.all_best += rejected == 0 ? 1 : 0;
}

std::vector<SlidePosition<3>> successors_of(std::span<const SlidePosition<3>> sample) {
  std::vector<SlidePosition<3>> successors;
  for (const SlidePosition<3>& position : sample) {
    for_each_line(position.moves(), [&](int line) { successors.push_back(position.after(line)); });
  }
  std::ranges::sort(successors);
  successors.erase(std::unique(successors.begin(), successors.end()), successors.end());
  return successors;
}

}  // namespace

void ChoiceOfMoves::merge(const ChoiceOfMoves& other) {
  hits.merge(other.hits);
  misses.merge(other.misses);
  all_best += other.all_best;
}

std::vector<ChoiceOfMoves> choice_of_moves(const DepthPlayer& player, int first, int last,
                                           std::span<const SlidePosition<3>> sample,
                                           const SlideDatabase<3>& database, const Rng& rng,
                                           Parallel& parallel, Progress& progress) {
  const SlideEvaluator evaluator(player.evaluation, slide_tables());
  ObjectPool<SlideSearch> pool;
  std::vector<ChoiceOfMoves> results;
  for (int depth = first; depth <= last; ++depth) {
    const auto parts = in_blocks<ChoiceOfMoves>(
        sample.size(), pool, parallel, progress,
        [&](SlideSearch& search, std::size_t i, ChoiceOfMoves& part) {
          Rng draw = rng.stream("position", depth, i);
          const auto result = search.search(sample[i], depth, evaluator, player.search, draw);
          classify(sample[i], result.successors, database, part);
        });
    ChoiceOfMoves& result = results.emplace_back();
    result.depth = depth;
    for (const ChoiceOfMoves& part : parts) result.merge(part);
  }
  return results;
}

std::vector<Coarseness> coarseness(SlideFeature feature, int last,
                                   std::span<const SlidePosition<3>> sample, Parallel& parallel,
                                   Progress& progress) {
  const SlideEvaluator evaluator(SlideEvaluation::of(feature), slide_tables());
  const std::vector<SlidePosition<3>> positions = successors_of(sample);
  const DepthSearchOptions options = {.table = TableMode::kAll};
  ObjectPool<SlideSearch> pool;
  std::vector<Coarseness> results;
  for (int depth = 0; depth <= last; ++depth) {
    Coarseness& result = results.emplace_back();
    result.depth = depth;
    result.positions = static_cast<std::int64_t>(positions.size());
    // 1. The values of all successors after a search of this depth.
    const auto values = in_blocks<std::set<float>>(
        positions.size(), pool, parallel, progress,
        [&](SlideSearch& search, std::size_t i, std::set<float>& part) {
          Rng unused(0);
          const bool win = positions[i] == SlidePosition<3>::win();
          part.insert(
              win ? 0.0F
              : depth == 0
                  ? evaluator.sum(positions[i].bits())
                  : std::ranges::min(
                        search.search(positions[i], depth, evaluator, options, unused).successors,
                        {}, &SlideSuccessor::value)
                        .value);
        });
    std::set<float> different;
    for (const std::set<float>& part : values) different.insert(part.begin(), part.end());
    result.values = static_cast<std::int64_t>(different.size());
    if (depth == 0) continue;
    // 2. The positions of the sample with several best moves.
    const auto ties = in_blocks<RunningStats>(
        sample.size(), pool, parallel, progress,
        [&](SlideSearch& search, std::size_t i, RunningStats& part) {
          Rng unused(0);
          const auto all = search.search(sample[i], depth, evaluator, options, unused).successors;
          part.add(std::ranges::count_if(all, [&](const auto& s) { return is_least(s, all); }) > 1);
        });
    for (const RunningStats& part : ties) result.ties.merge(part);
  }
  return results;
}

}  // namespace ntune
