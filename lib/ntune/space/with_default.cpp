#include "ntune/space/with_default.h"

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/space/value_checks.h"

namespace ntune {

Parameter with_default(Parameter parameter, const Value& value) {
  try {
    set_default(parameter, value);
  } catch (const ParameterFault& fault) {
    throw InputError(
        fmt::format("parameter '{}': the default {}", printable(parameter.name), fault.what()));
  }
  return parameter;
}

}  // namespace ntune
