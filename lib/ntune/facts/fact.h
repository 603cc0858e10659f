#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ntune/core/game_statistics.h"
#include "ntune/core/statistics.h"

namespace ntune {

/// How a number is written: as a score; with a sign (of a difference the ends of the interval too);
/// as Elo, with a sign and one decimal; in thousandths; in percent.
enum class Digits { kScore, kSigned, kDifference, kElo, kProbability, kPercent };

/// A thing that was found.
struct Fact {
  /// How good the recommended values are; how they were found.
  enum class Part { kFinding, kWork };

  Part part = Part::kFinding;
  std::string key = {};    ///< its name for programs, such as "difference"
  std::string label = {};  ///< its name for a person
  std::string unit = {};   ///< "win rate", "cost"; empty where the label says all
  /// A number, a count, or words.
  std::variant<std::monostate, double, std::int64_t, std::string> value = {};
  std::optional<Interval> interval = {};  ///< 95 %
  std::optional<Interval> like = {};      ///< whose digits it has, where it has no interval
  Digits digits = Digits::kScore;
  bool brief = false;       ///< the interval follows without its name
  std::string before = {};  ///< words in front of the value, in a line of text
  std::string after = {};   ///< where it is from, and what it is worth
  /// Part of the fact before: a line of text tells both.
  bool continues = false;
};

using Facts = std::vector<Fact>;

/// The fact of that key, or nullptr.
const Fact* find_fact(const Facts& facts, std::string_view key);

/// A rating with its interval.
Fact elo_fact(std::string key, std::string label, const Rating& rating, std::string after);

/// The value as text, without its interval; empty where there is none.
std::string text_of(const Fact& fact);
/// The ends of its interval, which it must have, written as it is.
std::pair<Fact, Fact> ends_of(const Fact& fact);
/// "[0.1000, 0.3000]"; empty where there is none, or none that has a width.
std::string ends_text(const Fact& fact);
/// "0.2000 [0.1000, 0.3000]".
std::string short_text(const Fact& fact);

/// A line for each fact of this part that does not continue another: label, words, value, interval
/// and words. Labels are filled up to `width`; 0: there are none. No line is over 80 columns: the
/// rest follows, moved in.
std::string facts_text(const Facts& facts, Fact::Part part, std::size_t width);

}  // namespace ntune
