#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "apps/arcade/command_line.h"
#include "apps/command.h"
#include "ntune/core/json.h"

namespace ntune::test {

/// Runs `arcade ARGUMENTS…` within the test program.
inline CommandOutcome run_arcade(const std::vector<std::string>& arguments, bool live = false) {
  std::ostringstream out;
  std::ostringstream err;
  const cli::Terminal terminal{.out = out, .err = err, .live = live};
  const int code = ::ntune::arcade::run(arguments, terminal);
  return {code, out.str(), err.str()};
}

inline std::vector<std::string> joined(std::vector<std::string> words,
                                       const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// What a command prints with --format json.
inline Json arcade_json(const std::vector<std::string>& arguments) {
  return Json::parse(run_arcade(joined(arguments, {"--quiet", "--format", "json"})).out);
}

}  // namespace ntune::test
