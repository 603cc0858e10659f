#include <filesystem>
#include <ostream>

#include <fmt/format.h>

#include "apps/common/progress.h"
#include "apps/ntune/commands.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/study/followup/tabulate.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/results/result_files.h"

namespace ntune::cli {

int tabulate_command(const TabulateArguments& arguments, const Terminal& terminal) {
  Study study = read_study(read_yaml(arguments.study), nullptr, StudyUse::kObjective);
  const std::filesystem::path file(arguments.out);
  ensure_writable_folder(file.has_parent_path() ? file.parent_path() : ".");
  check_output_file(file);
  if (arguments.seed) study.seed = static_cast<std::uint64_t>(*arguments.seed);
  Parallel parallel(arguments.threads.value_or(study.execution.threads));
  Progress progress;
  Tabulation table;
  {
    const ProgressDisplay display(progress, "evaluations", terminal, arguments.quiet);
    table = tabulate(study, arguments.times, arguments.out, progress, parallel);
  }
  const std::string shown = printable(arguments.out, 1000);
  if (table.failures > 0 && !progress.stop) {
    throw EvaluationError(fmt::format("{}: lacks observations of {} of {}, {} failed; the last: {}",
                                      shown, count_text(table.all_points - table.points),
                                      counted(table.all_points, "point"),
                                      counted(table.failures, "evaluation"), table.last_failure));
  }
  if (!table.finished) {
    terminal.err << fmt::format("interrupted: complete are {} of {}{}\n", count_text(table.points),
                                counted(table.all_points, "point"),
                                table.points > 0 ? "; the same command goes on from there" : "");
    return kInterrupted;
  }
  terminal.out << fmt::format("{}: {}, {}\n", shown, counted(table.points, "point"),
                              counted(table.observations, "observation"));
  return kDone;
}

}  // namespace ntune::cli
