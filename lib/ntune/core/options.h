#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ntune/core/json_fwd.h"

namespace ntune {

class YamlNode;

/// Allowed values of a number.
struct Bounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_excluded = false;

  [[nodiscard]] bool contain(double value) const;
  /// "from 0 to 1", "at least 1", "above 0", "any finite number".
  [[nodiscard]] std::string text() const;
  /// The same, for a number that is not within: "at most 2147483647", if it lies above a bound that
  /// the text does not name.
  [[nodiscard]] std::string text_for(double refused) const;

 private:
  [[nodiscard]] bool names_high() const;
};

constexpr Bounds at_least(double low) { return {.low = low}; }
constexpr Bounds above(double low) { return {.low = low, .low_excluded = true}; }
constexpr Bounds between(double low, double high) { return {.low = low, .high = high}; }

/// A number that may be left to the program.
template <class Number>
struct Auto {
  bool automatic = true;
  Number value = {};
};
using AutoNumber = Auto<double>;
using AutoInteger = Auto<std::int64_t>;

/// An option with a YAML form of a special kind. The functions read it, give its value as JSON and
/// give its JSON Schema; each is called only when needed.
struct CustomOption {
  std::function<void(const YamlNode&)> read;
  std::function<Json()> write;
  std::function<Json()> schema;
};

/// Such an option by the functions that read, write and describe its value.
template <class T>
CustomOption custom_option(T& value, void (*read)(const YamlNode&, T&), Json (*write)(const T&),
                           Json (*schema)()) {
  return {.read = [&value, read](const YamlNode& node) { read(node, value); },
          .write = [&value, write] { return write(value); },
          .schema = schema};
}

/// The violation of a rule between options, reported at one of them.
struct OptionProblem {
  const char* key;
  std::string message;
};

/// Throws InputError "key: message" if there is a problem.
void refuse(const std::optional<OptionProblem>& problem);

/// A word out of a list.
struct WordChoice {
  std::string* word;
  std::span<const std::string> allowed;
};

/// One option, as it is declared: its key, the place of its value, the bounds of numbers, and a
/// help text.
struct OptionRef {
  const char* key;
  std::variant<double*, AutoNumber*, std::int64_t*, AutoInteger*, bool*, std::string*, WordChoice,
               const CustomOption*>
      value;
  Bounds bounds;
  const char* help;
};

/// Visits the options of a struct, each declared once with name, range and help text. From the one
/// declaration come the reader (with its messages), the written-back defaults and the JSON Schema.
/// A struct takes part by a member `void visit(Options&)`.
class Options {
 public:
  virtual ~Options() = default;

  /// A double or an AutoNumber.
  void number(const char* key, auto& value, Bounds bounds, const char* help) {
    option({key, &value, bounds, help});
  }
  /// A std::int64_t or an AutoInteger.
  void integer(const char* key, auto& value, Bounds bounds, const char* help) {
    option({key, &value, bounds, help});
  }
  void integer(const char* key, int& value, Bounds bounds, const char* help) {
    constexpr double kLargest = std::numeric_limits<int>::max();
    bounds.high = bounds.high < kLargest ? bounds.high : kLargest;
    std::int64_t wide = value;
    integer(key, wide, bounds, help);
    value = static_cast<int>(wide);
  }
  void flag(const char* key, bool& value, const char* help) { option({key, &value, {}, help}); }
  void text(const char* key, std::string& value, const char* help) {
    option({key, &value, {}, help});
  }
  void choice(const char* key, std::string& value, std::span<const std::string> allowed,
              const char* help) {
    option({key, WordChoice{&value, allowed}, {}, help});
  }
  void custom(const char* key, const CustomOption& custom, const char* help) {
    option({key, &custom, {}, help});
  }

  /// An enumeration by the names of its values.
  template <class Enum>
  void choice(const char* key, Enum& value, const std::vector<std::pair<std::string, Enum>>& table,
              const char* help) {
    std::vector<std::string> names;
    std::string name;
    for (const auto& [text, entry] : table) {
      names.push_back(text);
      if (entry == value) name = text;
    }
    choice(key, name, std::span<const std::string>(names), help);
    for (const auto& [text, entry] : table) {
      if (text == name) value = entry;
    }
  }

 private:
  virtual void option(const OptionRef& option) = 0;
};

/// Declares options to a visitor, as the member `visit` of a struct does.
using OptionVisit = std::function<void(Options&)>;

}  // namespace ntune
