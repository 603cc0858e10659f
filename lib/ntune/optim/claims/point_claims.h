#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ntune/core/mean_interval.h"
#include "ntune/optim/base/optimiser.h"

namespace ntune {

/// What is known of payoffs before there are any.
struct PayoffFacts {
  PossibleValues range = {};
  bool noisy = true;  ///< two payoffs of a point may differ
};

/// What the payoffs of a search say of what it recommends (claim_values of value_claim.h), whatever
/// has chosen it. Nothing for an optimiser that does not show its payoffs (Optimiser::told), or was
/// told fewer than two. Takes as long as many asks.
std::optional<Certainty> certainty_of(const Optimiser& optimiser, const SearchSpace& space,
                                      const PayoffFacts& facts);

/// Returns the claims of some points, in this order, up to the first without payoffs.
std::vector<Claim> claims_of(const Optimiser& optimiser, const SearchSpace& space,
                             const PayoffFacts& facts, std::span<const Point> points);

}  // namespace ntune
