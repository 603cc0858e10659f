#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/core/rng.h"
#include "ntune/optim/models/landscape_model.h"
#include "ntune/space/search_space.h"

namespace ntune {

struct NeighbourhoodOptions {
  int size = 50;                  ///< X, mutants per iteration
  AutoNumber mutation_rate = {};  ///< probability that a parameter mutates; automatic: 1 / d
  bool different = true;          ///< a mutated parameter takes a value other than its own
  bool cap = false;  ///< at most a quarter of the space, at least 5 (the authors' later code)
};

/// The mutation operator of NTBEA (Goodman and Lucas 2020, section 2.2). One uniformly chosen
/// parameter always changes, every other one with probability `mutation_rate`; new values are
/// uniform. d counts the active parameters with more than one value; the others never change.
/// Forbidden mutants are drawn again; where fewer than ten come of that, allowed points from
/// anywhere fill up to ten. Probabilities hold to within 2^-32.
class Neighbourhood {
 public:
  Neighbourhood(const SearchSpace& space, const NeighbourhoodOptions& options);

  /// Draws mutants of the point and passes each to `visit`: `size` of them, fewer or none only
  /// where hardly any is allowed. Their order carries no meaning. `visit` takes a span of changes,
  /// of static size for the two commonest sizes, so that scoring them compiles to straight code.
  template <class Visitor>
  void for_each(const Point& point, Rng& rng, Visitor&& visit) {
    if (!space_->constrained()) {
      if (wanted_ > 0) visit_free(point, rng, visit);
      return;
    }
    draw_constrained(point, rng);
    for (std::size_t i = 0; i < size_; ++i) visit((*this)[i]);
  }

  /// Draws mutants as `for_each` does, and keeps them for operator[].
  void draw(const Point& point, Rng& rng);

  /// Number of mutants drawn.
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Changes operator[](std::size_t i) const {
    return {changes_.data() + starts_[i], starts_[i + 1] - starts_[i]};
  }
  /// Mutant i of the point that was drawn for.
  [[nodiscard]] Point mutant(Point point, std::size_t i) const {
    for (const Change& change : (*this)[i]) point[change.parameter] = change.value;
    return point;
  }

 private:
  /// A parameter with more than one value.
  struct Choice {
    std::uint32_t parameter;
    std::uint32_t cardinality;
  };

  /// Uniform in [0, n) from the low 32 bits of a random word.
  static std::uint32_t scale(std::uint64_t word, std::uint32_t n) {
    return static_cast<std::uint32_t>(((word & 0xffffffffU) * n) >> 32);
  }

  /// A new value for the choice at a position, from the low half of a random word.
  [[nodiscard]] Change mutate(const Choice& choice, const Point& point, std::uint64_t word) const {
    const std::uint32_t current = point[static_cast<int>(choice.parameter)];
    std::uint32_t value = scale(word, choice.cardinality - different_);
    value += different_ & (value >= current ? 1U : 0U);
    return {static_cast<std::uint16_t>(choice.parameter), static_cast<std::uint16_t>(value)};
  }

  /// Inlined into the caller, so that what the visitor captures stays in registers.
  template <class Visitor>
  [[gnu::always_inline]] void visit_free(const Point& point, Rng& rng, Visitor& visit);
  /// The mutants with three changes and more.
  template <std::size_t kMostChoices, class Visitor>
  [[gnu::always_inline]] void visit_many(const Point& point, Rng& random, Visitor& visit) const;
  void draw_sizes(Rng& rng);
  void draw_constrained(const Point& point, Rng& rng);
  void add_points_anywhere(const Point& point, Rng& rng);
  void keep(const Point& mutant, const Point& point);

  const SearchSpace* space_;
  std::uint32_t different_;  ///< 0 or 1
  AutoNumber rate_;
  std::size_t wanted_ = 0;
  std::vector<Choice> choices_;
  /// P(at most k + 1 parameters change) * 2^32, k = 0 …
  std::vector<std::uint64_t> cumulative_;
  std::vector<std::uint32_t> uniforms_;     ///< random bits, 32 a mutant
  std::vector<std::uint32_t> size_counts_;  ///< mutants with so many changes, in one draw
  std::vector<Change> changes_;
  std::vector<std::uint32_t> starts_ = {0};  ///< where mutant i begins in changes_, and the end
  std::size_t size_ = 0;
};

/// How many parameters change is 1 + binomial(d - 1, rate), and given that number every subset is
/// equally likely. Drawing the numbers first and the mutants by increasing number spares the
/// processor a branch that it cannot predict.
template <class Visitor>
inline void Neighbourhood::visit_free(const Point& point, Rng& rng, Visitor& visit) {
  draw_sizes(rng);
  Rng random = rng;
  const auto d = static_cast<std::uint32_t>(choices_.size());
  const Choice* choices = choices_.data();
  for (std::uint32_t left = size_counts_[1]; left > 0; --left) {
    const std::uint64_t word = random();
    const std::array changes = {mutate(choices[scale(word >> 32, d)], point, word)};
    visit(std::span<const Change, 1>(changes));
  }
  if (d < 2) {
    rng = random;
    return;
  }
  for (std::uint32_t left = size_counts_[2]; left > 0; --left) {
    const std::uint64_t word = random();
    const std::uint64_t other = random();
    const std::uint32_t first = scale(word >> 32, d - 1);
    const std::uint32_t candidate = scale(other >> 32, d);
    const std::uint32_t second = candidate == first ? d - 1 : candidate;
    const std::array changes = {mutate(choices[first], point, word),
                                mutate(choices[second], point, other)};
    visit(std::span<const Change, 2>(changes));
  }
  if (d <= 64) {
    visit_many<64>(point, random, visit);
  } else {
    visit_many<kMaxDimensions>(point, random, visit);
  }
  rng = random;
}

template <std::size_t kMostChoices, class Visitor>
inline void Neighbourhood::visit_many(const Point& point, Rng& random, Visitor& visit) const {
  const auto d = static_cast<std::uint32_t>(choices_.size());
  std::array<Change, kMostChoices> changes;
  for (std::uint32_t size = 3; size <= d; ++size) {
    for (std::uint32_t left = size_counts_[size]; left > 0; --left) {
      std::bitset<kMostChoices> chosen;  // a random subset by Floyd's algorithm, as above
      for (std::uint32_t k = 0; k < size; ++k) {
        const std::uint32_t last = d - size + k;
        const std::uint64_t word = random();
        const std::uint32_t candidate = scale(word >> 32, last + 1);
        const std::uint32_t position = chosen[candidate] ? last : candidate;
        chosen.set(position);
        changes[k] = mutate(choices_[position], point, word);
      }
      visit(Changes(changes.data(), size));
    }
  }
}

}  // namespace ntune
