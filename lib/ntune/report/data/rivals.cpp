#include "ntune/report/data/rivals.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "ntune/objective/capabilities.h"

namespace ntune {

namespace {

/// Calls visit with every evaluation in the journal that brought a whole payoff.
template <class Visit>
void visit_evaluations(const StudyFolder& study, const Visit& visit) {
  study.journal->scan([&](const JournalLine& line) {
    const bool whole =
        line.kind == JournalLine::Kind::kEvaluation && line.ending != Ending::kCapped;
    if (whole) visit(line);
  });
}

/// The points of the rows: rivals, then those that were evaluated most.
std::vector<InstanceMap::Row> chosen_rows(const StudyFolder& study,
                                          const std::vector<Rival>& rivals) {
  constexpr std::size_t kMostRows = 12;
  std::vector<InstanceMap::Row> rows;
  std::map<Point, std::int64_t> counts;
  visit_evaluations(study, [&](const JournalLine& line) { ++counts[Point(line.point)]; });
  for (std::size_t i = 0; i < rivals.size() && rows.size() < kMostRows; ++i) {
    if (counts.erase(rivals[i].point) == 0) continue;
    rows.push_back({.name = rival_name(study, rivals, i), .point = rivals[i].point});
  }
  // Points that no run recommends follow by how often they were evaluated.
  std::vector<std::pair<Point, std::int64_t>> others(counts.begin(), counts.end());
  std::ranges::stable_sort(others, std::ranges::greater(), &std::pair<Point, std::int64_t>::second);
  for (const auto& [point, count] : others) {
    if (rows.size() == kMostRows || count < 2) break;
    rows.push_back({.name = {}, .point = point});
  }
  return rows;
}

}  // namespace

std::string rival_name(const StudyFolder& study, const std::vector<Rival>& rivals,
                       std::size_t place) {
  const Rival& rival = rivals[place];
  if (rival.recommended) return "recommended";
  if (rival.point == study.study.beginning.incumbent) return "default";
  return fmt::format("{}#{}", rival.runs == 0 ? "start " : "", place + 1);
}

std::vector<Rival> rivals_of(const StudyFolder& study) {
  std::vector<Rival> rivals;
  if (!study.result || study.study.is_comparison()) return rivals;
  const Objective& objective = study.objective(0);
  const auto& chosen = study.result->recommendation;
  // A study of one run compares nothing: then the recommendation stands alone.
  std::vector<SavedCandidate> rows = study.result->candidates;
  if (rows.empty() && chosen) {
    rows.push_back({.point = chosen->point,
                    .best_probability = chosen->best_probability,
                    .regret = chosen->regret});
  }
  for (const SavedCandidate& row : rows) {
    Rival rival{.point = row.point,
                .runs = row.runs,
                .recommended = chosen && row.point == chosen->point,
                .stopped = row.stopped.value_or(false),
                .true_value = true_value_of(objective, row.point),
                .best_probability = row.best_probability,
                .regret = row.regret};
    const auto take = [&](const SavedPayoffs& fresh, const std::optional<Interval>& interval) {
      rival.n = fresh.n;
      rival.mean = fresh.mean;
      rival.interval = interval;
    };
    if (row.fresh) {
      take(*row.fresh, row.fresh->interval);
    } else if (rival.recommended && chosen->fresh.hold_out) {
      // The comparison is not known: of merged studies.
      take(*chosen->fresh.hold_out, chosen->fresh.interval);
    }
    rivals.push_back(std::move(rival));
  }
  // The choice of the study first, then what was measured, the best mean first.
  const double sign = objective.unit().direction();
  std::ranges::stable_sort(rivals, [&](const Rival& a, const Rival& b) {
    if (a.recommended != b.recommended) return a.recommended;
    if ((a.n > 0) != (b.n > 0)) return a.n > 0;
    return sign * a.mean > sign * b.mean;
  });
  return rivals;
}

std::vector<std::size_t> InstanceMap::disagreeing(const Unit& unit) const {
  constexpr double kStandardErrors = 3.0;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < instances.size() && !rows.empty(); ++i) {
    const RunningStats& first = rows.front().by_instance[i];
    const bool beaten = std::ranges::any_of(rows, [&](const Row& row) {
      const RunningStats& other = row.by_instance[i];
      if (first.count() < 2 || other.count() < 2) return false;
      const double gain = unit.direction() * (other.mean() - first.mean());
      return gain > kStandardErrors * std::hypot(first.standard_error(), other.standard_error());
    });
    if (beaten) places.push_back(i);
  }
  return places;
}

InstanceMap instance_map_of(const StudyFolder& study, const std::vector<Rival>& rivals) {
  const Instances& instances = study.study.instances;
  const bool recorded = study.study.execution.record == Recording::kEvaluations;
  if (instances.empty() || study.journal == nullptr || !recorded || study.study.is_comparison()) {
    return {};
  }
  InstanceMap map{.rows = chosen_rows(study, rivals)};
  // Columns are the instances in training, then those of the test.
  for (const InstanceList* list : {&instances.train, &instances.test}) {
    for (const Instance& instance : list->all()) map.instances.push_back(instance.name);
  }
  std::map<Point, InstanceMap::Row*> places;
  for (InstanceMap::Row& row : map.rows) {
    row.by_instance.resize(map.instances.size());
    places.emplace(row.point, &row);
  }
  const Unit unit = study.objective(0).unit();
  // Every payoff of a chosen point counts on its instance.
  visit_evaluations(study, [&](const JournalLine& line) {
    const auto row = places.find(Point(line.point));
    if (row == places.end()) return;
    const bool tests = line.key.stage == Stage::kHoldOut && !instances.test.empty();
    const std::size_t place = instances.index_of(study.study.seed, line.key, line.block) +
                              (tests ? instances.train.size() : 0);
    for (const double payoff : line.payoffs) {
      row->second->by_instance[place].add(unit.value_of(payoff));
    }
  });
  return map;
}

}  // namespace ntune
