#include "ntune/study/journal/recorded_objects.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/core/line_cursor.h"
#include "ntune/core/time_text.h"
#include "ntune/study/model/certainty_numbers.h"

namespace ntune {

namespace {

using LineKind = JournalLine::Kind;

constexpr const char* kPlanned = "planned";
constexpr const char* kSearchState = "search_state";
constexpr const char* kSplit = "split";
constexpr const char* kRetry = "retry_failed";
constexpr const char* kRun = "run";

constexpr auto kMostCells = std::numeric_limits<std::uint32_t>::max();

bool is_count(std::int64_t value) { return value >= 0 && value <= kMostEvaluations; }

bool is_number(const Json& json) { return json.is_number() && is_finite(json.get<double>()); }

/// [cell, stage, repeat, run, index, evaluations, horizon, limit of cost, limit of seconds], where
/// a limit may be null.
bool read_step(const Json& list, std::size_t number, PlannedStep& step) {
  constexpr std::size_t kCounts = 7;
  constexpr std::size_t kFields = 9;
  if (!list.is_array() || list.size() != kFields) return false;
  for (std::size_t i = 0; i < kFields; ++i) {
    if (i < kCounts ? !list[i].is_number_integer() : !list[i].is_null() && !is_number(list[i])) {
      return false;
    }
  }
  if (list[0] < 0 || list[0] > kMostCells) return false;
  if (list[1] < 0 || list[1] > static_cast<int>(Stage::kHoldOut)) return false;
  step = {.key = {.cell = list[0],
                  .stage = static_cast<Stage>(list[1].get<int>()),
                  .repeat = list[2],
                  .run = list[3],
                  .index = list[4]},
          .evaluations = list[5],
          .horizon = list[6]};
  if (!list[7].is_null()) step.limits.cost = list[7].get<double>();
  if (!list[8].is_null()) step.limits.seconds = list[8].get<double>();
  // A count beyond int64 is negative by now.
  return is_count(step.evaluations) && is_count(step.horizon) && is_recorded_key(step.key, number);
}

/// [cell, repeat, run, evaluations, state of the optimiser, four words of its random stream].
bool read_state(const Json& list, EvaluationKey& key, SearchState& state) {
  constexpr std::size_t kWords = std::tuple_size_v<Rng::State>;
  constexpr std::size_t kBefore = 5;
  if (!list.is_array() || list.size() != kBefore + kWords) return false;
  if (!std::ranges::all_of(list, [](const Json& one) { return one.is_number_unsigned(); })) {
    return false;
  }
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  const auto at_most = [&](std::size_t i, std::uint64_t most) {
    return list[i].get<std::uint64_t>() <= most;
  };
  if (!at_most(0, kMostCells) || !at_most(1, kMost) || !at_most(2, kMost) || !at_most(3, kMost)) {
    return false;
  }
  key = {.cell = list[0], .repeat = list[1], .run = list[2]};
  state = {.evaluations = list[3], .optimiser = list[4]};
  for (std::size_t i = 0; i < kWords; ++i) state.stream[i] = list[kBefore + i];
  // From zeros alone no random number would ever follow but 0.
  return state.evaluations > 0 && state.stream != Rng::State{};
}

bool read_split(const Json& fields, RunPlan& plan) {
  const auto count = [&](const char* key, std::int64_t least, std::int64_t& value) {
    const auto found = fields.find(key);
    if (found == fields.end() || !found->is_number_integer()) return false;
    value = *found;
    return is_count(value) && value >= least;
  };
  plan = {};
  return fields.is_object() && count("runs", 1, plan.runs) &&
         count("iterations", 1, plan.iterations) && count("re_evaluation", 0, plan.re_evaluation);
}

std::vector<double> numbers_at(const Json& fields, const char* name) {
  return fields.value(name, std::vector<double>());
}

bool read_point(const std::vector<double>& numbers, std::vector<std::uint16_t>& point) {
  point.clear();
  for (const double number : numbers) {
    if (number < 0.0 || number > kMaxValues || number != static_cast<int>(number)) return false;
    point.push_back(static_cast<std::uint16_t>(number));
  }
  return true;
}

bool read_statistics(const std::vector<double>& numbers, RunningStats& statistics) {
  if (numbers.empty()) return true;
  if (numbers.size() != 5) return false;
  statistics = RunningStats({.count = static_cast<std::int64_t>(numbers[0]),
                             .mean = numbers[1],
                             .squares = numbers[2],
                             .min = numbers[3],
                             .max = numbers[4]});
  return numbers[0] >= 0.0 && numbers[0] <= static_cast<double>(kMostEvaluations);
}

/// Throws Json::exception for members of another kind.
bool read_run(const Json& fields, JournalLine& line) {
  const auto count = [&](const char* name) { return fields.value(name, std::int64_t{0}); };
  const std::int64_t cell = count("cell");
  RunRecord run;
  run.finished = true;
  run.repeat = count("repeat");
  run.run = count("run");
  run.evaluations = count("evaluations");
  run.failures = count("failures");
  run.set_aside.payoffs = count("set_aside");
  run.endings.cut_off = count("cut_off");
  run.endings.capped = count("capped");
  run.estimate = fields.value("estimate", 0.0);
  run.point_evaluations = count("point_evaluations");
  run.trace = fields.value("trace", std::string());
  run.hold_out.evaluations = count("hold_out_evaluations");
  run.failure_statistics = failure_statistics_of(fields.value("failed", Json()));
  const std::vector<double> certainty = numbers_at(fields, "certainty");
  run.certainty = certainty_from(certainty);
  if (!certainty.empty() && !run.certainty) return false;
  if (!read_point(numbers_at(fields, "point"), line.point)) return false;
  if (!read_statistics(numbers_at(fields, "hold_out"), run.hold_out.payoffs)) return false;
  if (cell < 0 || cell > kMostCells || !is_recorded_run(run)) return false;
  line.key = {.cell = static_cast<std::uint32_t>(cell), .repeat = run.repeat, .run = run.run};
  line.start = line.end = read_time(fields.value("end", ""));
  line.run = std::move(run);
  return is_recorded_point(line);
}

}  // namespace

Json recorded_step(const PlannedStep& step) {
  const auto limit = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json();
  };
  const EvaluationKey& key = step.key;
  return {{kPlanned, Json::array({key.cell, static_cast<int>(key.stage), key.repeat, key.run,
                                  key.index, step.evaluations, step.horizon,
                                  limit(step.limits.cost), limit(step.limits.seconds)})}};
}

Json recorded_state(const EvaluationKey& key, const SearchState& state) {
  Json list = {key.cell, key.repeat, key.run, state.evaluations, state.optimiser};
  for (const std::uint64_t word : state.stream) list.push_back(word);
  return {{kSearchState, list}};
}

Json recorded_split(const RunPlan& plan) {
  return {{kSplit,
           {{"runs", plan.runs},
            {"iterations", plan.iterations},
            {"re_evaluation", plan.re_evaluation}}}};
}

Json recorded_retry() { return {{kRetry, true}}; }

Json recorded_run(std::uint32_t cell, const RunRecord& run, JournalLine::Time end) {
  Json fields = {{"end", universal_time_text(end)},
                 {"cell", cell},
                 {"repeat", run.repeat},
                 {"run", run.run},
                 {"evaluations", run.evaluations},
                 {"point", run.point.indices()},
                 {"point_evaluations", run.point_evaluations},
                 {"estimate", run.estimate}};
  const auto add_count = [&](const char* name, std::int64_t count) {
    if (count != 0) fields[name] = count;
  };
  if (run.certainty) fields["certainty"] = numbers_of(*run.certainty);
  if (run.hold_out.payoffs.count() > 0) {
    const RunningStats::State& state = run.hold_out.payoffs.state();
    fields["hold_out"] = {state.count, state.mean, state.squares, state.min, state.max};
  }
  add_count("hold_out_evaluations", run.hold_out.evaluations);
  add_count("failures", run.failures);
  if (run.failures > 0) fields["failed"] = failure_statistics_json(run.failure_statistics);
  add_count("set_aside", run.set_aside.payoffs);
  add_count("cut_off", run.endings.cut_off);
  add_count("capped", run.endings.capped);
  if (!run.trace.empty()) fields["trace"] = run.trace;
  return {{kRun, fields}};
}

bool read_recorded_object(std::string_view name, const Json& fields, JournalLine& line) {
  if (name == kPlanned) {
    line.kind = LineKind::kPlanned;
    return read_step(fields, line.number, line.planned);
  }
  if (name == kSearchState) {
    line.kind = LineKind::kState;
    return read_state(fields, line.key, line.state);
  }
  if (name == kSplit) {
    line.kind = LineKind::kSplit;
    return read_split(fields, line.split);
  }
  if (name == kRetry) {
    line.kind = LineKind::kRetry;
    return true;
  }
  if (name != kRun) return false;
  line.kind = LineKind::kRun;
  try {
    return read_run(fields, line);
  } catch (const Json::exception&) {
    return false;
  }
}

bool is_recorded_key(const EvaluationKey& key, std::size_t line) {
  constexpr std::int64_t kMostInFlight = 1'000'000;
  // Below 0: -1 of the pick, -2 of the default, from -3 on of declared starts.
  return is_count(key.repeat) && key.run >= -kMostEvaluations && key.run <= kMostEvaluations &&
         key.index >= 0 && key.index <= static_cast<std::int64_t>(line) + kMostInFlight;
}

bool is_recorded_run(const RunRecord& run) {
  return is_count(run.repeat) && is_count(run.run) && is_count(run.evaluations) &&
         is_count(run.failures) && is_count(run.point_evaluations) &&
         is_count(run.hold_out.evaluations) && is_count(run.set_aside.payoffs) &&
         is_count(run.endings.cut_off) && is_count(run.endings.capped) && is_finite(run.estimate);
}

bool is_recorded_point(const JournalLine& line) {
  constexpr auto kMost = static_cast<std::size_t>(kMaxDimensions);
  return line.point.size() <= kMost && line.against.size() <= kMost;
}

}  // namespace ntune
