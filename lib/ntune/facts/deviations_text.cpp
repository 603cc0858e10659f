#include "ntune/facts/deviations_text.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/facts/result_facts.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/model/evaluation.h"
#include "ntune/version.h"

namespace ntune {

namespace {

/// The interval times the unit's slope, which is negative for costs.
Interval in_unit(const Interval& interval, double unit) {
  const double low = unit * interval.low;
  const double high = unit * interval.high;
  return {std::min(low, high), std::max(low, high)};
}

/// "threads = 8".
std::string setting_text(const SearchSpace& space, const Deviation& deviation) {
  const Parameter& parameter = space[deviation.parameter];
  return fmt::format("{} = {}", printable(parameter.name, 40),
                     printable(value_text(parameter.value(deviation.value)), 40));
}

/// The difference of a change in the reported unit, or that it always failed.
Fact deviation_fact(const SearchSpace& space, const Deviation& deviation, double unit) {
  Fact fact{.key = space[deviation.parameter].name,
            .label = setting_text(space, deviation),
            .value = "-",
            .digits = Digits::kDifference};
  if (deviation.interval) fact.interval = in_unit(*deviation.interval, unit);
  const std::string failed =
      fmt::format("{} of {} failed", count_text(deviation.failed), count_text(deviation.tried));
  if (deviation.pairs > 0) {
    fact.value = 0.0 + unit * deviation.difference.mean();  // never -0
    if (deviation.failed > 0) fact.after = ", " + failed;
  } else if (deviation.failed > 0) {
    fact.value = failed;
  }
  return fact;
}

/// "-0.1200 [-0.2000, -0.0400], 3 of 16 failed", or "16 of 16 failed".
std::string difference_text(const SearchSpace& space, const Deviation& deviation, double unit) {
  const Fact fact = deviation_fact(space, deviation, unit);
  return short_text(fact) + fact.after;
}

/// What goes before what: by the mean difference, and what always fails last.
double worth(const Deviation& deviation) {
  return deviation.pairs > 0 ? deviation.difference.mean()
                             : -std::numeric_limits<double>::infinity();
}

/// The deviations of one parameter together.
struct ParameterSummary {
  int parameter = 0;
  int tested = 0;
  int decided = 0;  ///< worse or better
  // By mean difference: of those that are shown to be worse (or better), else of the tested ones.
  const Deviation* best = nullptr;
  const Deviation* worst = nullptr;
  const Deviation* fallback = nullptr;  ///< the default, where that is another value
};

/// Whether a change was evaluated at all.
bool was_tested(const Deviation& deviation) { return deviation.pairs + deviation.failed > 0; }

/// Whether a deviation stands for its parameter rather than the one so far: what has the verdict
/// first, then by the mean difference, upwards (1) or downwards (-1).
bool goes_before(const Deviation& one, const Deviation* so_far, DeviationVerdict verdict,
                 double sign) {
  if (so_far == nullptr) return true;
  const bool shown = one.verdict == verdict;
  if (shown != (so_far->verdict == verdict)) return shown;
  return sign * worth(one) > sign * worth(*so_far);
}

/// The tested parameters, the one whose worst change costs most first.
std::vector<ParameterSummary> summarise(const SearchSpace& space, const Deviations& result) {
  std::vector<ParameterSummary> summaries;
  for (int i = 0; i < space.dimensions(); ++i) {
    ParameterSummary summary{.parameter = i};
    for (const Deviation& deviation : result.tested) {
      if (deviation.parameter != i || !was_tested(deviation)) continue;
      // A parameter matters if a change of it is shown to be worse or better.
      ++summary.tested;
      if (deviation.verdict == DeviationVerdict::kWorse ||
          deviation.verdict == DeviationVerdict::kBetter) {
        ++summary.decided;
      }
      if (goes_before(deviation, summary.best, DeviationVerdict::kBetter, 1.0)) {
        summary.best = &deviation;
      }
      if (goes_before(deviation, summary.worst, DeviationVerdict::kWorse, -1.0)) {
        summary.worst = &deviation;
      }
      if (deviation.is_default) summary.fallback = &deviation;
    }
    if (summary.tested > 0) summaries.push_back(summary);
  }
  // The parameter whose worst change costs most stands first.
  std::ranges::stable_sort(summaries, [](const ParameterSummary& a, const ParameterSummary& b) {
    return worth(*a.worst) < worth(*b.worst);
  });
  return summaries;
}

/// Whether the default would do, as far as the test shows.
bool could_go_back(const ParameterSummary& summary) {
  return summary.fallback != nullptr && summary.fallback->verdict != DeviationVerdict::kWorse;
}

/// "7: -0.1200 [-0.2000, -0.0400]".
std::string change_text(const SearchSpace& space, const Deviation& deviation, double unit) {
  const Value& value = space[deviation.parameter].value(deviation.value);
  return fmt::format("{}: {}", printable(value_text(value), 40),
                     difference_text(space, deviation, unit));
}

/// A row for each parameter with its worst and its best change.
std::string parameters_text(const SearchSpace& space, const Deviations& result,
                            const std::vector<ParameterSummary>& summaries, const Point* defaults,
                            double unit) {
  TextTable table(
      {"<parameter", "recommended", "default", "<matters", "<worst change", "<best change"});
  for (const ParameterSummary& summary : summaries) {
    const Parameter& parameter = space[summary.parameter];
    const auto value_at = [&](const Point& point) {
      return printable(value_text(space.value(point, summary.parameter)), 40);
    };
    const std::string matters = summary.decided > 0
                                    ? fmt::format("yes ({} of {})", summary.decided, summary.tested)
                                    : "not shown";
    table.add_row({printable(parameter.name, 40), value_at(result.point),
                   defaults == nullptr ? "-" : value_at(*defaults), matters,
                   change_text(space, *summary.worst, unit),
                   change_text(space, *summary.best, unit)});
  }
  return table.text_within();
}

/// The parameters that could go back to their defaults.
std::string fallbacks_text(const SearchSpace& space, const Deviations& result,
                           const std::vector<ParameterSummary>& summaries, const Point* defaults,
                           double unit) {
  if (defaults == nullptr) return "Defaults are not known: `default:` in the space names them.\n";
  std::string text;
  for (const ParameterSummary& summary : summaries) {
    if (!could_go_back(summary)) continue;
    text += fmt::format("  {}: {}\n", setting_text(space, *summary.fallback),
                        difference_text(space, *summary.fallback, unit));
  }
  const auto untested = std::ranges::count_if(
      result.tested, [](const Deviation& one) { return one.is_default && !was_tested(one); });
  const std::string rest =
      untested == 0 ? ""
                    : fmt::format("Back to default was not tested of {}.\n",
                                  counted(static_cast<std::int64_t>(untested), "parameter"));
  if (!text.empty()) {
    return "Back to default without a shown loss (by itself; the interval bounds the loss):\n" +
           text + rest;
  }
  return rest.empty() ? "Back to default without a shown loss: no parameter.\n" : rest;
}

/// The change with the best mean difference; nullptr: nothing was tested.
const Deviation* best_of(const Deviations& result) {
  const Deviation* best = nullptr;
  for (const Deviation& deviation : result.tested) {
    if (!was_tested(deviation)) continue;
    if (best == nullptr || worth(deviation) > worth(*best)) best = &deviation;
  }
  return best;
}

/// What is shown to be better, or the best of the rest.
std::string neighbours_text(const SearchSpace& space, const Deviations& result, double unit) {
  std::string better;
  for (const Deviation& deviation : result.tested) {
    if (deviation.verdict != DeviationVerdict::kBetter) continue;
    better += fmt::format("  {}: {}\n", setting_text(space, deviation),
                          difference_text(space, deviation, unit));
  }
  if (!better.empty()) return "Better than the recommendation:\n" + better;
  const Deviation* best = best_of(result);
  if (best == nullptr) return "Nothing was tested.\n";
  return fmt::format("Better than the recommendation: none is shown to be; the best is {}: {}\n",
                     setting_text(space, *best), difference_text(space, *best, unit));
}

/// What was tested, how often, and what has failed.
std::string heading_text(const Objective& objective, const Deviations& result) {
  std::string text = fmt::format(
      "{}\n{} of one parameter, {}, {}; in 95 % of such tables all "
      "intervals are right\n",
      objective.description(), counted(result.tested.size(), "change"),
      counted(result.evaluations, "evaluation"), counted(result.looks, "look"));
  if (objective.unit().is_cost()) {
    text += "A difference below 0 is an improvement: values are costs.\n";
  }
  const auto untested = std::ranges::count(result.tested, false, was_tested);
  if (untested > 0) {
    text +=
        fmt::format("{} {} not tested: {}\n", count_text(untested), untested == 1 ? "is" : "are",
                    result.stopped ? "the test was interrupted" : "--evaluations allows more");
  }
  if (result.failures > 0) {
    text += counted(result.failures, "evaluation") + " failed\n";
  }
  if (const std::string faults = forfeits_text(result.endings); !faults.empty()) {
    text += are_many_forfeits(result.endings) ? "Look at the games first: " + faults : faults;
    text += '\n';
  }
  return text;
}

/// A row without what follows from its difference.
Json setting_json(const SearchSpace& space, const Deviations& result, const Deviation& deviation) {
  const Parameter& parameter = space[deviation.parameter];
  return {{"parameter", parameter.name},
          {"value", value_json(parameter.value(deviation.value))},
          {"recommended", value_json(space.value(result.point, deviation.parameter))},
          {"is_default", deviation.is_default},
          {"is_neighbour", deviation.is_neighbour},
          {"n", deviation.pairs}};
}

}  // namespace

std::string deviations_text(const Objective& objective, const Deviations& result,
                            const Point* defaults) {
  const SearchSpace& space = objective.space();
  const double unit = objective.unit().slope;
  const auto summaries = summarise(space, result);
  return heading_text(objective, result) + '\n' +
         parameters_text(space, result, summaries, defaults, unit) + '\n' +
         fallbacks_text(space, result, summaries, defaults, unit) +
         neighbours_text(space, result, unit);
}

Facts deviation_facts(const Objective& objective, const Deviations& result) {
  Facts facts;
  for (const Deviation& deviation : result.tested) {
    facts.push_back(deviation_fact(objective.space(), deviation, objective.unit().slope));
  }
  return facts;
}

std::vector<Json> deviation_rows(const Objective& objective, const Deviations& result) {
  const SearchSpace& space = objective.space();
  const double unit = objective.unit().slope;
  std::vector<Json> rows;
  for (const Deviation& deviation : result.tested) {
    Json row = setting_json(space, result, deviation);
    const Fact fact = deviation_fact(space, deviation, unit);
    const auto* difference = std::get_if<double>(&fact.value);
    row["difference"] = difference == nullptr ? Json() : Json(*difference);
    row["low"] = fact.interval ? Json(fact.interval->low) : Json();
    row["high"] = fact.interval ? Json(fact.interval->high) : Json();
    row["verdict"] = verdict_name(deviation.verdict);
    row["failures"] = deviation.failed;
    rows.push_back(std::move(row));
  }
  return rows;
}

Json deviations_json(const Objective& objective, const Deviations& result, const Point* defaults) {
  const SearchSpace& space = objective.space();
  Json json = {
      {"ntune", kVersion},
      {"objective", objective.description()},
      {"recommended", point_json(result.point, space)},
      {"default", defaults == nullptr ? Json() : point_json(*defaults, space)},
      {"value", result.payoffs.count() > 0 ? Json(objective.unit().value_of(result.payoffs.mean()))
                                           : Json()},
      {"evaluations", result.evaluations},
      {"failures", result.failures},
      {"looks", result.looks}};
  json["matter"] = json["could_go_back"] = json["better"] = Json::array();
  // The names of parameters by what follows for them.
  for (const ParameterSummary& summary : summarise(space, result)) {
    const std::string& name = space[summary.parameter].name;
    if (summary.decided > 0) json["matter"].push_back(name);
    if (could_go_back(summary)) json["could_go_back"].push_back(name);
  }
  json["deviations"] = Json::array();
  for (Json& row : deviation_rows(objective, result)) {
    if (row["verdict"] == "better") json["better"].push_back(row);
    json["deviations"].push_back(std::move(row));
  }
  return json;
}

}  // namespace ntune
