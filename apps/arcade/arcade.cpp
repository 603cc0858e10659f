#include "apps/arcade/arcade.h"

#include "apps/arcade/command_line.h"

namespace ntune::arcade {

int run(const std::vector<std::string>& arguments, const cli::Terminal& terminal) {
  return CommandLine().execute(arguments, terminal);
}

}  // namespace ntune::arcade
