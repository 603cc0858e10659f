#pragma once

#include <filesystem>
#include <string>

#include "ntune/core/json.h"
#include "ntune/study/results/summary.h"
#include "ntune/study/study.h"

namespace ntune {

/// The result as JSON: configuration with all defaults, seed, version, evaluations spent, and
/// either `recommendation` (parameters, estimate, value, interval, true_value, …) or `cells`. Holds
/// nothing that depends on the machine or the number of threads.
Json result_json(const Study& study, const StudyResult& result,
                 const std::vector<CellSummary>& summaries);

/// runs.csv: run, evaluations, estimate, true_value and the parameters, one row per finished run;
/// with objective, optimiser, plan and repeat in front where the study has several cells.
std::string runs_csv(const Study& study, const StudyResult& result);

/// Refuses a folder that holds the result of another study, or cannot be written. Throws
/// InputError.
void check_result_folder(const std::filesystem::path& folder, const Study& study);

/// Name of the study with every default, as `write_study_file` writes it.
inline constexpr const char* kStudyName = "study.yaml";

/// Writes study.yaml: what the study asks for, with every default. Throws InputError.
void write_study_file(const std::filesystem::path& folder, const Study& study);

/// Writes result.json and runs.csv, each whole or not at all. An interrupted result does not
/// replace a finished one (returns false then).
bool write_result(const std::filesystem::path& folder, const Study& study,
                  const StudyResult& result, const std::vector<CellSummary>& summaries);

}  // namespace ntune
