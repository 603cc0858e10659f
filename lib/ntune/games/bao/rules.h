#pragma once

#include <cstdint>

namespace ntune {

class Options;

/// Readings of the rules of Zanzibar Bao (Donkers et al. 2005, Appendix B) where its text leaves a
/// choice.
struct BaoRules {
  /// Who loses an owned house at the first capture of the mtaji stage.
  enum class HouseLoss : std::uint8_t { both, capturer, victim, nobody };

  int infinite_limit = 100;  ///< rule 1.5a: a move that sows more stones than this is illegal
  bool house_counts_entry = false;         ///< rule 2.4b: the six stones include the entry stone
  HouseLoss house_loss = HouseLoss::both;  ///< rule 2.5a
  bool mtaji_house_stop = false;           ///< rule 2.5b holds in the mtaji stage too
  bool infinite_captures_lose = false;     ///< captures that are all infinite forbid takasa
  bool front_row_at_end = false;  ///< rule 1.2: an empty front row ends the game after a move only

  void visit(Options& options);
  friend bool operator==(const BaoRules&, const BaoRules&) = default;
};

}  // namespace ntune
