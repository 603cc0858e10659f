// A study before it runs.

#include <algorithm>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/facts/result_text.h"
#include "ntune/objective/capabilities.h"

namespace ntune {

namespace {

/// "3 parameters, 125 points".
std::string space_text(const Objective& objective) {
  const SearchSpace& space = objective.space();
  const SpaceSize size = space.size();
  return fmt::format("{}, {}{}", counted(space.dimensions(), "parameter"),
                     counted(size.points, "point"),
                     size.without_forbidden ? "" : " (forbidden ones included)");
}

/// The optimiser's label, and the algorithms of `auto` once the length of the runs is settled.
std::string optimiser_text(const Study& study, std::size_t optimiser) {
  const StudyOptimiser& chosen = study.optimisers[optimiser];
  if (!chosen.is_auto() || study.advise_budget > 0 || study.limited) return chosen.label;
  // `auto` may choose differently for each objective and plan.
  std::vector<std::string> names;
  for (std::size_t o = 0; o < study.objectives.size(); ++o) {
    for (std::size_t p = 0; p < study.plans.size(); ++p) {
      const std::string name = study.algorithm(o, p, optimiser);
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return fmt::format("{} ({})", chosen.label, list_text(names));
}

/// A plan with its hold-out: what it adds up to.
std::string whole_plan_text(const Study& study, const RunPlan& plan) {
  if (plan.hold_out == 0) return plan.label();
  const std::int64_t points = study.points_held_out(plan);
  return fmt::format("{} + {}{} hold-out", plan.label(),
                     points > 1 ? count_text(points) + " x " : "", count_text(plan.hold_out));
}

/// How often the plans are carried out: ", for each of 3 optimisers, 5 times".
std::string repetitions_text(const Study& study) {
  std::string text;
  const auto add_each = [&text](std::size_t count, const char* noun) {
    if (count < 2) return;
    text += fmt::format("{} each of {}", text.empty() ? ", for" : " and", counted(count, noun));
  };
  add_each(study.optimisers.size(), "optimiser");
  add_each(study.objectives.size(), "objective");
  if (study.repeats > 1) text += fmt::format(", {} times", count_text(study.repeats));
  return text;
}

/// What programs are never told of the space and the instances.
std::string unused_text(const Study& study) {
  std::string text;
  for (const StudyObjective& entry : study.objectives) {
    const OutsideProgram* program = entry.objective->outside_program();
    if (program == nullptr) continue;
    std::vector<std::string> names;
    for (const std::string& name : program->unused_parameters()) names.push_back(printable(name));
    if (!names.empty()) {
      text += fmt::format("note: the command is not passed {}: all {} values are alike\n",
                          list_text(names, "and"), names.size() > 1 ? "their" : "its");
    }
    if (!study.instances.empty() && !program->uses_instance()) {
      text +=
          "note: the command has no {instance}: a program that does not read NTUNE_INSTANCE "
          "never sees the instances\n";
    }
    if (const std::string doubt = program->doubt(); !doubt.empty()) text += "note: " + doubt + '\n';
  }
  return text;
}

/// What is taken of values of the default that lie off the grid: between the values of their
/// parameters, or outside of the ranges.
std::string off_grid_text(const SearchSpace& space, const Point& point, bool outside) {
  const std::optional<Point> near = space.nearest_on_grid(point);
  std::vector<std::string> values;
  std::vector<std::string> taken;
  // A value off the grid has an index behind those of the grid.
  for (int i = 0; i < space.dimensions(); ++i) {
    const Parameter& parameter = space[i];
    const std::string range = range_left(parameter);
    if (point[i] < parameter.cardinality() || range.empty() == outside) continue;
    const auto text = [&](int index) {
      return printable(parameter.name) + " = " + printable(value_text(parameter.value(index)));
    };
    values.push_back(text(point[i]) + (outside ? " (range " + range + ")" : ""));
    taken.push_back(text(parameter.nearest_on_grid(point[i])));
  }
  if (values.empty()) return {};
  const bool one = values.size() == 1;
  const char* where = !outside ? "off the grid"
                      : one    ? "outside of its range"
                               : "outside of their ranges";
  return fmt::format(
      "note: the default {} {}: {} compared, and {}\n",
      list_text(values, "and") + (one ? " is" : " are"), where, one ? "it is" : "they are",
      near ? "the search begins at " + list_text(taken, "and")
           : std::string(
                 "the search begins elsewhere, as the nearest point of the grid is forbidden"));
}

/// What a study begins with, in lines for its plan; empty where it begins with nothing.
std::string beginning_text(const Study& study) {
  std::string text = unused_text(study);
  const Beginning& beginning = study.beginning;
  if (beginning.incumbent) {
    const SearchSpace& space = study.objectives.front().objective->space();
    text += fmt::format("compared with the default: {}\n", space.text(*beginning.incumbent));
    for (const bool outside : {false, true}) {
      text += off_grid_text(space, *beginning.incumbent, outside);
    }
  }
  if (!study.instances.empty()) {
    const std::size_t tests = study.instances.test.size();
    text += fmt::format("{}{}\n", counted(study.instances.train.size(), "instance"),
                        tests > 0 ? fmt::format(", and {} to test on", count_text(tests)) : "");
  }
  if (beginning.prior.told != nullptr) {
    text += fmt::format("begins with {} of {} observations of {}, weight {:.3g}\n",
                        count_text(std::ssize(*beginning.prior.told)),
                        count_text(beginning.prior.observed), printable(beginning.prior.source),
                        beginning.prior.weight);
    for (const std::string& note : beginning.prior.notes) text += fmt::format("prior: {}\n", note);
  }
  return text;
}

}  // namespace

std::string plan_text(const Study& study) {
  std::string text;
  for (const StudyObjective& objective : study.objectives) {
    text += fmt::format("{}: {}\n", objective.objective->description(),
                        space_text(*objective.objective));
  }
  std::vector<std::string> names;
  for (std::size_t a = 0; a < study.optimisers.size(); ++a) {
    names.push_back(optimiser_text(study, a));
  }
  std::vector<std::string> plans;
  for (const RunPlan& plan : study.plans) plans.push_back(whole_plan_text(study, plan));
  if (study.advise_budget > 0) plans = {"runs and iterations chosen at the start"};
  // With open limits nobody knows the number of evaluations in advance.
  if (study.limited && study.limited->open) {
    return text +
           fmt::format("{}: {} in {}, hold-out included, seed {}\n", list_text(names, "and"),
                       counted(study.limited->whole.runs, "run"), limits_text(study.limits),
                       study.seed) +
           beginning_text(study);
  }
  if (study.limited) plans[0] += fmt::format(", within {}", limits_text(study.limits));
  return text +
         fmt::format("{}: {}{}; {} in all, seed {}\n", list_text(names, "and"),
                     list_text(plans, "and"), repetitions_text(study),
                     counted(total_evaluations(study), "evaluation"), study.seed) +
         beginning_text(study);
}

}  // namespace ntune
