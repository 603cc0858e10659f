#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "apps/ntune/commands.h"
#include "apps/ntune/iterate.h"
#include "apps/ntune/show_commands.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/program.h"
#include "ntune/core/text.h"
#include "ntune/study/export/export.h"
#include "ntune/study/export/export_follow.h"
#include "ntune/study/followup/recommended.h"
#include "ntune/study/results/result_files.h"

namespace ntune::cli {

namespace {

void check(const ExportArguments& arguments) {
  const ExportOptions& options = arguments.options;
  const bool sqlite = options.target == ExportTarget::kOptunaSqlite;
  if (sqlite && arguments.output.empty()) {
    throw InputError("--to optuna-sqlite: needs -o FILE");
  }
  if (!sqlite && arguments.schema) {
    throw InputError("--optuna-schema: goes with --to optuna-sqlite");
  }
  const bool optuna = sqlite || options.target == ExportTarget::kOptunaJournal;
  if (options.per == ExportPer::kPoint && !optuna && options.target != ExportTarget::kCsv) {
    throw InputError("--per point: goes with --to csv, optuna-journal or optuna-sqlite");
  }
  if (options.at_least > 1 && options.per != ExportPer::kPoint) {
    throw InputError("--at-least: goes with --per point");
  }
}

void check_followed(const ExportArguments& arguments) {
  const ExportOptions& options = arguments.options;
  const bool optuna = options.target == ExportTarget::kOptunaJournal ||
                      options.target == ExportTarget::kOptunaSqlite;
  if (!optuna || options.per != ExportPer::kEvaluation || arguments.output.empty()) {
    throw InputError(
        "--follow: goes with --to optuna-journal or optuna-sqlite, --per evaluation and -o FILE");
  }
}

/// What the numbers do not say by themselves.
void print_notes(const Study& study, const ExportSummary& summary, const ExportOptions& options,
                 std::ostream& err) {
  constexpr std::int64_t kFew = 10;
  if (study.execution.record == Recording::kRuns) {
    err << "note: the journal holds runs, each is one row; a study with `record: evaluations` "
           "exports evaluations\n";
  } else if (summary.best_evaluations.value_or(kFew) < kFew) {
    err << fmt::format(
        "note: the best mean is of {} and owes much to luck; --at-least {} leaves out points of "
        "fewer\n",
        counted(*summary.best_evaluations, "evaluation"), std::max(3 * kFew, options.at_least));
  }
}

/// Says where what is written is not the setting that was found.
void tell_of_today(const RecommendedStudy& recommended, const ExportArguments& arguments,
                   const Terminal& terminal) {
  if (recommended.setting == recommended.point) return;
  terminal.err << fmt::format(
      "note: nothing is shown to be better than today's setting, which this is; ntune recommend {} "
      "tells the best that was tried\n",
      shown_word(arguments.folder));
}

/// Names the constraints of a space that the format cannot hold: forbidden combinations, and the
/// conditions of these parameters.
void tell_of_constraints(const SearchSpace& space, const char* format,
                         const std::vector<std::string>& conditional, const Terminal& terminal) {
  std::vector<std::string> lost;
  for (const std::string& name : conditional) {
    lost.push_back(fmt::format("`when:` of {}", printable(name, 60)));
  }
  if (const std::size_t clauses = space.forbidden().size(); clauses > 0) {
    lost.push_back(fmt::format("{} of `forbid:`", counted(clauses, "clause")));
  }
  if (lost.empty()) return;
  terminal.err << fmt::format("note: left out, as {} cannot hold it: {}\n", format,
                              list_text(lost, "and"));
}

/// The setting to use as the input of an SPSA tune; of such a tune, where it has got to.
int export_openbench(const ExportArguments& arguments, const Terminal& terminal) {
  const RecommendedStudy recommended = read_setting(arguments.folder);
  std::map<std::string, std::string> iterate;
  for (const auto& [name, value] : recorded_iterate(arguments.folder)) {
    iterate[name] = iterate_text(value);
  }
  const OpenBenchLines lines = openbench_lines(recommended.study, recommended.setting, iterate);
  if (lines.text.empty()) {
    throw InputError(fmt::format("{}: recommends no numbers, which are all that OpenBench tunes",
                                 printable(arguments.folder, 1000)));
  }
  if (arguments.output.empty()) {
    terminal.out << lines.text;
  } else {
    write_file_atomically(arguments.output, lines.text);
  }
  if (!lines.left_out.empty()) {
    terminal.err << fmt::format("note: left out, as OpenBench tunes numbers alone: {}\n",
                                printable(list_text(lines.left_out, "and"), 1000));
  }
  std::vector<std::string> conditional;
  for (const Parameter& parameter : recommended.space().parameters()) {
    const bool written = std::ranges::count(lines.left_out, parameter.name) == 0;
    if (written && !parameter.when.empty()) conditional.push_back(parameter.name);
  }
  tell_of_constraints(recommended.space(), "a line of OpenBench", conditional, terminal);
  if (!lines.usual.empty()) {
    terminal.err << fmt::format(
        "note: C_end and R_end are what OpenBench's guide says, nothing was measured, of {}\n",
        printable(list_text(lines.usual, "and"), 1000));
  }
  if (iterate.empty()) {
    tell_of_today(recommended, arguments, terminal);
  } else {
    terminal.err << "note: the values are the iterate of spsa_duels, not rounded to the grid\n";
  }
  return kDone;
}

/// The setting to use as another program takes it.
int export_settings(const ExportArguments& arguments, const Terminal& terminal) {
  const RecommendedStudy recommended = read_setting(arguments.folder);
  const std::string text =
      settings_text(recommended.space(), recommended.setting, arguments.options.target);
  if (arguments.output.empty()) {
    terminal.out << text;
  } else {
    write_file_atomically(arguments.output, text);
  }
  tell_of_today(recommended, arguments, terminal);
  return kDone;
}

/// The space of the study for irace or SMAC; of irace a folder has the scenario too.
int export_space(const ExportArguments& arguments, const Terminal& terminal) {
  const RecordedStudy recorded(arguments.folder);
  const Study& study = recorded.study();
  const bool irace = arguments.options.target == ExportTarget::kIrace;
  const std::string text = irace ? irace_parameters(study) : pcs_text(study);
  if (arguments.output.empty()) {
    terminal.out << text;
  } else if (!irace) {
    write_file_atomically(arguments.output, text);
  } else {
    const std::filesystem::path folder = arguments.output;
    ensure_writable_folder(folder);
    for (const auto& [name, content] :
         {std::pair("parameters.txt", text),
          {"configurations.txt", irace_configurations(study)},
          {"instances.txt", instance_lines(study.instances.train)},
          {"test_instances.txt", instance_lines(study.instances.test)},
          {"scenario.txt", irace_scenario(study)}}) {
      if (!content.empty()) write_file_atomically(folder / name, content);
    }
  }
  return kDone;
}

/// Goes on until the study is done, or a signal comes.
int follow(const ExportArguments& arguments, const ExportOptions& options,
           const Terminal& terminal) {
  constexpr double kInterval = 0.5;  // seconds
  FollowedExport followed(arguments.folder, options, arguments.output);
  bool interrupted = false;
  while (followed.go_on() && !interrupted) interrupted = !wait(kInterval, terminal);
  terminal.err << fmt::format("{} in {}\n", counted(followed.summary().rows, "trial"),
                              printable(arguments.output, 1000));
  return interrupted ? kInterrupted : kDone;
}

}  // namespace

int export_command(const ExportArguments& arguments, const Terminal& terminal) {
  check(arguments);
  // The output of irace is a folder, which is checked when it is written.
  if (arguments.options.target != ExportTarget::kIrace) check_output_file(arguments.output);
  if (arguments.follow) check_followed(arguments);
  if (arguments.options.target == ExportTarget::kOpenBench) {
    return export_openbench(arguments, terminal);
  }
  const ExportTarget target = arguments.options.target;
  if (target == ExportTarget::kUci || target == ExportTarget::kFastchess ||
      target == ExportTarget::kTag) {
    return export_settings(arguments, terminal);
  }
  if (target == ExportTarget::kIrace || target == ExportTarget::kPcs) {
    return export_space(arguments, terminal);
  }
  ExportOptions options = arguments.options;
  if (arguments.schema) options.schema = *arguments.schema;
  if (arguments.follow) return follow(arguments, options, terminal);
  RecordedStudy recorded(arguments.folder);
  if (recorded.study().is_comparison()) recorded.choose_split();
  ExportSummary summary;
  if (arguments.output.empty()) {
    summary = export_text(recorded, options, [&](std::string_view text) { terminal.out << text; });
  } else {
    summary = export_file(recorded, options, arguments.output);
    const bool csv = options.target == ExportTarget::kCsv;
    terminal.err << fmt::format("{} in {}\n", counted(summary.rows, csv ? "row" : "trial"),
                                printable(arguments.output, 1000));
  }
  print_notes(recorded.study(), summary, options, terminal.err);
  if (target == ExportTarget::kOptunaJournal || target == ExportTarget::kOptunaSqlite) {
    tell_of_constraints(recorded.study().objectives.front().objective->space(), "a study of Optuna",
                        {}, terminal);
  }
  return kDone;
}

}  // namespace ntune::cli
