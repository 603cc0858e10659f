#include <fmt/format.h>

#include "apps/amazons/approximation.h"
#include "apps/amazons/commands.h"
#include "apps/amazons/sample_figures.h"
#include "apps/common/rows.h"
#include "ntune/plot/picture.h"

namespace ntune::amazons {

int error_command(const ErrorArguments& arguments, const Terminal& terminal) {
  if (!arguments.plot.empty()) check_picture(arguments.plot);
  const Limits limits = limits_of(arguments.seconds, arguments.nodes);
  std::vector<TdsOptions> variants;
  for (const std::string& variant : arguments.variants) {
    variants.push_back(tds_options_of(arguments.tds, variant));
  }
  CaseRunner runner(read_cases(arguments.cases), arguments.out, arguments.output, terminal);
  const auto found = approximations(runner, variants, limits);
  if (runner.stopped()) return cli::kInterrupted;
  const std::string delta = arguments.tds.delta == "auto" ? "exact" : arguments.tds.delta;
  const std::vector<Json> rows = rows_of(found, limits);
  const Json json = {{"cases", runner.cases().size()},
                     {"delta", delta},
                     {"table_mb", arguments.tds.table_mb},
                     {"rows", rows}};
  cli::print_result(
      terminal.out, arguments.output.format, json, rows,
      fmt::format("{} positions, delta {}, table {} MiB; mean absolute errors with 95 % intervals\n"
                  "\n{}",
                  runner.cases().size(), delta, arguments.tds.table_mb, table_of(found)));
  if (!arguments.plot.empty()) {
    const std::string title =
        fmt::format("Errors of temperature discovery search, delta {}", delta);
    write_picture(arguments.plot, error_figure(title, rows), kPictureWidth);
  }
  return cli::kDone;
}

}  // namespace ntune::amazons
