#include <algorithm>
#include <compare>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/ntune/commands.h"
#include "apps/ntune/import_command.h"
#include "ntune/core/error.h"
#include "ntune/core/input_errors.h"
#include "ntune/core/parallel.h"
#include "ntune/core/score_text.h"
#include "ntune/core/suggestion.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/facts/failed_call_text.h"
#include "ntune/facts/result_text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/command/missing_file.h"
#include "ntune/objective/failure_cause.h"
#include "ntune/space/import/import_space.h"
#include "ntune/space/space_yaml.h"
#include "ntune/space/value_checks.h"
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
  std::vector<const YamlNode*> objectives;
  if (const YamlNode* one = study.find("objective")) objectives.push_back(one);
  if (const YamlNode* several = study.find("objectives")) {
    for (const YamlNode& item : several->children()) objectives.push_back(&item);
  }
  for (const YamlNode* objective : objectives) {
    const auto missing = missing_file(*objective);
    if (!missing) continue;
    const bool refused = !errors.hold([&] {
      if (!missing->by_name) missing->fail();
    });
    if (refused || tried) continue;
    err << fmt::format("warning: {}:{}: {}: {}\n", printable(study.file(), 1000),
                       missing->place->line(), missing->place->path(), missing->problem);
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

/// Evaluates one random point of every objective, and says what the study will take. True if all
/// evaluations succeeded.
bool dry_run(const YamlNode& node, const Study& study, const Terminal& terminal) {
  constexpr double kLongSeconds = 10.0;
  std::vector<double> seconds;
  bool good = true;
  for (const StudyObjective& entry : study.objectives) {
    Rng rng = Rng(study.seed).stream("dry-run");
    const Point point = entry.objective->space().sample(rng);
    const EvaluationId id{.instance = study.instances.train.at(rng, 0)};
    const Rehearsal rehearsal = rehearse(*entry.objective, point, rng, id);
    terminal.out << rehearsal.text;
    if (rehearsal.kind == Rehearsal::Kind::kNotStarted) {
      fail_to_start(node, failure_parts(rehearsal.failure).problem);
    }
    if (!rehearsal.failure.empty()) {
      good = false;
      FailedCall::Facts call =
          facts_of_failure(*entry.objective, point, nullptr, rehearsal.failure);
      call.seconds = rehearsal.seconds;
      const std::string head = fmt::format("{}: the call failed.", node.file());
      const std::string next = fmt::format("mend it, then: ntune check --dry-run {}", node.file());
      terminal.err << failed_call_text(call, head, next) << '\n';
    }
    if (rehearsal.value) {
      warn_of_penalties(entry, study, *rehearsal.value, terminal);
      if (rehearsal.seconds < kLongSeconds) {
        look_at_spread(entry, study, point, *rehearsal.value, terminal);
      }
    }
    if (rehearsal.kind == Rehearsal::Kind::kEvaluated) seconds.push_back(rehearsal.seconds);
  }
  if (good && seconds.size() == study.objectives.size()) {
    terminal.out << workload_text(study, seconds, Parallel::resolve(study.execution.threads))
                 << '\n';
  }
  return good;
}

/// The numbers from the first value to the last, or texts and truth values one by one.
std::string outside_of(const Parameter& mine, const Parameter& option) {
  for (int i = 0; i < mine.known_values(); ++i) {
    const Value& value = mine.value(i);
    const double number = value_number(value);
    const bool fits = option.ordered ? number >= value_number(option.values.front()) &&
                                           number <= value_number(option.values.back())
                                     : option.find(value) >= 0;
    if (fits) continue;
    const std::string allowed = option.ordered
                                    ? fmt::format("{} to {}", value_text(option.values.front()),
                                                  value_text(option.values.back()))
                                    : shown(option.values);
    return fmt::format("{} is no value of the engine's option, which has {}", shown(value),
                       allowed);
  }
  return {};
}

/// Compares a space with the options of an engine; true if the engine takes it all.
bool compare_with_engine(const SearchSpace& space, const SearchSpace& options,
                         const std::string& file, std::ostream& err) {
  bool good = true;
  for (const Parameter& mine : space.parameters()) {
    const std::string place = fmt::format("{}: space.{}", file, printable(mine.name, 200));
    const int index = options.find(mine.name);
    if (index < 0) {
      err << fmt::format("{}: is no option of the engine{}\n", place,
                         suggestion(mine.name, options.names()));
      good = false;
      continue;
    }
    const Parameter& option = options[index];
    if (const std::string outside = outside_of(mine, option); !outside.empty()) {
      err << fmt::format("{}: {}\n", place, outside);
      good = false;
    }
    if (!mine.default_index || !option.default_index) continue;
    const Value& here = mine.value(*mine.default_index);
    const Value& there = option.value(*option.default_index);
    if (std::is_eq(compare(here, there))) continue;
    err << fmt::format("note: {}: the default is {}, that of the engine is {}\n", place,
                       shown(here), shown(there));
  }
  return good;
}

}  // namespace

int check_command(const CheckArguments& arguments, const Terminal& terminal) {
  if (arguments.dry_run) end_at_signals();  // a program may take its whole timeout
  int code = kDone;
  std::optional<SearchSpace> engine;
  if (!arguments.engine.empty()) {
    const ImportedSpace imported = import_space_text(uci_answer(arguments.engine), arguments.engine,
                                                     {.format = SpaceFormat::kUci});
    engine = read_space(*parse_yaml(imported.yaml).find("space"));
  }
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
      terminal.out << path << ": ok\n" << plan_text(study) << std::flush;
      for (const StudyObjective& entry : study.objectives) {
        if (engine && !compare_with_engine(entry.objective->space(), *engine, path, terminal.err)) {
          code = kWrongInput;
        }
      }
      if (arguments.dry_run && !dry_run(node, study, terminal)) code = kEvaluationFailed;
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
