#include "ntune/study/journal/older_lines.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <type_traits>

#include "ntune/core/json.h"
#include "ntune/core/json_parser.h"
#include "ntune/core/line_cursor.h"
#include "ntune/core/time_text.h"
#include "ntune/objective/recorded/optuna_codes.h"
#include "ntune/study/journal/recorded_objects.h"
#include "ntune/study/model/certainty_numbers.h"

namespace ntune {

namespace {

using LineKind = JournalLine::Kind;

constexpr std::string_view kFieldsBegin = R"({"ntune":[)";
constexpr const char* kAskedAgain = "asked_again";

/// Fields with the comma before each. Lists that may be missing begin with their names.
class OlderFields {
 public:
  explicit OlderFields(LineCursor& at) : at_(at) {}

  template <class... Fields>
  void operator()(Fields&... fields) {
    (field(fields), ...);
  }
  /// ["NAME",VALUE], or nothing.
  template <class Number>
  void amount(std::string_view begin, std::optional<Number>& value) {
    if (!at_.accept(begin)) return;
    field(value.emplace());
    at_.expect(']');
    if (!is_finite(static_cast<double>(*value)) || *value < Number{}) at_.fail();
  }
  /// "NAME",COUNT, or nothing.
  void count(std::string_view begin, std::int64_t& value) {
    if (at_.accept(begin)) field(value);
  }

 private:
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void field(Number& value) {
    at_.expect(',');
    at_.number(value);
  }
  void field(Stage& stage) {
    unsigned value = 0;
    field(value);
    if (value > static_cast<unsigned>(Stage::kHoldOut)) at_.fail();
    stage = static_cast<Stage>(value);
  }
  template <class Number>
  void field(std::vector<Number>& values) {
    values.clear();
    at_.expect(std::string_view(",["));
    if (at_.accept(']')) return;
    at_.numbers(values);
    at_.expect(']');
  }
  void field(RunningStats& statistics) {
    RunningStats::State state;
    (*this)(state.count, state.mean, state.squares, state.min, state.max);
    if (!is_finite(state.mean) || !is_finite(state.squares) || state.count < 0) at_.fail();
    statistics = RunningStats(state);
  }
  void field(GameCounts& counts) {
    if (!at_.accept(std::string_view(R"(,["games")"))) return;
    (*this)(counts.games.wins, counts.games.draws, counts.games.losses);
    if (!at_.accept(']')) {
      for (std::int64_t& count : counts.pairs.counts) field(count);
      at_.expect(']');
    }
    if (at_.accept(std::string_view(R"(,["forfeits")"))) {
      for (std::int64_t& count : counts.forfeits.first) field(count);
      for (std::int64_t& count : counts.forfeits.second) field(count);
      at_.expect(']');
    }
    if (*contradiction_of(counts) != '\0') at_.fail();
  }
  void field(Ending& ending) {
    if (at_.accept(std::string_view(R"(,["cut_off"])"))) ending = Ending::kCutOff;
    if (at_.accept(std::string_view(R"(,["capped"])"))) ending = Ending::kCapped;
  }
  void field(std::optional<Certainty>& certainty) {
    if (!at_.ok() || !at_.rest().starts_with(',')) return;
    std::vector<double> numbers;
    field(numbers);
    certainty = certainty_from(numbers);
    if (!certainty || !is_finite(numbers)) at_.fail();
  }

  LineCursor& at_;
};

LineKind kind_of(char letter) {
  switch (letter) {
    case 'a':
      return LineKind::kAsked;
    case 'e':
      return LineKind::kEvaluation;
    case 'f':
      return LineKind::kFailure;
    case 'o':
      return LineKind::kOffered;
    case 'r':
      return LineKind::kRun;
    default:
      return LineKind::kForeign;
  }
}

void read_evaluation(LineCursor& at, JournalLine& line) {
  OlderFields fields(at);
  auto& key = line.key;
  fields(key.cell, key.stage, key.repeat, key.run, key.index, line.point);
  if (line.kind == LineKind::kEvaluation || line.kind == LineKind::kOffered) {
    fields(line.payoffs);
    if (line.payoffs.empty() || !is_finite(line.payoffs)) at.fail();
  }
  if (line.kind == LineKind::kEvaluation) fields(line.games, line.ending);
  if (line.has_outcome()) {
    fields.amount(R"(,["cost")", line.cost);
    fields.amount(R"(,["used")", line.used);
    fields.amount(R"(,["block")", line.block);
  }
  if (line.kind == LineKind::kOffered) fields.amount(R"(,["instance")", line.instance);
  if (line.kind != LineKind::kOffered && at.accept(std::string_view(R"(,["against")"))) {
    fields(line.against);
    at.expect(']');
  }
}

void read_run(LineCursor& at, JournalLine& line) {
  OlderFields fields(at);
  RunRecord& run = line.run;
  run = {};
  run.finished = true;
  fields(line.key.cell, run.repeat, run.run, run.evaluations, run.failures, run.point_evaluations,
         run.hold_out.evaluations, run.estimate, run.hold_out.payoffs, line.point);
  fields.count(R"(,"set_aside")", run.set_aside.payoffs);
  fields.count(R"(,"cut_off")", run.endings.cut_off);
  fields.count(R"(,"capped")", run.endings.capped);
  if (at.accept(std::string_view(R"(,["trace",")"))) {
    run.trace = at.rest().substr(0, at.rest().find('"'));
    at.skip(run.trace.size());
    at.expect(std::string_view("\"]"));
  }
  fields(run.certainty);
  line.key.repeat = run.repeat;
  line.key.run = run.run;
  if (!is_recorded_run(run)) at.fail();
}

/// The time behind this key of an Optuna record.
std::optional<JournalLine::Time> time_at(std::string_view record, std::string_view key) {
  const std::size_t at = record.find(key);
  return at == std::string_view::npos ? std::nullopt : read_time(record.substr(at + key.size()));
}

/// The number of the client's request that a line answers: the last key of its record, if any.
std::optional<std::uint64_t> request_of(std::string_view record) {
  constexpr std::string_view kRequest = R"(,"request":)";
  const std::size_t at = record.rfind(kRequest);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view text = record.substr(at + kRequest.size());
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_last = end == text.data() + text.size() - 1;
  return error == std::errc() && is_last ? std::optional(number) : std::nullopt;
}

/// A member of the attributes of a record; null where there is none.
Json attribute_of(const Json& record, const char* attributes, const char* name) {
  const Json found = record.is_object() ? record.value(attributes, Json()) : Json();
  return found.is_object() ? found.value(name, Json()) : Json();
}

/// What the attributes of a trial say, which are parsed where they say anything.
void read_attributes(std::string_view text, JournalLine& line) {
  const bool failed_runs = line.kind == LineKind::kRun && line.run.failures > 0;
  const bool retried = text.find(R"("attempts":)") != std::string_view::npos;
  if (line.kind != LineKind::kFailure && !failed_runs && !retried) return;
  const Json record = parse_json(text);
  const Json failures = attribute_of(record, "user_attrs", "failures");
  if (failed_runs) line.run.failure_statistics = failure_statistics_of(failures);
  const Json reason = attribute_of(record, "user_attrs", "failure");
  if (reason.is_string()) line.failure = reason.get<std::string>();
  const Json attempts = attribute_of(record, "user_attrs", "attempts");
  if (attempts.is_number_integer() && attempts > 0) line.attempts = attempts;
}

/// Python writes NaN and Infinity, for which JSON has no words.
Json parse_record(std::string_view text) {
  Json json = parse_json(text);
  if (!json.is_discarded()) return json;
  std::string plain(text);
  for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
    for (std::size_t at = plain.find(word); at != std::string::npos; at = plain.find(word, at)) {
      plain.replace(at, word.size(), "null");
    }
  }
  return parse_json(plain);
}

}  // namespace

bool OlderLines::read(std::string_view text, JournalLine& line) {
  const bool good =
      text.starts_with(kFieldsBegin) ? read_fields(text, line) : read_record(text, line);
  if (good && line.end) {
    reader_.micros_ = micros_of(*line.end);
  }
  return good;
}

bool OlderLines::read_fields(std::string_view text, JournalLine& line) {
  LineCursor at(text);
  at.expect(kFieldsBegin);
  at.expect('"');
  line.kind = kind_of(at.letter());
  at.expect('"');
  if (line.kind == LineKind::kForeign) return false;
  line.key = {};
  line.payoffs.clear();
  if (line.kind == LineKind::kRun) {
    read_run(at, line);
  } else {
    read_evaluation(at, line);
  }
  at.expect(std::string_view(R"(],"op_code":)"));
  if (!at.ok() || !is_recorded_key(line.key, line.number) || !is_recorded_point(line)) return false;
  if (text.back() != '}') return false;
  line.start = time_at(at.rest(), R"("datetime_start":")");
  line.end = time_at(at.rest(), R"("datetime_complete":")");
  line.request = request_of(at.rest());
  read_attributes(text, line);
  return take_trial(at.rest(), line);
}

/// Which trial the line makes or ends, as its record says first.
bool OlderLines::take_trial(std::string_view record, JournalLine& line) {
  LineCursor at(record);
  int operation = 0;
  at.number(operation);
  const bool ends = operation == optuna_code(OptunaOperation::kSetTrialState);
  if (ends) {
    at.expect(std::string_view(R"(,"trial_id":)"));
    at.number(line.trial);
    if (line.trial < 0 || line.trial >= reader_.trials_) return false;
    const auto asked = reader_.handed_out_.find(line.key);
    if (asked != reader_.handed_out_.end()) {
      line.start = asked->second.start;
      line.was_asked = true;
      reader_.handed_out_.erase(asked);
    }
    if (const auto told = reader_.reasons_.extract(line.trial)) line.failure = told.mapped();
  } else if (operation == optuna_code(OptunaOperation::kCreateTrial)) {
    line.trial = reader_.trials_++;
  } else {
    return false;
  }
  if (line.kind == LineKind::kAsked) {
    line.end = line.start;
    reader_.handed_out_[line.key] = {.trial = line.trial,
                                     .start = line.start,
                                     .point = line.point,
                                     .against = line.against,
                                     .may_be_named = false};
  }
  if (line.kind == LineKind::kFailure && line.failure.empty()) line.failure = kNoReason;
  return at.accept(',');
}

/// A record whose value of "ntune" is no list, or what another program wrote.
bool OlderLines::read_record(std::string_view text, JournalLine& line) {
  const Json json = parse_record(text);
  if (!json.is_object() || !json.contains("op_code") || !json["op_code"].is_number_integer()) {
    return false;
  }
  line.kind = LineKind::kForeign;
  const Json& operation = json["op_code"];
  if (operation == optuna_code(OptunaOperation::kCreateTrial)) line.trial = reader_.trials_++;
  const Json fields = json.value("ntune", Json());
  if (operation == optuna_code(OptunaOperation::kSetTrialAttribute)) {
    const Json reason = attribute_of(json, "user_attr", "failure");
    const Json trial = json.value("trial_id", Json());
    if (reason.is_string() && trial.is_number_integer()) {
      reader_.reasons_[trial] = reason.get<std::string>();
    }
    if (!fields.is_object() || !fields.contains(kAskedAgain)) return true;
    line.kind = LineKind::kAskedAgain;
    const auto asked = std::ranges::find_if(reader_.handed_out_, [&](const auto& entry) {
      return fields[kAskedAgain] == entry.second.trial;
    });
    if (asked == reader_.handed_out_.end()) return false;
    line.key = asked->first;
    line.trial = asked->second.trial;
    line.start = line.end = asked->second.start = time_at(text, R"("asked_again":")");
    return true;
  }
  if (operation != optuna_code(OptunaOperation::kSetStudyAttribute)) return true;
  if (!fields.is_object() || fields.size() != 1) return true;
  return read_recorded_object(fields.begin().key(), *fields.begin(), line);
}

}  // namespace ntune
