#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "apps/bao/command_line.h"
#include "apps/command.h"
#include "ntune/core/json.h"

namespace ntune::test {

/// The folder of the start positions.
inline std::string bao_folder() { return std::string(NTUNE_SOURCE_DIR) + "/configs/bao"; }

/// Runs `bao ARGUMENTS…` within the test program with this input.
inline CommandOutcome run_bao(const std::vector<std::string>& arguments,
                              const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const cli::Terminal terminal{.out = out, .err = err, .in = &in};
  const int code = ::ntune::bao::run(arguments, terminal);
  return {code, out.str(), err.str()};
}

/// What a command prints with --format json.
inline Json bao_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--format", "json"});
  return Json::parse(run_bao(arguments).out);
}

}  // namespace ntune::test
