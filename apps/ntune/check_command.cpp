#include <ostream>

#include <fmt/format.h>

#include "apps/ntune/commands.h"
#include "ntune/core/error.h"
#include "ntune/core/parallel.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/facts/result_text.h"
#include "ntune/objective/capabilities.h"
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

/// Evaluates one random point of every objective, and says what the study will take. True if all
/// evaluations succeeded.
bool dry_run(const YamlNode& node, const Study& study, const Terminal& terminal) {
  std::vector<double> seconds;
  bool good = true;
  for (const StudyObjective& entry : study.objectives) {
    Rng rng = Rng(study.seed).stream("dry-run");
    const Point point = entry.objective->space().sample(rng);
    const EvaluationId id{.instance = study.instances.train.at(rng, 0)};
    const Rehearsal rehearsal = rehearse(*entry.objective, point, rng, id);
    terminal.out << rehearsal.text;
    if (rehearsal.kind == Rehearsal::Kind::kNotStarted) fail_to_start(node, rehearsal.failure);
    if (!rehearsal.failure.empty()) {
      good = false;
      terminal.err << fmt::format("{}: the evaluation failed: {}\n", node.file(),
                                  rehearsal.failure);
    }
    if (rehearsal.kind == Rehearsal::Kind::kEvaluated) seconds.push_back(rehearsal.seconds);
  }
  if (good && seconds.size() == study.objectives.size()) {
    terminal.out << workload_text(study, seconds, Parallel::resolve(study.execution.threads))
                 << '\n';
  }
  return good;
}

}  // namespace

int check_command(const CheckArguments& arguments, const Terminal& terminal) {
  if (arguments.dry_run) end_at_signals();  // a program may take its whole timeout
  int code = kDone;
  for (const std::string& path : arguments.studies) {
    try {
      const YamlNode node = read_yaml(path);
      const Study study = read_study(node);
      if (!study.published_file.empty()) {
        check_published(study, read_published(study.published_file));
      }
      terminal.out << path << ": ok\n" << plan_text(study) << std::flush;
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
