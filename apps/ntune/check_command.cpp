#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "apps/ntune/commands.h"
#include "apps/ntune/engines.h"
#include "ntune/core/error.h"
#include "ntune/core/input_errors.h"
#include "ntune/core/parallel.h"
#include "ntune/core/program.h"
#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/facts/failed_call_text.h"
#include "ntune/facts/result_text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/command/missing_file.h"
#include "ntune/objective/failure_cause.h"
#include "ntune/study/budget/workload.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/results/published.h"

namespace ntune::cli {

namespace {

/// Says at the objective's place in the file that its program cannot be started.
[[noreturn]] void fail_to_start(const YamlNode& study, const std::string& reason) {
  const YamlNode* objective = study.find("objective");
  const YamlNode* place = objective != nullptr ? objective->find("command") : nullptr;
  if (place != nullptr) place->fail(reason);
  study.fail(reason);
}

/// Keeps the words of the study's commands that name a file which is not there. Programs by name
/// may be there where the study will be run: they are a warning, unless they are tried out.
void look_for_files(const YamlNode& study, bool tried, InputErrors& errors, std::ostream& err) {
  for (const YamlNode* objective : objectives_of(study)) {
    const auto missing = missing_file(*objective);
    if (!missing) continue;
    const bool refused = !errors.hold([&] {
      if (!missing->by_name) missing->fail();
    });
    if (refused || tried) continue;
    err << fmt::format("warning: {}: {}\n", missing->place.place(), missing->problem);
  }
}

/// Warns of defaults outside of the range of their parameter: likely slips, as no search comes
/// there.
void warn_of_defaults(const YamlNode& study, const Study& read, std::ostream& err) {
  const auto inner = [](const YamlNode* node, std::string_view key) {
    return node == nullptr ? nullptr : node->find(key);
  };
  const SearchSpace& space = read.objectives.front().objective->space();
  for (const Parameter& parameter : space.parameters()) {
    const std::string range = range_left(parameter);
    if (range.empty()) continue;
    // A space may stand in another file.
    const YamlNode* node = inner(inner(study.find("space"), parameter.name), "default");
    err << fmt::format("warning: {}: is {}, outside of the range {}\n",
                       node != nullptr ? node->place()
                                       : fmt::format("{}: the default of {}", study.shown_file(),
                                                     printable(parameter.name, 200)),
                       value_text(*parameter.off_grid), range);
  }
}

/// What counts for a failure or at the cutoff is better than a result that the program has brought.
void warn_of_penalties(const StudyObjective& entry, const Study& study, double value,
                       const Terminal& terminal) {
  const Unit unit = entry.objective->unit();
  const auto warn = [&](const char* key, double counts) {
    if (unit.payoff_of(counts) <= unit.payoff_of(value)) return;
    terminal.err << fmt::format("warning: {} is {}, better than this result of {}: it would win\n",
                                key, number_text(counts), number_text(value));
  };
  const FailurePolicy& on_failure = study.execution.on_failure;
  if (on_failure.kind == FailurePolicy::Kind::kValue) warn("fail.value", on_failure.value);
  const OutsideProgram* program = entry.objective->outside_program();
  if (program != nullptr && program->penalty()) warn("penalty", *program->penalty());
}

/// Evaluates the point on a few more instances, and proposes logarithms where costs differ much.
void look_at_spread(const StudyObjective& entry, const Study& study, const Point& point,
                    double value, const Terminal& terminal) {
  constexpr std::size_t kMost = 5;
  constexpr double kWide = 10.0;
  const InstanceList& instances = study.instances.train;
  if (!entry.objective->unit().is_cost() || !study.instances.aggregate.is_mean()) return;
  double low = value;
  double high = value;
  std::size_t seen = 1;
  Rng rng = Rng(study.seed).stream("dry-run");
  const Instance* first = instances.at(rng, 0);
  for (const Instance& instance : instances.all()) {
    if (seen == kMost) break;
    if (&instance == first) continue;
    const EvaluationId id{.instance = &instance};
    const auto more = rehearse(*entry.objective, point, rng, id).value;
    if (!more) continue;
    ++seen;
    low = std::min(low, *more);
    high = std::max(high, *more);
  }
  if (low <= 0.0 || high < kWide * low) return;
  terminal.out << fmt::format(
      "note: costs of {} instances lie from {} to {}: with `aggregate: geometric_mean` factors "
      "count, not sums\n",
      seen, score_text(low, std::nullopt), score_text(high, std::nullopt));
}

/// Makes the same call again, and says whether its answer follows from the seed. Wins and losses
/// may agree by chance, so a quick call is made several times. Returns how long a call takes: what
/// a worker needs to start is no part of it.
double call_again(const StudyObjective& entry, const Point& point, const Rng& rng,
                  const EvaluationId& id, const Rehearsal& first, const Terminal& terminal) {
  constexpr double kPatience = 1.0;  // seconds
  const bool is_time = entry.objective->outside_program()->costs_time();
  const int most = is_time ? 1 : 8;
  double least = first.seconds;
  double spent = 0.0;
  for (int i = 0; i < most && spent < kPatience; ++i) {
    Rng same = rng;
    const Rehearsal again = rehearse(*entry.objective, point, same, id);
    spent += again.seconds;
    if (again.value) least = std::min(least, again.seconds);
    const bool agrees = !again.value || is_time || *again.value == *first.value;
    if (again.failure.empty() && agrees) continue;
    terminal.out << fmt::format(
        "note: the same call with the same seed gave {} and {}: what is interrupted goes on, but a "
        "study that is run again may find something else\n",
        number_text(*first.value), again.value ? number_text(*again.value) : "a failure");
    break;
  }
  return least;
}

/// Evaluates one random point of every objective, and says what the study will take. True if all
/// evaluations succeeded.
bool dry_run(const YamlNode& node, const Study& study, const Terminal& terminal) {
  constexpr double kLongSeconds = 10.0;
  std::vector<double> seconds;
  std::optional<double> cost;
  bool good = true;
  for (const StudyObjective& entry : study.objectives) {
    Rng rng = Rng(study.seed).stream("dry-run");
    const Point point = entry.objective->space().sample(rng);
    const EvaluationId id{.instance = study.instances.train.at(rng, 0)};
    const Rng same = rng;
    const Rehearsal rehearsal = rehearse(*entry.objective, point, rng, id);
    double taken = rehearsal.seconds;
    if (seconds.empty()) cost = rehearsal.cost;  // of the first, as its duration
    terminal.out << rehearsal.text;
    if (rehearsal.kind == Rehearsal::Kind::kNotStarted) {
      fail_to_start(node, failure_parts(rehearsal.failure).problem);
    }
    if (!rehearsal.failure.empty()) {
      good = false;
      FailedCall::Facts call =
          facts_of_failure(*entry.objective, point, nullptr, rehearsal.failure);
      call.seconds = rehearsal.seconds;
      const std::string head = fmt::format("{}: the call failed.", node.shown_file());
      const std::string next =
          fmt::format("mend it, then: ntune check --dry-run {}", shown_word(node.file()));
      terminal.err << failed_call_text(call, head, next) << '\n';
    }
    if (rehearsal.value) {
      warn_of_penalties(entry, study, *rehearsal.value, terminal);
      if (rehearsal.seconds < kLongSeconds && is_external(*entry.objective)) {
        taken = call_again(entry, point, same, id, rehearsal, terminal);
      }
      if (rehearsal.seconds < kLongSeconds) {
        look_at_spread(entry, study, point, *rehearsal.value, terminal);
      }
    }
    if (rehearsal.kind == Rehearsal::Kind::kEvaluated) seconds.push_back(taken);
  }
  if (good && seconds.size() == study.objectives.size()) {
    terminal.out << workload_text(study, seconds, Parallel::resolve(study.execution.threads), cost)
                 << '\n';
  }
  return good;
}

}  // namespace

int check_command(const CheckArguments& arguments, const Terminal& terminal) {
  if (arguments.dry_run) end_at_signals();  // a program may take its whole timeout
  int code = kDone;
  std::optional<SearchSpace> engine;
  if (!arguments.engine.empty()) engine = uci_options({arguments.engine});
  for (const std::string& path : arguments.studies) {
    try {
      const YamlNode node = read_yaml(path);
      InputErrors errors;
      std::optional<Study> read;
      errors.hold([&] { read.emplace(read_study(node)); });
      look_for_files(node, arguments.dry_run, errors, terminal.err);
      errors.throw_any();
      const Study& study = *read;
      if (!study.published_file.empty()) {
        check_published(study, read_published(study.published_file));
      }
      // Nothing is started but by a dry run.
      bool fits = check_engines(node, study, arguments.dry_run && !engine, terminal);
      for (const StudyObjective& entry : study.objectives) {
        EngineOptions options;
        for (const Parameter& parameter : entry.objective->space().parameters()) {
          options.emplace_back(parameter.name, &parameter);
        }
        fits = (!engine || compare_with_engine(options, *engine, path, terminal)) && fits;
      }
      if (!fits) code = kWrongInput;
      warn_of_defaults(node, study, terminal.err);
      if (fits)
        terminal.out << path << ": ok\n" << wrapped_lines(plan_text(study), 2) << std::flush;
      if (fits && arguments.dry_run && !dry_run(node, study, terminal)) code = kEvaluationFailed;
    } catch (const InputError& error) {
      terminal.err << error.what() << '\n';
      code = kWrongInput;
    } catch (const EvaluationError& error) {
      terminal.err << error.what() << '\n';
      code = kEvaluationFailed;
    }
  }
  return code;
}

}  // namespace ntune::cli
