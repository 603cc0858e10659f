#include "ntune/optim/base/neighbourhood.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <boost/math/distributions/binomial.hpp>

namespace ntune {

Neighbourhood::Neighbourhood(const SearchSpace& space, const NeighbourhoodOptions& options)
    : space_(&space), different_(options.different ? 1 : 0), rate_(options.mutation_rate) {
  for (int i = 0; i < space.dimensions(); ++i) {
    if (space[i].cardinality() < 2) continue;
    choices_.push_back(
        {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(space[i].cardinality())});
  }
  if (choices_.empty()) return;
  wanted_ = static_cast<std::size_t>(options.size);
  if (options.cap) {
    constexpr double kSmallestCap = 5.0;
    const double quarter = std::max(kSmallestCap, std::floor(space.size().points / 4.0));
    wanted_ = static_cast<std::size_t>(std::min<double>(options.size, quarter));
  }
  const std::size_t d = choices_.size();
  const double rate = rate_.automatic ? 1.0 / static_cast<double>(d) : rate_.value;
  // Beside the one that always changes, the number of changed parameters is binomial. Its
  // distribution function is held in units of 2^-32, the last entry exactly 1.
  const boost::math::binomial others(static_cast<double>(d - 1), rate);
  for (std::size_t k = 0; k + 1 < d; ++k) {
    cumulative_.push_back(static_cast<std::uint64_t>(
        std::llround(boost::math::cdf(others, static_cast<double>(k)) * 0x1p32)));
  }
  cumulative_.push_back(std::uint64_t{1} << 32);
  size_counts_.resize(std::max<std::size_t>(d, 2) + 1);
  const auto dimensions = static_cast<std::size_t>(space.dimensions());
  changes_.resize(wanted_ * dimensions);
  starts_.resize(wanted_ + 1);
  uniforms_.resize(wanted_ + 1);
}

void Neighbourhood::draw(const Point& point, Rng& rng) {
  if (space_->constrained()) {
    draw_constrained(point, rng);
    return;
  }
  size_ = 0;
  std::uint32_t end = 0;
  for_each(point, rng, [&](Changes changes) {
    std::ranges::copy(changes, changes_.begin() + end);
    end += static_cast<std::uint32_t>(changes.size());
    starts_[++size_] = end;
  });
}

/// Draws how many mutants change one parameter, two, and so on. Counting the numbers that reach a
/// threshold takes several at once and has no branch that the processor cannot predict.
void Neighbourhood::draw_sizes(Rng& rng) {
  // Each random word gives two numbers of 32 bits; `uniforms_` has room for one more than wanted.
  for (std::size_t i = 0; i < wanted_; i += 2) {
    const std::uint64_t word = rng();
    uniforms_[i] = static_cast<std::uint32_t>(word);
    uniforms_[i + 1] = static_cast<std::uint32_t>(word >> 32);
  }
  std::ranges::fill(size_counts_, 0U);
  auto left = static_cast<std::uint32_t>(wanted_);
  for (std::size_t k = 0; left > 0; ++k) {
    std::uint32_t more = 0;
    if (cumulative_[k] >> 32 == 0) {
      const auto threshold = static_cast<std::uint32_t>(cumulative_[k]);
      for (std::size_t i = 0; i < wanted_; ++i) more += uniforms_[i] >= threshold ? 1U : 0U;
    }
    size_counts_[k + 1] = left - more;
    left = more;
  }
}

/// Draws mutants one by one where conditions or constraints decide which are allowed. A forbidden
/// mutant is drawn again, up to 20 attempts for each wanted one.
void Neighbourhood::draw_constrained(const Point& point, Rng& rng) {
  size_ = 0;
  // Only parameters that are active in the parent change by mutation.
  std::array<std::uint16_t, kMaxDimensions> active{};
  std::uint32_t d = 0;
  for (const auto [parameter, cardinality] : choices_) {
    if (space_->is_active(point, static_cast<int>(parameter))) {
      active[d++] = static_cast<std::uint16_t>(parameter);
    }
  }
  if (d == 0) return;
  const double rate = rate_.automatic ? 1.0 / d : rate_.value;
  constexpr std::size_t kAttemptsPerMutant = 20;
  for (std::size_t attempt = 0; attempt < kAttemptsPerMutant * wanted_; ++attempt) {
    if (size_ == wanted_) return;
    Point mutant = point;
    // One parameter always changes, each other one with the probability `rate`.
    const std::uint32_t forced = rng.below(d);
    for (std::uint32_t i = 0; i < d; ++i) {
      if (i != forced && !rng.bernoulli(rate)) continue;
      const std::uint16_t parameter = active[i];
      const auto values = static_cast<std::uint32_t>((*space_)[parameter].cardinality());
      std::uint32_t value = rng.below(values - different_);
      if (different_ != 0 && value >= point[parameter]) ++value;
      mutant[parameter] = static_cast<std::uint16_t>(value);
    }
    space_->settle(mutant, point, rng);
    if (!space_->is_allowed(mutant) || (different_ != 0 && mutant == point)) continue;
    // Settling may have changed more parameters than the mutation.
    keep(mutant, point);
  }
  add_points_anywhere(point, rng);
}

/// Adds random allowed points up to ten mutants in all. Where hardly any neighbour is allowed, the
/// search can so leave its place.
void Neighbourhood::add_points_anywhere(const Point& point, Rng& rng) {
  constexpr std::size_t kFewest = 10;
  const std::size_t tries = 2 * kFewest;
  for (std::size_t i = 0; i < tries && size_ < std::min(wanted_, kFewest); ++i) {
    const Point other = space_->sample(rng);
    if (different_ != 0 && other == point) continue;
    keep(other, point);
  }
}

/// Keeps a mutant by what it has other than the point.
void Neighbourhood::keep(const Point& mutant, const Point& point) {
  std::uint32_t end = starts_[size_];
  for (int i = 0; i < point.size(); ++i) {
    if (mutant[i] != point[i]) changes_[end++] = {static_cast<std::uint16_t>(i), mutant[i]};
  }
  starts_[++size_] = end;
}

}  // namespace ntune
