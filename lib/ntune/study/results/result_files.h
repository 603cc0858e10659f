#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/study/model/incumbent.h"
#include "ntune/study/model/study.h"
#include "ntune/study/results/summary.h"

namespace ntune {

/// Refuses a file that a user names for output where it is a folder, in a folder that is not there,
/// or one of a study's own files. Throws InputError.
void check_output_file(const std::filesystem::path& file);

/// Refuses a folder that holds the result of another study, or files of others that have the names
/// of ours, or cannot be written. Throws InputError.
void check_result_folder(const std::filesystem::path& folder, const Study& study);

/// One line why a file that was parsed is no whole result of a study, as one that was cut off;
/// empty: it is one.
std::string fault_of_result(const Json& parsed, const std::filesystem::path& path);

/// Keeps a copy of the result of what a study was before it was given more: result-1.json,
/// runs-1.csv, …. The result itself stays until the study has another.
void set_aside_earlier_result(const std::filesystem::path& folder, const Study& study);

/// Writes study.yaml: what the study asks for, with every default. Throws InputError.
void write_study_file(const std::filesystem::path& folder, const Study& study);

/// Puts a test of these two points into the folder's result, whose verdict follows it. Returns
/// false for a result of others, of a study that has not ended, one that is in doubt, and one that
/// cannot be written.
bool keep_test(const std::filesystem::path& folder, const Study& study, const Point& recommended,
               const Point& incumbent, const DecidedTest& test);
/// Takes the test of the same two points that the folder's result holds, if it does.
void recall_test(const std::filesystem::path& folder, const Study& study, StudyResult& result);

/// Writes result.json and runs.csv, each whole or not at all. An interrupted result does not
/// replace a finished one (returns false then). A test of the same two points stays.
bool write_result(const std::filesystem::path& folder, const Study& study,
                  const StudyResult& result, const std::vector<CellSummary>& summaries);

}  // namespace ntune
