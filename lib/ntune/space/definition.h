#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "ntune/core/yaml.h"
#include "ntune/space/parameter.h"

namespace ntune {

/// The value that a scalar means; anything else fails.
Value read_value(const YamlNode& node);

/// The parameter that a definition describes, called as the key, without its condition.
Parameter read_definition(const YamlNode& node);

/// Fails at a key that names none of the parameters, with the nearest name.
[[noreturn]] void fail_unknown_parameter(const YamlNode& node,
                                         std::span<const Parameter> parameters);

/// Finds names and values of parameters in YAML maps.
class TermReader {
 public:
  /// The parameters must outlive the reader, their names and values may not change.
  explicit TermReader(const std::vector<Parameter>& parameters);

  /// {name: value or list of values, …} on the parameters before `limit`.
  std::vector<Term> read(const YamlNode& map, int limit);

  /// Index of the parameter that the key names, one before `limit`.
  [[nodiscard]] int parameter(const YamlNode& node, int limit) const;
  /// Index of the value that the scalar means; `others` tells in the refusal what else is allowed.
  std::uint16_t value(const YamlNode& node, int parameter, const std::string& others = {});
  /// Index of the value of a parameter, or -1.
  int find(int parameter, const Value& value);

 private:
  const std::vector<Parameter>& parameters_;
  /// Made when first needed: searching lists of 65,535 values one by one would take seconds.
  std::vector<std::optional<std::map<Value, int, ValueBefore>>> tables_;
};

}  // namespace ntune
