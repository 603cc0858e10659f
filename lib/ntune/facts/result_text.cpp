#include "ntune/facts/result_text.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/facts/front_text.h"
#include "ntune/facts/result_facts.h"
#include "ntune/facts/story.h"

namespace ntune {

namespace {

constexpr std::size_t kHanging = 2;  ///< of the lines that follow the first of a sentence

/// What an interrupted study had planned and not done. `made`: evaluations, those of stages that
/// did not end too.
std::string not_done_text(const Study& study, const StudyResult& result, std::int64_t made) {
  const bool counts = !study.limited || !study.limited->open;
  const auto cells_of_a_plan =
      static_cast<std::int64_t>(study.objectives.size() * study.optimisers.size());
  const std::int64_t times = study.repeats * cells_of_a_plan;
  // What is planned less what was made, stage by stage.
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
  // What was made of a stage that did not end is of the first one with a rest.
  std::int64_t more = std::max<std::int64_t>(0, made - result.evaluations());
  for (std::int64_t* rest : {&search, &comparison, &hold_out}) {
    const std::int64_t part = std::clamp<std::int64_t>(*rest, 0, more);
    *rest -= part;
    more -= part;
  }
  std::int64_t finished = 0;
  for (const CellResult& cell : result.cells) {
    finished += std::ranges::count_if(cell.runs, &RunRecord::finished);
  }
  // Stages without a rest are left out; with open limits evaluations are not counted in advance.
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
  if (parts.empty()) return {};
  return wrapped(fmt::format("Planned and not done: {}.", list_text(parts, "and")), kHanging) +
         '\n';
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

/// Names of instances in a column: of long ones what they share in front is left out, and the
/// middle of what is still too long.
std::vector<std::string> short_names(const std::vector<InstanceRow>& rows) {
  std::vector<std::string> names;
  for (const InstanceRow& row : rows) names.push_back(printable(row.name, 1000));
  const auto is_long = [](const std::string& name) {
    return text_columns(name) > kLongestInstanceName;
  };
  if (std::ranges::none_of(names, is_long)) return names;
  std::size_t shared = names.front().size();
  for (const std::string& name : names) {
    const auto ends = std::ranges::mismatch(name, names.front());
    shared = std::min(shared, static_cast<std::size_t>(ends.in1 - name.begin()));
  }
  // What all names share is left out up to a blank, so that no word is cut.
  const std::size_t blank = names.front().rfind(' ', shared);
  shared = names.size() > 1 && blank != std::string::npos ? blank + 1 : 0;
  constexpr std::size_t kEnd = 22;
  for (std::string& name : names) {
    name.erase(0, shared);
    if (shared > 0) name.insert(0, "… ");
    if (!is_long(name)) continue;
    const auto is_inside = [&](std::size_t at) {  // of a character
      return (static_cast<unsigned char>(name[at]) & 0xC0U) == 0x80U;
    };
    // The cut moves to the begin of a character on either side.
    std::size_t begin = kLongestInstanceName - kEnd - 1;
    std::size_t end = name.size() - kEnd;
    while (is_inside(begin)) --begin;
    while (is_inside(end)) ++end;
    name.replace(begin, end - begin, "…");
  }
  return names;
}

/// `shown`: with the digits of which interval, where the row has none.
std::vector<std::string> cells_of(const InstanceRow& row, const std::string& name, bool has_default,
                                  const std::optional<Interval>& shown) {
  const std::optional<Interval>& interval = row.interval ? row.interval : shown;
  const std::int64_t evaluations = row.n + row.failures;
  std::vector<std::string> cells = {
      name, value_cell(row.value, interval, row.failures, evaluations),
      row.interval && row.interval->low < row.interval->high ? score_interval_text(*row.interval)
                                                             : std::string(),
      count_text(row.n)};
  if (has_default) {
    cells.push_back(value_cell(row.default_value, interval, row.default_failures, evaluations));
  }
  return cells;
}

/// Puts those that always failed in front, then by the gain over today's setting, the largest
/// first, and where there is none by the value, the worst first.
void sort_rows(std::vector<InstanceRow>& rows, double direction) {
  const bool has_gain = std::ranges::any_of(rows, [](const InstanceRow& row) {
    return row.value && row.default_value && *row.value != *row.default_value;
  });
  std::ranges::stable_sort(rows, {}, [&](const InstanceRow& row) {
    double place = direction * row.value.value_or(0.0);
    if (has_gain) {
      place = row.value && row.default_value ? direction * (*row.default_value - *row.value)
                                             : std::numeric_limits<double>::infinity();
    }
    return std::pair(row.value.has_value(), place);
  });
}

/// The table of instances; of many the first and the last ones. Empty without instances.
std::string instance_table(const Study& study, const SavedResult& result) {
  std::vector<InstanceRow> rows = result.instances.value_or(std::vector<InstanceRow>());
  // Those that were held out stand together, in front.
  if (!rows.empty()) {
    const bool front = rows.front().test;
    std::erase_if(rows, [front](const InstanceRow& row) { return row.test != front; });
  }
  if (rows.empty()) return {};
  sort_rows(rows, study.objectives.front().objective->unit().direction());
  // The column of today's setting stands only where an instance has a value or a failure of it.
  const bool has_default = std::ranges::any_of(rows, [](const InstanceRow& row) {
    return row.default_value.has_value() || row.default_failures > 0;
  });
  std::vector<std::string> titles = {rows.front().test ? "<test instance" : "<instance",
                                     unit_text(*study.objectives.front().objective),
                                     "95 % interval", "n"};
  if (has_default) titles.emplace_back("today's");
  TextTable table(titles);
  const std::vector<std::string> names = short_names(rows);
  // Of many instances the middle is left out.
  const bool many = rows.size() > kMostInstanceRows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (many && i == kShownOfMany) {
      std::vector<std::string> gap(titles.size());
      gap[0] = fmt::format("… {} more …", count_text(rows.size() - 2 * kShownOfMany));
      table.add_row(std::move(gap));
    }
    if (many && i >= kShownOfMany && i + kShownOfMany < rows.size()) continue;
    table.add_row(cells_of(rows[i], names[i], has_default, result.shown_interval()));
  }
  return '\n' + table.text();
}

}  // namespace

std::string result_text(const Study& study, const StudyResult& result,
                        const std::vector<CellSummary>& summaries, std::int64_t made) {
  constexpr std::size_t kWidth = 11;
  const SavedResult saved = saved_result(study, result, summaries);
  Facts facts = result_facts(study, saved, made);
  std::string text;
  // Faults in many games make every number doubtful, so they stand first and not again below.
  if (are_many_forfeits(result.endings)) {
    text += wrapped("Look at the games first: " + forfeits_text(result.endings), kHanging) + "\n\n";
    std::erase_if(facts, [](const Fact& fact) { return fact.key == "forfeits"; });
  }
  if (saved.front) {
    text += front_text(study, saved) + '\n';
  } else if (!study.is_comparison()) {
    text += story_text(story_of(study, saved, {}, made)) + '\n';
  }
  if (result.interrupted) {
    text += "Interrupted: only what had finished is counted.\n" +
            not_done_text(study, result, made) + '\n';
  }
  if (study.is_comparison())
    text += comparison_text(study, saved, ranks_of(study, result), summaries) + '\n';
  if (saved.recommendation) {
    text += "Details\n" + facts_text(facts, Fact::Part::kFinding, kWidth) +
            instance_table(study, saved) + '\n';
  }
  return text + facts_text(facts, Fact::Part::kWork, 0);
}

}  // namespace ntune
