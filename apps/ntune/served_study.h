#pragma once

#include <filesystem>
#include <string>

#include "ntune/study/study.h"

namespace ntune::cli {

/// A study whose evaluations come from outside: each is worth a line in the journal.
Study read_served_study(const std::string& path);

/// Writes the files of a finished study.
void write_finished(const std::filesystem::path& folder, const Study& study,
                    const StudyResult& result);

}  // namespace ntune::cli
