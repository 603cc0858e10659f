#pragma once

#include <string>
#include <vector>

#include "apps/bao/commands.h"
#include "laboratories/laboratory.h"

namespace ntune::test {

/// The folder of the start positions.
inline std::string bao_folder() { return std::string(NTUNE_SOURCE_DIR) + "/configs/bao"; }

inline CommandOutcome run_bao(const std::vector<std::string>& arguments,
                              const std::string& input = "") {
  return run_laboratory(::ntune::bao::run, arguments, input);
}

inline Json bao_json(const std::vector<std::string>& arguments) {
  return laboratory_json(::ntune::bao::run, arguments);
}

}  // namespace ntune::test
