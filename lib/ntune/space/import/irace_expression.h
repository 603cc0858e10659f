#pragma once

#include <functional>
#include <string_view>

#include "ntune/space/import/irace_words.h"
#include "ntune/space/import/source.h"

namespace ntune {

/// Gives the value of a parameter that a literal means.
using IraceValue = std::function<Value(const std::string& parameter, const IraceLiteral& literal)>;

/// A condition or forbidden combination in R: comparisons of parameters and of what is calculated
/// from them, %in% c(…), &, |, !, and parentheses. Functions beyond those of `is_known_function`
/// become Expression::Kind::kOpaque. Throws InputError for text that is no R.
Expression parse_irace_expression(std::string_view text, const Place& place,
                                  const IraceValue& value_of);

}  // namespace ntune
