// Lines that version 0.2 wrote. Each is a record of Optuna's JournalStorage; those of ours begin
// with the key "ntune", whose value is a list [LETTER, FIELDS …] or an object.

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "ntune/core/json.h"
#include "ntune/core/line_cursor.h"
#include "ntune/core/time_text.h"
#include "ntune/objective/recorded/optuna_codes.h"
#include "ntune/study/journal/journal_reader.h"
#include "ntune/study/journal/recorded_objects.h"
#include "ntune/study/model/run_record.h"

namespace ntune {

namespace {

using LineKind = JournalLine::Kind;

constexpr std::string_view kFieldsBegin = R"({"ntune":[)";
constexpr const char* kAskedAgain = "asked_again";

/// What the first field of a list says that the line is.
LineKind kind_of(const Json& letter) {
  static const std::array<std::pair<const char*, LineKind>, 5> kKinds = {
      {{"a", LineKind::kAsked},
       {"e", LineKind::kEvaluation},
       {"f", LineKind::kFailure},
       {"o", LineKind::kOffered},
       {"r", LineKind::kRun}}};
  for (const auto& [name, kind] : kKinds) {
    if (letter == name) return kind;
  }
  return LineKind::kForeign;
}

/// A number that must not be negative.
template <class Number>
bool read_named_amount(const Json& json, std::optional<Number>& amount) {
  amount = json.get<Number>();
  return json.get<double>() >= 0.0;
}

/// ["games", wins, draws, losses, five counts of pairs], the last where all games are paired.
void read_older_games(const Json& list, GameCounts& counts) {
  counts.games = {.wins = recorded_integer(list.at(1)),
                  .draws = recorded_integer(list.at(2)),
                  .losses = recorded_integer(list.at(3))};
  std::size_t at = 4;
  if (list.size() == at) return;
  for (std::int64_t& count : counts.pairs.counts) count = recorded_integer(list.at(at++));
}

/// ["forfeits", counts of the first player, counts of the other], by their causes.
void read_forfeits(const Json& list, Forfeits& forfeits) {
  std::size_t at = 1;
  for (std::int64_t& count : forfeits.first) count = recorded_integer(list.at(at++));
  for (std::int64_t& count : forfeits.second) count = recorded_integer(list.at(at++));
}

/// [NAME, VALUE …], which stands behind the other fields where it says something.
bool read_named(const Json& field, JournalLine& line) {
  const std::string name = field.at(0);
  if (name == "cost") return read_named_amount(field.at(1), line.cost);
  if (name == "used") return read_named_amount(field.at(1), line.used);
  if (name == "block") return read_named_amount(field.at(1), line.block);
  if (name == "instance") return read_named_amount(field.at(1), line.instance);
  if (name == "against") return read_indices(field.at(1), line.against);
  if (name == "cut_off") {
    line.ending = Ending::kCutOff;
  } else if (name == "capped") {
    line.ending = Ending::kCapped;
  } else if (name == "games") {
    read_older_games(field, line.games);
  } else if (name == "forfeits") {
    read_forfeits(field, line.games.forfeits);
  } else {
    return false;
  }
  return true;
}

/// [LETTER, cell, stage, repeat, run, index, point, payoffs, [NAME, …] …]. Payoffs stand there
/// where the evaluation has brought some.
bool read_older_evaluation(const Json& list, JournalLine& line) {
  if (!read_recorded_key(list, 1, line.number, line.key)) return false;
  std::size_t at = 6;
  if (!read_indices(list.at(at++), line.point)) return false;
  if (line.kind == LineKind::kEvaluation || line.kind == LineKind::kOffered) {
    line.payoffs = list.at(at++).get<std::vector<double>>();
    if (line.payoffs.empty()) return false;
  }
  for (; at < list.size(); ++at) {
    if (!read_named(list[at], line)) return false;
  }
  return *contradiction_of(line.games) == '\0' && is_recorded_point(line);
}

/// A run as the object of today: ["r", eight numbers, five of the hold-out, point, then in any
/// order NAME, COUNT; ["trace", TEXT]; and a list of the certainty].
Json run_object(const Json& list) {
  Json run;
  std::size_t at = 1;
  for (const char* name : {"cell", "repeat", "run", "evaluations", "failures", "point_evaluations",
                           "hold_out_evaluations", "estimate"}) {
    run[name] = list.at(at++);
  }
  for (int i = 0; i < 5; ++i) run["hold_out"].push_back(list.at(at++));
  run["point"] = list.at(at++);
  for (; at < list.size(); ++at) {
    const Json& field = list[at];
    if (field.is_string()) {
      run[field.get<std::string>()] = list.at(++at);
    } else {
      const bool is_trace = field.at(0).is_string();
      run[is_trace ? "trace" : "certainty"] = is_trace ? field.at(1) : field;
    }
  }
  return run;
}

/// The time behind this key of an Optuna record.
std::optional<JournalLine::Time> time_at(std::string_view record, std::string_view key) {
  const std::size_t at = record.find(key);
  return at == std::string_view::npos ? std::nullopt : read_time(record.substr(at + key.size()));
}

/// A member of the attributes of a record; null where there is none.
Json attribute_of(const Json& record, const char* attributes, const char* name) {
  const Json found = record.is_object() ? record.value(attributes, Json()) : Json();
  return found.is_object() ? found.value(name, Json()) : Json();
}

/// The attributes of a trial, and the number of the client's request that it answers. They are
/// parsed where they say anything.
void read_attributes(std::string_view text, JournalLine& line) {
  // Most lines say nothing here, and parsing takes time.
  const bool failed_runs = line.kind == LineKind::kRun && line.run.failures > 0;
  const bool retried = text.find(R"("attempts":)") != std::string_view::npos;
  const bool requested = text.find(R"(,"request":)") != std::string_view::npos;
  if (line.kind != LineKind::kFailure && !failed_runs && !retried && !requested) return;
  const Json record = parse_json(text);
  const Json request = record.is_object() ? record.value("request", Json()) : Json();
  if (request.is_number_unsigned()) line.request = request.get<std::uint64_t>();
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

bool JournalReader::read_older(std::string_view text) {
  const bool good =
      text.starts_with(kFieldsBegin) ? read_older_fields(text) : read_older_record(text);
  if (good && line_.end) micros_ = micros_of(*line_.end);
  return good;
}

/// The list alone is parsed: the record behind it says the same once more, for Optuna.
bool JournalReader::read_older_fields(std::string_view text) {
  constexpr std::string_view kRecordBegin = R"(],"op_code":)";
  constexpr std::size_t kListBegin = kFieldsBegin.size() - 1;
  const std::size_t end = text.find(kRecordBegin);
  if (end == std::string_view::npos || text.back() != '}') return false;
  const Json list = parse_json(text.substr(kListBegin, end + 1 - kListBegin));
  line_.kind = list.is_array() && !list.empty() ? kind_of(list[0]) : LineKind::kForeign;
  line_.key = {};
  line_.payoffs.clear();
  if (line_.kind == LineKind::kForeign) return false;
  try {
    const bool good = line_.kind == LineKind::kRun
                          ? read_recorded_object("run", run_object(list), line_)
                          : read_older_evaluation(list, line_);
    if (!good) return false;
  } catch (const Json::exception&) {
    return false;
  }
  const std::string_view record = text.substr(end + kRecordBegin.size());
  line_.start = time_at(record, R"("datetime_start":")");
  line_.end = time_at(record, R"("datetime_complete":")");
  read_attributes(text, line_);
  return take_older_trial(record);
}

/// Which trial the line makes or ends, as its record says first.
bool JournalReader::take_older_trial(std::string_view record) {
  // A trial is made by one record, or made when it was handed out and ended by another.
  LineCursor at(record);
  int operation = 0;
  at.number(operation);
  const bool ends = operation == optuna_code(OptunaOperation::kSetTrialState);
  if (ends) {
    at.expect(std::string_view(R"(,"trial_id":)"));
    at.number(line_.trial);
    if (line_.trial < 0 || line_.trial >= trials_) return false;
    // The record that ends it has no time of its beginning, and no reason of its failure.
    const auto asked = handed_out_.find(line_.key);
    if (asked != handed_out_.end()) {
      line_.start = asked->second.start;
      line_.was_asked = true;
      handed_out_.erase(asked);
    }
    if (const auto told = reasons_.extract(line_.trial)) line_.failure = told.mapped();
  } else if (operation == optuna_code(OptunaOperation::kCreateTrial)) {
    line_.trial = trials_++;
  } else {
    return false;
  }
  if (line_.kind == LineKind::kAsked) {
    line_.end = line_.start;
    handed_out_[line_.key] = {.trial = line_.trial,
                              .start = line_.start,
                              .point = line_.point,
                              .against = line_.against,
                              .may_be_named = false};
  }
  if (line_.kind == LineKind::kFailure && line_.failure.empty()) line_.failure = kNoReason;
  return at.accept(',');
}

/// A record whose value of "ntune" is no list, or what another program wrote.
bool JournalReader::read_older_record(std::string_view text) {
  const Json json = parse_record(text);
  if (!json.is_object() || !json.contains("op_code") || !json["op_code"].is_number_integer()) {
    return false;
  }
  line_.kind = LineKind::kForeign;
  const Json& operation = json["op_code"];
  if (operation == optuna_code(OptunaOperation::kCreateTrial)) line_.trial = trials_++;
  // An attribute of a trial is the reason of a failure, or that it was handed out once more.
  const Json fields = json.value("ntune", Json());
  if (operation == optuna_code(OptunaOperation::kSetTrialAttribute)) {
    const Json reason = attribute_of(json, "user_attr", "failure");
    const Json trial = json.value("trial_id", Json());
    if (reason.is_string() && trial.is_number_integer()) {
      reasons_[trial] = reason.get<std::string>();
    }
    if (!fields.is_object() || !fields.contains(kAskedAgain)) return true;
    line_.kind = LineKind::kAskedAgain;
    const auto asked = std::ranges::find_if(
        handed_out_, [&](const auto& entry) { return fields[kAskedAgain] == entry.second.trial; });
    if (asked == handed_out_.end()) return false;
    line_.key = asked->first;
    line_.trial = asked->second.trial;
    line_.start = line_.end = asked->second.start = time_at(text, R"("asked_again":")");
    return true;
  }
  // An attribute of the study is one of the objects of today.
  if (operation != optuna_code(OptunaOperation::kSetStudyAttribute)) return true;
  if (!fields.is_object() || fields.size() != 1) return true;
  return read_recorded_object(fields.begin().key(), *fields.begin(), line_);
}

}  // namespace ntune
