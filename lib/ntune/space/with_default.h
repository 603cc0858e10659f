#pragma once

#include "ntune/space/parameter.h"

namespace ntune {

/// The parameter with what it has where nobody tunes it: one of its values, or a number off the
/// grid of integers or a range. Throws InputError.
Parameter with_default(Parameter parameter, const Value& value);

}  // namespace ntune
