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

/// What follows `objective:` for a function: {function: <name>, …}.
template <class FunctionOptions>
struct FunctionYaml {
  std::string function;
  FunctionOptions options = {};
  Noise noise = {};

  void visit(Options& visitor) {
    const std::vector<std::string> names = {function};
    visitor.choice("function", function, names, "the benchmark function");
    options.visit(visitor);
    noise.visit(visitor);
  }
};

/// The function behind noise on the grid that the `space:` node makes of its default one (nullptr:
/// the default). Throws InputError with file, line and key.
std::unique_ptr<Objective> make_function_objective(
    std::unique_ptr<const BenchmarkFunction> function, const Noise& noise, const YamlNode* space);

/// The line of the table for a function that is made from options. These have `visit`, and
/// `problem` where they are bound to one another. The objective's node may be the bare name.
template <class FunctionOptions>
ObjectiveEntry function_entry(const std::string& name, const std::string& summary,
                              std::unique_ptr<BenchmarkFunction> (*make)(const FunctionOptions&)) {
  const auto read = [name](const YamlNode& node) {
    FunctionYaml<FunctionOptions> yaml{.function = name};
    if (node.is_scalar()) return yaml;
    yaml = read_options(node, std::move(yaml));
    if constexpr (requires { yaml.options.problem(); }) {
      if (const auto problem = yaml.options.problem()) {
        if (const YamlNode* place = node.find(problem->key)) place->fail(problem->message);
        node.fail_at(problem->key, problem->message);
      }
    }
    return yaml;
  };
  return {.kind = "function",
          .name = name,
          .summary = summary,
          .make =
              [read, make](const YamlNode& node, const YamlNode* space) {
                const auto yaml = read(node);
                return make_function_objective(make(yaml.options), yaml.noise, space);
              },
          .schema =
              [name] {
                Json schema = options_schema(FunctionYaml<FunctionOptions>{.function = name});
                schema["required"] = Json::array({"function"});
                return schema;
              },
          .resolved = [read](const YamlNode& node) { return options_json(read(node)); }};
}

}  // namespace ntune
