#include <cmath>
#include <ostream>

#include <fmt/format.h>

#include "apps/ntune/commands.h"
#include "apps/ntune/progress.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/study/published.h"
#include "ntune/study/report_text.h"
#include "ntune/study/result_files.h"
#include "ntune/study/split_advice.h"
#include "ntune/study/study_yaml.h"

namespace ntune::cli {

namespace {

void print_result(const Study& study, const StudyResult& result, const RunArguments& arguments,
                  const std::vector<PublishedRow>& published, const Terminal& terminal) {
  const std::vector<CellSummary> summaries = summarise(study, result);
  switch (arguments.format) {
    case Format::kJson:
      terminal.out << result_json(study, result, summaries).dump(2) << '\n';
      break;
    case Format::kCsv:
      terminal.out << result_csv(study, result, summaries);
      break;
    case Format::kText:
      terminal.out << result_text(study, result, summaries);
      if (!published.empty() && !result.interrupted) {
        terminal.out << '\n' << published_text(compare_published(study, summaries, published));
      }
      break;
  }
  if (arguments.out.empty()) return;
  const bool written = write_result(arguments.out, study, result, summaries);
  if (arguments.quiet) return;
  terminal.err << (written ? fmt::format("Results in {}\n", arguments.out)
                           : fmt::format("{} keeps its finished result\n", arguments.out));
}

}  // namespace

int run_command(const RunArguments& arguments, const Terminal& terminal) {
  const YamlNode file = read_yaml(arguments.study);
  Study study = read_study(file);
  if (arguments.seed) {
    study.seed = static_cast<std::uint64_t>(*arguments.seed);
    study.config["seed"] = *arguments.seed;
  }
  if (arguments.threads) study.threads = *arguments.threads;
  std::vector<PublishedRow> published;
  if (!study.published_file.empty()) {
    published = read_published(study.published_file);
    check_published(study, published);
  }
  if (!arguments.out.empty()) check_result_folder(arguments.out, study);

  const bool notes = arguments.format == Format::kText && !arguments.quiet;
  if (study.advise_budget > 0) {
    StudyProgress progress;
    const SplitAdvice advice = [&] {
      const ProgressDisplay display(progress, terminal, arguments.quiet);
      return advise_split(study, progress);
    }();
    if (progress.stop) return kInterrupted;
    if (notes) terminal.out << advice_text(advice) << '\n';
  }
  if (notes) terminal.out << plan_text(study) << '\n' << std::flush;

  StudyProgress progress;
  StudyResult result;
  double seconds = 0.0;
  {
    const ProgressDisplay display(progress, terminal, arguments.quiet);
    result = run_study(study, progress);
    seconds = display.seconds();
  }
  print_result(study, result, arguments, published, terminal);
  if (!arguments.quiet) {
    terminal.err << fmt::format(
        "{:.1f} s, {} evaluations a second\n", seconds,
        count_text(std::floor(static_cast<double>(result.evaluations()) / seconds)));
  }
  return result.interrupted ? kInterrupted : kDone;
}

}  // namespace ntune::cli
