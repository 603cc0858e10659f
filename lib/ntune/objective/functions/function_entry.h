#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/objective/functions/function_objective.h"
#include "ntune/objective/objective_entry.h"

namespace ntune {

/// The options of `objective: {function: <name>, …}`.
template <class OwnOptions>
struct FunctionOptions {
  std::string function;
  OwnOptions own = {};
  Noise noise = {};

  void visit(Options& options) {
    const std::vector<std::string> names = {function};
    options.choice("function", function, names, "the benchmark function");
    own.visit(options);
    noise.visit(options);
  }
};

/// The function behind noise on the grid that the `space:` node makes of its default one (nullptr:
/// the default). Throws InputError with file, line and key.
std::unique_ptr<Objective> make_function_objective(
    std::unique_ptr<const BenchmarkFunction> function, const Noise& noise, const YamlNode* space);

/// The line of the table for a function that is made from options of its own. These have `visit`,
/// and `problem` where they are bound to one another. The objective's node may be the bare name.
template <class OwnOptions>
ObjectiveEntry function_entry(const std::string& name, const std::string& summary,
                              std::unique_ptr<BenchmarkFunction> (*make)(const OwnOptions&)) {
  const auto read = [name](const YamlNode& node) {
    FunctionOptions<OwnOptions> options{.function = name};
    if (node.is_scalar()) return options;
    options = read_options(node, std::move(options));
    if constexpr (requires { options.own.problem(); }) {
      if (const auto problem = options.own.problem()) {
        if (const YamlNode* place = node.find(problem->key)) place->fail(problem->message);
        node.fail_at(problem->key, problem->message);
      }
    }
    return options;
  };
  return {.kind = "function",
          .name = name,
          .summary = summary,
          .make =
              [read, make](const YamlNode& node, const YamlNode* space) {
                const auto options = read(node);
                return make_function_objective(make(options.own), options.noise, space);
              },
          .schema =
              [name] {
                Json schema = options_schema(FunctionOptions<OwnOptions>{.function = name});
                schema["required"] = Json::array({"function"});
                return schema;
              },
          .resolved = [read](const YamlNode& node) { return options_json(read(node)); }};
}

}  // namespace ntune
