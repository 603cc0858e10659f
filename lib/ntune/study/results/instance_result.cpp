#include "ntune/study/results/instance_result.h"

#include <algorithm>

#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/study/choice/payoff_intervals.h"

namespace ntune {

namespace {

constexpr std::size_t kMostInstanceRows = 8;
constexpr std::size_t kShownOfMany = 3;  ///< at either end
constexpr std::size_t kLongestInstanceName = 40;

/// `games`: how many counted games a payoff is the score of; 0: none are known.
void add_rows(const Objective& objective, const InstanceList& instances, bool test,
              const std::vector<RunningStats>& recommended, double games,
              const std::vector<RunningStats>& of_default, std::vector<InstanceRow>& rows) {
  const Unit unit = objective.unit();
  for (std::size_t i = 0; i < recommended.size(); ++i) {
    if (recommended[i].count() == 0) continue;
    InstanceRow row{.name = instances[i].name, .test = test, .n = recommended[i].count()};
    row.value = unit.value_of(recommended[i].mean());
    row.interval = objective.payoffs().exact_on_instances
                       ? Interval{row.value, row.value}
                       : payoff_interval(objective, recommended[i], games);
    if (i < of_default.size() && of_default[i].count() > 0) {
      row.default_value = unit.value_of(of_default[i].mean());
    }
    rows.push_back(std::move(row));
  }
}

const Candidate* candidate_at(const Pick& pick, const Point& point) {
  const auto& candidates = pick.comparison.candidates;
  const auto found = std::ranges::find(candidates, point, &Candidate::point);
  return found == candidates.end() ? nullptr : &*found;
}

std::vector<std::string> cells_of(const InstanceRow& row, bool has_default) {
  std::vector<std::string> cells = {
      printable(row.name, kLongestInstanceName), score_text(row.value),
      row.interval ? score_interval_text(*row.interval) : std::string(), count_text(row.n)};
  if (has_default) cells.push_back(row.default_value ? score_text(*row.default_value) : "");
  return cells;
}

}  // namespace

std::vector<InstanceRow> instance_rows(const Study& study, const Pick& pick) {
  if (study.instances.empty()) return {};
  const Objective& objective = *study.objectives.front().objective;
  const bool tested = !study.instances.test.empty();
  std::vector<InstanceRow> rows;
  const std::vector<RunningStats> none;
  add_rows(objective, study.instances.held_out(), tested, pick.hold_out.by_instance,
           pick.hold_out.games_each(), pick.incumbent ? pick.incumbent->hold_out.by_instance : none,
           rows);
  if (!tested && !rows.empty()) return rows;
  const Candidate* winner = candidate_at(pick, pick.point);
  if (winner == nullptr) return rows;
  const Candidate* other =
      study.beginning.incumbent ? candidate_at(pick, *study.beginning.incumbent) : nullptr;
  add_rows(objective, study.instances.train, false, winner->by_instance,
           winner->games.games_each(winner->payoffs.count()),
           other == nullptr ? none : other->by_instance, rows);
  return rows;
}

Json instance_rows_json(const std::vector<InstanceRow>& rows) {
  Json list = Json::array();
  for (const InstanceRow& row : rows) {
    list.push_back(
        {{"name", row.name},
         {"n", row.n},
         {"value", row.value},
         {"interval", row.interval ? Json({row.interval->low, row.interval->high}) : Json()},
         {"default", row.default_value ? Json(*row.default_value) : Json()},
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
  std::ranges::stable_sort(rows, {}, [=](const InstanceRow& row) { return direction * row.value; });
  const bool has_default = std::ranges::any_of(
      rows, [](const InstanceRow& row) { return row.default_value.has_value(); });
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
    table.add_row(cells_of(rows[i], has_default));
  }
  return '\n' + table.text();
}

}  // namespace ntune
