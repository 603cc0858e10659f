#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "apps/amazons/commands.h"
#include "apps/common/reproduction.h"

namespace ntune::amazons {

// Coverage as Zhang and Mueller (2015) measured it: cases of 600 that a variant solves, 80 MB,
// a Xeon of 2.4 GHz.

struct PublishedCoverage {
  const char* variant;
  const char* delta;          ///< "auto": exact
  std::array<int, 6> solved;  ///< by limit
};

/// Table 1.
inline constexpr std::array<double, 6> kTable1Seconds = {1, 2.5, 10, 25, 100, 250};
std::span<const PublishedCoverage> published_table_1();
/// Table 2, without delta = 1/8, whose numbers are not in the text that was at hand.
inline constexpr std::array<double, 5> kTable2Seconds = {1, 3, 10, 30, 100};
std::span<const PublishedCoverage> published_table_2();

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

using cli::Reproduction;

// The experiments, each with what it repeats of Zhang and Müller (2015). All throw
// cli::Interrupted.

/// Tables 1 and 2, Figure 5.
Reproduction reproduce_table_1(const ReproduceArguments& arguments, const Terminal& terminal);
Reproduction reproduce_table_2(const ReproduceArguments& arguments, const Terminal& terminal);
Reproduction reproduce_figure_5(const ReproduceArguments& arguments, const Terminal& terminal);
/// Figures 3 and 4, the nodes of E5, and Figure 5 by all rules for stopped searches.
Reproduction reproduce_figure_3(const ReproduceArguments& arguments, const Terminal& terminal);
Reproduction reproduce_figure_4(const ReproduceArguments& arguments, const Terminal& terminal);
Reproduction reproduce_e5(const ReproduceArguments& arguments, const Terminal& terminal);
Reproduction reproduce_stopping_rules(const ReproduceArguments& arguments,
                                      const Terminal& terminal);
/// The limit of nodes of these: a million by the time scale.
std::int64_t node_limit(const ReproduceArguments& arguments);
/// Tables 3 and 4: matches of Hotstrat.
Reproduction reproduce_table_3(const ReproduceArguments& arguments, const Terminal& terminal);
Reproduction reproduce_table_4(const ReproduceArguments& arguments, const Terminal& terminal);

}  // namespace ntune::amazons
