#include "ntune/study/export/export.h"

#include <string>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/study/export/export_csv.h"
#include "ntune/study/export/export_optuna.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/results/result_files.h"
#include "ntune/study/study_yaml.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

/// Refuses a folder, and a file of the study itself.
void check_file(const fs::path& folder, const fs::path& file) {
  std::error_code error;
  if (fs::is_directory(file, error)) {
    throw InputError(fmt::format("{}: is a folder, a file is needed", path_text(file)));
  }
  for (const char* name : {kJournalName, kStudyName, "result.json", "runs.csv", "lock"}) {
    if (!fs::equivalent(folder / name, file, error)) continue;
    throw InputError(fmt::format("{}: belongs to the study; name another file", path_text(file)));
  }
}

}  // namespace

ExportSummary export_text(const RecordedStudy& recorded, const ExportOptions& options,
                          const TextSink& sink) {
  return options.target == ExportTarget::kCsv ? export_csv(recorded, options, sink)
                                              : export_optuna_journal(recorded, options, sink);
}

ExportSummary export_file(const RecordedStudy& recorded, const ExportOptions& options,
                          const fs::path& file) {
  check_file(recorded.folder(), file);
  if (options.target == ExportTarget::kOptunaSqlite) {
    return export_optuna_sqlite(recorded, options, file);
  }
  std::string text;
  const ExportSummary summary =
      export_text(recorded, options, [&](std::string_view piece) { text += piece; });
  write_file_atomically(file, text);
  return summary;
}

}  // namespace ntune
