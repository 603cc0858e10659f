#include <fmt/format.h>

#include "apps/amazons/commands.h"
#include "apps/amazons/coverage.h"
#include "apps/amazons/sample_figures.h"
#include "apps/common/rows.h"
#include "ntune/plot/picture.h"

namespace ntune::amazons {

int error_command(const CasesArguments& arguments, const Terminal& terminal) {
  if (!arguments.plot.empty()) check_picture(arguments.plot);
  const Limits limits = limits_of(arguments.seconds, arguments.nodes);
  const std::vector<TdsOptions> variants = arguments.options();
  CaseRunner runner(read_cases(arguments.cases), arguments.out, arguments.output, terminal);
  const cli::ResultTable table = table_of(approximations(runner, variants, limits), limits);
  const std::string delta = arguments.delta();
  const Json json = {{"cases", runner.cases().size()},
                     {"delta", delta},
                     {"table_mb", arguments.tds.table_mb},
                     {"rows", table.rows()}};
  cli::print_result(
      terminal.out, arguments.output.format, json, table.rows(),
      fmt::format("{} positions, delta {}, table {} MiB; mean absolute errors with 95 % intervals\n"
                  "\n{}",
                  runner.cases().size(), delta, arguments.tds.table_mb, table.text()));
  if (!arguments.plot.empty()) {
    const std::string title =
        fmt::format("Errors of temperature discovery search, delta {}", delta);
    write_picture(arguments.plot, error_figure(title, table.rows()), kPictureWidth);
  }
  return cli::kDone;
}

}  // namespace ntune::amazons
