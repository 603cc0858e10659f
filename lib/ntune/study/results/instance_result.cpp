#include "ntune/study/results/instance_result.h"

#include <algorithm>

#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/results/summary.h"

namespace ntune {

namespace {

constexpr std::size_t kMostInstanceRows = 8;
constexpr std::size_t kShownOfMany = 3;  ///< at either end
constexpr std::size_t kLongestInstanceName = 40;

/// Fresh evaluations of a point by the instances of a list.
struct ByInstance {
  std::vector<RunningStats> payoffs = {};
  std::vector<std::int64_t> failures = {};
  double games = 0.0;  ///< how many counted games a payoff is the score of; 0: none are known

  [[nodiscard]] std::int64_t count(std::size_t i) const {
    return i < payoffs.size() ? payoffs[i].count() : 0;
  }
  [[nodiscard]] std::int64_t failed(std::size_t i) const {
    return i < failures.size() ? failures[i] : 0;
  }
};

ByInstance held_out_on(const HoldOut& hold_out) {
  return {hold_out.by_instance, hold_out.skipped_on, hold_out.games_each()};
}

void add_rows(const Objective& objective, const InstanceList& instances, bool test,
              const ByInstance& recommended, const ByInstance& of_default,
              std::vector<InstanceRow>& rows) {
  const Unit unit = objective.unit();
  for (std::size_t i = 0; i < recommended.payoffs.size(); ++i) {
    InstanceRow row{.name = instances[i].name,
                    .test = test,
                    .n = recommended.count(i),
                    .failures = recommended.failed(i),
                    .default_failures = of_default.failed(i)};
    if (row.n + row.failures == 0) continue;
    if (row.n > 0) {
      const RunningStats& payoffs = recommended.payoffs[i];
      row.value = unit.value_of(payoffs.mean());
      row.interval = objective.payoffs().exact_on_instances
                         ? Interval{*row.value, *row.value}
                         : payoff_interval(objective, payoffs, recommended.games);
    }
    if (of_default.count(i) > 0) row.default_value = unit.value_of(of_default.payoffs[i].mean());
    rows.push_back(std::move(row));
  }
}

const Candidate* candidate_at(const Pick& pick, const Point& point) {
  const auto& candidates = pick.comparison.candidates;
  const auto found = std::ranges::find(candidates, point, &Candidate::point);
  return found == candidates.end() ? nullptr : &*found;
}

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

}  // namespace

std::vector<InstanceRow> instance_rows(const Study& study, const Pick& pick) {
  if (study.instances.empty()) return {};
  const Objective& objective = *study.objectives.front().objective;
  const bool tested = !study.instances.test.empty();
  std::vector<InstanceRow> rows;
  add_rows(objective, study.instances.held_out(), tested, held_out_on(pick.hold_out),
           pick.incumbent ? held_out_on(pick.incumbent->hold_out) : ByInstance(), rows);
  if (!tested && !rows.empty()) return rows;
  const Candidate* winner = candidate_at(pick, pick.point);
  if (winner == nullptr) return rows;
  const Candidate* other =
      study.beginning.incumbent ? candidate_at(pick, *study.beginning.incumbent) : nullptr;
  add_rows(
      objective, study.instances.train, false,
      {.payoffs = winner->by_instance, .games = winner->games.games_each(winner->payoffs.count())},
      other == nullptr ? ByInstance() : ByInstance{.payoffs = other->by_instance}, rows);
  return rows;
}

Json instance_rows_json(const std::vector<InstanceRow>& rows) {
  Json list = Json::array();
  for (const InstanceRow& row : rows) {
    list.push_back(
        {{"name", row.name},
         {"n", row.n},
         {"failures", row.failures},
         {"value", row.value ? Json(*row.value) : Json()},
         {"interval", row.interval ? Json({row.interval->low, row.interval->high}) : Json()},
         {"default", row.default_value ? Json(*row.default_value) : Json()},
         {"default_failures", row.default_failures},
         {"test", row.test}});
  }
  return list;
}

std::string instance_table(const Study& study, const Pick& pick) {
  std::vector<InstanceRow> rows = instance_rows(study, pick);
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
    table.add_row(cells_of(rows[i], has_default, shown_interval(pick)));
  }
  return '\n' + table.text();
}

}  // namespace ntune
