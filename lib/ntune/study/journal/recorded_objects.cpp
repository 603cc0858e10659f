#include "ntune/study/journal/recorded_objects.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "ntune/core/json.h"
#include "ntune/core/line_cursor.h"
#include "ntune/core/time_text.h"

namespace ntune {

namespace {

using LineKind = JournalLine::Kind;

constexpr const char* kPlanned = "planned";
constexpr const char* kSearchState = "search_state";
constexpr const char* kSplit = "split";
constexpr const char* kRetry = "retry_failed";
constexpr const char* kRun = "run";

constexpr auto kMostCells = std::numeric_limits<std::uint32_t>::max();

/// [cell, stage, repeat, run, index, evaluations, horizon, limit of cost, limit of seconds], where
/// a limit may be null.
bool read_step(const Json& list, std::size_t number, PlannedStep& step) {
  constexpr std::size_t kFields = 9;
  const auto read_limit = [&](std::size_t i, std::optional<double>& limit) {
    if (!list[i].is_null()) limit = list[i].get<double>();
    return is_finite(limit.value_or(0.0));
  };
  step = {};
  if (!list.is_array() || list.size() != kFields) return false;
  if (!read_recorded_key(list, 0, number, step.key)) return false;
  step.evaluations = recorded_integer(list[5]);
  step.horizon = recorded_integer(list[6]);
  return is_count(step.evaluations) && is_count(step.horizon) && read_limit(7, step.limits.cost) &&
         read_limit(8, step.limits.seconds);
}

/// [cell, repeat, run, evaluations, state of the optimiser, four words of its random stream].
bool read_state(const Json& list, EvaluationKey& key, SearchState& state) {
  constexpr std::size_t kWords = std::tuple_size_v<Rng::State>;
  constexpr std::size_t kBefore = 5;
  if (!list.is_array() || list.size() != kBefore + kWords) return false;
  if (!std::ranges::all_of(list, [](const Json& one) { return one.is_number_unsigned(); })) {
    return false;
  }
  // All are unsigned; counts must fit into the signed numbers that they become.
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  for (std::size_t i = 0; i + 1 < kBefore; ++i) {
    if (list[i].get<std::uint64_t>() > (i == 0 ? kMostCells : kMost)) return false;
  }
  key = {.cell = list[0], .repeat = list[1], .run = list[2]};
  state = {.evaluations = list[3], .optimiser = list[4]};
  for (std::size_t i = 0; i < kWords; ++i) state.stream[i] = list[kBefore + i];
  // From zeros alone no random number would ever follow but 0.
  return state.evaluations > 0 && state.stream != Rng::State{};
}

/// {"runs": …, "iterations": …, "re_evaluation": …}.
bool read_split(const Json& fields, RunPlan& plan) {
  plan = {.runs = recorded_integer(fields.at("runs")),
          .iterations = recorded_integer(fields.at("iterations")),
          .re_evaluation = recorded_integer(fields.at("re_evaluation"))};
  return is_count(plan.runs) && is_count(plan.iterations) && is_count(plan.re_evaluation) &&
         plan.runs > 0 && plan.iterations > 0;
}

/// Throws Json::exception for members of another kind.
bool read_run(const Json& fields, JournalLine& line) {
  const auto cell = fields.value("cell", std::int64_t{0});
  std::optional<RunRecord> run = run_record_of(fields);
  if (!run || cell < 0 || cell > kMostCells) return false;
  // A run has no time of its beginning: it may have been interrupted.
  line.key = {.cell = static_cast<std::uint32_t>(cell), .repeat = run->repeat, .run = run->run};
  line.start = line.end = read_time(fields.value("end", ""));
  line.point.assign(run->point.indices().begin(), run->point.indices().end());
  line.run = *std::move(run);
  return true;
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
  Json fields = {{"end", universal_time_text(end)}, {"cell", cell}};
  fields.update(run_record_json(run));
  return {{kRun, fields}};
}

/// Each kind has a reader; what throws there is not of its form.
bool read_recorded_object(std::string_view name, const Json& fields, JournalLine& line) {
  try {
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
    line.kind = name == kRun ? LineKind::kRun : LineKind::kRetry;
    return name == kRun ? read_run(fields, line) : name == kRetry;
  } catch (const Json::exception&) {
    return false;
  }
}

std::int64_t recorded_integer(const Json& json) { return json.get_ref<const std::int64_t&>(); }

bool read_recorded_key(const Json& list, std::size_t begin, std::size_t line, EvaluationKey& key) {
  // Cell and stage index lists: they are checked before they become smaller numbers.
  const auto number = [&](std::size_t i) { return recorded_integer(list.at(begin + i)); };
  const std::int64_t cell = number(0);
  const std::int64_t stage = number(1);
  if (cell < 0 || cell > kMostCells) return false;
  if (stage < 0 || stage > static_cast<int>(Stage::kHoldOut)) return false;
  key = {.cell = static_cast<std::uint32_t>(cell),
         .stage = static_cast<Stage>(stage),
         .repeat = number(2),
         .run = number(3),
         .index = number(4)};
  return is_recorded_key(key, line);
}

bool is_recorded_key(const EvaluationKey& key, std::size_t line) {
  constexpr std::int64_t kMostInFlight = 1'000'000;
  // Below 0: -1 of the pick, -2 of the default, from -3 on of declared starts.
  return is_count(key.repeat) && key.run >= -kMostEvaluations && key.run <= kMostEvaluations &&
         key.index >= 0 && key.index <= static_cast<std::int64_t>(line) + kMostInFlight;
}

bool is_recorded_point(const JournalLine& line) {
  constexpr auto kMost = static_cast<std::size_t>(kMaxDimensions);
  return line.point.size() <= kMost && line.against.size() <= kMost;
}

}  // namespace ntune
