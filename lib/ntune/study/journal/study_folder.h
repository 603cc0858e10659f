#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "ntune/study/journal/journal.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// Opens the folder of a study that is to be carried out: its journal, a copy of the result that it
/// had before it was given more, and its study.yaml. nullptr where the study keeps no journal.
/// `open` and `patience` as for Journal. Throws InputError where the folder holds another study.
std::unique_ptr<Journal> open_study_folder(
    const std::filesystem::path& folder, const Study& study, Journal::Open open,
    std::chrono::milliseconds patience = std::chrono::milliseconds(0));

}  // namespace ntune
