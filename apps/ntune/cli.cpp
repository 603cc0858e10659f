#include "apps/ntune/cli.h"

#include "apps/ntune/command_line.h"

namespace ntune::cli {

int run(const std::vector<std::string>& arguments, const Terminal& terminal) {
  return CommandLine().execute(arguments, terminal);
}

}  // namespace ntune::cli
