#include "ntune/study/export/export_records.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <unordered_map>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/hash.h"
#include "ntune/core/text.h"
#include "ntune/core/time_text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/journal/recorded_results.h"
#include "ntune/study/model/streams.h"

namespace ntune {

namespace {

using LineKind = JournalLine::Kind;

bool is_finished(LineKind kind) {
  return kind == LineKind::kEvaluation || kind == LineKind::kFailure || kind == LineKind::kRun ||
         kind == LineKind::kOffered;
}

/// A local time as text; empty where there is none.
std::string text_of(const std::optional<JournalLine::Time>& time) {
  return time ? local_time_text(*time) : std::string();
}

/// The value in the reported unit: the mean of the payoffs, or the best that is known of a run.
std::optional<double> value_of_line(const Objective& objective, const JournalLine& line) {
  switch (line.kind) {
    case LineKind::kEvaluation:
    case LineKind::kOffered:
      return objective.unit().value_of(stats_of(line.payoffs).mean());
    case LineKind::kRun:
      if (const auto truth = true_value_of(objective, Point(line.point))) return truth;
      if (line.run.hold_out.payoffs.count() > 0)
        return objective.unit().value_of(line.run.hold_out.payoffs.mean());
      return line.run.estimate;
    default:
      return std::nullopt;
  }
}

/// What a later line is of, too, that counts in place of an earlier one: a failure that was tried
/// again, or a run that was given more. Of another point it is another evaluation, whether or not
/// the study still asks for the first.
struct TrialName {
  EvaluationKey key;
  std::uint64_t point = 0;  ///< hash of the points of an evaluation

  friend bool operator==(const TrialName&, const TrialName&) = default;
};
struct TrialNameHash {
  std::size_t operator()(const TrialName& name) const noexcept {
    return mix64(name.key.hash() + name.point);
  }
};

TrialName name_of(const JournalLine& line) {
  if (line.kind == LineKind::kRun) return {.key = line.key};
  const Point opponent(line.against);
  return {.key = line.key,
          .point = hash_of(Point(line.point), opponent.size() > 0 ? &opponent : nullptr)};
}

/// The opponent of an evaluation whose players the search chooses: its choice, else the fixed one.
std::optional<Point> opponent_in(const Study& study, const JournalLine& line) {
  if (!line.against.empty()) return Point(line.against);
  if (line.kind == LineKind::kRun || !study.chooses_opponents(line.key.cell)) return std::nullopt;
  const Matches& matches =
      *study.objectives[study.objective_of(line.key.cell)].objective->matches();
  if (const auto only = matches.opponent()) return only;
  if (line.kind == LineKind::kOffered) return std::nullopt;  // it has no stream
  const std::optional<Rng> stream = stream_of(study, line);
  return stream ? std::optional(matches.anchor_for(*stream)) : std::nullopt;
}

/// Where failed evaluations count with a value: its payoff.
std::optional<double> payoff_of_failure(const Study& study, const Objective& objective) {
  if (study.execution.on_failure.kind != FailurePolicy::Kind::kValue) return std::nullopt;
  return objective.unit().payoff_of(study.execution.on_failure.value);
}

/// Adds an evaluation to its point.
void add_to(RecordedPoint& point, const RecordedTrial& trial, std::optional<double> of_failure) {
  const JournalLine& line = *trial.line;
  point.games.add(line.games);
  std::int64_t spent = std::ssize(line.payoffs);
  if (line.kind == LineKind::kFailure) {
    ++point.failures;
    ++spent;
    if (of_failure) point.payoffs.add(*of_failure);
  }
  for (const double payoff : line.payoffs) {
    // What was ended because it could no longer win says only what the value is at least.
    if (line.ending != Ending::kCapped) point.payoffs.add(payoff);
  }
  // What nobody asked for is of no stage.
  if (!trial.is_offered()) point.spent[static_cast<std::size_t>(line.key.stage)] += spent;
  // Times are texts that sort as they pass.
  if (point.start.empty() || trial.start < point.start) point.start = trial.start;
  point.complete = std::max(point.complete, trial.complete);
}

}  // namespace

bool RecordedTrial::is_offered() const { return line->kind == LineKind::kOffered; }

const char* RecordedTrial::stage() const {
  return is_offered() ? "offered" : stage_name(line->key.stage);
}

std::vector<double> goal_values(const Study& study, const RecordedTrial& trial) {
  if (!trial.value) return {};
  const std::span<const Goal> goals = study.objectives[trial.objective].objective->goals();
  std::vector<double> values = goals.empty() ? std::vector<double>() : goals_of(*trial.line);
  values.resize(std::min(values.size(), goals.size()));
  for (std::size_t g = 0; g < values.size(); ++g) values[g] = goals[g].unit.value_of(values[g]);
  return values;
}

const Instance* instance_of(const Study& study, const RecordedTrial& trial) {
  const JournalLine& line = *trial.line;
  if (!trial.is_offered()) return study.instances.of(study.seed, line.key, line.block);
  return line.instance ? &study.instances.train[*line.instance] : nullptr;
}

std::optional<Rng> stream_of(const Study& study, const JournalLine& line) {
  const EvaluationKey& key = line.key;
  // The hold-out of a pick has a stream of its repeat, that of a run one of the run.
  if (key.stage == Stage::kHoldOut && study.unit == SampleUnit::kPicks) {
    return hold_out_stream(pick_stream(study.seed, key.repeat),
                           static_cast<std::uint64_t>(key.index));
  }
  const Rng run = run_stream(study.seed, key.repeat, key.run);
  if (key.stage == Stage::kSearch) return search_stream(run, key.index, line.block);
  if (key.stage != Stage::kHoldOut) return std::nullopt;
  return hold_out_stream(run, static_cast<std::uint64_t>(key.index));
}

/// How long it took is known of what this process or a program carried out, not of what was asked.
std::optional<RecordedTrial> trial_of_line(const Study& study, const JournalLine& line) {
  if (!is_finished(line.kind)) return std::nullopt;
  RecordedTrial trial{.line = &line,
                      .objective = study.objective_of(line.key.cell),
                      .point = Point(line.point),
                      .opponent = opponent_in(study, line),
                      .start = text_of(line.start),
                      .complete = text_of(line.end)};
  trial.value = value_of_line(*study.objectives[trial.objective].objective, line);
  if (line.has_outcome() && !line.was_asked && line.start && line.end) {
    trial.seconds = std::chrono::duration<double>(*line.end - *line.start).count();
  }
  return trial;
}

void for_each_trial(const RecordedStudy& recorded,
                    const std::function<void(const RecordedTrial&)>& visit) {
  // The first pass finds the last line of each name, the second visits these.
  std::unordered_map<TrialName, std::size_t, TrialNameHash> last;  // line
  // What was offered has no name of its own: each counts.
  const auto has_name = [](const JournalLine& line) {
    return is_finished(line.kind) && line.kind != LineKind::kOffered;
  };
  recorded.scan([&](const JournalLine& line) {
    if (has_name(line)) last[name_of(line)] = line.number;
  });
  recorded.scan([&](const JournalLine& line) {
    if (has_name(line) && last.at(name_of(line)) != line.number) return;
    if (const auto trial = trial_of_line(recorded.study(), line)) visit(*trial);
  });
}

bool has_games(const RecordedStudy& recorded) {
  bool found = false;
  recorded.scan([&](const JournalLine& line) { found = found || !line.games.empty(); });
  return found;
}

std::vector<RecordedPoint> recorded_points(const RecordedStudy& recorded, std::int64_t at_least) {
  const Study& study = recorded.study();
  if (study.execution.record == Recording::kRuns) {
    throw InputError(fmt::format(
        "{}: the journal holds runs, not their evaluations; --per point needs a study with "
        "`record: evaluations`",
        printable(recorded.folder().string(), 1000)));
  }
  // Points stand in the order of their first evaluation.
  std::vector<RecordedPoint> points;
  std::vector<std::unordered_map<Point, std::size_t>> known(study.objectives.size());
  for_each_trial(recorded, [&](const RecordedTrial& trial) {
    const auto [place, is_new] = known[trial.objective].try_emplace(trial.point, points.size());
    if (is_new) {
      points.push_back({.objective = trial.objective, .point = trial.point});
    }
    add_to(points[place->second], trial,
           payoff_of_failure(study, *study.objectives[trial.objective].objective));
  });
  if (at_least > 1) {
    std::erase_if(points,
                  [&](const RecordedPoint& point) { return point.payoffs.count() < at_least; });
  }
  return points;
}

std::optional<std::int64_t> evaluations_of_best(const Study& study,
                                                const std::vector<RecordedPoint>& points) {
  // The best of each objective, and of these the one with the fewest payoffs.
  std::vector<const RecordedPoint*> best(study.objectives.size(), nullptr);
  for (const RecordedPoint& point : points) {
    const RecordedPoint*& leader = best[point.objective];
    const bool is_better = leader == nullptr || point.payoffs.mean() > leader->payoffs.mean();
    if (point.payoffs.count() > 0 && is_better) leader = &point;
  }
  std::optional<std::int64_t> fewest;
  for (const RecordedPoint* point : best) {
    if (point == nullptr) continue;
    if (!study.objectives[point->objective].objective->payoffs().noisy) continue;
    fewest = std::min(fewest.value_or(point->payoffs.count()), point->payoffs.count());
  }
  return fewest;
}

PointValue value_of(const Study& study, const RecordedPoint& point) {
  const Objective& objective = *study.objectives[point.objective].objective;
  const RunningStats& payoffs = point.payoffs;
  const double games = point.games.games_each(payoffs.count());
  PointValue value{.mean = objective.unit().value_of(payoffs.mean()),
                   .interval = payoff_interval(source_in(study, objective), payoffs, games)};
  // A single payoff says nothing of its spread.
  if (payoffs.count() < 2) return value;
  const double unit = objective.unit().size();
  value.sd = unit * payoffs.sd();
  value.standard_error = unit * payoffs.standard_error();
  return value;
}

namespace fs = std::filesystem;

namespace {

/// A line as JSON; discarded where it is none. Python writes NaN and Infinity as bare words, which
/// YAML takes for texts.
Json json_of(std::string_view line) {
  Json json = Json::parse(line, nullptr, false);
  if (!json.is_discarded()) return json;
  try {
    return to_json(parse_yaml(std::string(line)));
  } catch (const InputError&) {
    return json;
  }
}

/// Of [cell, repeat, stage, run, index].
std::optional<EvaluationKey> key_of(const Json& at) {
  constexpr std::size_t kParts = 5;
  if (!at.is_array() || at.size() != kParts || !at[2].is_string()) return std::nullopt;
  for (const std::size_t i : {0U, 1U, 3U, 4U}) {
    if (!at[i].is_number_integer()) return std::nullopt;
  }
  for (const Stage stage : {Stage::kSearch, Stage::kReEvaluation, Stage::kHoldOut}) {
    if (at[2] != stage_name(stage)) continue;
    return EvaluationKey{.cell = at[0].get<std::uint32_t>(),
                         .stage = stage,
                         .repeat = at[1].get<std::int64_t>(),
                         .run = at[3].get<std::int64_t>(),
                         .index = at[4].get<std::int64_t>()};
  }
  return std::nullopt;
}

}  // namespace

ReportedNames::ReportedNames(const fs::path& folder) : file_(folder / "recorded.jsonl") {
  read_news();
}

void ReportedNames::read_news() {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file_, error);
  if (error || size <= read_) return;
  std::ifstream file(file_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(read_));
  for (std::string line; std::getline(file, line) && !file.eof();) {
    read_ += line.size() + 1;
    take(line);
  }
}

void ReportedNames::take(std::string_view line) {
  Json json = json_of(line);
  if (!json.is_object() || !json.contains("at") || !json.contains("names")) return;
  const auto key = key_of(json["at"]);
  Json& names = json["names"];
  if (!key || !names.is_object()) return;
  for (const auto& [name, value] : names.items()) {
    if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
  }
  reported_[*key] = std::move(names);
}

const Json& ReportedNames::of(const RecordedTrial& trial) const {
  static const Json kNothing;
  if (trial.is_offered()) return kNothing;
  const auto found = reported_.find(trial.line->key);
  return found == reported_.end() ? kNothing : found->second;
}

}  // namespace ntune
