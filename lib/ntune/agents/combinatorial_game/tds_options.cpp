#include "ntune/agents/combinatorial_game/tds_options.h"

#include <array>

#include <fmt/format.h>

#include "ntune/agents/combinatorial_game/dyadic.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

/// Key and help text of an enhancement's option.
struct EnhancementEntry {
  const char* key;
  const char* help;
};
/// All enhancements by number; number 0 does not exist.
constexpr std::array<EnhancementEntry, kTdsEnhancements + 1> kEntries = {{
    {"", ""},
    {"e1", "searches with delta = 1, 1/2, … first, which bound t_max"},
    {"e2", "no board moves at temperatures that the game cannot have"},
    {"e3", "values without the coupons taken before, kept between searches"},
    {"e4", "no board moves above the temperature of the position; needs e1 and e3"},
    {"e5", "the second -1 coupon in a row ends play without a node; needs e3"},
    {"e6", "walls by bisection over temperatures, not coupon by coupon; needs e3"},
    {"e7", "bounds of a wall hold at other temperatures too; needs e6"},
    {"e8", "one key for all positions that are alike"},
    {"e9", "the table is asked about all options before any is searched; needs e3"},
    {"e10", "options that cut off elsewhere come first"},
}};

/// TDS+ of the paper has the enhancements 1 to 5 (Zhang and Müller 2015).
constexpr int kPaperEnhancements = 5;

/// The enhancements from 1 up to a number.
TdsEnhancements up_to(int last) {
  TdsEnhancements result;
  for (int i = 1; i <= last; ++i) result.set(static_cast<TdsEnhancement>(i), true);
  return result;
}

/// Throws InputError for the name of a variant.
[[noreturn]] void fail_variant(std::string_view text, std::string_view reason) {
  throw InputError(fmt::format("variant '{}': {}", printable(text, 40), reason));
}

}  // namespace

TdsEnhancements TdsEnhancements::all() { return up_to(kTdsEnhancements); }

TdsEnhancements parse_tds_variant(std::string_view text) {
  if (text == "all") return TdsEnhancements::all();
  if (text == "TDS+") return up_to(kPaperEnhancements);
  TdsEnhancements result;
  std::string_view digits = text;
  if (digits.starts_with("TDS")) digits.remove_prefix(3);
  // "TDS" alone has no enhancement; an empty text is an error.
  if (digits.empty() && !text.empty()) return result;
  if (digits.starts_with("_")) digits.remove_prefix(1);
  if (digits.empty()) fail_variant(text, "TDS, TDS_13 or 13, TDS+ or all is allowed");
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') {
      fail_variant(text,
                   "TDS, digits of enhancements such as TDS_13 or 13, TDS+ or all is allowed");
    }
    // The digit 0 stands for the tenth enhancement, so that each has one character.
    const auto one = static_cast<TdsEnhancement>(digit == '0' ? kTdsEnhancements : digit - '0');
    if (result.has(one)) fail_variant(text, fmt::format("{} stands twice", digit));
    result.set(one, true);
  }
  return result;
}

std::string tds_variant_text(const TdsEnhancements& enhancements) {
  if (enhancements == TdsEnhancements::all()) return "all";
  if (enhancements == up_to(kPaperEnhancements)) return "TDS+";
  std::string digits;
  for (int i = 1; i <= kTdsEnhancements; ++i) {
    if (enhancements.has(static_cast<TdsEnhancement>(i))) digits += std::to_string(i % 10);
  }
  return digits.empty() ? "TDS" : "TDS_" + digits;
}

const std::vector<std::pair<std::string, TdsTies>>& tds_ties_names() {
  static const std::vector<std::pair<std::string, TdsTies>> kNames = {{"coupon", TdsTies::kCoupon},
                                                                      {"board", TdsTies::kBoard}};
  return kNames;
}

const std::vector<std::pair<std::string, TdsReading>>& tds_reading_names() {
  static const std::vector<std::pair<std::string, TdsReading>> kNames = {
      {"rounded", TdsReading::kRounded}, {"prior", TdsReading::kPrior}, {"top", TdsReading::kTop}};
  return kNames;
}

const std::vector<std::pair<std::string, TdsNoBoardMove>>& tds_no_board_move_names() {
  static const std::vector<std::pair<std::string, TdsNoBoardMove>> kNames = {
      {"half_smallest", TdsNoBoardMove::kHalfSmallest},
      {"smallest", TdsNoBoardMove::kSmallest},
      {"half_largest", TdsNoBoardMove::kHalfLargest},
      {"largest", TdsNoBoardMove::kLargest},
      {"minus_one", TdsNoBoardMove::kMinusOne}};
  return kNames;
}

void TdsOptions::visit(Options& options) {
  options.integer("delta_exponent", delta_exponent, between(0, kTdsExponents),
                  "coupons are 2^-this apart; auto: the moves left in the game, at most 15");
  options.number("t_max", t_max, between(-1, 60),
                 "largest coupon; auto: the moves left - 1 + delta");
  options.integer("margin", margin, between(0, 1000),
                  "e1: the next t_max is so many delta above the temperature found");
  // Each enhancement is an option of its own; the set gets back what the visit has read.
  for (int i = 1; i <= kTdsEnhancements; ++i) {
    const EnhancementEntry& entry = kEntries[static_cast<std::size_t>(i)];
    bool on = enhancements.has(static_cast<TdsEnhancement>(i));
    options.flag(entry.key, on, entry.help);
    enhancements.set(static_cast<TdsEnhancement>(i), on);
  }
  options.choice("ties", ties, tds_ties_names(), "which of equally good moves is preferred");
  options.choice("reading", reading, tds_reading_names(),
                 "the temperature: the coupon taken before the first board move, the one on top "
                 "then, or the first rounded up to a possible temperature");
  options.choice("no_board_move", no_board_move, tds_no_board_move_names(),
                 "the temperature where a stopped search saw no board move");
  options.flag("literal_e2", literal_e2, "e2 as printed, which is unsound");
  options.flag("literal_e4", literal_e4, "e4 with the coupon as read, which is unsound");
  options.flag("literal_key", literal_key, "keys without the -1 coupons taken, which is unsound");
  options.integer("table_mb", table_mb, between(1, 65536), "transposition table in MiB");
  options.integer("nodes", nodes, at_least(1), "limit of nodes; auto: none");
  options.number("seconds", seconds, above(0), "limit of processor time; auto: none");
  options.flag("variation", variation, "the whole principal variation");
}

void TdsOptions::check() const {
  // Some enhancements build on others: they use the values or the searches that those keep.
  const auto need = [&](TdsEnhancement one, TdsEnhancement other) {
    if (!enhancements.has(one) || enhancements.has(other)) return;
    throw InputError(fmt::format("variant {}: e{} needs e{}", tds_variant_text(enhancements),
                                 static_cast<int>(one), static_cast<int>(other)));
  };
  need(TdsEnhancement::kRecursive, TdsEnhancement::kPresearches);
  need(TdsEnhancement::kRecursive, TdsEnhancement::kGeneralTable);
  need(TdsEnhancement::kPseudoTerminal, TdsEnhancement::kGeneralTable);
  need(TdsEnhancement::kWalls, TdsEnhancement::kGeneralTable);
  need(TdsEnhancement::kSharedBounds, TdsEnhancement::kWalls);
  need(TdsEnhancement::kProbing, TdsEnhancement::kGeneralTable);
}

void TdsOptions::set_literal() {
  literal_e2 = true;
  literal_e4 = true;
  literal_key = true;
  reading = TdsReading::kPrior;
}

int parse_tds_delta(std::string_view name, std::string_view text) {
  // The coupons' distance is a power of two, whose exponent is what the search works with.
  const Dyadic delta = parse_dyadic(name, text);
  const int exponent = delta.exponent();
  if (delta != Dyadic::power(exponent) || exponent > kTdsExponents) {
    throw InputError(fmt::format("{} '{}': must be 1, 1/2, 1/4 … 1/{}", name, printable(text, 40),
                                 1 << kTdsExponents));
  }
  return exponent;
}

}  // namespace ntune
