#include <ostream>

#include <fmt/format.h>

#include "apps/common/settings.h"
#include "apps/ntune/commands.h"
#include "ntune/core/error.h"
#include "ntune/core/parallel.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/evaluation.h"
#include "ntune/study/study_yaml.h"

namespace ntune::cli {

int eval_command(const EvalArguments& arguments, const Terminal& terminal) {
  const Study study = read_study(read_yaml(arguments.study));
  if (study.objectives.size() > 1) {
    throw InputError(
        fmt::format("{}: objectives: ntune eval needs a study of one objective", arguments.study));
  }
  const Objective& objective = *study.objectives.front().objective;
  const Point point = read_point(settings_map("--set", arguments.settings), objective.space());

  const auto seed = arguments.seed ? static_cast<std::uint64_t>(*arguments.seed) : study.seed;
  const Rng rng(seed);
  Parallel parallel(arguments.threads.value_or(study.threads));
  std::vector<double> payoffs(static_cast<std::size_t>(arguments.times));
  parallel.for_each(payoffs.size(), [&](std::size_t i) {
    if (terminal.is_interrupted()) return;
    payoffs[i] = evaluate_checked(objective, point, rng.stream("eval", i)).payoff;
  });
  if (terminal.is_interrupted()) return kInterrupted;
  const RunningStats stats = stats_of(payoffs);
  const double value = objective.unit().value_of(stats.mean());
  const double sd = objective.unit().size() * stats.sd();
  const auto interval = hold_out_interval(objective, stats);
  const auto truth = true_value_of(objective, point);

  if (arguments.format == Format::kJson) {
    const Json json = {
        {"parameters", point_json(point, objective.space())},
        {"n", stats.count()},
        {"value", value},
        {"sd", sd},
        {"interval", interval ? Json::array({interval->low, interval->high}) : Json()},
        {"true_value", truth ? Json(*truth) : Json()}};
    terminal.out << json.dump(2) << '\n';
    return kDone;
  }
  const auto number = [](const std::optional<double>& x) {
    return x ? fmt::format("{}", *x) : std::string();
  };
  if (arguments.format == Format::kCsv) {
    terminal.out << "n,value,sd,low,high,true_value\n"
                 << fmt::format("{},{},{},{},{},{}\n", stats.count(), value, sd,
                                interval ? number(interval->low) : "",
                                interval ? number(interval->high) : "", number(truth));
    return kDone;
  }
  terminal.out << objective.space().text(point) << '\n'
               << fmt::format("value {:.4f}, sd {:.4f}, {} evaluations", value, sd,
                              count_text(stats.count()));
  if (interval) {
    terminal.out << fmt::format(", 95 % interval [{:.4f}, {:.4f}]", interval->low, interval->high);
  }
  if (truth) terminal.out << fmt::format(", true value {:.4f}", *truth);
  terminal.out << '\n';
  return kDone;
}

}  // namespace ntune::cli
