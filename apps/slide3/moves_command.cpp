#include <algorithm>

#include <fmt/format.h>

#include "apps/common/result_table.h"
#include "apps/common/rows.h"
#include "apps/common/watched.h"
#include "apps/slide3/commands.h"
#include "apps/slide3/experiments/choice_of_moves.h"
#include "apps/slide3/experiments/sample.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune::slide3 {

namespace {

struct Depths {
  int first = 1;
  int last = 1;
};

/// "5" or "1-10".
Depths depths_of(const std::string& text) {
  Depths depths;
  const std::size_t dash = text.find('-', 1);
  const bool is_range = dash != std::string::npos;
  if (!read_number(text.substr(0, dash), depths.first) ||
      !read_number(is_range ? text.substr(dash + 1) : text, depths.last) || depths.first < 1 ||
      depths.last < depths.first || depths.last > kDeepestSlideSearch) {
    throw InputError(
        fmt::format("--depth: is '{}', a depth or a range such as 1-10 is allowed, "
                    "from 1 to {}",
                    printable(text, 40), kDeepestSlideSearch));
  }
  return depths;
}

/// A depth as a row; without rejected moves nothing is known of Misses and Keeps.
void add_row(cli::ResultTable& table, const ChoiceOfMoves& result) {
  const double hits = result.hits.mean();
  const double misses = result.misses.mean();
  const Interval misses_interval = student_interval(result.misses);
  const bool rejects = result.misses.count() > 0;
  const auto known = [&](double value) { return rejects ? Json(value) : Json(); };
  table.row()
      .both("depth", "depth", result.depth)
      .count("positions", "n", result.hits.count())
      .estimate("hits", "Hits", hits, student_interval(result.hits))
      .both("fakes", "Fakes", 1.0 - hits, "{:.3f}")
      .count("rejecting", "n rejecting", result.misses.count())
      .data("misses", known(misses))
      .data("misses_low", known(misses_interval.low))
      .data("misses_high", known(misses_interval.high))
      .text("Misses", rejects ? cli::interval_text(misses, misses_interval) : "-")
      .data("keeps", known(1.0 - misses))
      .text("Keeps", rejects ? fmt::format("{:.3f}", 1.0 - misses) : "-")
      .count("all_best", "all best", result.all_best);
}

void refuse_win(const std::vector<SlidePosition<3>>& sample) {
  if (std::ranges::count(sample, SlidePosition<3>::win()) > 0) {
    throw InputError("the sample holds Win, where there is no move to choose");
  }
}

}  // namespace

int moves_command(const MovesArguments& arguments, const Terminal& terminal) {
  const Depths depths = depths_of(arguments.depths);
  const DepthPlayer player = {.evaluation = evaluation_of(arguments.player),
                              .search = arguments.player.search};
  Parallel parallel(arguments.output.threads);
  // A sample of a file is checked before the database is made, which takes seconds.
  std::vector<SlidePosition<3>> sample;
  if (!arguments.sample.file.empty()) sample = read_positions(arguments.sample.file);
  refuse_win(sample);
  const SlideDatabase<3> database = database_of<3>(arguments.sample.database, parallel);
  if (sample.empty()) sample = draw_sample(arguments.sample, database);
  refuse_win(sample);
  const std::int64_t searches =
      static_cast<std::int64_t>(sample.size()) * (depths.last - depths.first + 1);
  const auto search = [&](Progress& progress) {
    return choice_of_moves(player, depths.first, depths.last, sample, database,
                           rng_of(arguments.sample.seed).stream("moves"), parallel, progress);
  };
  cli::ResultTable table;
  for (const ChoiceOfMoves& result :
       cli::watched(searches, "searches", arguments.output, terminal, search)) {
    add_row(table, result);
  }
  const std::string from = sample_text(arguments.sample, sample.size());
  const Json json = {{"player", player_text(player)},
                     {"sample", from},
                     {"seed", arguments.sample.seed},
                     {"depths", table.rows()}};
  cli::print_result(terminal.out, arguments.output.format, json, table.rows(),
                    fmt::format("{}\n{}\n\n{}", player_text(player), from, table.text()));
  return cli::kDone;
}

}  // namespace ntune::slide3
