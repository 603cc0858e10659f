#pragma once

#include <functional>
#include <string>

#include "ntune/space/import/irace_tokens.h"
#include "ntune/space/import/irace_words.h"
#include "ntune/space/import/source.h"

namespace ntune {

/// Gives the value of a parameter that a literal means.
using IraceValue = std::function<Value(const std::string& parameter, const IraceLiteral& literal)>;

/// A condition or forbidden combination in R: comparisons of parameters and of what is calculated
/// from them, %in% c(…), &, |, !, and parentheses. What else R knows becomes
/// Expression::Kind::kOpaque. Throws InputError for text that is no R.
Expression parse_irace_expression(const IraceCode& code, const IraceValue& value_of);

}  // namespace ntune
