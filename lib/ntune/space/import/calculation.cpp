#include "ntune/space/import/calculation.h"

#include <cmath>
#include <map>

namespace ntune {

namespace {

using OfOne = double (*)(double);
using OfTwo = double (*)(double, double);

/// Functions of one argument, by their names in R.
const std::map<std::string, OfOne>& functions_of_one() {
  static const std::map<std::string, OfOne> table = {
      {"-", [](double x) { return -x; }},
      {"sqrt", [](double x) { return std::sqrt(x); }},
      {"abs", [](double x) { return std::abs(x); }},
      {"exp", [](double x) { return std::exp(x); }},
      {"log", [](double x) { return std::log(x); }},
      {"floor", [](double x) { return std::floor(x); }},
      {"trunc", [](double x) { return std::trunc(x); }},
      {"round", [](double x) { return std::nearbyint(x); }},  // halves to the even number, as R
      {"ceiling", [](double x) { return std::ceil(x); }}};
  return table;
}

/// The functions of two arguments. Those with a name, min and max, fold any number of them; where
/// one of these is no number, neither is the result.
const std::map<std::string, OfTwo>& functions_of_two() {
  static const std::map<std::string, OfTwo> table = {
      {"+", [](double x, double y) { return x + y; }},
      {"-", [](double x, double y) { return x - y; }},
      {"*", [](double x, double y) { return x * y; }},
      {"/", [](double x, double y) { return x / y; }},
      {"^", [](double x, double y) { return std::pow(x, y); }},
      {"%%", [](double x, double y) { return x - y * std::floor(x / y); }},
      {"min", [](double x, double y) { return std::isnan(x) || x < y ? x : y; }},
      {"max", [](double x, double y) { return std::isnan(x) || x > y ? x : y; }}};
  return table;
}

}  // namespace

bool is_known_function(const std::string& name, std::size_t arguments) {
  if (name == "min" || name == "max") return arguments > 0;
  return arguments == 1 && functions_of_one().contains(name);
}

double calculate(const Calculation& calculation,
                 const std::function<double(const std::string&)>& value) {
  switch (calculation.kind) {
    case Calculation::Kind::kNumber:
      return calculation.number;
    case Calculation::Kind::kText:
      return std::nan("");
    case Calculation::Kind::kParameter:
      return value(calculation.text);
    case Calculation::Kind::kCall:
      break;
  }
  // A minus with one part is the sign, with two parts the difference.
  const double first = calculate(calculation.parts.front(), value);
  const auto single = functions_of_one().find(calculation.text);
  if (calculation.parts.size() == 1 && single != functions_of_one().end()) {
    return single->second(first);
  }
  // R's operators take two parts; min and max fold all of them.
  const OfTwo fold = functions_of_two().at(calculation.text);
  double result = first;
  for (std::size_t i = 1; i < calculation.parts.size(); ++i) {
    result = fold(result, calculate(calculation.parts[i], value));
  }
  return result;
}

void for_each_leaf(const Calculation& calculation,
                   const std::function<void(const Calculation&)>& visit) {
  if (calculation.kind != Calculation::Kind::kCall) visit(calculation);
  for (const Calculation& part : calculation.parts) for_each_leaf(part, visit);
}

}  // namespace ntune
