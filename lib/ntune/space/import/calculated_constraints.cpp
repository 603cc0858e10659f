// Constraints that calculate, tried out on every combination of values.

#include <algorithm>
#include <compare>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/space/import/comparison.h"
#include "ntune/space/import/constraints.h"

namespace ntune {

/// The parameters of a calculation, each once; that with the most values comes last.
std::vector<int> ConstraintTranslator::calculated_with(const Expression& expression) const {
  std::vector<int> parameters;
  for (const Calculation& side : expression.sides) {
    for_each_leaf(side, [&](const Calculation& leaf) {
      if (leaf.kind != Calculation::Kind::kParameter) return;
      const int parameter = find(leaf.text);
      if (std::ranges::find(parameters, parameter) == parameters.end()) {
        parameters.push_back(parameter);
      }
    });
  }
  if (parameters.empty()) throw NotTranslated("it names no parameter");
  for (const int parameter : parameters) {
    if (are_numbers(at(parameter).values)) continue;
    throw NotTranslated(fmt::format("it calculates with '{}', whose values are no numbers",
                                    printable(at(parameter).name)));
  }
  // The last parameter needs no combinations of its own, as its values form a mask. So the one with
  // most values comes last.
  std::ranges::stable_sort(parameters, {}, [this](int i) { return at(i).cardinality(); });
  return parameters;
}

/// Every combination of all parameters but the last, with the values that this one then may have.
Disjunction ConstraintTranslator::expand_calculation(const Expression& expression, bool negated) {
  const std::vector<int> parameters = calculated_with(expression);
  if (std::ranges::any_of(parameters, [this](int i) { return is_never(i); })) return {};
  const int last = parameters.back();
  // The present combination, as an index into the values of each parameter.
  std::vector<std::size_t> chosen(parameters.size(), 0);
  const auto value = [&](const std::string& name) {
    const auto place = std::ranges::find(parameters, find(name)) - parameters.begin();
    const auto index = static_cast<std::size_t>(place);
    return value_number(at(parameters[index]).values[chosen[index]]);
  };
  const auto passes = [&] {
    const auto order =
        calculate(expression.sides[0], value) <=> calculate(expression.sides[1], value);
    if (order == std::partial_ordering::unordered) return false;  // R's NA, NaN
    const auto known = order < 0   ? std::weak_ordering::less
                       : order > 0 ? std::weak_ordering::greater
                                   : std::weak_ordering::equivalent;
    return holds(known, expression.comparison) != negated;
  };
  Disjunction any;
  for (bool more = true; more;) {
    // A calculation costs about as much as looking at 20 values.
    constexpr std::size_t kWorkOfOne = 20;
    meter_.add(kWorkOfOne * at(last).values.size() * parameters.size());
    Conjunction conjunction;
    // All but the last parameter are fixed to one value each.
    for (std::size_t i = 0; i + 1 < parameters.size(); ++i) {
      Mask& single = conjunction[parameters[i]];
      single.assign(at(parameters[i]).values.size(), false);
      single[chosen[i]] = true;
    }
    Mask mask;
    // The mask has the values of the last parameter that pass with these.
    for (chosen.back() = 0; chosen.back() < at(last).values.size(); ++chosen.back()) {
      mask.push_back(passes());
    }
    if (std::ranges::count(mask, true) > 0) {
      conjunction[last] = std::move(mask);
      any.push_back(std::move(conjunction));
      if (any.size() > kMostCombinations) fail_too_many();
    }
    // Counts on to the next combination like an odometer.
    more = false;
    for (std::size_t i = 0; i + 1 < parameters.size() && !more; ++i) {
      more = ++chosen[i] < at(parameters[i]).values.size();
      if (!more) chosen[i] = 0;
    }
  }
  return any;
}

}  // namespace ntune
