#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "apps/amazons/commands.h"
#include "apps/amazons/coverage.h"
#include "apps/amazons/sample_figures.h"
#include "apps/common/result_table.h"
#include "apps/common/rows.h"
#include "ntune/core/text.h"
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

/// What a variant solved of the cases with so many empty squares within a limit.
int solved_of(const Coverage& coverage, std::size_t limit, int empties) {
  const auto found = coverage.by_empties[limit].find(empties);
  return found == coverage.by_empties[limit].end() ? 0 : found->second;
}

/// A row for each variant and limit, a line for each variant.
cli::ResultTable totals_of(const std::vector<Coverage>& coverages, const Limits& limits,
                           const std::map<int, int>& cases) {
  cli::ResultTable table;
  for (const Coverage& coverage : coverages) {
    table.line().text("<variant", coverage.variant);
    for (std::size_t limit = 0; limit < limits.size(); ++limit) {
      table.entry()
          .data("variant", coverage.variant)
          .data(limits.seconds.empty() ? "nodes" : "seconds", limits.number(limit))
          .both("solved", limits.text(limit), coverage.solved[limit]);
      for (const auto& [empties, all] : cases) {
        table.data(fmt::format("empties_{}", empties), solved_of(coverage, limit, empties));
      }
    }
    const double rate =
        std::round(static_cast<double>(coverage.nodes) / std::max(coverage.seconds, 1e-9));
    table.text("not exact", std::to_string(coverage.wrong))
        .text("nodes", count_text(coverage.nodes))
        .text("nodes/s", count_text(rate));
  }
  return table;
}

/// What each variant solved within the largest limit, by empty squares.
std::string text_by_empties(const std::vector<Coverage>& coverages, const Limits& limits,
                            const std::map<int, int>& cases) {
  cli::ResultTable table;
  table.line().text("<solved of", "cases");
  for (const auto& [empties, all] : cases) {
    table.text(std::to_string(empties), std::to_string(all));
  }
  table.rule();
  for (const Coverage& coverage : coverages) {
    table.line().text("", coverage.variant);
    for (const auto& [empties, all] : cases) {
      table.text("", std::to_string(solved_of(coverage, limits.size() - 1, empties)));
    }
  }
  return table.text();
}

}  // namespace

std::vector<TdsOptions> CasesArguments::options() const {
  std::vector<TdsOptions> options;
  for (const std::string& variant : variants) options.push_back(tds_options_of(tds, variant));
  return options;
}

int coverage_command(const CoverageArguments& arguments, const Terminal& terminal) {
  if (!arguments.plot.empty()) check_picture(arguments.plot);
  const Limits limits = limits_of(arguments.seconds, arguments.nodes);
  // 1. One search of each case, within the largest limit, tells what the smaller limits allow.
  std::vector<TdsOptions> options = arguments.options();
  CaseRunner runner(read_cases(arguments.cases), arguments.out, arguments.output, terminal);
  std::vector<Coverage> coverages;
  std::vector<CoverageCurve> curves;
  for (TdsOptions& one : options) {
    limits.set(one, limits.size() - 1);
    const std::string variant = tds_variant_text(one.enhancements);
    const CaseResults results = runner.run(one, "positions by " + variant, arguments.until_none);
    coverages.push_back(count(runner, results, limits));
    coverages.back().variant = variant;
    curves.push_back(coverage_curve(variant, results, limits));
  }
  // 2. What was solved, by limit and by empty squares.
  const std::map<int, int> cases = cases_by_empties(runner.cases());
  const cli::ResultTable totals = totals_of(coverages, limits, cases);
  const std::string title =
      fmt::format("{} positions, delta {}, table {} MiB, limits of {} for each",
                  runner.cases().size(), arguments.delta(), arguments.tds.table_mb,
                  limits.seconds.empty() ? "nodes" : "processor time");
  const Json json = {{"cases", runner.cases().size()},
                     {"delta", arguments.delta()},
                     {"table_mb", arguments.tds.table_mb},
                     {"rows", totals.rows()}};
  cli::print_result(
      terminal.out, arguments.output.format, json, totals.rows(),
      fmt::format("{}\n\n{}\nBy empty squares, within {}:\n\n{}", title, totals.text(),
                  limits.text(limits.size() - 1), text_by_empties(coverages, limits, cases)));
  if (!arguments.plot.empty()) {
    write_picture(arguments.plot,
                  coverage_figure(title, limits.seconds.empty() ? "nodes" : "seconds", curves),
                  kPictureWidth);
  }
  return cli::kDone;
}

int error_command(const CasesArguments& arguments, const Terminal& terminal) {
  if (!arguments.plot.empty()) check_picture(arguments.plot);
  const Limits limits = limits_of(arguments.seconds, arguments.nodes);
  const std::vector<TdsOptions> variants = arguments.options();
  CaseRunner runner(read_cases(arguments.cases), arguments.out, arguments.output, terminal);
  const cli::ResultTable table = table_of(approximations(runner, variants, limits), limits);
  const std::string delta = arguments.delta();
  const Json json = {{"cases", runner.cases().size()},
                     {"delta", delta},
                     {"table_mb", arguments.tds.table_mb},
                     {"rows", table.rows()}};
  cli::print_result(
      terminal.out, arguments.output.format, json, table.rows(),
      fmt::format("{} positions, delta {}, table {} MiB; mean absolute errors with 95 % intervals\n"
                  "\n{}",
                  runner.cases().size(), delta, arguments.tds.table_mb, table.text()));
  if (!arguments.plot.empty()) {
    const std::string title =
        fmt::format("Errors of temperature discovery search, delta {}", delta);
    write_picture(arguments.plot, error_figure(title, table.rows()), kPictureWidth);
  }
  return cli::kDone;
}

}  // namespace ntune::amazons
