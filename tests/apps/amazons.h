#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "apps/amazons/command_line.h"
#include "apps/command.h"
#include "ntune/core/json.h"

namespace ntune::test {

/// Runs `amazons ARGUMENTS…` within the test program with this input.
inline CommandOutcome run_amazons(const std::vector<std::string>& arguments,
                                  const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const cli::Terminal terminal{.out = out, .err = err, .in = &in};
  const int code = ::ntune::amazons::run(arguments, terminal);
  return {code, out.str(), err.str()};
}

/// What a command prints with --format json.
inline Json amazons_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--format", "json"});
  return Json::parse(run_amazons(arguments).out);
}

}  // namespace ntune::test
