#include "apps/amazons/amazons.h"

#include "apps/amazons/command_line.h"

namespace ntune::amazons {

int run(const std::vector<std::string>& arguments, const cli::Terminal& terminal) {
  return CommandLine().execute(arguments, terminal);
}

}  // namespace ntune::amazons
