#include "ntune/study/re_evaluation.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "ntune/study/evaluation.h"

namespace ntune {

namespace {

/// Evaluates every kept candidate `repeats` more times, all in parallel, and adds the payoffs in
/// a fixed order.
class Evaluator {
 public:
  Evaluator(const Objective& objective, std::vector<Candidate>& candidates,
            const ReEvaluationOptions& options, const Rng& rng, Parallel& parallel,
            const std::atomic<bool>& stop, const EvaluationSink& sink)
      : objective_(objective),
        candidates_(candidates),
        options_(options),
        rng_(rng),
        parallel_(parallel),
        stop_(stop),
        sink_(sink) {}

  void evaluate(const std::vector<std::size_t>& kept, std::int64_t repeats) {
    const auto per_candidate = static_cast<std::size_t>(repeats);
    std::vector<double> payoffs(kept.size() * per_candidate);
    parallel_.for_each(payoffs.size(), [&](std::size_t i) {
      if (stop_.load(std::memory_order_relaxed)) return;
      const std::size_t candidate = kept[i / per_candidate];
      const std::uint64_t index =
          static_cast<std::uint64_t>(candidates_[candidate].payoffs.count()) + i % per_candidate;
      payoffs[i] =
          evaluate_checked(objective_, candidates_[candidate].point, stream(candidate, index));
    });
    if (stop_) return;
    for (std::size_t i = 0; i < payoffs.size(); ++i) {
      Candidate& candidate = candidates_[kept[i / per_candidate]];
      candidate.payoffs.add(payoffs[i]);
      sink_(candidate.point, payoffs[i]);
    }
  }

 private:
  [[nodiscard]] Rng stream(std::size_t candidate, std::uint64_t index) const {
    if (options_.common_random_numbers) return rng_.stream("common", index);
    return rng_.stream("own", candidate, index);
  }

  const Objective& objective_;
  std::vector<Candidate>& candidates_;
  const ReEvaluationOptions& options_;
  const Rng& rng_;
  Parallel& parallel_;
  const std::atomic<bool>& stop_;
  const EvaluationSink& sink_;
};

std::int64_t rounds_for(std::size_t candidates) {
  return candidates < 2 ? 1 : static_cast<std::int64_t>(std::bit_width(candidates - 1));
}

}  // namespace

std::size_t re_evaluate(const Objective& objective, std::vector<Candidate>& candidates,
                        std::int64_t evaluations, const ReEvaluationOptions& options,
                        const Rng& rng, Parallel& parallel, const std::atomic<bool>& stop,
                        const EvaluationSink& sink) {
  const bool halving = options.method == ReEvaluationMethod::kSequentialHalving;
  const bool none = options.method == ReEvaluationMethod::kNone;
  std::vector<std::size_t> kept(candidates.size());
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  std::ranges::stable_sort(kept, std::ranges::greater(),
                           [&](std::size_t i) { return candidates[i].estimate; });
  const auto needed = [&](std::size_t count) {
    return static_cast<std::int64_t>(count) * (halving ? rounds_for(count) : 1);
  };
  while (kept.size() > 1 && (none || needed(kept.size()) > evaluations)) kept.pop_back();
  const std::size_t by_estimate = kept.front();
  if (kept.size() == 1) return by_estimate;

  Evaluator evaluator(objective, candidates, options, rng, parallel, stop, sink);
  std::ranges::sort(kept);
  std::int64_t left = evaluations;
  for (std::int64_t rounds = halving ? rounds_for(kept.size()) : 1; rounds > 0; --rounds) {
    const std::int64_t repeats = left / rounds / static_cast<std::int64_t>(kept.size());
    evaluator.evaluate(kept, repeats);
    left -= repeats * static_cast<std::int64_t>(kept.size());
    std::ranges::stable_sort(kept, std::ranges::greater(),
                             [&](std::size_t i) { return candidates[i].payoffs.mean(); });
    if (stop || rounds == 1) break;
    kept.resize((kept.size() + 1) / 2);
    std::ranges::sort(kept);
  }
  return candidates[kept.front()].payoffs.count() > 0 ? kept.front() : by_estimate;
}

}  // namespace ntune
