#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ntune/report/data/study_folder.h"

namespace ntune {

/// The rows of a CSV text (RFC 4180); quoted fields may hold line ends.
std::vector<std::vector<std::string>> csv_rows(std::string_view text);

/// The runs of runs.csv. Throws InputError "name:row: …" for rows that are not the study's.
std::vector<FinishedRun> read_runs(std::string_view csv, const std::string& name,
                                   const Study& study);

}  // namespace ntune
