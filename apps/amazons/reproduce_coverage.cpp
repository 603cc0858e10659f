// Tables 1 and 2.

#include <array>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/amazons/coverage.h"
#include "apps/amazons/reproduce.h"
#include "ntune/core/text.h"

namespace ntune::amazons {

namespace {

// Coverage as Zhang and Mueller (2015) measured it: cases of 600 that a variant solves, 80 MB, a
// Xeon of 2.4 GHz.

struct PublishedCoverage {
  const char* variant;
  const char* delta;          ///< "auto": exact
  std::array<int, 6> solved;  ///< by limit
};

constexpr std::array<double, 6> kTable1Seconds = {1, 2.5, 10, 25, 100, 250};
constexpr std::array<PublishedCoverage, 13> kTable1 = {
    {{"TDS", "auto", {69, 73, 73, 74, 76, 76}},
     {"1", "auto", {78, 88, 100, 107, 116, 116}},
     {"2", "auto", {69, 73, 73, 75, 76, 76}},
     {"3", "auto", {73, 76, 85, 95, 117, 117}},
     {"134", "auto", {81, 108, 129, 135, 137, 141}},
     {"35", "auto", {73, 76, 86, 96, 117, 117}},
     {"13", "auto", {99, 117, 130, 131, 136, 141}},
     {"235", "auto", {73, 77, 91, 102, 117, 117}},
     {"1345", "auto", {82, 109, 129, 135, 137, 141}},
     {"12", "auto", {78, 89, 100, 108, 116, 116}},
     {"1235", "auto", {96, 118, 130, 135, 150, 157}},
     {"1234", "auto", {83, 111, 133, 136, 153, 157}},
     {"TDS+", "auto", {82, 111, 133, 136, 153, 159}}}};

// Without delta = 1/8, whose numbers are not in the text that was at hand.
constexpr std::array<double, 5> kTable2Seconds = {1, 3, 10, 30, 100};
constexpr std::array<PublishedCoverage, 6> kTable2 = {
    {{"TDS", "1", {85, 165, 188, 214, 246, 0}},
     {"TDS+", "1", {178, 195, 240, 261, 305, 0}},
     {"TDS", "1/2", {84, 143, 165, 180, 197, 0}},
     {"TDS+", "1/2", {156, 171, 190, 232, 257, 0}},
     {"TDS", "1/4", {79, 95, 131, 156, 170, 0}},
     {"TDS+", "1/4", {116, 155, 175, 195, 239, 0}}}};

/// The paper's limits up to --longest, scaled.
Limits scaled_limits(std::span<const double> seconds, const ReproduceArguments& arguments) {
  Limits limits;
  for (const double one : seconds) {
    if (one <= arguments.longest) limits.seconds.push_back(one * arguments.time_scale);
  }
  if (limits.seconds.empty()) limits.seconds.push_back(seconds.front() * arguments.time_scale);
  return limits;
}

/// Positions that a variant solved within a limit, and those of them whose answer is not exact.
struct Solved {
  int count = 0;
  int wrong = 0;
};

Solved count_solved(const std::vector<Case>& cases, const CaseResults& found, const Limits& limits,
                    std::size_t limit) {
  Solved solved;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i] || !found[i]->is_finished || !limits.allow(*found[i], limit)) continue;
    ++solved.count;
    if (found[i]->value != cases[i].value) ++solved.wrong;
  }
  return solved;
}

Reproduction reproduce_coverage(std::span<const PublishedCoverage> published,
                                std::span<const double> seconds,
                                const ReproduceArguments& arguments, const Terminal& terminal) {
  const Limits limits = scaled_limits(seconds, arguments);
  CaseRunner runner(read_cases(arguments.cases), arguments.out, arguments.output, terminal);
  Reproduction result;
  int behind = 0;
  for (const PublishedCoverage& row : published) {
    TdsArguments tds;
    tds.delta = row.delta;
    tds.table_mb = arguments.table_mb;
    TdsOptions options = tds_options_of(tds, row.variant);
    limits.set(options, limits.size() - 1);
    const std::string variant = tds_variant_text(options.enhancements);
    const CaseResults found =
        runner.run(options, fmt::format("positions by {}", variant), !arguments.all_cases);
    const std::string delta = std::string_view(row.delta) == "auto" ? "exact" : row.delta;
    result.table.line().text("<delta", delta).text("<variant", variant);
    Solved solved;
    for (std::size_t limit = 0; limit < limits.size(); ++limit) {
      solved = count_solved(runner.cases(), found, limits, limit);
      if (solved.count <= row.solved[limit]) ++behind;
      result.table.entry()
          .data("delta", delta)
          .data("variant", variant)
          .data("seconds", limits.seconds[limit])
          .both("solved", fmt::format("ours, {}", limits.text(limit)), solved.count)
          .data("not_exact", solved.wrong)
          .data("paper_seconds", seconds[limit])
          .both("paper_solved", fmt::format("paper, {} s", number_text(seconds[limit])),
                row.solved[limit]);
    }
    result.table.text("not exact", std::to_string(solved.wrong));  // within the largest limit
  }
  result.title =
      fmt::format("\n{} positions, limits of processor time {} times the paper's, table {} MiB",
                  runner.cases().size(), number_text(arguments.time_scale), arguments.table_mb);
  result.remarks = fmt::format(
      "The paper's positions are others of the same kind, on a 2.4 GHz Xeon with 80 MB.\n{}\n",
      behind == 0 ? "Ours solves more everywhere."
                  : fmt::format("Ours does not solve more in {} of {} cells.", behind,
                                published.size() * limits.size()));
  return result;
}

}  // namespace

Reproduction reproduce_table_1(const ReproduceArguments& arguments, const Terminal& terminal) {
  return reproduce_coverage(kTable1, kTable1Seconds, arguments, terminal);
}

Reproduction reproduce_table_2(const ReproduceArguments& arguments, const Terminal& terminal) {
  return reproduce_coverage(kTable2, kTable2Seconds, arguments, terminal);
}

Reproduction reproduce_figure_5(const ReproduceArguments& arguments, const Terminal& terminal) {
  static constexpr std::array<double, 5> kSeconds = {0.1, 0.3, 1, 3, 10};
  const Limits limits = scaled_limits(kSeconds, arguments);
  CaseRunner runner(read_cases(arguments.cases), arguments.out, arguments.output, terminal);
  TdsArguments tds;
  tds.table_mb = arguments.table_mb;
  std::vector<TdsOptions> variants;
  for (const char* variant : {"TDS", "TDS+", "all"}) {
    variants.push_back(tds_options_of(tds, variant));
  }
  const auto found = approximations(runner, variants, limits);
  Reproduction result;
  result.title = fmt::format("\n{} positions, table {} MiB, time scale {}", runner.cases().size(),
                             arguments.table_mb, number_text(arguments.time_scale));
  result.table = table_of(found, limits);
  result.remarks =
      "The figure has no numbers in the text that was at hand. What the paper says of it: TDS+\n"
      "approximates both better than TDS; without a board move in the variation half the least\n"
      "coupon is a good temperature, -1 a poor one (amazons error --no-board-move minus_one).\n";
  return result;
}

}  // namespace ntune::amazons
