#include "ntune/study/journal/failure_reasons.h"

#include "ntune/core/json.h"
#include "ntune/core/json_parser.h"

namespace ntune {

namespace {

/// A member of the attributes of a record; null where there is none.
Json attribute_of(const Json& record, const char* attributes, const char* name) {
  const Json found = record.is_object() ? record.value(attributes, Json()) : Json();
  return found.is_object() ? found.value(name, Json()) : Json();
}

}  // namespace

void FailureReasons::note(const JournalLine& line) {
  if (line.text.find(R"("failure":)") == std::string_view::npos) return;
  const Json record = parse_json(line.text);
  const Json reason = attribute_of(record, "user_attr", "failure");
  const Json trial = record.is_object() ? record.value("trial_id", Json()) : Json();
  if (reason.is_string() && trial.is_number_integer()) told_[trial] = reason.get<std::string>();
}

std::string FailureReasons::of(const JournalLine& line) {
  const Json reason = attribute_of(parse_json(line.text), "user_attrs", "failure");
  if (reason.is_string()) return reason.get<std::string>();
  const auto told = told_.extract(line.trial);
  return told.empty() ? "no reason recorded" : told.mapped();
}

FailureStatistics run_failures(const JournalLine& line) {
  const Json record = parse_json(line.text);
  return failure_statistics_of(attribute_of(record, "user_attrs", "failures"));
}

}  // namespace ntune
