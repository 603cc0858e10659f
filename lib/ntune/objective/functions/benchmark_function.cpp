#include "ntune/objective/functions/benchmark_function.h"

#include "ntune/core/error.h"

namespace ntune {

namespace {

/// Parameters x1, x2, … as `make` gives them for each name.
template <class Make>
std::vector<Parameter> numbered(int dimensions, Make make) {
  std::vector<Parameter> parameters;
  for (int i = 1; i <= dimensions; ++i) parameters.push_back(make("x" + std::to_string(i)));
  return parameters;
}

}  // namespace

void FloorOptions::visit(Options& options) {
  options.flag("floor", floor,
               "floor the true value at 0; false records it as the programs of the paper did");
}

Bounds FloorOptions::range() const { return floor ? between(0.0, 1.0) : Bounds{.high = 1.0}; }

std::string FloorOptions::text() const {
  return floor ? "(true value floored at 0)" : "(true value without the floor at 0)";
}

std::vector<Parameter> half_open_parameters(int dimensions, double low, double high, int points) {
  return numbered(dimensions, [&](const std::string& name) {
    return make_range(name, low, high, points, {.low_included = true, .high_included = false});
  });
}

std::vector<Parameter> integer_parameters(int dimensions, int values) {
  return numbered(dimensions,
                  [&](const std::string& name) { return make_integers(name, 0, values - 1); });
}

}  // namespace ntune
