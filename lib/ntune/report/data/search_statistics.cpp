#include "ntune/report/data/search_statistics.h"

#include <algorithm>
#include <array>
#include <cassert>

#include <fmt/format.h>

#include "ntune/study/model/value_importance.h"

namespace ntune {

namespace {

/// Adds payoffs to sums, or takes them out with a sign of -1. Their differences become those from
/// the first payoff of the sums.
void change(PayoffSum& sums, const PayoffSum& by, int sign) {
  const auto n = static_cast<double>(by.n);
  const double step = by.first - sums.first;
  sums.n += sign * by.n;
  sums.sum += sign * by.sum;
  sums.moved += sign * (by.moved + n * step);
  sums.squares += sign * (by.squares + step * (2.0 * by.moved + n * step));
}

}  // namespace

void PayoffSum::add(const PayoffSum& others) {
  if (n == 0) first = others.first;
  change(*this, others, 1);
  least = std::min(least, others.least);
  most = std::max(most, others.most);
}

void PayoffSum::take_out(const PayoffSum& some) { change(*this, some, -1); }

double PayoffSum::deviations() const {
  if (n == 0 || !(least < most)) return 0.0;
  return std::max(0.0, squares - moved * moved / static_cast<double>(n));
}

RunningStats PayoffSum::stats() const {
  return RunningStats(RunningStats::State{
      .count = n, .mean = mean(), .squares = deviations(), .min = least, .max = most});
}

namespace {

/// The label of the values from `first` to before `end`.
std::string group_label(const Parameter& parameter, std::size_t first, std::size_t end) {
  std::string label = value_text(parameter.values[first]);
  if (end - first == 1) return label;
  if (parameter.ordered) return label + " to " + value_text(parameter.values[end - 1]);
  for (std::size_t v = first + 1; v < end; ++v) label += ", " + value_text(parameter.values[v]);
  return label;
}

/// What is left of a sum without a part of it; least and most stay.
PayoffSum difference(const PayoffSum& all, const PayoffSum& part) {
  PayoffSum rest = all;
  rest.take_out(part);
  return rest;
}

}  // namespace

ValueGroups::ValueGroups(const Parameter& parameter) : numeric(parameter.ordered) {
  const std::size_t values = parameter.values.size();
  const std::size_t groups = std::min(values, kMostValueGroups);
  // Values in their order are spread evenly over the groups.
  for (std::size_t v = 0; v < values; ++v) {
    group_of.push_back(static_cast<std::uint8_t>(group_of_value(v, values)));
  }
  for (std::size_t g = 0, v = 0; g < groups; ++g) {
    const std::size_t first = v;
    while (v < values && group_of[v] == g) ++v;
    labels.push_back(group_label(parameter, first, v));
  }
}

SearchStatistics::SearchStatistics(const Objective& objective) : objective_(&objective) {
  const SearchSpace& space = objective.space();
  place_.assign(static_cast<std::size_t>(space.dimensions()), -1);
  for (int i = 0; i < space.dimensions(); ++i) {
    const ValueGroups& groups = groups_.emplace_back(space[i]);
    ones_.emplace_back(groups.size());
    slices_.emplace_back(groups.size() * kSlices);
    if (space[i].cardinality() < 2) continue;
    place_[static_cast<std::size_t>(i)] = static_cast<int>(varied_.size());
    varied_.push_back(i);
  }
  for (std::size_t b = 1; b < varied_.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      twos_.emplace_back(groups(varied_[a]).size() * groups(varied_[b]).size());
    }
  }
  // Sums of pairs without a batch are kept only while they take little memory.
  constexpr std::size_t kMostCells = 100'000;
  std::size_t cells = 0;
  for (const std::vector<PayoffSum>& pair : twos_) cells += pair.size();
  batches_of_pairs_ = cells <= kMostCells;
  batches_.assign(
      kBatches,
      {.ones = ones_, .twos = batches_of_pairs_ ? twos_ : std::vector<std::vector<PayoffSum>>()});
}

PayoffSum SearchStatistics::one_without(std::size_t batch, int parameter, std::size_t group) const {
  const auto i = static_cast<std::size_t>(parameter);
  return difference(ones_[i][group], batches_[batch].ones[i][group]);
}

PayoffSum SearchStatistics::two_without(std::size_t batch, int a, int b, std::size_t group_a,
                                        std::size_t group_b) const {
  const std::size_t pair = pair_index(a, b);
  const std::size_t cell = group_a * groups(b).size() + group_b;
  return difference(twos_[pair][cell], batches_[batch].twos[pair][cell]);
}

/// The place of a pair of varied parameters a < b, in the order of construction.
std::size_t SearchStatistics::pair_index(int a, int b) const {
  const auto x = static_cast<std::size_t>(place_[static_cast<std::size_t>(a)]);
  const auto y = static_cast<std::size_t>(place_[static_cast<std::size_t>(b)]);
  assert(x < y);
  return y * (y - 1) / 2 + x;
}

const PayoffSum& SearchStatistics::two(int a, int b, std::size_t group_a,
                                       std::size_t group_b) const {
  return twos_[pair_index(a, b)][group_a * groups(b).size() + group_b];
}

void SearchStatistics::add(const Point& point, double payoff, double progress, std::size_t batch) {
  BatchSums& part = batches_[batch];
  batches_seen_ = std::max(batches_seen_, batch + 1);
  const SearchSpace& space = objective_->space();
  const std::size_t slice =
      std::min(kSlices - 1, static_cast<std::size_t>(progress * static_cast<double>(kSlices)));
  all_.add(payoff);
  points_[point].add(payoff);
  // Single values first; their groups are used again for the pairs.
  std::array<std::size_t, kMaxDimensions> group{};
  std::array<bool, kMaxDimensions> active{};
  for (std::size_t k = 0; k < varied_.size(); ++k) {
    const int i = varied_[k];
    const std::vector<std::uint8_t>& group_of = groups(i).group_of;
    // A default may have a value that is not among those to be asked for.
    active[k] = point[i] < group_of.size() && (!space.constrained() || space.is_active(point, i));
    if (!active[k]) continue;
    group[k] = group_of[point[i]];
    ones_[static_cast<std::size_t>(i)][group[k]].add(payoff);
    part.ones[static_cast<std::size_t>(i)][group[k]].add(payoff);
    ++slices_[static_cast<std::size_t>(i)][group[k] * kSlices + slice];
  }
  // Pairs are in the order of pair_index: (0, 1), (0, 2), (1, 2), (0, 3), …
  std::size_t pair = 0;
  for (std::size_t b = 1; b < varied_.size(); ++b) {
    const std::size_t width = groups(varied_[b]).size();
    for (std::size_t a = 0; a < b; ++a, ++pair) {
      if (!active[a] || !active[b]) continue;
      const std::size_t cell = group[a] * width + group[b];
      twos_[pair][cell].add(payoff);
      if (batches_of_pairs_) part.twos[pair][cell].add(payoff);
    }
  }
}

std::vector<SampledPoint> SearchStatistics::most_sampled(std::size_t count) const {
  std::vector<SampledPoint> list;
  list.reserve(points_.size());
  for (const auto& [point, payoffs] : points_) list.push_back({point, payoffs});
  // Points that were sampled equally often stand in the order of their values.
  const auto before = [](const SampledPoint& a, const SampledPoint& b) {
    return a.payoffs.n != b.payoffs.n ? a.payoffs.n > b.payoffs.n : a.point < b.point;
  };
  const auto end = list.begin() + static_cast<std::ptrdiff_t>(std::min(count, list.size()));
  std::partial_sort(list.begin(), end, list.end(), before);
  list.erase(end, list.end());
  return list;
}

const PayoffSum* SearchStatistics::payoffs_of(const Point& point) const {
  const auto found = points_.find(point);
  return found == points_.end() ? nullptr : &found->second;
}

std::optional<double> SearchStatistics::noise_share() const {
  constexpr std::int64_t kFewest = 30;
  // The variance within points over that of all payoffs at points sampled twice or more.
  PayoffSum repeated;
  double squares = 0.0;
  std::int64_t freedom = 0;
  for (const auto& [point, payoffs] : points_) {
    if (payoffs.n < 2) continue;
    repeated.add(payoffs);
    squares += payoffs.deviations();
    freedom += payoffs.n - 1;
  }
  const double variance = freedom > 0 ? repeated.stats().variance() : 0.0;
  if (freedom < kFewest || variance <= 0.0) return std::nullopt;
  return std::min(1.0, squares / static_cast<double>(freedom) / variance);
}

}  // namespace ntune
