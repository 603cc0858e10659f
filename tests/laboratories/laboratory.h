#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "apps/command.h"
#include "apps/common/terminal.h"
#include "ntune/core/json.h"

namespace ntune::test {

/// What a laboratory's program does with its arguments.
using LaboratoryProgram = int (*)(const std::vector<std::string>&, const cli::Terminal&);

/// Runs a laboratory's program within the test program with this input.
inline CommandOutcome run_laboratory(LaboratoryProgram program,
                                     const std::vector<std::string>& arguments,
                                     const std::string& input = "", bool live = false) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const cli::Terminal terminal{.out = out, .err = err, .live = live, .in = &in};
  const int code = program(arguments, terminal);
  return {code, out.str(), err.str()};
}

/// What a laboratory's program prints with --format json.
inline Json laboratory_json(LaboratoryProgram program, std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--format", "json"});
  return Json::parse(run_laboratory(program, arguments).out);
}

}  // namespace ntune::test
