#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ntune/objective/functions/function_objective.h"
#include "ntune/objective/named_entry.h"

namespace ntune {

/// The options of a function and of the noise before it.
template <class FunctionOptions>
struct NoisyFunction {
  FunctionOptions function = {};
  Noise noise = {};

  void visit(Options& visitor) {
    function.visit(visitor);
    noise.visit(visitor);
  }
  [[nodiscard]] std::optional<OptionProblem> problem() const {
    if constexpr (requires { function.problem(); }) {
      return function.problem();
    } else {
      return std::nullopt;
    }
  }
};

/// The function behind noise on the grid that the `space:` node makes of its default one (nullptr:
/// the default). Throws InputError with file, line and key.
std::unique_ptr<Objective> make_function_objective(BenchmarkFunction function, const Noise& noise,
                                                   const YamlNode* space);

/// The line of the table for a function that is made from options. These have `visit`, and
/// `problem` where they are bound to one another. The objective's node may be the bare name.
template <class FunctionOptions>
ObjectiveEntry function_entry(const std::string& name, const std::string& summary,
                              BenchmarkFunction (*make)(const FunctionOptions&)) {
  const NamedOptions<NoisyFunction<FunctionOptions>> defaults{
      .kind = "function", .help = "the benchmark function", .name = name};
  return named_entry(defaults, summary,
                     [make](const auto& options, const YamlNode* space, const YamlNode&) {
                       return make_function_objective(make(options.function), options.noise, space);
                     });
}

}  // namespace ntune
