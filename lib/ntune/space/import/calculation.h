#pragma once

#include <functional>
#include <string>
#include <vector>

namespace ntune {

class IraceTokens;

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

/// The number that comes out, not always a finite one. `%%` is R's: its result has the divisor's
/// sign. The parameters have the numbers that `value` gives.
double calculate(const Calculation& calculation,
                 const std::function<double(const std::string& parameter)>& value);

/// Calls visit(leaf) for every number, text and parameter.
void for_each_leaf(const Calculation& calculation,
                   const std::function<void(const Calculation& leaf)>& visit);

/// The calculation of R that stands here, which may be a single number, word or parameter. It may
/// call sqrt, abs, exp, log, floor, ceiling, trunc, round, min and max. Throws InputError for what
/// is no R, ForeignR for what cannot be calculated here.
Calculation parse_calculation(IraceTokens& tokens);

}  // namespace ntune
