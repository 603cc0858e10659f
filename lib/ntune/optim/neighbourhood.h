#pragma once

#include <cstdint>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/core/rng.h"
#include "ntune/optim/landscape_model.h"
#include "ntune/space/search_space.h"

namespace ntune {

struct NeighbourhoodOptions {
  int size = 50;             ///< X, mutants per iteration
  AutoNumber mutation_rate;  ///< per parameter; automatic: 1 / d
  bool different = true;     ///< a mutated parameter takes a value other than its own
  bool cap = false;          ///< at most a quarter of the space, at least 5 (the authors' later code)
};

/// The mutation operator of NTBEA (Goodman and Lucas 2020, section 2.2): one uniformly chosen
/// parameter always changes, every other one with probability `mutation_rate`; new values are
/// uniform. d counts the active parameters with more than one value; the others never change.
/// Forbidden mutants are drawn again. Probabilities hold to within 2^-32.
class Neighbourhood {
 public:
  Neighbourhood(const SearchSpace& space, const NeighbourhoodOptions& options);

  /// Draws a new set of mutants of the point: `size` of them, fewer or none only where hardly any
  /// is allowed. Their order carries no meaning (those with fewer changes stand first).
  void draw(const Point& point, Rng& rng);

  /// Number of mutants drawn.
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Changes operator[](std::size_t i) const {
    return {changes_.data() + starts_[i], starts_[i + 1] - starts_[i]};
  }

 private:
  /// A parameter with more than one value.
  struct Choice {
    std::uint32_t parameter;
    std::uint32_t cardinality;
  };

  void draw_free(const Point& point, Rng& rng);
  void draw_sizes(Rng& rng);
  void draw_constrained(const Point& point, Rng& rng);

  const SearchSpace* space_;
  bool different_;
  AutoNumber rate_;
  std::size_t wanted_ = 0;
  std::vector<Choice> choices_;
  /// P(at most k + 1 parameters change) * 2^32, k = 0 …; padded with 2^32.
  std::vector<std::uint64_t> cumulative_;
  std::vector<std::uint32_t> size_counts_;  ///< mutants with so many changes, in one draw
  std::vector<Change> changes_;
  std::vector<std::uint32_t> starts_ = {0};  ///< of mutant i in changes_; one more for the end
  std::size_t size_ = 0;
};

}  // namespace ntune
