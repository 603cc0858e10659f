#include "ntune/study/results/result_files.h"

#include <cmath>

#include <fmt/format.h>

#include "ntune/core/csv.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/capabilities.h"
#include "ntune/space/space_yaml.h"
#include "ntune/version.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json interval_json(const Interval& interval) { return Json::array({interval.low, interval.high}); }

Json sample_json(const SampleSummary& sample) {
  if (sample.stats.count() == 0) return nullptr;
  return {{"n", sample.stats.count()}, {"mean", sample.stats.mean()},
          {"sd", sample.stats.sd()},   {"interval", interval_json(sample.interval)},
          {"min", sample.stats.min()}, {"max", sample.stats.max()}};
}

Json payoffs_json(const Objective& objective, const RunningStats& payoffs) {
  if (payoffs.count() == 0) return nullptr;
  const double unit = objective.unit().size();
  return {{"n", payoffs.count()},
          {"mean", objective.unit().value_of(payoffs.mean())},
          {"sd", unit * payoffs.sd()}};
}

/// How the point fared in the comparison of the recommendations; null: it had no part in it.
Json re_evaluation_json(const Objective& objective, const Pick& pick, const Point& point) {
  const auto found = std::ranges::find(pick.candidates, point, &Candidate::point);
  return found == pick.candidates.end() ? Json() : payoffs_json(objective, found->payoffs);
}

Json pick_json(const Objective& objective, const Pick& pick) {
  const bool held_out = pick.hold_out.count() > 0;
  Json json = {
      {"parameters", point_json(pick.point, objective.space())},
      {"estimate", pick.estimate},
      {"estimate_interval",
       pick.certainty ? interval_json(estimate_interval(objective, pick)) : Json()},
      {"best_probability", pick.certainty ? Json(pick.certainty->best_probability) : Json()},
      {"value", held_out ? Json(objective.unit().value_of(pick.hold_out.mean())) : Json()},
      {"interval", pick.interval ? interval_json(*pick.interval) : Json()},
      {"true_value", optional_json(pick.true_value)},
      {"run", pick.run},
      {"re_evaluation", payoffs_json(objective, pick.re_evaluation)},
      {"hold_out", payoffs_json(objective, pick.hold_out)}};
  return json;
}

Json cells_json(const Study& study, const StudyResult& result,
                const std::vector<CellSummary>& summaries) {
  Json cells = Json::array();
  for (std::size_t i = 0; i < result.cells.size(); ++i) {
    const CellResult& cell = result.cells[i];
    const RunPlan& plan = study.plans[cell.plan];
    Json json = {{"objective", study.objectives[cell.objective].label},
                 {"optimiser", study.optimisers[cell.optimiser].label},
                 {"algorithm", study.algorithm(cell.objective, cell.plan, cell.optimiser)},
                 {"runs", plan.runs},
                 {"iterations", plan.iterations},
                 {"re_evaluation", plan.re_evaluation},
                 {"adaptive", plan.adaptive},
                 {"hold_out", plan.hold_out},
                 {"score", sample_json(summaries[i].score)},
                 {"delta", sample_json(summaries[i].delta)}};
    json["difference"] = summaries[i].difference ? sample_json(*summaries[i].difference) : Json();
    if (study.unit == SampleUnit::kPicks) {
      json["picks"] = Json::array();
      for (const Pick& pick : cell.picks) {
        if (pick.finished) {
          json["picks"].push_back(pick_json(*study.objectives[cell.objective].objective, pick));
        }
      }
    }
    cells.push_back(std::move(json));
  }
  return cells;
}

/// Columns for the parameters of all objectives, each name once.
std::vector<std::string> parameter_columns(const Study& study) {
  std::vector<std::string> columns;
  for (const StudyObjective& objective : study.objectives) {
    for (const std::string& name : objective.objective->space().names()) {
      if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
    }
  }
  return columns;
}

void append_point(std::string& row, const Point& point, const SearchSpace& space,
                  const std::vector<std::string>& columns) {
  for (const std::string& name : columns) {
    row += ',';
    const int parameter = space.find(name);
    if (parameter >= 0) row += csv_field(value_text(space.value(point, parameter)));
  }
}

std::string header(std::string columns, const std::vector<std::string>& parameters) {
  for (const std::string& name : parameters) columns += ',' + csv_field(name);
  return columns + '\n';
}

std::string cell_prefix(const Study& study, const CellResult& cell, std::int64_t repeat) {
  if (!study.is_comparison()) return {};
  return fmt::format("{},{},{},{},", csv_field(study.objectives[cell.objective].label),
                     csv_field(study.optimisers[cell.optimiser].label),
                     csv_field(study.plans[cell.plan].label()), repeat);
}

const char* prefix_columns(const Study& study) {
  return study.is_comparison() ? "objective,optimiser,plan,repeat," : "";
}

/// The configuration of a result that stands in a folder, or null.
Json stored_result(const fs::path& folder) {
  constexpr std::uintmax_t kLargestResult = 1'000'000'000;
  std::error_code error;
  const fs::path path = folder / "result.json";
  if (!fs::exists(path, error)) return nullptr;
  const Json json = Json::parse(read_file(path, kLargestResult), nullptr, false);
  return json.is_object() ? json : Json::object();
}

}  // namespace

Json result_json(const Study& study, const StudyResult& result,
                 const std::vector<CellSummary>& summaries) {
  Json json = {{"ntune", kVersion},
               {"status", result.interrupted ? "interrupted" : "done"},
               {"name", study.name},
               {"seed", study.seed},
               {"evaluations", result.evaluations()},
               {"failures", result.failures},
               {"budget",
                {{"total", total_evaluations(study)},
                 {"search", result.search_evaluations},
                 {"re_evaluation", result.re_evaluations},
                 {"hold_out", result.hold_out_evaluations}}}};
  json["plans"] = Json::array();
  for (const RunPlan& plan : study.plans) {
    json["plans"].push_back({{"runs", plan.runs},
                             {"iterations", plan.iterations},
                             {"re_evaluation", plan.re_evaluation},
                             {"adaptive", plan.adaptive},
                             {"hold_out", plan.hold_out}});
  }
  json["objectives"] = Json::array();
  for (const StudyObjective& objective : study.objectives) {
    json["objectives"].push_back({{"label", objective.label},
                                  {"description", objective.objective->description()},
                                  {"points", objective.objective->space().size().points},
                                  {"optimum", optional_json(optimum_of(*objective.objective))}});
  }
  json["recommendation"] = nullptr;
  if (study.is_comparison()) {
    json["cells"] = cells_json(study, result, summaries);
  } else {
    const Pick& pick = result.cells[0].picks[0];
    const Objective& objective = *study.objectives[0].objective;
    if (pick.point.size() > 0) json["recommendation"] = pick_json(objective, pick);
    json["algorithm"] = study.algorithm(0, 0, 0);
    Json& recommended = json["recommended_by_runs"] = Json::array();
    for (const auto& [point, runs] : count_recommendations(result.cells[0])) {
      recommended.push_back({{"runs", runs},
                             {"parameters", point_json(point, objective.space())},
                             {"re_evaluation", re_evaluation_json(objective, pick, point)},
                             {"true_value", optional_json(true_value_of(objective, point))}});
    }
  }
  json["study"] = study.config;
  return json;
}

std::string runs_csv(const Study& study, const StudyResult& result) {
  const std::vector<std::string> columns = parameter_columns(study);
  const bool held_out = study.unit == SampleUnit::kRuns && result.hold_out_evaluations > 0;
  std::string csv =
      header(std::string(prefix_columns(study)) + "run,evaluations,estimate,true_value" +
                 (held_out ? ",hold_out" : ""),
             columns);
  for (const CellResult& cell : result.cells) {
    const Objective& objective = *study.objectives[cell.objective].objective;
    for (const RunRecord& run : cell.runs) {
      if (!run.finished) continue;
      csv += cell_prefix(study, cell, run.repeat);
      csv += fmt::format("{},{},{},{}", run.run, run.evaluations, run.estimate,
                         run.true_value ? fmt::format("{}", *run.true_value) : "");
      if (held_out) {
        csv += run.hold_out.count() == 0
                   ? ","
                   : fmt::format(",{}", objective.unit().value_of(run.hold_out.mean()));
      }
      append_point(csv, run.point, objective.space(), columns);
      csv += '\n';
    }
  }
  return csv;
}

void check_result_folder(const fs::path& folder, const Study& study) {
  ensure_writable_folder(folder);
  const Json stored = stored_result(folder);
  if (stored.is_null()) return;
  if (stored.value("study", Json()) != study.config) {
    throw InputError(
        fmt::format("{}: holds the result of another study; name an empty folder, or "
                    "remove result.json first",
                    path_text(folder)));
  }
}

void write_study_file(const fs::path& folder, const Study& study) {
  Json config = study.config;
  config.erase("published");  // stands relative to the file that was read
  std::string text =
      fmt::format("# ntune {}: the study of this folder, with every default\n", kVersion);
  for (const auto& [key, value] : config.items()) {
    text += to_yaml(key) + ": " + to_yaml(value) + '\n';
  }
  write_file_atomically(folder / kStudyName, text);
}

bool write_result(const fs::path& folder, const Study& study, const StudyResult& result,
                  const std::vector<CellSummary>& summaries) {
  if (result.interrupted) {
    const Json stored = stored_result(folder);
    if (stored.is_object() && stored.value("status", "") == "done") return false;
  }
  write_file_atomically(folder / "runs.csv", runs_csv(study, result));
  write_file_atomically(folder / "result.json",
                        result_json(study, result, summaries).dump(2) + "\n");
  return true;
}

}  // namespace ntune
