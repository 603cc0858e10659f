#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "apps/amazons/commands.h"
#include "apps/amazons/coverage.h"
#include "apps/amazons/sample_figures.h"
#include "apps/common/rows.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/plot/picture.h"

namespace ntune::amazons {

namespace {

/// What one variant solved.
struct Coverage {
  std::string variant;
  std::vector<int> solved;                     ///< by limit
  std::vector<std::map<int, int>> by_empties;  ///< by limit
  int wrong = 0;                               ///< wrong answers within the largest limit
  std::int64_t nodes = 0;                      ///< of all searches
  double seconds = 0.0;
};

Coverage count(const CaseRunner& runner, const CaseResults& results, const Limits& limits) {
  Coverage coverage;
  coverage.solved.resize(limits.size());
  coverage.by_empties.resize(limits.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i]) continue;
    const CaseResult& result = *results[i];
    const Case& one = runner.cases()[i];
    coverage.nodes += result.nodes;
    coverage.seconds += result.seconds;
    if (!result.is_finished) continue;
    if (result.value != one.value) ++coverage.wrong;
    for (std::size_t limit = 0; limit < limits.size(); ++limit) {
      if (!limits.allow(result, limit)) continue;
      ++coverage.solved[limit];
      ++coverage.by_empties[limit][one.position.empties()];
    }
  }
  return coverage;
}

std::map<int, int> cases_by_empties(const std::vector<Case>& cases) {
  std::map<int, int> counts;
  for (const Case& one : cases) ++counts[one.position.empties()];
  return counts;
}

std::vector<Json> rows_of(const std::vector<Coverage>& coverages, const Limits& limits,
                          const std::map<int, int>& cases) {
  std::vector<Json> rows;
  for (const Coverage& coverage : coverages) {
    for (std::size_t limit = 0; limit < limits.size(); ++limit) {
      Json row = {{"variant", coverage.variant},
                  {limits.seconds.empty() ? "nodes" : "seconds", limits.number(limit)},
                  {"solved", coverage.solved[limit]}};
      for (const auto& [empties, all] : cases) {
        const auto found = coverage.by_empties[limit].find(empties);
        row[fmt::format("empties_{}", empties)] =
            found == coverage.by_empties[limit].end() ? 0 : found->second;
      }
      rows.push_back(row);
    }
  }
  return rows;
}

std::string text_of(const std::vector<Coverage>& coverages, const Limits& limits,
                    const std::map<int, int>& cases) {
  std::vector<std::string> titles = {"<variant"};
  for (std::size_t i = 0; i < limits.size(); ++i) titles.push_back(limits.text(i));
  titles.insert(titles.end(), {"not exact", "nodes", "nodes/s"});
  TextTable totals(titles);
  titles = {"<solved of"};
  for (const auto& [empties, all] : cases) titles.push_back(std::to_string(empties));
  TextTable split(titles);
  std::vector<std::string> cells = {"cases"};
  for (const auto& [empties, all] : cases) cells.push_back(std::to_string(all));
  split.add_row(cells);
  split.add_rule();
  for (const Coverage& coverage : coverages) {
    cells = {coverage.variant};
    for (const int solved : coverage.solved) cells.push_back(std::to_string(solved));
    cells.push_back(std::to_string(coverage.wrong));
    cells.push_back(count_text(coverage.nodes));
    cells.push_back(count_text(
        std::round(static_cast<double>(coverage.nodes) / std::max(coverage.seconds, 1e-9))));
    totals.add_row(cells);
    cells = {coverage.variant};
    for (const auto& [empties, all] : cases) {
      const auto found = coverage.by_empties.back().find(empties);
      cells.push_back(
          std::to_string(found == coverage.by_empties.back().end() ? 0 : found->second));
    }
    split.add_row(cells);
  }
  return fmt::format("{}\nBy empty squares, within {}:\n\n{}", totals.text(),
                     limits.text(limits.size() - 1), split.text());
}

}  // namespace

int coverage_command(const CoverageArguments& arguments, const Terminal& terminal) {
  if (!arguments.plot.empty()) check_picture(arguments.plot);
  const Limits limits = limits_of(arguments.seconds, arguments.nodes);
  std::vector<TdsOptions> options;
  for (const std::string& variant : arguments.variants) {
    options.push_back(tds_options_of(arguments.tds, variant));
    limits.set(options.back(), limits.size() - 1);
  }
  CaseRunner runner(read_cases(arguments.cases), arguments.out, arguments.output, terminal);
  std::vector<Coverage> coverages;
  std::vector<CoverageCurve> curves;
  for (const TdsOptions& one : options) {
    const std::string variant = tds_variant_text(one.enhancements);
    const CaseResults results = runner.run(one, "positions by " + variant, arguments.until_none);
    if (runner.stopped()) return cli::kInterrupted;
    coverages.push_back(count(runner, results, limits));
    coverages.back().variant = variant;
    curves.push_back(coverage_curve(variant, results, limits));
  }
  const auto cases = cases_by_empties(runner.cases());
  const std::vector<Json> rows = rows_of(coverages, limits, cases);
  const std::string delta = arguments.tds.delta == "auto" ? "exact" : arguments.tds.delta;
  const std::string title = fmt::format(
      "{} positions, delta {}, table {} MiB, limits of {} for each", runner.cases().size(), delta,
      arguments.tds.table_mb, limits.seconds.empty() ? "nodes" : "processor time");
  const Json json = {{"cases", runner.cases().size()},
                     {"delta", delta},
                     {"table_mb", arguments.tds.table_mb},
                     {"rows", rows}};
  cli::print_result(terminal.out, arguments.output.format, json, rows,
                    fmt::format("{}\n\n{}", title, text_of(coverages, limits, cases)));
  if (!arguments.plot.empty()) {
    write_picture(arguments.plot,
                  coverage_figure(title, limits.seconds.empty() ? "nodes" : "seconds", curves),
                  kPictureWidth);
  }
  return cli::kDone;
}

}  // namespace ntune::amazons
