#include <array>
#include <ostream>

#include <fmt/format.h>

#include "apps/common/rows.h"
#include "apps/slide3/commands.h"
#include "apps/slide3/experiments/sample.h"
#include "apps/slide3/four/solution.h"

namespace ntune::slide3 {

namespace {

template <int K>
void print(const SlidePosition<K>& start, const std::vector<int>& lines, Format format,
           std::ostream& out) {
  std::vector<Json> rows;
  SlidePosition<K> position = start;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string move = slide_move_text<K>(position, lines[i]);
    position.slide(lines[i]);
    rows.push_back({{"number", i + 1},
                    {"move", move},
                    {"position", slide_code_text<K>(position)},
                    {"dtw", lines.size() - i - 1}});
  }
  if (rows.empty() && format == Format::kCsv) {
    out << "number,move,position,dtw\n";
    return;
  }
  const Json json = {
      {"k", K}, {"position", slide_code_text<K>(start)}, {"dtw", lines.size()}, {"moves", rows}};
  cli::print_result(out, format, json, rows,
                    slide_solution_text<K>(
                        start, lines, fmt::format("DTW {}: no shorter way to Win", lines.size())));
}

template <int K>
int run(const SolveArguments& arguments, const Terminal& terminal) {
  const SlidePosition<K> start = parse_slide_position<K>(arguments.position);
  Parallel parallel(arguments.output.threads);
  const SlideDatabase<K> database = database_of<K>(arguments.database, parallel);
  print<K>(start, shortest_solution<K>(database, start), arguments.output.format, terminal.out);
  return cli::kDone;
}

}  // namespace

int solve_command(const SolveArguments& arguments, const Terminal& terminal) {
  return arguments.k == 2 ? run<2>(arguments, terminal) : run<3>(arguments, terminal);
}

int verify_command(const VerifyArguments& arguments, const Terminal& terminal) {
  const SlideSolution solution = read_slide_solution(arguments.file);
  const Json row = {
      {"k", solution.k}, {"position", solution.start}, {"moves", solution.moves.size()}};
  constexpr std::array kNames = {"Two", "Three", "Four"};
  cli::print_result(
      terminal.out, arguments.format, row, {row},
      fmt::format("{} moves from {} to Win of Slide{}, all possible\n", solution.moves.size(),
                  solution.start, kNames[static_cast<std::size_t>(solution.k - 2)]));
  return cli::kDone;
}

}  // namespace ntune::slide3
