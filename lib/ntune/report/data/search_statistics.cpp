#include "ntune/report/data/search_statistics.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

namespace ntune {

RunningStats PayoffSum::stats() const {
  const double m = mean();
  const double deviations = least < most ? std::max(0.0, squares - sum * m) : 0.0;
  return RunningStats(
      RunningStats::State{.count = n, .mean = m, .squares = deviations, .min = least, .max = most});
}

ValueGroups::ValueGroups(const Parameter& parameter) : numeric(parameter.ordered) {
  const std::size_t values = parameter.values.size();
  const std::size_t groups = std::min(values, kMostGroups);
  for (std::size_t v = 0; v < values; ++v) {
    group_of.push_back(static_cast<std::uint8_t>(v * groups / values));
  }
  for (std::size_t g = 0, v = 0; g < groups; ++g) {
    const std::size_t first = v;
    while (v < values && group_of[v] == g) ++v;
    const std::string low = value_text(parameter.values[first]);
    labels.push_back(
        v - first == 1 ? low : fmt::format("{} to {}", low, value_text(parameter.values[v - 1])));
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
}

/// Of varied parameters a < b, in the order of construction.
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

void SearchStatistics::add(const Point& point, double payoff, double progress) {
  const SearchSpace& space = objective_->space();
  const std::size_t slice =
      std::min(kSlices - 1, static_cast<std::size_t>(progress * static_cast<double>(kSlices)));
  all_.add(payoff);
  points_[point].add(payoff);
  std::array<std::size_t, kMaxDimensions> group{};
  std::array<bool, kMaxDimensions> active{};
  for (std::size_t k = 0; k < varied_.size(); ++k) {
    const int i = varied_[k];
    active[k] = !space.constrained() || space.is_active(point, i);
    if (!active[k]) continue;
    group[k] = groups(i).group_of[point[i]];
    ones_[static_cast<std::size_t>(i)][group[k]].add(payoff);
    ++slices_[static_cast<std::size_t>(i)][group[k] * kSlices + slice];
  }
  std::size_t pair = 0;
  for (std::size_t b = 1; b < varied_.size(); ++b) {
    const std::size_t width = groups(varied_[b]).size();
    for (std::size_t a = 0; a < b; ++a, ++pair) {
      if (active[a] && active[b]) twos_[pair][group[a] * width + group[b]].add(payoff);
    }
  }
}

std::vector<SampledPoint> SearchStatistics::most_sampled(std::size_t count) const {
  std::vector<SampledPoint> list;
  list.reserve(points_.size());
  for (const auto& [point, payoffs] : points_) list.push_back({point, payoffs});
  const auto before = [](const SampledPoint& a, const SampledPoint& b) {
    return a.payoffs.n != b.payoffs.n ? a.payoffs.n > b.payoffs.n : a.point < b.point;
  };
  const auto end = list.begin() + static_cast<std::ptrdiff_t>(std::min(count, list.size()));
  std::partial_sort(list.begin(), end, list.end(), before);
  list.erase(end, list.end());
  return list;
}

std::optional<double> SearchStatistics::noise_share() const {
  constexpr std::int64_t kFewest = 30;
  PayoffSum repeated;
  double squares = 0.0;
  std::int64_t freedom = 0;
  for (const auto& [point, payoffs] : points_) {
    if (payoffs.n < 2) continue;
    repeated.n += payoffs.n;
    repeated.sum += payoffs.sum;
    repeated.squares += payoffs.squares;
    repeated.least = std::min(repeated.least, payoffs.least);
    repeated.most = std::max(repeated.most, payoffs.most);
    squares += std::max(0.0, payoffs.squares - payoffs.sum * payoffs.mean());
    freedom += payoffs.n - 1;
  }
  const double variance = freedom > 0 ? repeated.stats().variance() : 0.0;
  if (freedom < kFewest || variance <= 0.0) return std::nullopt;
  return std::min(1.0, squares / static_cast<double>(freedom) / variance);
}

}  // namespace ntune
