#pragma once

#include <string>
#include <vector>

#include "apps/slide3/commands.h"
#include "laboratories/laboratory.h"

namespace ntune::test {

inline CommandOutcome run_slide3(const std::vector<std::string>& arguments,
                                 const std::string& input = "") {
  return run_laboratory(::ntune::slide3::run, arguments, input);
}

inline Json slide3_json(const std::vector<std::string>& arguments) {
  return laboratory_json(::ntune::slide3::run, arguments);
}

}  // namespace ntune::test
