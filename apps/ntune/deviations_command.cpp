#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/rows.h"
#include "apps/common/study_progress.h"
#include "apps/ntune/aggregate_note.h"
#include "apps/ntune/commands.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/facts/deviations_text.h"
#include "ntune/study/followup/recommended.h"
#include "ntune/study/followup/test_journal.h"
#include "ntune/study/results/result_files.h"

namespace ntune::cli {

namespace {

/// The defaults, or nothing where parameters have none: then no deviation is one.
std::optional<Point> defaults_of(const DeviationsArguments& arguments, const Study& study) {
  if (!arguments.against.empty()) return read_incumbent(arguments.against, study);
  try {
    return read_incumbent("default", study);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

int deviations_command(const DeviationsArguments& arguments, const Terminal& terminal) {
  check_output_file(arguments.out);
  RecommendedStudy recommended = read_recommended(arguments.folder, arguments.study);
  if (arguments.seed) recommended.study.seed = static_cast<std::uint64_t>(*arguments.seed);
  if (arguments.threads) recommended.study.execution.threads = *arguments.threads;
  const Objective& objective = recommended.objective();
  const auto defaults = defaults_of(arguments, recommended.study);
  const Point* fallback = defaults ? &*defaults : nullptr;
  auto deviations = one_step_deviations(objective.space(), recommended.point, fallback);
  if (deviations.empty()) {
    throw InputError(fmt::format("{}: no parameter of the recommendation can be changed by itself",
                                 printable(arguments.folder, 1000)));
  }
  const auto journal = open_test_journal(
      arguments.folder, recommended.study,
      fmt::format("deviations from {}", objective.space().text(recommended.point)),
      arguments.resume);
  if (!arguments.quiet) note_aggregate(recommended.study, terminal);
  StudyProgress progress;
  const Deviations result = [&] {
    const ProgressDisplay display = show_test(progress, terminal, arguments.quiet);
    return test_deviations(recommended.study, recommended.point, std::move(deviations),
                           arguments.options, progress, journal ? journal->log() : nullptr);
  }();
  const std::vector<Json> rows = deviation_rows(objective, result);
  Json json = deviations_json(objective, result, fallback);
  json["status"] = result.stopped ? "interrupted" : "done";
  print_result(terminal.out, arguments.format, json, rows,
               deviations_text(objective, result, fallback));
  if (!arguments.out.empty()) {
    const bool csv = arguments.out.ends_with(".csv");
    write_file_atomically(arguments.out, csv ? csv_text(rows) : json.dump(2) + '\n');
    if (!arguments.quiet) {
      terminal.err << fmt::format("Result in {}\n", printable(arguments.out, 1000));
    }
  }
  if (journal) {
    const std::string line = journal->keep_result(json);
    if (!arguments.quiet) terminal.err << line;
  }
  return result.stopped ? kInterrupted : kDone;
}

}  // namespace ntune::cli
