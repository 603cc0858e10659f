#include <numeric>
#include <ostream>

#include <fmt/format.h>

#include "apps/common/result_table.h"
#include "apps/common/rows.h"
#include "apps/slide3/commands.h"
#include "ntune/core/text.h"

namespace ntune::slide3 {

namespace {

void print(int k, const std::vector<std::uint64_t>& counts, Format format, std::ostream& out) {
  const std::uint64_t total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  cli::ResultTable table;
  for (std::size_t dtw = 0; dtw < counts.size(); ++dtw) {
    const auto count = static_cast<double>(counts[dtw]);
    table.row()
        .both("dtw", "DTW", dtw)
        .data("positions", counts[dtw])
        .text("positions", count_text(count))
        .text("share", fmt::format("{:.4f} %", 100.0 * count / static_cast<double>(total)));
  }
  const Json json = {
      {"k", k}, {"positions", total}, {"largest_dtw", counts.size() - 1}, {"rows", table.rows()}};
  cli::print_result(
      out, format, json, table.rows(),
      fmt::format("{} positions of Slide{}, none farther from Win than {} moves\n\n{}",
                  count_text(total), k == 2 ? "Two" : "Three", counts.size() - 1, table.text()));
}

template <int K>
int run(const DatabaseArguments& arguments, const Terminal& terminal) {
  Parallel parallel(arguments.output.threads);
  const SlideDatabase<K> database = database_of<K>(arguments.file, parallel);
  if (!arguments.out.empty()) {
    database.save(arguments.out);
    if (!arguments.output.quiet) {
      terminal.err << fmt::format("Database in {}\n", printable(arguments.out, 1000));
    }
  }
  print(K, database.counts(), arguments.output.format, terminal.out);
  return cli::kDone;
}

}  // namespace

int database_command(const DatabaseArguments& arguments, const Terminal& terminal) {
  return arguments.k == 2 ? run<2>(arguments, terminal) : run<3>(arguments, terminal);
}

}  // namespace ntune::slide3
