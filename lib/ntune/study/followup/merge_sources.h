#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "ntune/study/journal/recorded_study.h"

namespace ntune {

using MergeSources = std::vector<std::unique_ptr<RecordedStudy>>;

/// The studies of folders, ascending by seed. Throws InputError unless they are the same but for
/// `seed`, no seed stands twice, and `out` (unless empty) is a place for their merged result.
MergeSources read_sources(const std::vector<std::filesystem::path>& folders,
                          const std::filesystem::path& out,
                          const std::shared_ptr<const Objective>& objective = nullptr);

/// Throws InputError naming the first key other than `seed` in which a study differs.
void check_same_study(const Study& study, const Study& other);

}  // namespace ntune
