#include <charconv>

#include <fmt/format.h>

#include "apps/slide3/arguments.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/games/slide/experiments/sample.h"

namespace ntune::slide3 {

namespace {

/// The DTW to draw from; nothing for all.
std::optional<int> dtw_of(const std::string& text) {
  if (text.empty()) return kUsualDtw;
  if (text == "all") return std::nullopt;
  int dtw = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), dtw);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || dtw < 0) {
    throw InputError(
        fmt::format("--dtw: is '{}', a whole number or 'all' is allowed", printable(text, 40)));
  }
  return dtw;
}

}  // namespace

void add_database_option(CLI::App& command, std::string& file) {
  command.add_option("--database", file, "file of slide3 database (default: built anew)")
      ->type_name("FILE");
}

void add_drawing_options(CLI::App& command, SampleArguments& arguments) {
  constexpr auto kMost = static_cast<std::int64_t>(slide_position_count<3>());
  command
      .add_option("--dtw", arguments.dtw, "distance to win of the positions, or all (default 14)")
      ->type_name("N");
  cli::add_number<std::int64_t>(command, "--count", arguments.count,
                                "number of positions (default 1068)", 1, kMost);
  add_seed_option(command, arguments.seed);
  add_database_option(command, arguments.database);
}

void add_sample_options(CLI::App& command, SampleArguments& arguments) {
  add_drawing_options(command, arguments);
  command.add_option("--sample", arguments.file, "file of positions, in place of drawn ones")
      ->type_name("FILE")
      ->excludes(command.get_option("--dtw"))
      ->excludes(command.get_option("--count"));
}

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

}  // namespace ntune::slide3
