#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "ntune/objective/functions/benchmark_function.h"

namespace ntune {

/// Which k other loci a locus depends on.
enum class NkNeighbours {
  kAdjacent,  ///< the next k, the first follows the last
  kRandom     ///< k distinct ones, drawn from the seed
};

struct NkOptions {
  int dimensions = 10;
  int k = 2;  ///< neighbours per locus; below `dimensions`
  int values = 2;
  NkNeighbours neighbours = NkNeighbours::kAdjacent;
  std::int64_t seed = 1;

  void visit(Options& options);
  [[nodiscard]] std::optional<OptionProblem> problem() const;
};

/// NK landscape (Kauffman and Levin 1987): the mean over loci (parameters) of a contribution,
/// uniform in [0, 1). It is drawn for every combination of the values of the locus and its k
/// neighbours. Nothing is tabulated. The contribution of locus i to the values v_0 … v_k (itself
/// first) is a hash mix(c_i + sum_j m_ij mix(v_j)) with random numbers c and m of the seed. Any
/// numbers may be values. The optimum is known for adjacent neighbours where dynamic programming
/// around the ring is cheap: dimensions * values^(2 k + 1) up to 2^22. Throws InputError if k is
/// not below `dimensions`.
std::unique_ptr<BenchmarkFunction> make_nk(const NkOptions& options = {});

}  // namespace ntune
