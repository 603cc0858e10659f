#include "ntune/optim/neighbourhood.h"

#include <algorithm>
#include <array>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

namespace ntune {

namespace {

constexpr std::size_t kCommonSizes = 4;

/// Uniform in [0, n) from the low 32 bits of a random word.
std::uint32_t scale(std::uint64_t word, std::uint32_t n) {
  return static_cast<std::uint32_t>(((word & 0xffffffffU) * n) >> 32);
}

}  // namespace

Neighbourhood::Neighbourhood(const SearchSpace& space, const NeighbourhoodOptions& options)
    : space_(&space), different_(options.different), rate_(options.mutation_rate) {
  for (int i = 0; i < space.dimensions(); ++i) {
    if (space[i].cardinality() < 2) continue;
    choices_.push_back({static_cast<std::uint32_t>(i),
                        static_cast<std::uint32_t>(space[i].cardinality())});
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
  const boost::math::binomial others(static_cast<double>(d - 1), rate);
  for (std::size_t k = 0; k + 1 < d; ++k) {
    cumulative_.push_back(static_cast<std::uint64_t>(
        std::llround(boost::math::cdf(others, static_cast<double>(k)) * 0x1p32)));
  }
  cumulative_.resize(std::max(d, kCommonSizes + 1), std::uint64_t{1} << 32);
  size_counts_.resize(std::max(d, kCommonSizes + 1) + 1);
  const auto dimensions = static_cast<std::size_t>(space.dimensions());
  changes_.resize(wanted_ * dimensions);
  starts_.resize(wanted_ + 1);
}

void Neighbourhood::draw(const Point& point, Rng& rng) {
  size_ = 0;
  if (space_->constrained()) {
    draw_constrained(point, rng);
  } else if (wanted_ > 0) {
    draw_free(point, rng);
  }
}

/// How many parameters change is 1 + binomial(d - 1, rate), and given that number every subset is
/// equally likely. Drawing the numbers first and the mutants by increasing number spares the
/// processor a branch that it cannot predict.
void Neighbourhood::draw_free(const Point& point, Rng& rng) {
  Rng random = rng;
  draw_sizes(random);
  const auto d = static_cast<std::uint32_t>(choices_.size());
  const std::uint32_t different = different_ ? 1 : 0;
  const Choice* choices = choices_.data();
  Change* const begin = changes_.data();
  Change* next = begin;
  std::uint32_t* start = starts_.data();
  for (std::uint32_t size = 1; size <= d; ++size) {
    for (std::uint32_t left = size_counts_[size]; left > 0; --left) {
      std::uint64_t chosen = 0;  // a random subset by Floyd's algorithm
      for (std::uint32_t j = d - size; j < d; ++j) {
        const std::uint64_t word = random();
        const std::uint32_t candidate = scale(word >> 32, j + 1);
        const std::uint32_t position = (chosen >> candidate & 1U) != 0 ? j : candidate;
        chosen |= std::uint64_t{1} << position;
        const auto [parameter, cardinality] = choices[position];
        const std::uint32_t own = point[static_cast<int>(parameter)];
        std::uint32_t value = scale(word, cardinality - different);
        value += different & (value >= own ? 1U : 0U);
        *next = {static_cast<std::uint16_t>(parameter), static_cast<std::uint16_t>(value)};
        next += value != own ? 1 : 0;
      }
      *++start = static_cast<std::uint32_t>(next - begin);
    }
  }
  size_ = wanted_;
  rng = random;
}

/// How many mutants change one parameter, two, …
void Neighbourhood::draw_sizes(Rng& rng) {
  std::ranges::fill(size_counts_, 0U);
  const std::uint64_t* cumulative = cumulative_.data();
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < wanted_; ++i) {
    word = i % 2 == 0 ? rng() : word >> 32;
    const std::uint64_t uniform = word & 0xffffffffU;
    std::size_t more = 0;
    for (std::size_t k = 0; k < kCommonSizes; ++k) more += uniform >= cumulative[k] ? 1 : 0;
    if (more == kCommonSizes) {
      while (uniform >= cumulative[more]) ++more;
    }
    ++size_counts_[more + 1];
  }
}

void Neighbourhood::draw_constrained(const Point& point, Rng& rng) {
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
  std::uint32_t end = 0;
  for (std::size_t attempt = 0; attempt < kAttemptsPerMutant * wanted_; ++attempt) {
    if (size_ == wanted_) return;
    Point mutant = point;
    const std::uint32_t forced = rng.below(d);
    for (std::uint32_t i = 0; i < d; ++i) {
      if (i != forced && !rng.bernoulli(rate)) continue;
      const std::uint16_t parameter = active[i];
      const auto values = static_cast<std::uint32_t>((*space_)[parameter].cardinality());
      std::uint32_t value = rng.below(values - (different_ ? 1 : 0));
      if (different_ && value >= point[parameter]) ++value;
      mutant[parameter] = static_cast<std::uint16_t>(value);
    }
    space_->settle(mutant, point, rng);
    if (!space_->is_allowed(mutant) || (different_ && mutant == point)) continue;
    for (int i = 0; i < point.size(); ++i) {
      if (mutant[i] == point[i]) continue;
      changes_[end++] = {static_cast<std::uint16_t>(i), mutant[i]};
    }
    starts_[++size_] = end;
  }
}

}  // namespace ntune
