#include "ntune/study/journal/study_folder.h"

#include "ntune/study/results/result_files.h"

namespace ntune {

std::unique_ptr<Journal> open_study_folder(const std::filesystem::path& folder, const Study& study,
                                           Journal::Open open, std::chrono::milliseconds patience) {
  check_result_folder(folder, study);
  if (study.execution.record == Recording::kNone) return nullptr;
  // Nothing is written before the journal holds its lock on the folder.
  auto journal = std::make_unique<Journal>(folder, study, open, patience);
  set_aside_earlier_result(folder, study);
  write_study_file(folder, study);
  return journal;
}

}  // namespace ntune
