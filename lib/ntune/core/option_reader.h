#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/input_errors.h"
#include "ntune/core/options.h"
#include "ntune/core/yaml.h"

namespace ntune {

/// Reads options from a YAML map. Absent keys keep their defaults.
class OptionReader : public Options {
 public:
  /// `map` must be a map, or null for "all defaults"; it must outlive the reader. With `errors` a
  /// wrong option is kept there and has its default, without it is thrown.
  explicit OptionReader(const YamlNode& map, InputErrors* errors = nullptr);

  /// The node of a key, which counts as read from now on; nullptr where absent or null.
  const YamlNode* take(std::string_view key);

  /// Refuses the keys that nobody read, each with the nearest known one.
  void finish() const;

 private:
  void option(const OptionRef& option) override;
  /// Calls read, whose error is kept where errors are.
  void attempt(const std::function<void()>& read) const;

  const YamlNode& map_;
  InputErrors* errors_;
  std::vector<std::string> known_;
};

/// Reads every option that `visit` declares from a map, and refuses other keys. Throws one
/// InputError with a line for each wrong key.
void read_declared(const YamlNode& map, const OptionVisit& visit);

/// The same for the options of a struct.
template <class Struct>
Struct read_options(const YamlNode& map, Struct options = {}) {
  read_declared(map, [&](Options& visitor) { options.visit(visitor); });
  return options;
}

/// Throws InputError at the place of the key in the map if there is a problem.
void refuse_at(const YamlNode& map, const std::optional<OptionProblem>& problem);

}  // namespace ntune
