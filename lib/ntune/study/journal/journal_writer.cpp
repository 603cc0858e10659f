#include "ntune/study/journal/journal_writer.h"

#include <concepts>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/objective/failure_cause.h"
#include "ntune/objective/recorded/optuna_codes.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/journal/journal_fields.h"
#include "ntune/study/model/certainty_numbers.h"
#include "ntune/version.h"

namespace ntune {

namespace {

using LineKind = JournalLine::Kind;

/// A JournalLine::Against, by reference.
struct AgainstView {
  const Point* opponent = nullptr;
};

/// Appends fields, each with the comma before it.
class FieldWriter {
 public:
  explicit FieldWriter(std::string& text) : text_(text) {}

  template <class... Fields>
  void operator()(const Fields&... fields) {
    (field(fields), ...);
  }

 private:
  void number(std::integral auto value) {
    const fmt::format_int digits(value);
    text_.append(digits.data(), digits.size());
  }
  void number(double value) { fmt::format_to(std::back_inserter(text_), "{}", value); }

  template <class Number>
  requires std::is_arithmetic_v<Number>
  void field(Number value) {
    text_ += ',';
    number(value);
  }
  void field(Stage stage) { field(static_cast<int>(stage)); }
  template <class Number>
  void field(std::span<const Number> values) {
    text_ += ",[";
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) text_ += ',';
      number(values[i]);
    }
    text_ += ']';
  }
  void field(const RunningStats& stats) { journal_fields::of_statistics(*this, stats.state()); }
  void field(const SetAside& set_aside) {
    if (set_aside.payoffs == 0) return;
    text_ += journal_fields::kSetAside;
    field(set_aside.payoffs);
  }
  void field(const GameCounts& counts) {
    if (counts.empty()) return;
    text_ += journal_fields::kGames;
    (*this)(counts.games.wins, counts.games.draws, counts.games.losses);
    if (counts.pairs.pairs() > 0) {
      for (const std::int64_t count : counts.pairs.counts) field(count);
    }
    text_ += ']';
    if (counts.forfeits.games() == 0) return;
    text_ += journal_fields::kForfeits;
    for (const std::int64_t count : counts.forfeits.first) field(count);
    for (const std::int64_t count : counts.forfeits.second) field(count);
    text_ += ']';
  }
  void field(Ending ending) {
    if (ending == Ending::kCutOff) text_ += journal_fields::kCutOff;
    if (ending == Ending::kCapped) text_ += journal_fields::kCapped;
  }
  template <class Number>
  void named(std::string_view begin, const std::optional<Number>& value) {
    if (!value) return;
    text_ += begin;
    field(*value);
    text_ += ']';
  }
  void field(const std::optional<double>& cost) { named(journal_fields::kCost, cost); }
  void field(const JournalLine::Used& used) { named(journal_fields::kUsed, used.seconds); }
  void field(const JournalLine::Block& block) { named(journal_fields::kBlock, block.number); }
  void field(const AgainstView& against) {
    if (against.opponent == nullptr) return;
    text_ += journal_fields::kAgainst;
    field(against.opponent->indices());
    text_ += ']';
  }
  void field(const JournalLine::OfferedOn& on) { named(journal_fields::kInstance, on.instance); }
  void field(const JournalLine::Trace& trace) {
    if (trace.text.empty()) return;
    text_ += journal_fields::kTrace;
    text_ += trace.text;
    text_ += journal_fields::kAfterTrace;
  }
  void field(const EarlyEndings& endings) {
    const auto named = [&](std::string_view name, std::int64_t count) {
      if (count == 0) return;
      text_ += name;
      field(count);
    };
    named(journal_fields::kRunCutOff, endings.cut_off);
    named(journal_fields::kRunCapped, endings.capped);
  }
  void field(const std::optional<Certainty>& certainty) {
    if (!certainty) return;
    const std::vector<double> numbers = numbers_of(*certainty);
    field(std::span<const double>(numbers));
  }

  std::string& text_;
};

/// The members of a JournalLine that stand in a line, by reference.
struct EvaluationView {
  LineKind kind;
  const EvaluationKey& key;
  std::span<const std::uint16_t> point;
  std::span<const double> payoffs;
  const GameCounts& games;
  Ending ending = Ending::kWhole;
  std::optional<double> cost = {};
  JournalLine::Used used = {};
  JournalLine::Block block = {};
  AgainstView against = {};
  JournalLine::OfferedOn offered_on = {};
};
struct FinishedRunView {
  EvaluationKey key;
  std::span<const std::uint16_t> point;
  const RunRecord& run;
  JournalLine::Trace trace;
};

void begin_line(std::string& text, LineKind kind) {
  text += journal_fields::kBegin;
  for (const auto& [each, letter] : journal_fields::kLetters) {
    if (each == kind) text += letter;
  }
  text += journal_fields::kAfterLetter;
}

/// Our part of a line, up to the Optuna record.
void append_fields(std::string& text, const EvaluationView& line) {
  begin_line(text, line.kind);
  journal_fields::of_evaluation(FieldWriter(text), line);
  text += journal_fields::kEnd;
}

/// The same for a finished evaluation.
void append_fields(std::string& text, const Request& request, const Outcome& outcome,
                   std::optional<double> used) {
  std::span<const double> payoffs = outcome.observations;
  if (payoffs.empty()) payoffs = {&outcome.payoff, 1};
  append_fields(text, {.kind = outcome.failure.empty() ? LineKind::kEvaluation : LineKind::kFailure,
                       .key = request.key,
                       .point = request.point->indices(),
                       .payoffs = payoffs,
                       .games = outcome.games,
                       .ending = outcome.ending,
                       .cost = outcome.cost,
                       .used = {used},
                       .block = {request.block},
                       .against = {request.chosen_opponent()}});
}

std::string failure_json(const Outcome& outcome) {
  return Json(printable(outcome.failure, kLongestFailure)).dump();
}

OptunaState state_of(const Outcome& outcome) {
  return outcome.failure.empty() ? OptunaState::kComplete : OptunaState::kFailed;
}

void append_instance(std::string& text, const Instance& instance) {
  text += ",\"instance\":" + Json(printable(instance.name)).dump();
}

/// `,"user_attrs":{"stage":…` of an evaluation, without the brace that closes it.
void append_attributes(std::string& text, const Request& request) {
  const EvaluationKey& key = request.key;
  fmt::format_to(std::back_inserter(text),
                 R"(,"user_attrs":{{"stage":"{}","cell":{},"repeat":{},"run":{},"evaluation":{})",
                 stage_name(key.stage), key.cell, key.repeat, key.run, key.index);
  if (request.instance != nullptr) append_instance(text, *request.instance);
  if (request.chosen_opponent() != nullptr) {
    const SearchSpace& space = request.objective->space();
    text += ",\"opponent\":" + point_json(*request.chosen_opponent(), space).dump();
  }
}

/// The number of a client's request, as the last key of an Optuna record.
void append_request(std::string& text, std::optional<std::uint64_t> number) {
  if (number) fmt::format_to(std::back_inserter(text), "{}{}", journal_fields::kRequest, *number);
}

}  // namespace

std::string optuna_name(const Study& study, std::size_t objective) {
  const std::string& label = study.objectives[objective].label;
  if (study.name.empty()) return label;
  return objective == 0 ? study.name : fmt::format("{}: {}", study.name, label);
}

JournalWriter::JournalWriter(const Study& study) : study_(study) {
  for (const StudyObjective& entry : study.objectives) {
    trials_.emplace_back(entry.objective->space());
  }
}

void JournalWriter::header(std::string& text, std::size_t objective) const {
  Json header = {{"objective", objective}};
  if (objective == 0) header = {{"format", 1}, {"version", kVersion}, {"study", study_.config}};
  const bool cost = study_.objectives[objective].objective->unit().is_cost();
  const Json line = {
      {"ntune", header},
      {"op_code", optuna_code(OptunaOperation::kCreateStudy)},
      {"worker_id", "ntune"},
      {"study_name", optuna_name(study_, objective)},
      {"directions",
       {optuna_code(cost ? OptunaDirection::kMinimise : OptunaDirection::kMaximise)}}};
  text += line.dump() + '\n';
}

void JournalWriter::extension(std::string& text) const {
  const Json header = {{"format", 1}, {"version", kVersion}, {"study", study_.config}};
  const Json line = {{"ntune", header},
                     {"op_code", optuna_code(OptunaOperation::kSetStudyAttribute)},
                     {"worker_id", "ntune"},
                     {"study_id", 0},
                     {"user_attr", {{"stages", study_.earlier.size() + 1}}}};
  text += line.dump() + '\n';
}

void JournalWriter::evaluation(std::string& text, const Request& request, const Outcome& outcome,
                               Time start, Time end, std::optional<double> used) const {
  const std::size_t objective = study_.objective_of(request.key.cell);
  const bool failed = !outcome.failure.empty();
  append_fields(text, request, outcome, used);
  std::optional<double> value;
  const bool capped = outcome.ending == Ending::kCapped;
  if (!failed && !capped) value = request.objective->unit().value_of(outcome.payoff);
  trials_[objective].append_finished(text, objective, value, time_text(start), time_text(end),
                                     *request.point,
                                     capped ? OptunaState::kPruned : OptunaState::kFailed);
  append_attributes(text, request);
  fmt::format_to(std::back_inserter(text), R"(,"seconds":{:.6f})",
                 std::chrono::duration<double>(end - start).count());
  if (outcome.attempts > 1) {
    fmt::format_to(std::back_inserter(text), R"(,"attempts":{})", outcome.attempts);
  }
  if (outcome.ending == Ending::kCutOff) text += R"(,"cut_off":true)";
  if (capped) {
    fmt::format_to(std::back_inserter(text), R"(,"at_least":{})",
                   request.objective->unit().value_of(outcome.payoff));
  }
  if (outcome.cost) fmt::format_to(std::back_inserter(text), R"(,"cost":{})", *outcome.cost);
  if (failed) text += ",\"failure\":" + failure_json(outcome);
  text += "}}\n";
}

void JournalWriter::offered(std::string& text, const OfferedObservation& observation, Time time,
                            std::optional<std::uint64_t> number) const {
  const std::size_t objective = study_.objective_of(observation.key.cell);
  append_fields(text, {.kind = LineKind::kOffered,
                       .key = observation.key,
                       .point = observation.point.indices(),
                       .payoffs = observation.payoffs,
                       .games = {},
                       .offered_on = {observation.instance}});
  const Unit unit = study_.objectives[objective].objective->unit();
  const std::string moment = time_text(time);
  trials_[objective].append_finished(text, objective,
                                     unit.value_of(stats_of(observation.payoffs).mean()), moment,
                                     moment, observation.point);
  text += ",\"user_attrs\":{\"stage\":\"offered\"";
  if (observation.instance) {
    append_instance(text, study_.instances.train[*observation.instance]);
  }
  text += '}';
  append_request(text, number);
  text += "}\n";
}

void JournalWriter::told(std::string& text, std::int64_t trial, const Request& request,
                         const Outcome& outcome, Time end, std::optional<double> used,
                         std::optional<std::uint64_t> number) const {
  const auto out = std::back_inserter(text);
  const bool failed = !outcome.failure.empty();
  if (failed) {
    // Optuna lets nobody change a finished trial: its reason stands before the line that ends it.
    fmt::format_to(
        out, R"({{"op_code":{},"worker_id":"ntune","trial_id":{},"user_attr":{{"failure":{}}}}})",
        optuna_code(OptunaOperation::kSetTrialAttribute), trial, failure_json(outcome));
    text += '\n';
  }
  append_fields(text, request, outcome, used);
  fmt::format_to(out, R"({},"trial_id":{},"worker_id":"ntune","state":{},"values":)",
                 optuna_code(OptunaOperation::kSetTrialState), trial,
                 optuna_code(state_of(outcome)));
  if (failed) {
    text += "null";
  } else {
    text += '[';
    append_float(text, request.objective->unit().value_of(outcome.payoff));
    text += ']';
  }
  fmt::format_to(out, R"(,"datetime_complete":"{}")", time_text(end));
  append_request(text, number);
  text += "}\n";
}

void JournalWriter::asked_again(std::string& text, std::int64_t trial, Time start) {
  const Json line = {{"ntune", {{journal_fields::kAskedAgain, trial}}},
                     {"op_code", optuna_code(OptunaOperation::kSetTrialAttribute)},
                     {"worker_id", "ntune"},
                     {"trial_id", trial},
                     {"user_attr", {{journal_fields::kAskedAgain, time_text(start)}}}};
  text += line.dump() + '\n';
}

void JournalWriter::asked(std::string& text, const Request& request, Time start) const {
  const std::size_t objective = study_.objective_of(request.key.cell);
  append_fields(text, {.kind = LineKind::kAsked,
                       .key = request.key,
                       .point = request.point->indices(),
                       .payoffs = {},
                       .games = {},
                       .against = {request.chosen_opponent()}});
  trials_[objective].append_running(text, objective, time_text(start), *request.point);
  append_attributes(text, request);
  text += "}}\n";
}

void JournalWriter::planned(std::string& text, const PlannedStep& step) {
  const EvaluationKey& key = step.key;
  const auto limit = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json();
  };
  const Json list = Json::array({key.cell, static_cast<int>(key.stage), key.repeat, key.run,
                                 key.index, step.evaluations, step.horizon, limit(step.limits.cost),
                                 limit(step.limits.seconds)});
  const std::string name =
      fmt::format("planned {} {} {}", stage_name(key.stage), key.run, key.index);
  const Json line = {{"ntune", {{journal_fields::kPlanned, list}}},
                     {"op_code", optuna_code(OptunaOperation::kSetStudyAttribute)},
                     {"worker_id", "ntune"},
                     {"study_id", 0},
                     {"user_attr", {{name, {step.evaluations, step.horizon}}}}};
  text += line.dump() + '\n';
}

void JournalWriter::state(std::string& text, const EvaluationKey& key, const SearchState& state) {
  Json list = {key.cell, key.repeat, key.run, state.evaluations, state.optimiser};
  for (const std::uint64_t word : state.stream) list.push_back(word);
  const std::string name = fmt::format("search state {} {} {}", key.cell, key.repeat, key.run);
  const Json line = {{"ntune", {{journal_fields::kState, list}}},
                     {"op_code", optuna_code(OptunaOperation::kSetStudyAttribute)},
                     {"worker_id", "ntune"},
                     {"study_id", 0},
                     {"user_attr", {{name, state.evaluations}}}};
  text += line.dump() + '\n';
}

void JournalWriter::split(std::string& text) const {
  const RunPlan& plan = study_.plans.front();
  const Json fields = {
      {"runs", plan.runs}, {"iterations", plan.iterations}, {"re_evaluation", plan.re_evaluation}};
  const Json line = {{"ntune", {{journal_fields::kSplit, fields}}},
                     {"op_code", optuna_code(OptunaOperation::kSetStudyAttribute)},
                     {"worker_id", "ntune"},
                     {"study_id", 0},
                     {"user_attr", {{journal_fields::kSplit, plan.label()}}}};
  text += line.dump() + '\n';
}

void JournalWriter::retry(std::string& text) {
  const Json line = {{"ntune", {{journal_fields::kRetry, true}}},
                     {"op_code", optuna_code(OptunaOperation::kSetStudyAttribute)},
                     {"worker_id", "ntune"},
                     {"study_id", 0},
                     {"user_attr", {{journal_fields::kRetry, true}}}};
  text += line.dump() + '\n';
}

void JournalWriter::run(std::string& text, std::uint32_t cell, const RunRecord& record,
                        Time end) const {
  const std::size_t objective = study_.objective_of(cell);
  begin_line(text, LineKind::kRun);
  const FinishedRunView line{.key = {.cell = cell},
                             .point = record.point.indices(),
                             .run = record,
                             .trace = {record.trace}};
  journal_fields::of_run(FieldWriter(text), line);
  text += journal_fields::kEnd;
  const std::string time = time_text(end);
  trials_[objective].append_finished(text, objective, record.score.value_or(record.estimate), time,
                                     time, record.point);
  fmt::format_to(std::back_inserter(text),
                 R"(,"user_attrs":{{"stage":"run","cell":{},"repeat":{},"run":{},"evaluations":{})",
                 cell, record.repeat, record.run, record.evaluations);
  if (record.failures > 0) {
    text += ",\"failures\":" + failure_statistics_json(record.failure_statistics).dump();
  }
  text += "}}\n";
}

}  // namespace ntune
