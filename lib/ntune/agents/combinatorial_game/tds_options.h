#pragma once

#include <bitset>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ntune/core/options.h"

namespace ntune {

/// The enhancements E1 … E5 of Zhang and Mueller 2015, and five more, E6 … E10.
enum class TdsEnhancement {
  kPresearches = 1,       ///< searches with delta = 1, 1/2, … first, which bound t_max
  kPossibleTemperatures,  ///< no board moves at temperatures that cannot be the game's
  kGeneralTable,          ///< values without the coupons taken before, kept between searches
  kRecursive,             ///< no board moves above a follower's own temperature
  kPseudoTerminal,        ///< the second -1 coupon in a row ends play without a node
  kWalls,                 ///< walls found by bisection over temperatures, not coupon by coupon
  kSharedBounds,          ///< a wall's bounds hold at other temperatures too; needs kWalls
  kCanonical,             ///< one key for all positions that are alike
  kProbing,               ///< the table is asked about all options before any is searched
  kHistory,               ///< options that cut off elsewhere come first
};
inline constexpr int kTdsEnhancements = 10;

/// The set of enhancements that are on.
class TdsEnhancements {
 public:
  constexpr TdsEnhancements() = default;
  static TdsEnhancements all();

  [[nodiscard]] bool has(TdsEnhancement one) const { return bits_[index(one)]; }
  void set(TdsEnhancement one, bool on) { bits_[index(one)] = on; }
  friend bool operator==(const TdsEnhancements&, const TdsEnhancements&) = default;

 private:
  static std::size_t index(TdsEnhancement one) { return static_cast<std::size_t>(one); }
  std::bitset<kTdsEnhancements + 1> bits_;
};

/// Reads "TDS", "TDS_13" or "13" (E10 is written 0), "TDS+" (E1 … E5) or "all". Throws InputError
/// "variant '…': …".
TdsEnhancements parse_tds_variant(std::string_view text);
/// "TDS", "TDS_13", "TDS+", "all".
std::string tds_variant_text(const TdsEnhancements& enhancements);

/// Whether the coupon or the board is preferred among equally good moves on the root's chain of
/// coupons.
enum class TdsTies { kCoupon, kBoard };
/// Which coupon on that chain is the temperature: the last one taken before the first board move,
/// or the one on top then. Or it is the first of these, rounded up to a temperature that the game
/// can have, which is exact with kCoupon and a fine enough delta.
enum class TdsReading { kRounded, kPrior, kTop };
/// The temperature where a stopped search has no board move in its principal variation: the
/// smallest or the largest coupon of the variation, half of either, or -1.
enum class TdsNoBoardMove { kHalfSmallest, kSmallest, kHalfLargest, kLargest, kMinusOne };

const std::vector<std::pair<std::string, TdsTies>>& tds_ties_names();
const std::vector<std::pair<std::string, TdsReading>>& tds_reading_names();
const std::vector<std::pair<std::string, TdsNoBoardMove>>& tds_no_board_move_names();

/// Settings of temperature discovery search. The defaults are exact for games of at most
/// kTdsExponents moves.
struct TdsOptions {
  AutoInteger delta_exponent;  ///< delta = 2^-this; auto: the moves left in the game, at most 15
  AutoNumber t_max;            ///< largest coupon; auto: the moves left - 1 + delta
  int margin = 2;              ///< E1: the next t_max is this many delta above the coupon found
  TdsEnhancements enhancements = TdsEnhancements::all();
  TdsTies ties = TdsTies::kCoupon;
  TdsReading reading = TdsReading::kRounded;
  TdsNoBoardMove no_board_move = TdsNoBoardMove::kHalfSmallest;
  // The paper's algorithms to the letter, where that is unsound:
  bool literal_e2 = false;   ///< a position's own possible temperatures alone
  bool literal_e4 = false;   ///< the coupon as read, not rounded up, as a follower's temperature
  bool literal_key = false;  ///< the number of -1 coupons taken is not in the key
  int table_mb = 64;         ///< transposition table, rounded down to a power of two
  AutoInteger nodes;         ///< limit of nodes; auto: none
  AutoNumber seconds;        ///< limit of the thread's processor time; auto: none
  bool variation = false;    ///< give the whole principal variation, not up to its first board move

  void visit(Options& options);
  /// Throws InputError where an enhancement is on without one that it builds upon.
  void check() const;
  /// The paper's letter in all points: Algorithms 3 and 4 as printed, keys without the -1 coupons,
  /// the prior coupon.
  void set_literal();
};

/// The finest delta is 2^-15.
inline constexpr int kTdsExponents = 15;

/// The exponent of "1", "1/2" … "1/32768". Throws InputError "name 'text': …".
int parse_tds_delta(std::string_view name, std::string_view text);

}  // namespace ntune
