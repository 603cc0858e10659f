#include <algorithm>
#include <charconv>
#include <ostream>

#include <fmt/format.h>

#include "apps/common/progress.h"
#include "apps/common/rows.h"
#include "apps/slide3/commands.h"
#include "apps/slide3/experiments/choice_of_moves.h"
#include "apps/slide3/experiments/sample.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"

namespace ntune::slide3 {

namespace {

struct Depths {
  int first = 1;
  int last = 1;
};

/// "5" or "1-10".
Depths depths_of(const std::string& text) {
  Depths depths;
  const char* const end = text.data() + text.size();
  auto read = std::from_chars(text.data(), end, depths.first);
  depths.last = depths.first;
  if (read.ec == std::errc() && read.ptr != end && *read.ptr == '-') {
    read = std::from_chars(read.ptr + 1, end, depths.last);
  }
  if (read.ec != std::errc() || read.ptr != end || depths.first < 1 || depths.last < depths.first ||
      depths.last > kDeepestSlideSearch) {
    throw InputError(
        fmt::format("--depth: is '{}', a depth or a range such as 1-10 is allowed, "
                    "from 1 to {}",
                    printable(text, 40), kDeepestSlideSearch));
  }
  return depths;
}

Json row_of(const ChoiceOfMoves& result) {
  const auto ends = [](const RunningStats& stats) {
    return stats.count() == 0 ? Json() : Json(stats.mean());
  };
  const Interval hits = student_interval(result.hits);
  const Interval misses = student_interval(result.misses);
  const bool rejects = result.misses.count() > 0;
  return {{"depth", result.depth},
          {"positions", result.hits.count()},
          {"hits", ends(result.hits)},
          {"hits_low", hits.low},
          {"hits_high", hits.high},
          {"fakes", 1.0 - result.hits.mean()},
          {"rejecting", result.misses.count()},
          {"misses", ends(result.misses)},
          {"misses_low", rejects ? Json(misses.low) : Json()},
          {"misses_high", rejects ? Json(misses.high) : Json()},
          {"keeps", rejects ? Json(1.0 - result.misses.mean()) : Json()},
          {"all_best", result.all_best}};
}

std::string choice_table(const std::vector<ChoiceOfMoves>& results) {
  TextTable table({"depth", "n", "Hits", "Fakes", "n rejecting", "Misses", "Keeps", "all best"});
  for (const ChoiceOfMoves& result : results) {
    const bool rejects = result.misses.count() > 0;
    table.add_row(
        {std::to_string(result.depth), count_text(result.hits.count()),
         cli::interval_text(result.hits.mean(), student_interval(result.hits)),
         fmt::format("{:.3f}", 1.0 - result.hits.mean()), count_text(result.misses.count()),
         rejects ? cli::interval_text(result.misses.mean(), student_interval(result.misses)) : "-",
         rejects ? fmt::format("{:.3f}", 1.0 - result.misses.mean()) : "-",
         count_text(result.all_best)});
  }
  return table.text();
}

void print(const std::vector<ChoiceOfMoves>& results, const DepthPlayer& player,
           const std::string& from, const MovesArguments& arguments, std::ostream& out) {
  std::vector<Json> rows;
  for (const ChoiceOfMoves& result : results) rows.push_back(row_of(result));
  const Json json = {{"player", player_text(player)},
                     {"sample", from},
                     {"seed", arguments.sample.seed},
                     {"depths", rows}};
  cli::print_result(out, arguments.output.format, json, rows,
                    fmt::format("{}\n{}\n\n{}", player_text(player), from, choice_table(results)));
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
  std::vector<SlidePosition<3>> sample;
  if (!arguments.sample.file.empty()) sample = read_positions(arguments.sample.file);
  refuse_win(sample);
  const SlideDatabase<3> database = database_of<3>(arguments.sample.database, parallel);
  if (sample.empty()) sample = draw_sample(arguments.sample, database);
  refuse_win(sample);

  Progress progress;
  progress.total = static_cast<std::int64_t>(sample.size()) * (depths.last - depths.first + 1);
  std::vector<ChoiceOfMoves> results;
  {
    const cli::ProgressDisplay display(progress, "searches", terminal, arguments.output.quiet);
    results = choice_of_moves(player, depths.first, depths.last, sample, database,
                              rng_of(arguments.sample.seed).stream("moves"), parallel, progress);
  }
  if (progress.stop) return cli::kInterrupted;
  print(results, player, sample_text(arguments.sample, sample.size()), arguments, terminal.out);
  return cli::kDone;
}

}  // namespace ntune::slide3
