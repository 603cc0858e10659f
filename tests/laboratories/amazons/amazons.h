#pragma once

#include <string>
#include <vector>

#include "apps/amazons/commands.h"
#include "laboratories/laboratory.h"

namespace ntune::test {

inline CommandOutcome run_amazons(const std::vector<std::string>& arguments,
                                  const std::string& input = "") {
  return run_laboratory(::ntune::amazons::run, arguments, input);
}

inline Json amazons_json(const std::vector<std::string>& arguments) {
  return laboratory_json(::ntune::amazons::run, arguments);
}

}  // namespace ntune::test
