#include "apps/bao/bao.h"

#include "apps/bao/command_line.h"

namespace ntune::bao {

int run(const std::vector<std::string>& arguments, const cli::Terminal& terminal) {
  return CommandLine().execute(arguments, terminal);
}

}  // namespace ntune::bao
