#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/study_progress.h"
#include "apps/ntune/aggregate_note.h"
#include "apps/ntune/verification.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/facts/deviations_text.h"
#include "ntune/study/results/result_files.h"

namespace ntune::cli {

namespace {

/// The defaults, or nothing where parameters have none: then no deviation is one.
std::optional<Point> defaults_of(const DeviationsArguments& arguments, const Study& study,
                                 const Terminal& terminal) {
  if (!arguments.against.empty()) {
    return incumbent_of(arguments.against, study, arguments.quiet, terminal, "--default");
  }
  try {
    return read_incumbent("default", study).point;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

int deviations_command(const DeviationsArguments& arguments, const Terminal& terminal) {
  check_output_file(arguments.out);
  RecommendedStudy recommended = recommended_of(arguments);
  const Objective& objective = recommended.objective();
  const auto defaults = defaults_of(arguments, recommended.study, terminal);
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
  return show_verification({.json = deviations_json(objective, result, fallback),
                            .rows = deviation_rows(objective, result),
                            .text = deviations_text(objective, result, fallback),
                            .stopped = result.stopped},
                           arguments, journal.get(), terminal);
}

}  // namespace ntune::cli
