#include "apps/slide3/slide3.h"

#include "apps/slide3/command_line.h"

namespace ntune::slide3 {

int run(const std::vector<std::string>& arguments, const cli::Terminal& terminal) {
  return CommandLine().execute(arguments, terminal);
}

}  // namespace ntune::slide3
