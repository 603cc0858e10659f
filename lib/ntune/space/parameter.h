#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ntune/core/json_fwd.h"

namespace ntune {

/// One value of a parameter, as YAML knows scalars.
using Value = std::variant<bool, std::int64_t, double, std::string>;

/// A value as a person writes it: true, 3, 0.1, word.
std::string value_text(const Value& value);
Json value_json(const Value& value);
/// true -> 1, false -> 0, numbers themselves; NaN for words.
double value_number(const Value& value);
/// Whether it is a number; truth values and words are none.
inline bool is_number(const Value& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

/// Truth values before numbers before words. 1 equals 1.0; true and the word '1' do not.
std::weak_ordering compare(const Value& a, const Value& b);

/// The order of `compare`, for maps and sets of values.
struct ValueBefore {
  bool operator()(const Value& a, const Value& b) const { return std::is_lt(compare(a, b)); }
};

/// Index of the value that equals this one (1 equals 1.0), or -1.
int find_value(const std::vector<Value>& values, const Value& value);

/// "Parameter `parameter` has one of these values": a term of a condition or of a forbidden clause.
struct Term {
  int parameter = 0;                  ///< index in the space
  std::vector<std::uint16_t> values;  ///< indices of values, ascending, at least one

  [[nodiscard]] bool matches(std::uint16_t value) const;

  friend bool operator==(const Term&, const Term&) = default;
};

enum class ParameterKind { kFixed, kChoices, kBoolean, kIntegers, kRange, kLogRange };

/// A named parameter with its finite list of values.
struct Parameter {
  std::string name;
  ParameterKind kind = ParameterKind::kChoices;
  std::vector<Value> values;
  /// Neighbouring values are alike: all numbers, in ascending or descending order as written.
  bool ordered = false;
  /// Active only where all terms hold and their parameters are active; they stand earlier in the
  /// space. An inactive parameter is held at its first value. Empty: always active.
  std::vector<Term> when;
  /// More of them: it is active where `when` or one of these holds. Empty where `when` is.
  std::vector<std::vector<Term>> or_when = {};
  /// Index of the value that it has where nobody tunes it, if that is declared; the number of
  /// values where that is `off_grid`.
  std::optional<std::uint16_t> default_index = {};
  /// A default of integers or a range that is none of the values: it can be evaluated and compared,
  /// and is neither drawn nor counted.
  std::optional<Value> off_grid = {};
  /// C_end, in its own unit, and R_end, with which SPSA ends.
  std::optional<std::pair<double, double>> gains = {};

  [[nodiscard]] int cardinality() const { return static_cast<int>(values.size()); }
  /// Its values, and the default off the grid if it has one.
  [[nodiscard]] int known_values() const { return cardinality() + (off_grid ? 1 : 0); }
  /// The value of an index from 0 to known_values() - 1.
  [[nodiscard]] const Value& value(int index) const {
    return index == cardinality() ? *off_grid : values[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] int find(const Value& value) const { return find_value(values, value); }
  /// Index of the value nearest to the one of this index, by ratio on a logarithmic scale.
  [[nodiscard]] std::uint16_t nearest_on_grid(int index) const;

  /// Equal in everything; here 1 differs from 1.0.
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// The parameter kinds of a study file; each checks its arguments and throws InputError naming the
/// parameter. At most 65,535 values.
Parameter make_choices(std::string name, std::vector<Value> values);
Parameter make_boolean(std::string name);
/// low, low + step, … up to high; step >= 1.
Parameter make_integers(std::string name, std::int64_t low, std::int64_t high,
                        std::int64_t step = 1);
Parameter make_fixed(std::string name, Value value);

/// Which ends of a real range are values themselves.
struct Ends {
  bool low_included = true;
  bool high_included = true;
};
/// `points` equally spaced values: (high - low) / (points - 1) apart with both ends included, /
/// points with one end, / (points + 1) with none. A low equal to high allows one point. Values of
/// real ranges are rounded to the 13th digit of the larger end (1/3 of [0, 1] is 0.333333333333),
/// or finer where they lie closer together. Included ends are exact.
Parameter make_range(std::string name, double low, double high, int points, Ends ends = {});
/// low, low + step, … up to high (within step / 10^9); an excluded end is left out.
Parameter make_range_by_step(std::string name, double low, double high, double step,
                             Ends ends = {});
/// Values at equal ratios, with ends as in make_range; 0 < low. Rounded to 12 significant digits.
Parameter make_log_range(std::string name, double low, double high, int points, Ends ends = {});

/// The value `null` of a list of choices: a program gets no argument for it. No text of a study can
/// be the same, as none holds NUL.
inline const std::string& no_value() {
  static const std::string kNull{"\0null", 5};
  return kNull;
}

inline bool is_no_value(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && *text == no_value();
}

/// Where the value of an index lies among a parameter's values, from 0 to cardinality() - 1: the
/// index itself, and for a default off the grid between its neighbours or at an end. By ratio on a
/// logarithmic scale.
[[nodiscard]] double place_of(const Parameter& parameter, int index);

/// The range, as "1 to 9", of a parameter whose default lies a step or more outside of it; else
/// empty.
[[nodiscard]] std::string range_left(const Parameter& parameter);

/// The parameter with what it has where nobody tunes it: one of its values, or a number off the
/// grid of integers or a range. Throws InputError.
Parameter with_default(Parameter parameter, const Value& value);

}  // namespace ntune
