#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ntune/report/data/study_folder.h"

namespace ntune {

/// The runs of runs.csv. Throws InputError "name:row: …" for rows that are not the study's.
std::vector<FinishedRun> read_runs(std::string_view csv, const std::string& name,
                                   const Study& study);

}  // namespace ntune
