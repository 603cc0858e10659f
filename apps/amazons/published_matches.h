#pragma once

#include <span>

namespace ntune::amazons {

/// A cell of Table 3 or 4 of Zhang and Mueller (2015): Hotstrat-TDS+ against the table's opponent,
/// from 200 random sums with both colours and 10 s a move.
struct PublishedMatch {
  int boards;
  int size;
  double score;
  double score_sd;
  double share;  ///< of the games won, in percent

  /// Half of a 95 % interval of the share, if its games were independent.
  [[nodiscard]] double share_margin() const;
};

inline constexpr int kPublishedGames = 400;
inline constexpr double kPublishedSeconds = 10.0;

/// Table 3 (against Arrow) or 4 (against Hotstrat-TDS).
std::span<const PublishedMatch> published_matches(int table);

}  // namespace ntune::amazons
