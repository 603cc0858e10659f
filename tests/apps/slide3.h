#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "apps/command.h"
#include "apps/slide3/command_line.h"
#include "ntune/core/json.h"

namespace ntune::test {

/// Runs `slide3 ARGUMENTS…` within the test program with this input.
inline CommandOutcome run_slide3(const std::vector<std::string>& arguments,
                                 const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const cli::Terminal terminal{.out = out, .err = err, .in = &in};
  const int code = ::ntune::slide3::run(arguments, terminal);
  return {code, out.str(), err.str()};
}

/// What a command prints with --format json.
inline Json slide3_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--format", "json"});
  return Json::parse(run_slide3(arguments).out);
}

}  // namespace ntune::test
