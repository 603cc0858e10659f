#include <ostream>

#include <fmt/format.h>

#include "apps/slide3/commands.h"
#include "apps/slide3/experiments/sample.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune::slide3 {

namespace {

/// The DTW to draw from; nothing for all.
std::optional<int> dtw_of(const std::string& text) {
  if (text.empty()) return kUsualDtw;
  if (text == "all") return std::nullopt;
  int dtw = 0;
  if (!read_number(text, dtw) || dtw < 0) {
    throw InputError(
        fmt::format("--dtw: is '{}', a whole number or 'all' is allowed", printable(text, 40)));
  }
  return dtw;
}

}  // namespace

std::vector<SlidePosition<3>> draw_sample(const SampleArguments& arguments,
                                          const SlideDatabase<3>& database) {
  return sample_positions(database, dtw_of(arguments.dtw), arguments.count.value_or(kUsualCount),
                          rng_of(arguments.seed).stream("sample"));
}

std::vector<SlidePosition<3>> sample_of(const SampleArguments& arguments, Parallel& parallel) {
  if (!arguments.file.empty()) return read_positions(arguments.file);
  dtw_of(arguments.dtw);
  return draw_sample(arguments, database_of<3>(arguments.database, parallel));
}

std::string sample_text(const SampleArguments& arguments, std::size_t size) {
  const std::string count = count_text(size);
  if (!arguments.file.empty()) {
    return fmt::format("{} positions of {}", count, printable(arguments.file, 200));
  }
  const std::optional<int> dtw = dtw_of(arguments.dtw);
  return fmt::format("{} positions of {}, seed {}", count,
                     dtw ? fmt::format("DTW {}", *dtw) : "all DTWs", arguments.seed);
}

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
