#pragma once

namespace ntune {

/// Quantile of the range of `groups` >= 2 independent standard normal numbers (the studentised
/// range with infinite degrees of freedom), 0 < p < 1.
double normal_range_quantile(int groups, double p);

/// Nemenyi's critical difference of mean ranks: two of `groups` that were ranked in `blocks` blocks
/// differ if their mean ranks differ by more (Demšar 2006, section 3.2.2).
double critical_rank_difference(int groups, double blocks, double confidence = 0.95);

}  // namespace ntune
