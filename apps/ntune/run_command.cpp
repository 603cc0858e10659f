#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/common/study_progress.h"
#include "apps/common/terminal.h"
#include "apps/ntune/commands.h"
#include "apps/ntune/iterate.h"
#include "apps/ntune/live.h"
#include "apps/ntune/study_run.h"
#include "ntune/core/error.h"
#include "ntune/core/folder_lock.h"
#include "ntune/core/program.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/facts/failed_call_text.h"
#include "ntune/facts/result_text.h"
#include "ntune/facts/story.h"
#include "ntune/report/data/study_watch.h"
#include "ntune/study/budget/split_advice.h"
#include "ntune/study/evaluation/backend.h"
#include "ntune/study/journal/extension.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/journal/recorded_study.h"
#include "ntune/study/journal/study_folder.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/results/published.h"
#include "ntune/study/results/result_csv.h"
#include "ntune/study/results/result_files.h"
#include "ntune/study/results/result_json.h"
#include "ntune/study/run_study.h"

namespace ntune::cli {

namespace {

/// The commands that come next.
std::string next_line(const Study& study, const StudyResult& result,
                      const std::vector<CellSummary>& summaries, const std::string& folder) {
  std::string line = "Next: ntune report " + shown_word(folder);
  if (!study.is_comparison()) {
    const Story story = story_of(study, saved_result(study, result, summaries), folder);
    if (!story.next.empty()) line += ", " + story.next;
  }
  return line + '\n';
}

/// The text with the sentence of the verdict in its colour.
std::string with_colour(std::string text, const Story& story) {
  if (story.verdict == Verdict::kNotDecided || story.verdict == Verdict::kChoose) return text;
  const char* colour = story.verdict == Verdict::kUse    ? kBoldGreen
                       : story.verdict == Verdict::kKeep ? kYellow
                                                         : kRed;
  const std::string sentence = wrapped(story.sentence, 2);
  const std::size_t at = text.find(sentence);
  return at == std::string::npos ? text
                                 : text.replace(at, sentence.size(), colour + sentence + kPlain);
}

/// `made`: evaluations, those of searches that did not end too.
void print_result(const Study& study, const StudyResult& result, std::int64_t made,
                  const RunArguments& arguments, const std::vector<PublishedRow>& published,
                  const Terminal& terminal) {
  const std::vector<CellSummary> summaries = summarise(study, result);
  switch (arguments.format) {
    case Format::kJson:
      terminal.out << result_json(study, result, summaries).dump(2) << '\n';
      break;
    case Format::kCsv:
      terminal.out << result_csv(study, result, summaries);
      break;
    case Format::kText: {
      std::string text = result_text(study, result, summaries, made);
      // The launcher of an MPI job may give each rank a terminal, and its reader none.
      if (!study.is_comparison() && arguments.executor != Executor::kMpi &&
          shows_colour(terminal.out)) {
        text = with_colour(std::move(text),
                           story_of(study, saved_result(study, result, summaries), {}, made));
      }
      terminal.out << text;
      if (!published.empty() && !result.interrupted) {
        terminal.out << '\n' << published_text(compare_published(study, summaries, published));
      }
      break;
    }
  }
  if (arguments.out.empty()) return;
  const bool written = write_result(arguments.out, study, result, summaries);
  if (arguments.quiet) return;
  terminal.err << (written ? fmt::format("Results in {}\n", arguments.out)
                           : fmt::format("{} keeps its finished result\n", arguments.out));
  if (!written || result.interrupted || arguments.format != Format::kText) return;
  terminal.err << next_line(study, result, summaries, arguments.out);
}

/// The journal of the study in the folder of --out; nullptr: none is kept.
std::unique_ptr<Journal> open_journal(const Study& study, const RunArguments& arguments,
                                      const Terminal& terminal) {
  if (arguments.out.empty()) return nullptr;
  if (arguments.resume && study.execution.record == Recording::kNone) {
    throw InputError("--resume: the study has `record: none`, no journal");
  }
  const Journal::Open open = arguments.retry_failed ? Journal::Open::kRetryFailed
                             : arguments.resume     ? Journal::Open::kResume
                                                    : Journal::Open::kNew;
  auto journal = open_study_folder(arguments.out, study, open);
  if (journal == nullptr) return nullptr;
  if (!journal->changed().empty() && !arguments.quiet) {
    terminal.err << fmt::format(
        "note: goes on although {}: finished evaluations stay as they are\n", journal->changed());
  }
  if (journal->known() > 0 && !arguments.quiet) {
    terminal.err << fmt::format(
        "{} {} from the journal\n", count_text(journal->known()),
        study.execution.record == Recording::kRuns ? "runs" : "evaluations");
  }
  return journal;
}

/// The command that goes on with a study.
std::string resume_line(const RunArguments& arguments) {
  if (!arguments.resumed_by.empty()) return arguments.resumed_by;
  return fmt::format("ntune run {} --out {}{} --resume", shown_word(arguments.study),
                     shown_word(arguments.out),
                     arguments.seed ? fmt::format(" --seed {}", *arguments.seed) : "");
}

/// What a failed call has ended, and how the study goes on all the same.
std::string failure_block(const FailedCall& failed, const StudyProgress& progress,
                          const RunArguments& arguments, const Study& study, const Journal* journal,
                          const Terminal& terminal) {
  const FailedCall::Facts& call = failed.facts();
  const bool aborts = study.execution.on_failure.kind == FailurePolicy::Kind::kAbort;
  std::string head = fmt::format("Call {}", count_text(progress.evaluations + 1));
  if (progress.total_evaluations > 0) head += " of " + count_text(progress.total_evaluations);
  head += call.exceeded.empty() ? " failed, which ends the study; with `fail: skip` it goes on."
                                : " failed, and ends the study: " + call.exceeded + '.';
  const std::string next =
      journal == nullptr ? fmt::format("ntune run {} --out DIR, which keeps what is done",
                                       shown_word(arguments.study))
                         : resume_line(arguments) +
                               (aborts || !arguments.resumed_by.empty() ? "" : " --retry-failed");
  std::string text = failed_call_text(call, head, next) + repeated_call_text(call);
  if (arguments.executor == Executor::kMpi || !shows_colour(terminal.err)) return text;
  return kRed + text.insert(wrapped(head, 2).size(), kPlain);
}

/// With `split: auto`, lets test runs choose the split, unless the journal knows it; then prints
/// the plan. False: interrupted.
bool fill_in_plans(Study& study, const RunArguments& arguments, const Terminal& terminal,
                   Journal* journal) {
  const bool notes = arguments.format == Format::kText && !arguments.quiet;
  if (study.advise_budget > 0) {
    StudyProgress progress;
    const SplitAdvice advice = [&] {
      const ProgressDisplay display = show_study(progress, terminal, arguments.quiet);
      try {
        return advise_split(study, progress);
      } catch (const FailedCall& failed) {
        if (arguments.quiet) throw;
        throw EvaluationError(failure_block(failed, progress, arguments, study, journal, terminal));
      }
    }();
    if (progress.stop) return false;
    if (journal != nullptr) journal->keep_split();
    if (notes) terminal.out << advice_text(advice) << '\n';
  }
  if (notes) terminal.out << wrapped_lines(plan_text(study), 2) << '\n' << std::flush;
  return true;
}

struct TimedResult {
  StudyResult result;
  double seconds = 0.0;
  std::int64_t made = 0;      ///< evaluations, those of runs that were interrupted too
  std::int64_t recalled = 0;  ///< evaluations that stood in the journal
};

TimedResult run_and_show(const Study& study, Backend& backend, const RunArguments& arguments,
                         const Terminal& terminal, Journal* journal, LiveRecommendations* live) {
  StudyProgress progress;
  const ProgressDisplay display =
      show_study(progress, terminal, arguments.quiet, [live](ProgressView& view) {
        if (live == nullptr) return;
        view.last = live->text();
        view.rows = live->take_rows();
      });
  std::optional<LiveObserver> observer;
  if (live != nullptr) observer.emplace(study, *live);
  StudyResult result = [&] {
    try {
      return run_study(study, backend, progress, journal, observer ? &*observer : nullptr);
    } catch (const FailedCall& failed) {
      if (arguments.quiet) throw;
      throw EvaluationError(failure_block(failed, progress, arguments, study, journal, terminal));
    }
  }();
  if (journal != nullptr) journal->sync();
  const std::int64_t made = std::max(progress.evaluations.load(), result.evaluations());
  return {std::move(result), display.seconds(), made, progress.recalled};
}

std::string pace_text(const TimedResult& timed) {
  const auto evaluations = static_cast<double>(timed.made - timed.recalled);
  if (evaluations <= 0.0) return fmt::format("{:.1f} s, no new evaluation\n", timed.seconds);
  const double rate = evaluations / timed.seconds;
  if (rate < 10.0) {
    return fmt::format("{:.1f} s, {:.2g} s an evaluation\n", timed.seconds, 1.0 / rate);
  }
  return fmt::format("{:.1f} s, {} evaluations a second\n", timed.seconds,
                     count_text(std::floor(rate)));
}

/// What an interrupted study has kept, and how it goes on.
std::string interruption_hint(const RunArguments& arguments, const Study& study,
                              const TimedResult& timed) {
  std::string text;
  if (study.execution.record == Recording::kEvaluations &&
      timed.made > timed.result.evaluations()) {
    constexpr std::int64_t kQuick = 20'000;  // evaluations that a model reads without a wait
    const std::string now = study.is_comparison() || timed.made > kQuick
                                ? std::string()
                                : StudyWatch(arguments.out).look().recommendation;
    text = fmt::format("{} are recorded. What they suggest: {}ntune recommend {}\n",
                       counted(timed.made, "evaluation"),
                       now.empty() ? "" : printable(now, 200) + "; ", shown_word(arguments.out));
  }
  return text + fmt::format("To go on: {}\n", resume_line(arguments));
}

}  // namespace

Study load_study(const RunArguments& arguments) {
  Study study = arguments.resume ? read_resumed_study(read_yaml(arguments.study), arguments.out)
                                 : read_study(read_yaml(arguments.study));
  if (arguments.seed) set_seed(study, static_cast<std::uint64_t>(*arguments.seed));
  if (arguments.threads) study.execution.threads = *arguments.threads;
  if (arguments.resume && arguments.out.empty()) {
    throw InputError("--resume: needs --out, the folder that holds the journal");
  }
  if (arguments.retry_failed && !arguments.resume) {
    throw InputError("--retry-failed: goes with --resume, which names what there is to try again");
  }
  if (arguments.resume) go_on_from(arguments.out, study);
  return study;
}

int execute_study(Study& study, Backend& backend, const RunArguments& arguments,
                  const Terminal& terminal, LiveRecommendations* live) {
  std::vector<PublishedRow> published;
  if (!study.published_file.empty()) {
    published = read_published(study.published_file);
    check_published(study, published);
  }
  const std::unique_ptr<Journal> journal = open_journal(study, arguments, terminal);
  std::optional<FolderLock> lock;  // of a study without a journal, which holds it itself
  if (journal == nullptr && !arguments.out.empty()) lock.emplace(arguments.out);
  if (arguments.begun) arguments.begun();
  if (!fill_in_plans(study, arguments, terminal, journal.get())) return kInterrupted;
  TimedResult timed = run_and_show(study, backend, arguments, terminal, journal.get(), live);
  if (!arguments.out.empty()) recall_test(arguments.out, study, timed.result);
  print_result(study, timed.result, timed.made, arguments, published, terminal);
  if (journal != nullptr && has_iterate(study) && arguments.format == Format::kText &&
      !timed.result.interrupted) {
    const std::string lines = iterate_lines(recorded_iterate(arguments.out));
    if (!lines.empty()) terminal.out << '\n' << lines;
  }
  if (!arguments.quiet) {
    terminal.err << pace_text(timed);
    if (timed.result.interrupted && journal != nullptr) {
      terminal.err << interruption_hint(arguments, study, timed);
    } else if (timed.result.interrupted && arguments.out.empty()) {
      terminal.err << "Nothing is kept; with --out DIR an interrupted study can go on\n";
    }
  }
  return timed.result.interrupted ? kInterrupted : kDone;
}

int run_command(const RunArguments& arguments, const Terminal& terminal) {
  if (arguments.executor == Executor::kDask) run_with_dask(arguments);
  if (!arguments.scheduler.empty()) throw InputError("--scheduler: goes with --executor dask");
  if (arguments.executor == Executor::kMpi) return run_with_mpi(arguments, terminal);
  Study study = load_study(arguments);
  LocalBackend backend(study.execution.threads);
  if (arguments.quiet || !terminal.live) return execute_study(study, backend, arguments, terminal);
  LiveRecommendations live(arguments.verbose, study.is_comparison());
  return execute_study(study, backend, arguments, terminal, &live);
}

}  // namespace ntune::cli
