#include "ntune/study/journal/chosen_split.h"

#include "ntune/core/json.h"
#include "ntune/core/json_parser.h"
#include "ntune/study/journal/journal_fields.h"

namespace ntune {

namespace {

/// The fields of the last line that names a split, or null.
Json chosen_split(std::string_view journal) {
  Json chosen;
  for (std::size_t at = 0; at < journal.size();) {
    const std::size_t end = journal.find('\n', at);
    if (end == std::string_view::npos) break;  // the last line is torn
    const std::string_view line = journal.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(journal_fields::kOwnObject)) continue;
    const Json json = parse_json(line);
    if (json.is_object() && json["ntune"].contains(journal_fields::kSplit)) {
      chosen = json["ntune"][journal_fields::kSplit];
    }
  }
  return chosen;
}

bool is_count(const Json& fields, const char* key, std::int64_t least) {
  return fields.contains(key) && fields[key].is_number_integer() && fields[key] >= least &&
         fields[key] <= kMostEvaluations;
}

}  // namespace

bool take_chosen_split(Study& study, std::string_view journal) {
  if (study.advise_budget == 0) return true;
  const Json fields = chosen_split(journal);
  if (!is_count(fields, "runs", 1) || !is_count(fields, "iterations", 1) ||
      !is_count(fields, "re_evaluation", 0)) {
    return false;
  }
  RunPlan& plan = study.plans.front();
  plan.runs = fields["runs"];
  plan.iterations = fields["iterations"];
  plan.re_evaluation = fields["re_evaluation"];
  study.plans.resize(1);
  study.advise_budget = 0;
  return true;
}

void settle_split(Study& study, std::string_view journal) {
  if (take_chosen_split(study, journal)) return;
  StudyProgress progress;
  advise_split(study, progress);
}

}  // namespace ntune
