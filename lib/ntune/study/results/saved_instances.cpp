#include <algorithm>

#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/results/saved_result.h"

namespace ntune {

namespace {

/// Fewer payoffs than these say next to nothing of their spread.
constexpr std::int64_t kFewestOfInstance = 5;

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

/// The fresh evaluations of a hold-out.
ByInstance held_out_on(const HoldOut& hold_out) {
  return {hold_out.by_instance, hold_out.skipped_on, hold_out.games_each()};
}

/// Adds a row for each instance on which the recommendation was tried. The default's values stand
/// beside.
void add_rows(const PayoffSource& source, const InstanceList& instances, bool test,
              const ByInstance& recommended, const ByInstance& of_default,
              std::vector<InstanceRow>& rows) {
  const Unit unit = source.objective.unit();
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
      const Payoffs known = source.objective.payoffs();
      if (known.exact_on_instances) {
        row.interval = Interval{*row.value, *row.value};
      } else if (row.n >= kFewestOfInstance || known.two_valued || recommended.games > 0.0) {
        row.interval = payoff_interval(source, payoffs, recommended.games);
      }
    }
    if (of_default.count(i) > 0) row.default_value = unit.value_of(of_default.payoffs[i].mean());
    rows.push_back(std::move(row));
  }
}

/// The candidate of the comparison at this point; nullptr where it was not compared.
const Candidate* candidate_at(const Pick& pick, const Point& point) {
  const auto& candidates = pick.comparison.candidates;
  const auto found = std::ranges::find(candidates, point, &Candidate::point);
  return found == candidates.end() ? nullptr : &*found;
}

}  // namespace

std::vector<InstanceRow> instance_rows(const Study& study, const Pick& pick) {
  if (study.instances.empty()) return {};
  const PayoffSource source = source_in(study, *study.objectives.front().objective);
  const bool tested = !study.instances.test.empty();
  std::vector<InstanceRow> rows;
  add_rows(source, study.instances.held_out(), tested, held_out_on(pick.hold_out),
           pick.incumbent ? held_out_on(pick.incumbent->hold_out) : ByInstance(), rows);
  if (!tested && !rows.empty()) return rows;
  const Candidate* winner = candidate_at(pick, pick.point);
  if (winner == nullptr) return rows;
  const Candidate* other =
      study.beginning.incumbent ? candidate_at(pick, *study.beginning.incumbent) : nullptr;
  add_rows(
      source, study.instances.train, false,
      {.payoffs = winner->by_instance, .games = winner->games.games_each(winner->payoffs.count())},
      other == nullptr ? ByInstance() : ByInstance{.payoffs = other->by_instance}, rows);
  return rows;
}

}  // namespace ntune
