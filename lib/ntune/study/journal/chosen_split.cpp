#include "ntune/study/journal/chosen_split.h"

#include "ntune/core/json.h"
#include "ntune/study/journal/recorded_objects.h"

namespace ntune {

namespace {

/// The fields of the last line that names a split, or null. Lines of version 0.2 have them within
/// the value of "ntune".
Json chosen_split(std::string_view journal) {
  Json chosen;
  for (std::size_t at = 0; at < journal.size();) {
    const std::size_t end = journal.find('\n', at);
    if (end == std::string_view::npos) break;  // the last line is torn
    const std::string_view line = journal.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(R"({"split":)") && !line.starts_with(R"({"ntune":{"split":)")) continue;
    const Json json = parse_json(line);
    if (json.is_object()) chosen = json.value("ntune", json).value("split", Json());
  }
  return chosen;
}

}  // namespace

bool take_chosen_split(Study& study, const RunPlan& split) {
  if (study.advise_budget == 0) return false;
  RunPlan& plan = study.plans.front();
  plan.runs = split.runs;
  plan.iterations = split.iterations;
  plan.re_evaluation = split.re_evaluation;
  study.plans.resize(1);
  study.advise_budget = 0;
  return true;
}

bool take_chosen_split(Study& study, std::string_view journal) {
  JournalLine line;
  if (study.advise_budget == 0) return true;
  if (!read_recorded_object("split", chosen_split(journal), line)) return false;
  return take_chosen_split(study, line.split);
}

void settle_split(Study& study, std::string_view journal) {
  if (take_chosen_split(study, journal)) return;
  StudyProgress progress;
  advise_split(study, progress);
}

}  // namespace ntune
