#include <ostream>

#include <fmt/format.h>

#include "apps/common/study_progress.h"
#include "apps/ntune/commands.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/facts/merge_text.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/results/result_csv.h"

namespace ntune::cli {

namespace {

void print(const Merge& merge, Format format, std::ostream& out) {
  switch (format) {
    case Format::kJson:
      out << merge_json(merge).dump(2) << '\n';
      break;
    case Format::kCsv:
      out << result_csv(merge.study, merge.result, summarise(merge.study, merge.result));
      break;
    case Format::kText:
      out << merge_text(merge);
      break;
  }
}

}  // namespace

int merge_command(const MergeArguments& arguments, const Terminal& terminal) {
  MergeOptions options{.partial = arguments.partial,
                       .evaluate = arguments.evaluate.value_or(0),
                       .threads = arguments.threads,
                       .out = arguments.out};
  std::optional<Study> runnable;
  if (!arguments.study.empty()) {
    if (options.evaluate == 0) throw InputError("--study: goes with --evaluate");
    runnable = read_study(read_yaml(arguments.study), nullptr, StudyUse::kObjective);
    options.runnable = &*runnable;
  }
  StudyProgress progress;
  const Merge merge = [&] {
    const ProgressDisplay display = show_study(progress, terminal, arguments.quiet);
    return merge_studies({arguments.folders.begin(), arguments.folders.end()}, options, progress);
  }();
  if (merge.stopped) return kInterrupted;
  print(merge, arguments.format, terminal.out);
  if (arguments.out.empty()) return kDone;
  write_merge(arguments.out, merge);
  if (!arguments.quiet) {
    terminal.err << fmt::format("Results in {}\n", printable(arguments.out, 1000));
  }
  return kDone;
}

}  // namespace ntune::cli
