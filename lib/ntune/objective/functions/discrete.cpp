// Functions of whole numbers whose optimum is known: OneMax and deceptive traps.

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "ntune/objective/functions/functions.h"
#include "ntune/space/point.h"

namespace ntune {

void OneMaxOptions::visit(Options& options) {
  options.integer("dimensions", dimensions, between(1, kMaxDimensions), "number of parameters");
  options.integer("values", values, between(2, 1000), "values per parameter");
}

BenchmarkFunction make_one_max(const OneMaxOptions& options) {
  const double highest = options.values - 1;
  const auto value = [highest, dimensions = options.dimensions](std::span<const double> x) {
    assert(x.size() == static_cast<std::size_t>(dimensions));
    double sum = 0.0;
    for (const double xi : x) sum += xi / highest;
    return sum / dimensions;
  };
  return {
      .description = fmt::format("one_max (d = {}, {} values)", options.dimensions, options.values),
      .parameters = integer_parameters(options.dimensions, options.values),
      .domains = domains_of(options.dimensions, between(0.0, highest)),
      .value = value,
      .optimum = [] { return 1.0; }};
}

void TrapOptions::visit(Options& options) {
  options.integer("dimensions", dimensions, between(1, kMaxDimensions), "number of parameters");
  options.integer("block", block, between(1, kMaxDimensions),
                  "parameters per trap; divides dimensions");
}

std::optional<OptionProblem> TrapOptions::problem() const {
  if (dimensions % block == 0) return std::nullopt;
  return OptionProblem{
      "block", fmt::format("is {}, a divisor of the {} dimensions is allowed", block, dimensions)};
}

BenchmarkFunction make_trap(const TrapOptions& options) {
  refuse(options.problem());
  const auto value = [block = options.block,
                      blocks = options.dimensions / options.block](std::span<const double> x) {
    assert(x.size() == static_cast<std::size_t>(block) * static_cast<std::size_t>(blocks));
    double sum = 0.0;
    for (int i = 0; i < blocks; ++i) {
      const auto size = static_cast<std::size_t>(block);
      const auto ones = std::ranges::count_if(x.subspan(static_cast<std::size_t>(i) * size, size),
                                              [](double xi) { return xi >= 0.5; });
      const auto u = static_cast<int>(ones);
      sum += u == block ? 1.0 : static_cast<double>(block - 1 - u) / block;
    }
    return sum / blocks;
  };
  return {
      .description = fmt::format("trap (d = {}, blocks of {})", options.dimensions, options.block),
      .parameters = integer_parameters(options.dimensions, 2),
      .domains = domains_of(options.dimensions, between(0.0, 1.0)),
      .value = value,
      .optimum = [] { return 1.0; }};
}

}  // namespace ntune
