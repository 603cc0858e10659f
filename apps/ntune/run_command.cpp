#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>

#include <fmt/format.h>

#include "apps/common/study_progress.h"
#include "apps/ntune/commands.h"
#include "apps/ntune/live.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/study/evaluator.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/results/published.h"
#include "ntune/study/results/result_files.h"
#include "ntune/study/results/result_text.h"
#include "ntune/study/split_advice.h"
#include "ntune/study/study_yaml.h"
#ifdef NTUNE_MPI
#include "ntune/mpi/mpi_evaluator.h"
#endif

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

/// The journal of the study in the folder of --out; nullptr: none is kept.
std::unique_ptr<Journal> open_journal(const Study& study, const RunArguments& arguments,
                                      const Terminal& terminal) {
  if (arguments.out.empty()) return nullptr;
  check_result_folder(arguments.out, study);
  if (study.record == Recording::kNone) {
    if (arguments.resume) throw InputError("--resume: the study has `record: none`, no journal");
    return nullptr;
  }
  auto journal = std::make_unique<Journal>(
      arguments.out, study, arguments.resume ? Journal::Open::kResume : Journal::Open::kNew);
  write_study_file(arguments.out, study);
  if (journal->known() > 0 && !arguments.quiet) {
    terminal.err << fmt::format("{} {} from the journal\n", count_text(journal->known()),
                                study.record == Recording::kRuns ? "runs" : "evaluations");
  }
  return journal;
}

Study load_study(const RunArguments& arguments) {
  Study study = read_study(read_yaml(arguments.study));
  if (arguments.seed) {
    study.seed = static_cast<std::uint64_t>(*arguments.seed);
    study.config["seed"] = *arguments.seed;
  }
  if (arguments.threads) study.threads = *arguments.threads;
  if (arguments.resume && arguments.out.empty()) {
    throw InputError("--resume: needs --out, the folder that holds the journal");
  }
  return study;
}

using MakeEvaluator =
    std::function<std::unique_ptr<Evaluator>(const Study&, StudyProgress&, StudyLog*)>;

/// Runs a study where the evaluator carries it out, and prints the result.
int execute(Study& study, const RunArguments& arguments, const Terminal& terminal,
            const MakeEvaluator& make_evaluator, LiveRecommendations* live = nullptr) {
  std::vector<PublishedRow> published;
  if (!study.published_file.empty()) {
    published = read_published(study.published_file);
    check_published(study, published);
  }
  const std::unique_ptr<Journal> journal = open_journal(study, arguments, terminal);

  const bool notes = arguments.format == Format::kText && !arguments.quiet;
  if (study.advise_budget > 0) {
    StudyProgress progress;
    const SplitAdvice advice = [&] {
      const ProgressDisplay display = show_study(progress, terminal, arguments.quiet);
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
    const ProgressDisplay display =
        show_study(progress, terminal, arguments.quiet, [live](ProgressView& view) {
          if (live == nullptr) return;
          view.last = live->text();
          view.rows = live->take_rows();
        });
    const std::unique_ptr<Evaluator> evaluator = make_evaluator(study, progress, journal.get());
    result = run_study(*evaluator);
    if (journal) journal->sync();
    seconds = display.seconds();
  }
  print_result(study, result, arguments, published, terminal);
  if (!arguments.quiet) {
    terminal.err << fmt::format(
        "{:.1f} s, {} evaluations a second\n", seconds,
        count_text(std::floor(static_cast<double>(result.evaluations()) / seconds)));
  }
  if (result.interrupted && journal && !arguments.quiet) {
    terminal.err << fmt::format("To go on: ntune run {} --out {}{} --resume\n", arguments.study,
                                arguments.out,
                                arguments.seed ? fmt::format(" --seed {}", *arguments.seed) : "");
  }
  return result.interrupted ? kInterrupted : kDone;
}

#ifdef NTUNE_MPI
/// Rank 0 runs the study and prints; the others carry out what it sends. All read the study.
int run_with_mpi(const RunArguments& arguments, const Terminal& terminal) {
  const MpiWorld world;
  std::optional<Study> study;
  std::string text;
  try {
    study = load_study(arguments);
    text = study->config.dump();
  } catch (const InputError& error) {
    text = error.what();
  }
  try {
    world.check_same(text, "the study");
    if (!study) throw InputError(text);
    if (world.rank() == 0 && world.size() == 1) {
      throw InputError("--executor mpi: needs two processes or more, such as mpirun -n 3 ntune …");
    }
  } catch (const InputError&) {
    if (world.rank() == 0) throw;
    return kDone;
  }
  if (world.rank() > 0) {
    StudyProgress progress;
    const ProgressDisplay display = show_study(progress, terminal, true);
    if (study->advise_budget > 0) advise_split(*study, progress);
    work_mpi(*study, progress);
    return kDone;
  }
  MpiDispatcher dispatcher(world);
  return execute(*study, arguments, terminal,
                 [&](const Study& own, StudyProgress& progress, StudyLog* log) {
                   return std::make_unique<MpiEvaluator>(own, progress, log, dispatcher);
                 });
}
#else
int run_with_mpi(const RunArguments&, const Terminal&) {
  throw InputError("--executor mpi: this ntune was built without MPI (CMake option NTUNE_MPI)");
}
#endif

}  // namespace

int run_command(const RunArguments& arguments, const Terminal& terminal) {
  if (arguments.mpi) return run_with_mpi(arguments, terminal);
  Study study = load_study(arguments);
  if (arguments.quiet || !terminal.live) {
    return execute(study, arguments, terminal,
                   [](const Study& own, StudyProgress& progress, StudyLog* log) {
                     return std::make_unique<LocalEvaluator>(own, progress, log);
                   });
  }
  LiveRecommendations live(arguments.verbose);
  return execute(
      study, arguments, terminal,
      [&live](const Study& own, StudyProgress& progress, StudyLog* log) {
        return std::make_unique<WatchedEvaluator>(own, progress, log, live);
      },
      &live);
}

}  // namespace ntune::cli
