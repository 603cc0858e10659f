#pragma once

#include <string>
#include <vector>

#include "apps/arcade/commands.h"
#include "laboratories/laboratory.h"

namespace ntune::test {

inline CommandOutcome run_arcade(const std::vector<std::string>& arguments, bool live = false) {
  return run_laboratory(::ntune::arcade::run, arguments, "", live);
}

inline std::vector<std::string> joined(std::vector<std::string> words,
                                       const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

inline Json arcade_json(const std::vector<std::string>& arguments) {
  return laboratory_json(::ntune::arcade::run, joined(arguments, {"--quiet"}));
}

}  // namespace ntune::test
