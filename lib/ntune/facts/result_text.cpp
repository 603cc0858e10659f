#include "ntune/facts/result_text.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/facts/comparison_text.h"
#include "ntune/facts/result_facts.h"

namespace ntune {

namespace {

/// What an interrupted study had planned beyond what is counted.
std::string not_done_text(const Study& study, const StudyResult& result) {
  const bool counts = !study.limited || !study.limited->open;
  const auto cells_of_a_plan =
      static_cast<std::int64_t>(study.objectives.size() * study.optimisers.size());
  const std::int64_t times = study.repeats * cells_of_a_plan;
  std::int64_t runs = 0;
  std::int64_t search = -result.search_evaluations;
  std::int64_t comparison = -result.re_evaluations;
  std::int64_t hold_out = -result.hold_out_evaluations;
  for (const RunPlan& plan : study.plans) {
    runs += times * plan.runs;
    search += times * plan.search();
    comparison += times * plan.re_evaluation;
    hold_out += times * study.points_held_out(plan) * plan.hold_out;
  }
  std::int64_t finished = 0;
  for (const CellResult& cell : result.cells) {
    finished += std::ranges::count_if(cell.runs, &RunRecord::finished);
  }
  std::vector<std::string> parts;
  if (finished < runs) {
    parts.push_back(fmt::format(
        "{} of {}{}", count_text(runs - finished), counted(runs, "run"),
        counts && search > 0 ? fmt::format(" ({})", counted(search, "evaluation")) : ""));
  }
  if (counts && comparison > 0) {
    parts.push_back(fmt::format("{} of the comparison", counted(comparison, "evaluation")));
  }
  if (counts && hold_out > 0) {
    parts.push_back(fmt::format("{} of the hold-out", counted(hold_out, "evaluation")));
  }
  return parts.empty() ? "" : fmt::format("Planned and not done: {}.\n", list_text(parts, "and"));
}

constexpr std::size_t kMostInstanceRows = 8;
constexpr std::size_t kShownOfMany = 3;  ///< at either end
constexpr std::size_t kLongestInstanceName = 40;

/// "71.17", "71.17, 1 of 4 failed" or "4 of 4 failed"; empty where nothing was evaluated.
std::string value_cell(const std::optional<double>& value, const std::optional<Interval>& interval,
                       std::int64_t failures, std::int64_t evaluations) {
  std::string text = value ? score_text(*value, interval) : "";
  if (failures == 0) return text;
  return fmt::format("{}{}{} of {} failed", text, text.empty() ? "" : ", ", count_text(failures),
                     count_text(evaluations));
}

/// `shown`: with the digits of which interval, where the row has none.
std::vector<std::string> cells_of(const InstanceRow& row, bool has_default,
                                  const std::optional<Interval>& shown) {
  const std::optional<Interval>& interval = row.interval ? row.interval : shown;
  const std::int64_t evaluations = row.n + row.failures;
  std::vector<std::string> cells = {
      printable(row.name, kLongestInstanceName),
      value_cell(row.value, interval, row.failures, evaluations),
      row.interval ? score_interval_text(*row.interval) : std::string(), count_text(row.n)};
  if (has_default) {
    cells.push_back(value_cell(row.default_value, interval, row.default_failures, evaluations));
  }
  return cells;
}

/// The table of instances, those that always failed first, then the worst; of many the worst and
/// the best ones. Empty without instances.
std::string instance_table(const Study& study, const SavedResult& result) {
  std::vector<InstanceRow> rows = result.instances.value_or(std::vector<InstanceRow>());
  // Those that were held out stand together, in front.
  if (!rows.empty()) {
    const bool front = rows.front().test;
    std::erase_if(rows, [front](const InstanceRow& row) { return row.test != front; });
  }
  if (rows.empty()) return {};
  const double direction = study.objectives.front().objective->unit().direction();
  std::ranges::stable_sort(rows, {}, [=](const InstanceRow& row) {
    return std::pair(row.value.has_value(), direction * row.value.value_or(0.0));
  });
  const bool has_default = std::ranges::any_of(rows, [](const InstanceRow& row) {
    return row.default_value.has_value() || row.default_failures > 0;
  });
  std::vector<std::string> titles = {rows.front().test ? "<test instance" : "<instance", "value",
                                     "95 % interval", "n"};
  if (has_default) titles.emplace_back("default");
  TextTable table(titles);
  const bool many = rows.size() > kMostInstanceRows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (many && i == kShownOfMany) {
      std::vector<std::string> gap(titles.size());
      gap[0] = fmt::format("… {} more …", count_text(rows.size() - 2 * kShownOfMany));
      table.add_row(std::move(gap));
    }
    if (many && i >= kShownOfMany && i + kShownOfMany < rows.size()) continue;
    table.add_row(cells_of(rows[i], has_default, result.shown_interval()));
  }
  return '\n' + table.text();
}

/// Of the names of the parameters.
std::size_t label_width(const Facts& facts) {
  std::size_t width = 0;
  for (const Fact& fact : facts) {
    if (fact.part == Fact::Part::kSetting) width = std::max(width, fact.label.size());
  }
  return width;
}

}  // namespace

std::string result_text(const Study& study, const StudyResult& result,
                        const std::vector<CellSummary>& summaries) {
  constexpr std::size_t kWidth = 11;
  constexpr std::int64_t kMany = 20;  // one of so many games is 5 %
  const SavedResult saved = saved_result(study, result, summaries);
  Facts facts = result_facts(study, saved);
  std::string text;
  if (kMany * result.endings.forfeits.games() > result.endings.games) {
    text += "Look at the games first: " + forfeits_text(result.endings) + "\n\n";
    std::erase_if(facts, [](const Fact& fact) { return fact.key == "forfeits"; });
  }
  if (result.interrupted) {
    text +=
        "Interrupted: only what had finished is counted.\n" + not_done_text(study, result) + '\n';
  }
  if (study.is_comparison()) {
    text += comparison_text(study, summaries);
  } else if (!saved.recommendation) {
    text += "No run has finished: nothing to recommend.\n";
  } else {
    text += "Recommendation\n" + facts_text(facts, Fact::Part::kSetting, label_width(facts)) +
            '\n' + facts_text(facts, Fact::Part::kFinding, kWidth) + instance_table(study, saved);
  }
  return text + '\n' + facts_text(facts, Fact::Part::kWork, 0);
}

}  // namespace ntune
