#pragma once

#include <filesystem>
#include <string>

#include "ntune/study/model/study.h"

namespace ntune::cli {

/// A study whose evaluations come from outside, kept in a folder (empty: in none): each is worth a
/// line in the journal.
Study read_served_study(const std::string& path, const std::filesystem::path& folder);

/// Prepares it to go on with what the folder's journal holds (empty: nothing), and fills in what
/// it leaves open.
void settle_served_study(const std::filesystem::path& folder, Study& study);

/// The study that a folder's file names, whatever it leaves open: to divide a budget anew may take
/// seconds. Throws InputError where there is none.
Study read_held_file(const std::filesystem::path& folder);
/// The study that a folder holds, ready to go on. Throws InputError where there is none.
Study read_held_study(const std::filesystem::path& folder);

/// Writes the files of a finished study.
void write_finished(const std::filesystem::path& folder, const Study& study,
                    const StudyResult& result);

}  // namespace ntune::cli
