#include <ostream>

#include <fmt/format.h>

#include "apps/slide3/commands.h"
#include "apps/slide3/experiments/sample.h"
#include "ntune/core/text.h"

namespace ntune::slide3 {

int sample_command(const DrawArguments& arguments, const Terminal& terminal) {
  Parallel parallel(arguments.threads);
  const std::vector<SlidePosition<3>> sample = sample_of(arguments.sample, parallel);
  if (arguments.out.empty()) {
    terminal.out << positions_text(sample);
    return cli::kDone;
  }
  write_positions(arguments.out, sample);
  terminal.err << fmt::format("{} in {}\n", sample_text(arguments.sample, sample.size()),
                              printable(arguments.out, 1000));
  return cli::kDone;
}

}  // namespace ntune::slide3
