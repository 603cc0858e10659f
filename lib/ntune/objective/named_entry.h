#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/objective/objective_entry.h"

namespace ntune {

/// What follows `objective:` for a line of the table that has a name: {game: <name>, …}, or the
/// bare name for all defaults.
template <class Struct>
struct NamedOptions {
  const char* kind;  ///< the key of the name: "game"
  const char* help;
  std::string name;
  Struct options = {};

  void visit(Options& visitor) {
    const std::vector<std::string> names = {name};
    visitor.choice(kind, name, names, help);
    options.visit(visitor);
  }
};

/// The options of a study's node. Where the struct has a `problem`, it is reported at its key.
template <class Struct>
NamedOptions<Struct> read_named(const YamlNode& node, const NamedOptions<Struct>& defaults) {
  if (node.is_scalar()) return defaults;
  auto named = read_options(node, defaults);
  if constexpr (requires { named.options.problem(); }) refuse_at(node, named.options.problem());
  return named;
}

/// The line of the table for the objective that `make(options, space, node)` gives; `space` is the
/// study's, or nullptr.
template <class Struct, class Make>
ObjectiveEntry named_entry(const NamedOptions<Struct>& defaults, const std::string& summary,
                           Make make) {
  return {
      .kind = defaults.kind,
      .name = defaults.name,
      .summary = summary,
      .make =
          [defaults, make](const YamlNode& node, const YamlNode* space) {
            return make(read_named(node, defaults).options, space, node);
          },
      .schema = [defaults] { return options_schema(defaults, defaults.kind); },
      .resolved =
          [defaults](const YamlNode& node) { return options_json(read_named(node, defaults)); }};
}

}  // namespace ntune
