#include "apps/amazons/approximation.h"

#include <fmt/format.h>

#include "apps/common/rows.h"
#include "ntune/core/text_table.h"

namespace ntune::amazons {

std::vector<Approximation> approximations(CaseRunner& runner,
                                          const std::vector<TdsOptions>& variants,
                                          const Limits& limits) {
  std::vector<Approximation> found;
  for (const TdsOptions& variant : variants) {
    std::vector<Approximation> of_variant;
    CaseResults results;
    for (std::size_t limit = limits.size(); limit-- > 0;) {
      // What finished within a larger limit, and soon enough, need not be searched again.
      for (auto& result : results) {
        if (result && !(result->is_finished && limits.allow(*result, limit))) result.reset();
      }
      TdsOptions options = variant;
      limits.set(options, limit);
      Approximation one;
      one.variant = tds_variant_text(variant.enhancements);
      one.limit = limits.number(limit);
      one.limit_text = limits.text(limit);
      results =
          runner.run(options, fmt::format("positions by {} in {}", one.variant, one.limit_text),
                     false, std::move(results));
      if (runner.stopped()) return {};
      for (std::size_t i = 0; i < results.size(); ++i) {
        const ThermographValue& truth = runner.cases()[i].value;
        const ThermographValue& value = results[i]->value;
        one.finished += results[i]->is_finished ? 1 : 0;
        one.temperature.add((value.temperature - truth.temperature).abs().to_double());
        one.mean.add((value.mean - truth.mean).abs().to_double());
      }
      of_variant.insert(of_variant.begin(), one);
    }
    found.insert(found.end(), of_variant.begin(), of_variant.end());
  }
  return found;
}

std::vector<Json> rows_of(const std::vector<Approximation>& approximations, const Limits& limits) {
  std::vector<Json> rows;
  for (const Approximation& one : approximations) {
    const Interval t = student_interval(one.temperature);
    const Interval m = student_interval(one.mean);
    rows.push_back({{"variant", one.variant},
                    {limits.seconds.empty() ? "nodes" : "seconds", one.limit},
                    {"n", one.mean.count()},
                    {"finished", one.finished},
                    {"temperature_error", one.temperature.mean()},
                    {"temperature_error_low", t.low},
                    {"temperature_error_high", t.high},
                    {"mean_error", one.mean.mean()},
                    {"mean_error_low", m.low},
                    {"mean_error_high", m.high}});
  }
  return rows;
}

std::string table_of(const std::vector<Approximation>& approximations) {
  TextTable table(
      {"<variant", "limit", "n", "finished", "error of the temperature", "error of the mean"});
  std::string last;
  for (const Approximation& one : approximations) {
    if (!last.empty() && last != one.variant) table.add_rule();
    last = one.variant;
    table.add_row({one.variant, one.limit_text, std::to_string(one.mean.count()),
                   std::to_string(one.finished),
                   cli::interval_text(one.temperature.mean(), student_interval(one.temperature)),
                   cli::interval_text(one.mean.mean(), student_interval(one.mean))});
  }
  return table.text();
}

}  // namespace ntune::amazons
