// SlideFour, whose positions are too many for a database.

#include <cstdint>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "apps/common/rows.h"
#include "apps/slide3/commands.h"
#include "apps/slide3/four/levels.h"
#include "apps/slide3/four/path.h"
#include "apps/slide3/four/solution.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune::slide3 {

namespace {

/// A line of the table of levels; positions: null where they are not counted.
Json level_row(int depth, const Json& positions, bool apart) {
  // Where level n and its copy around Start do not meet, the way is of 2n + 2 moves or more.
  return {{"depth", depth},
          {"positions", positions},
          {"start_at_least", apart ? Json(2 * depth + 2) : Json()}};
}

std::string level_text(const Json& row) {
  const Json& positions = row["positions"];
  return fmt::format("{:5}  {:>14}  {:>11} moves\n", row["depth"].get<int>(),
                     positions.is_null() ? "not counted" : count_text(positions.get<double>()),
                     row["start_at_least"].is_null() ? "-" : row["start_at_least"].dump());
}

}  // namespace

int levels_command(const LevelsArguments& arguments, const Terminal& terminal) {
  cli::end_at_signals();
  Parallel parallel(arguments.output.threads);
  const bool text = arguments.output.format == Format::kText;
  std::vector<Json> rows;
  const auto add = [&](Json row) {
    if (text) terminal.out << level_text(row) << std::flush;
    rows.push_back(std::move(row));
  };
  SlideLevels<4> levels(parallel, arguments.folder);
  if (levels.depth() > arguments.depth) {
    throw InputError(fmt::format("--depth: is {}, but the folder '{}' holds level {} already",
                                 arguments.depth, printable(arguments.folder), levels.depth()));
  }
  if (text) terminal.out << "depth       positions  Start is at least\n";
  bool apart = !levels.meeting();
  add(level_row(levels.depth(), levels.count(), apart));
  // A folder goes on only while the balls are apart, so that this is known of its earlier levels.
  while (levels.depth() < arguments.depth && (apart || arguments.folder.empty())) {
    levels.advance();
    apart = apart && !levels.meeting();
    add(level_row(levels.depth(), levels.count(), apart));
  }
  for (int steps = 1; steps <= arguments.steps; ++steps) {
    apart = apart && !levels.meeting(steps);
    add(level_row(levels.depth() + steps, Json(), apart));
  }
  if (arguments.output.format == Format::kCsv) terminal.out << cli::csv_text(rows);
  if (arguments.output.format == Format::kJson) terminal.out << Json(rows).dump(2) << '\n';
  return cli::kDone;
}

int solve_four_command(const SolveFourArguments& arguments, const Terminal& terminal) {
  using Position = SlidePosition<4>;
  const Position start = parse_slide_position<4>(arguments.position);
  cli::end_at_signals();
  const SlidePathOptions options = {.width = static_cast<std::size_t>(arguments.width),
                                    .seed = static_cast<std::uint64_t>(arguments.seed)};
  const std::vector<int> lines = find_slides<4>(start, Position::win(), options);
  if (lines.empty() && start != Position::win()) {
    throw EvaluationError(
        fmt::format("--width {}: no way found; a larger one may find one", arguments.width));
  }
  terminal.out << slide_solution_text<4>(
      start, lines,
      fmt::format("{} moves, found with a width of {}, seed {}", lines.size(), arguments.width,
                  arguments.seed));
  return cli::kDone;
}

}  // namespace ntune::slide3
