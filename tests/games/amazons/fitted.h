#pragma once

#include <optional>

#include "ntune/games/amazons/position.h"

namespace ntune::test {

/// A position in the lower left corner of a board of another side. Nothing comes back if its
/// rectangle of squares that are not burnt is too large. Equal for positions that are equal but for
/// their place.
template <int kTo, int kFrom>
constexpr std::optional<AmazonsPosition<kTo>> amazons_fitted(
    const AmazonsPosition<kFrom>& position) {
  using From = AmazonsBoard<kFrom>;
  using To = AmazonsBoard<kTo>;
  const typename From::Bits used = position.empty() | position.queens();
  const int first_rank = used == 0 ? 0 : From::lowest(used) / kFrom;
  int first_file = kFrom;
  for (auto rest = used; rest != 0; rest &= rest - 1) {
    const int file = From::lowest(rest) % kFrom;
    if (file < first_file) first_file = file;
  }
  bool fits = true;
  const auto moved = [&](typename From::Bits set) {
    typename To::Bits result = 0;
    for (; set != 0; set &= set - 1) {
      const int file = From::lowest(set) % kFrom - first_file;
      const int rank = From::lowest(set) / kFrom - first_rank;
      fits = fits && file < kTo && rank < kTo;
      if (fits) result |= To::bit(rank * kTo + file);
    }
    return result;
  };
  const AmazonsPosition<kTo> result(moved(position.empty()), moved(position.queens(Player::kLeft)),
                                    moved(position.queens(Player::kRight)));
  return fits ? std::optional(result) : std::nullopt;
}

}  // namespace ntune::test
