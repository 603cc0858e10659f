#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluation/study_progress.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// One way to spend the budget, and how it did on synthetic landscapes.
struct SplitCandidate {
  RunPlan plan;
  RunningStats score;   ///< true value of the final pick over the landscapes that it was tried on
  RunningStats behind;  ///< score less that of the best way, landscape by landscape
};

struct SplitAdvice {
  std::vector<SplitCandidate> candidates;
  std::size_t best = 0;
  std::int64_t simulated_budget = 0;  ///< smaller than the study's if that is above 20,000
  std::int64_t landscapes = 0;        ///< landscapes that the best way was tried on
};

/// Answers `split: auto`: tries ways to spend the study's budget and puts the best into
/// `study.plans`. It tries them on random landscapes over the study's search space, with
/// win-or-loss noise if the objective is noisy. The optimiser is the study's first without a
/// `longest_single_run` (optimisers.h); there must be one. There are four rounds on fresh
/// landscapes. After a round a way drops out if it is three standard errors of the paired
/// difference behind the best; its share of the simulation goes to the others. Costs no evaluation
/// of the objective; a few seconds of computation.
SplitAdvice advise_split(Study& study, StudyProgress& progress);

/// The candidates as a table.
std::string advice_text(const SplitAdvice& advice);

/// A random landscape over a given space. It is a sum of four bumps with random centres and widths
/// per parameter, as Hartmann's functions are. On unordered parameters a bump knows only "same
/// value" and "another one". Values lie in [0, 1], the best near 0.8. Payoffs are +1 with that
/// probability and else -1, or the value itself.
class SyntheticLandscape final : public Objective, public KnownTruth {
 public:
  /// `space` must outlive the landscape.
  SyntheticLandscape(const SearchSpace& space, bool noisy, Rng rng);

  [[nodiscard]] const SearchSpace& space() const override { return *space_; }
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override;
  [[nodiscard]] std::string description() const override { return "synthetic landscape"; }
  [[nodiscard]] Payoffs payoffs() const override;
  [[nodiscard]] Unit unit() const override;
  [[nodiscard]] const KnownTruth* known_truth() const override { return this; }
  [[nodiscard]] double true_value(const Point& point) const override { return value(point); }
  [[nodiscard]] std::optional<double> optimum() const override { return {}; }

 private:
  struct Bump {
    double height;
    std::vector<double> centres;  ///< per parameter: place in [0, 1], or index of a value
    std::vector<double> widths;
  };

  [[nodiscard]] double value(const Point& point) const;

  const SearchSpace* space_;
  bool noisy_;
  std::vector<Bump> bumps_;
};

}  // namespace ntune
