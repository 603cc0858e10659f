#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/objective.h"

namespace ntune {

/// A line of the table of objectives: everything that `ntune list`, `describe`, the reader, the
/// schema and the contract tests need to know. A new objective is one file and one line in
/// objectives.cpp.
struct ObjectiveEntry {
  std::string kind;     ///< key that selects it in a study file: "function"
  std::string name;     ///< value of that key: "hartmann6"
  std::string summary;  ///< one line
  /// Makes the objective from its options (a map such as {function: nk, dimensions: 20}) and the
  /// study's `space:` (nullptr: the default space). Throws InputError with file, line and key.
  std::function<std::unique_ptr<Objective>(const YamlNode& options, const YamlNode* space)> make;
  /// JSON Schema of the options.
  std::function<Json()> schema;
  /// The options of this map with all defaults.
  std::function<Json(const YamlNode& options)> resolved;
  /// A study must say how many evaluations it makes: they are too dear to be guessed.
  bool needs_budget = false;
  /// A whole study for `ntune describe`, where the kind alone does not make one.
  Json example = {};
  /// What reports and published results call the objective, from its options with all defaults;
  /// empty: its title and the options that differ from the defaults.
  std::function<std::string(const Json& options)> label = {};

  /// Options that name files, seen from the study file's folder. Only what is a file there is one:
  /// an option may take other words too.
  std::vector<std::string> files = {};

  /// What a user calls it.
  [[nodiscard]] const std::string& title() const { return name.empty() ? kind : name; }
};

}  // namespace ntune
