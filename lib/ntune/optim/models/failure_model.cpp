#include "ntune/optim/models/failure_model.h"

#include <algorithm>

namespace ntune {

namespace {

constexpr std::size_t kMostCausesOfPair = 65'536;
constexpr std::size_t kMostCauses = 4'000'000;
constexpr std::size_t kNoCause = ~std::size_t{0};
/// Failed points whose blame is divided anew: so many at most, and so many causes of all together.
constexpr std::size_t kMostDivided = 256;
constexpr std::size_t kMostDividedCauses = 32'768;
constexpr std::size_t kFewestDivided = 16;
constexpr int kRounds = 4;

// Before anything is known an evaluation fails with a probability of about 0.1, most likely by a
// single value. A value is convicted by fewer failures than a pair is.
constexpr double kRateOfValues = 0.05;
constexpr double kRateOfPairs = 0.03;
constexpr double kRateOfChance = 0.02;

}  // namespace

FailureModel::FailureModel(const SearchSpace& space, const SampledPoints& payoffs) {
  for (int i = 0; i < space.dimensions(); ++i) {
    if (space[i].cardinality() < 2) continue;
    parameters_.push_back(static_cast<std::uint16_t>(i));
    cardinalities_.push_back(static_cast<std::size_t>(space[i].cardinality()));
    first_.push_back(singles_);
    singles_ += cardinalities_.back();
  }
  std::size_t causes = singles_;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    for (std::size_t j = i + 1; j < parameters_.size(); ++j) {
      const std::size_t settings = cardinalities_[i] * cardinalities_[j];
      // A pair that is too large, or comes after too many causes, is left out.
      const bool held = settings <= kMostCausesOfPair && causes + settings <= kMostCauses;
      first_.push_back(held ? causes : kNoCause);
      causes += held ? settings : 0;
      pairs += held ? 1 : 0;
    }
  }
  // A level's rate is divided among the causes that one point has: d values, all pairs, one chance.
  levels_[0] = {kRateOfValues / static_cast<double>(std::max<std::size_t>(parameters_.size(), 1)),
                0.5};
  levels_[1] = {kRateOfPairs / static_cast<double>(std::max<std::size_t>(pairs, 1)), 1.0};
  levels_[2] = {kRateOfChance, 1.0};
  causes_.resize(causes + 1);
  // Failed points are kept as far as their causes together stay few, since all are divided again
  // and again.
  most_divided_ =
      std::clamp(kMostDividedCauses / (first_.size() + 1), kFewestDivided, kMostDivided);
  for (std::size_t i = 0; i < payoffs.size(); ++i) {
    const std::uint32_t count = payoffs.cell(i).count;
    if (count > 0) count_successes(payoffs.point(i), count);
  }
}

/// Causes are visited as the constructor placed them: values, pairs (i < j), and chance at the end.
template <class Visit>
inline void FailureModel::for_each_cause(const Point& point, const Visit& visit) const {
  const std::size_t d = parameters_.size();
  const std::size_t* pair = first_.data() + d;
  for (std::size_t i = 0; i < d; ++i) {
    const std::size_t value = point[parameters_[i]];
    visit(first_[i] + value);
    for (std::size_t j = i + 1; j < d; ++j) {
      const std::size_t first = *pair++;
      if (first != kNoCause) visit(first + value * cardinalities_[j] + point[parameters_[j]]);
    }
  }
  visit(causes_.size() - 1);
}

const FailureModel::Level& FailureModel::level_of(std::size_t cause) const {
  return levels_[cause < singles_ ? 0 : cause + 1 < causes_.size() ? 1 : 2];
}

void FailureModel::count_successes(const Point& point, double successes) {
  for_each_cause(point, [&](std::size_t cause) {
    causes_[cause].successes += successes;
    if (causes_[cause].rate > 0.0) set_rate(cause);
  });
}

/// Returns the mean of a beta distribution: prior failures plus blame, over prior evaluations plus
/// all.
double FailureModel::expected_rate(std::size_t index) const {
  const Cause& cause = causes_[index];
  const Level& level = level_of(index);
  return (level.rate * level.strength + cause.blame) /
         (level.strength + cause.blame + cause.successes);
}

void FailureModel::set_rate(std::size_t index) { causes_[index].rate = expected_rate(index); }

/// What succeeds clears its settings, so that others are to blame: looked at again when so many
/// evaluations as a tenth of all have been added.
void FailureModel::succeed(const Point& point) {
  constexpr double kShare = 0.1;
  count_successes(point, 1.0);
  undivided_ += 1.0;
  if (undivided_ >= kShare * causes_.back().successes) divide_all();
}

void FailureModel::fail(const Point& point, double part) {
  // Settings without a failure have a rate of 0 and are no suspects. This failure makes suspects of
  // them.
  for_each_cause(point, [&](std::size_t cause) {
    if (causes_[cause].rate > 0.0) return;
    suspects_.push_back(cause);
    set_rate(cause);
  });
  failures_[point] += part;
  const auto known = std::ranges::find(failed_, point, &Failed::point);
  if (known != failed_.end()) {
    known->failures += part;
  } else if (failed_.size() < most_divided_) {
    failed_.push_back({.point = point, .failures = part});
  } else {
    // The oldest of the held points makes room. Its failures are divided for the last time.
    divide(failed_[oldest_], &Cause::settled);
    failed_[oldest_] = {.point = point, .failures = part};
    oldest_ = (oldest_ + 1) % failed_.size();
  }
  divide_all();
}

/// Lays the failures of a point to its causes, in parts of their rates.
void FailureModel::divide(const Failed& failed, double Cause::*share) {
  double sum = 0.0;
  for_each_cause(failed.point, [&](std::size_t cause) { sum += causes_[cause].rate; });
  for_each_cause(failed.point, [&](std::size_t cause) {
    causes_[cause].*share += failed.failures * causes_[cause].rate / sum;
  });
}

/// Does a few rounds of expectation and maximisation, from the last rates on. Failures are divided
/// by the rates, and then rates are set by the blame.
void FailureModel::divide_all() {
  undivided_ = 0.0;
  for (int round = 0; round < kRounds; ++round) {
    for (const std::size_t cause : suspects_) causes_[cause].blame = causes_[cause].settled;
    for (const Failed& failed : failed_) divide(failed, &Cause::blame);
    for (const std::size_t cause : suspects_) set_rate(cause);
  }
}

double FailureModel::rate(const Point& point) const {
  double success = 1.0;
  for_each_cause(point, [&](std::size_t cause) { success *= 1.0 - causes_[cause].rate; });
  return 1.0 - success;
}

double FailureModel::suspicion(const Point& point) const {
  double success = 1.0;
  for_each_cause(point, [&](std::size_t cause) { success *= 1.0 - expected_rate(cause); });
  return 1.0 - success;
}

double FailureModel::risk(const Point& point) const {
  double success = 1.0;
  for_each_cause(point, [&](std::size_t cause) {
    success *= 1.0 - causes_[cause].rate * causes_[cause].rate;
  });
  return 1.0 - success;
}

double FailureModel::beside_own(double by_settings, const Point& point,
                                std::uint32_t payoffs) const {
  const double failures = failures_of(point);
  return (by_settings + failures) / (1.0 + failures + payoffs);
}

double FailureModel::failures_of(const Point& point) const {
  const auto found = failures_.find(point);
  return found == failures_.end() ? 0.0 : found->second;
}

}  // namespace ntune
