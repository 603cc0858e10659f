#pragma once

#include <functional>
#include <string>
#include <vector>

namespace ntune {

/// Arithmetic with numbers and parameters, as conditions of other systems have it.
struct Calculation {
  enum class Kind {
    kNumber,
    kText,       ///< a word in quotes, with which nothing can be calculated
    kParameter,  ///< its value
    kCall        ///< of an operator or a function with the parts
  };
  Kind kind = Kind::kNumber;
  /// The number or word as it is written, the parameter, the operator or the function.
  std::string text = {};
  double number = 0.0;
  std::vector<Calculation> parts = {};
};

/// Whether there is such a function of so many arguments: sqrt, abs, exp, log, floor, ceiling,
/// trunc, round, min and max.
bool is_known_function(const std::string& name, std::size_t arguments);

/// The number that comes out, not always a finite one. `%%` is R's: its result has the divisor's
/// sign. The parameters have the numbers that `value` gives.
double calculate(const Calculation& calculation,
                 const std::function<double(const std::string& parameter)>& value);

/// Calls visit(leaf) for every number, text and parameter.
void for_each_leaf(const Calculation& calculation,
                   const std::function<void(const Calculation& leaf)>& visit);

}  // namespace ntune
