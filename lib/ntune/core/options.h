#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/core/yaml.h"

namespace ntune {

/// Allowed values of a number.
struct Bounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_excluded = false;

  [[nodiscard]] bool contain(double value) const;
  /// "from 0 to 1", "at least 1", "above 0", "any finite number".
  [[nodiscard]] std::string text() const;
};

constexpr Bounds at_least(double low) { return {.low = low}; }
constexpr Bounds above(double low) { return {.low = low, .low_excluded = true}; }
constexpr Bounds between(double low, double high) { return {.low = low, .high = high}; }

/// A number that may be left to the program.
struct AutoNumber {
  bool automatic = true;
  double value = 0.0;
};

/// A whole number that may be left to the program.
struct AutoInteger {
  bool automatic = true;
  std::int64_t value = 0;
};

/// An option whose YAML form is its own: how to read it, its value as JSON, its JSON Schema.
struct CustomOption {
  std::function<void(const YamlNode&)> read;
  std::function<Json()> write;
  Json schema;
};

/// Visits the options of a struct, each declared once with name, range and help text. From the one
/// declaration come the reader (with its messages), the written-back defaults and the JSON Schema.
/// A struct takes part by a member `void visit(Options&)`.
class Options {
 public:
  virtual ~Options() = default;

  virtual void number(const char* key, double& value, Bounds bounds, const char* help) = 0;
  virtual void number(const char* key, AutoNumber& value, Bounds bounds, const char* help) = 0;
  virtual void integer(const char* key, std::int64_t& value, Bounds bounds, const char* help) = 0;
  virtual void integer(const char* key, AutoInteger& value, Bounds bounds, const char* help) = 0;
  virtual void flag(const char* key, bool& value, const char* help) = 0;
  virtual void text(const char* key, std::string& value, const char* help) = 0;
  virtual void choice(const char* key, std::string& value, std::span<const std::string> allowed,
                      const char* help) = 0;
  virtual void custom(const char* key, const CustomOption& option, const char* help) = 0;

  void integer(const char* key, int& value, Bounds bounds, const char* help) {
    constexpr double kLargest = std::numeric_limits<int>::max();
    bounds.high = bounds.high < kLargest ? bounds.high : kLargest;
    std::int64_t wide = value;
    integer(key, wide, bounds, help);
    value = static_cast<int>(wide);
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
};

/// Reads options from a YAML map. Absent keys keep their defaults.
class OptionReader : public Options {
 public:
  /// `map` must be a map, or null for "all defaults"; it must outlive the reader.
  explicit OptionReader(const YamlNode& map);

  using Options::choice;
  using Options::integer;
  void number(const char* key, double& value, Bounds bounds, const char* help) override;
  void number(const char* key, AutoNumber& value, Bounds bounds, const char* help) override;
  void integer(const char* key, std::int64_t& value, Bounds bounds, const char* help) override;
  void integer(const char* key, AutoInteger& value, Bounds bounds, const char* help) override;
  void flag(const char* key, bool& value, const char* help) override;
  void text(const char* key, std::string& value, const char* help) override;
  void choice(const char* key, std::string& value, std::span<const std::string> allowed,
              const char* help) override;
  void custom(const char* key, const CustomOption& option, const char* help) override;

  /// The node of a key, which counts as read from now on; nullptr where absent or null.
  const YamlNode* take(std::string_view key);

  /// Throws InputError on the first key that nobody read, with the nearest known one.
  void finish() const;

 private:
  const YamlNode& map_;
  std::vector<std::string> known_;
};

/// Writes options as a JSON object, all of them, defaults too.
class OptionWriter : public Options {
 public:
  using Options::choice;
  using Options::integer;
  void number(const char* key, double& value, Bounds bounds, const char* help) override;
  void number(const char* key, AutoNumber& value, Bounds bounds, const char* help) override;
  void integer(const char* key, std::int64_t& value, Bounds bounds, const char* help) override;
  void integer(const char* key, AutoInteger& value, Bounds bounds, const char* help) override;
  void flag(const char* key, bool& value, const char* help) override;
  void text(const char* key, std::string& value, const char* help) override;
  void choice(const char* key, std::string& value, std::span<const std::string> allowed,
              const char* help) override;
  void custom(const char* key, const CustomOption& option, const char* help) override;

  [[nodiscard]] const Json& json() const { return json_; }

 private:
  Json json_ = Json::object();
};

/// Collects the `properties` of a JSON Schema, with defaults and help texts.
class OptionSchema : public Options {
 public:
  using Options::choice;
  using Options::integer;
  void number(const char* key, double& value, Bounds bounds, const char* help) override;
  void number(const char* key, AutoNumber& value, Bounds bounds, const char* help) override;
  void integer(const char* key, std::int64_t& value, Bounds bounds, const char* help) override;
  void integer(const char* key, AutoInteger& value, Bounds bounds, const char* help) override;
  void flag(const char* key, bool& value, const char* help) override;
  void text(const char* key, std::string& value, const char* help) override;
  void choice(const char* key, std::string& value, std::span<const std::string> allowed,
              const char* help) override;
  void custom(const char* key, const CustomOption& option, const char* help) override;

  [[nodiscard]] const Json& properties() const { return properties_; }

 private:
  void put(const char* key, Json schema, Json fallback, const char* help);
  Json properties_ = Json::object();
};

/// All options of a struct as JSON.
template <class Struct>
Json options_json(Struct options) {
  OptionWriter writer;
  options.visit(writer);
  return writer.json();
}

/// Reads every option of a struct from a map and refuses keys that it does not have.
template <class Struct>
Struct read_options(const YamlNode& map, Struct options = {}) {
  OptionReader reader(map);
  options.visit(reader);
  reader.finish();
  return options;
}

/// {"type": "object", "properties": …, "additionalProperties": false} of a struct.
template <class Struct>
Json options_schema(Struct options = {}) {
  OptionSchema schema;
  options.visit(schema);
  return {{"type", "object"}, {"properties", schema.properties()}, {"additionalProperties", false}};
}

}  // namespace ntune
