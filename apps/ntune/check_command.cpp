#include <ostream>

#include <fmt/format.h>

#include "apps/ntune/commands.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/results/published.h"
#include "ntune/study/results/result_text.h"
#include "ntune/study/study_yaml.h"

namespace ntune::cli {

namespace {

/// Evaluates one random point of every objective.
std::string dry_run(const Study& study) {
  std::string text;
  for (const StudyObjective& entry : study.objectives) {
    Rng rng = Rng(study.seed).stream("dry-run");
    const Point point = entry.objective->space().sample(rng);
    text += rehearse(*entry.objective, point, rng);
  }
  return text;
}

}  // namespace

int check_command(const CheckArguments& arguments, const Terminal& terminal) {
  int code = kDone;
  for (const std::string& path : arguments.studies) {
    try {
      const Study study = read_study(read_yaml(path));
      if (!study.published_file.empty()) {
        check_published(study, read_published(study.published_file));
      }
      terminal.out << path << ": ok\n" << plan_text(study);
      if (arguments.dry_run) terminal.out << dry_run(study);
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
