#pragma once

#include <filesystem>
#include <string>

#include "ntune/study/journal/journal.h"
#include "study/make.h"
#include "support/temporary_folder.h"

namespace ntune::test {

/// Runs a study with a journal in the folder, as `ntune run --out` does.
inline StudyResult record(const std::filesystem::path& folder, const Study& study) {
  Journal journal(folder, study, Journal::Open::kNew);
  StudyProgress progress;
  return run_study(study, progress, &journal);
}

/// Cuts the journal of a folder to its first lines.
inline void keep_lines(const std::filesystem::path& folder, std::size_t lines) {
  const std::filesystem::path path = folder / kJournalName;
  const std::string text = content_of(path);
  std::size_t end = 0;
  for (; lines > 0 && end < text.size(); --lines) end = text.find('\n', end) + 1;
  std::filesystem::resize_file(path, end);
}

}  // namespace ntune::test
