#include "ntune/study/results/incumbent_result.h"

#include <algorithm>

#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/choice/payoff_intervals.h"
#include "ntune/study/results/elo_text.h"

namespace ntune {

namespace {

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json ends_or_null(const std::optional<Interval>& interval) {
  return interval ? Json::array({interval->low, interval->high}) : Json();
}

/// "  95 % interval [0.1000, 0.3000]", or nothing.
std::string ends_text(const std::optional<Interval>& interval) {
  return interval ? fmt::format("  95 % interval {}", score_interval_text(*interval)) : "";
}

std::string finding_text(const IncumbentComparison& comparison) {
  if (comparison.recommended) return "keep the default: nothing better was found";
  switch (comparison.finding) {
    case IncumbentFinding::kBetter:
      return "better than the default";
    case IncumbentFinding::kKeep:
      return "keep the default: the recommendation was not better";
    case IncumbentFinding::kNotShown:
      break;
  }
  return "not shown to be better than the default; `ntune verify` measures on";
}

/// How many evaluations of the default there are, or why there are none.
std::string incumbent_source(const IncumbentComparison& comparison) {
  if (is_level(comparison)) return "  by definition: every match is against it";
  return fmt::format("{}  from {} with the same seeds", ends_text(comparison.hold_out.interval),
                     counted(comparison.hold_out.payoffs.count(), "evaluation"));
}

/// "  from 9 pairs" where some seeds have a result of one of the two alone.
std::string pairs_text(const IncumbentComparison& comparison) {
  const auto pairs = comparison.differences.count();
  if (pairs == comparison.hold_out.payoffs.count() || is_level(comparison)) return "";
  return fmt::format("  from the {} that both have", counted(pairs, "seed"));
}

/// Elo of the recommendation less that of the default, by their fresh games with the same seeds;
/// nothing where there are no games of both. Its interval is that of the difference of the scores.
std::optional<Rating> elo_above_default(const Objective& objective, const Pick& pick) {
  const IncumbentComparison& comparison = *pick.incumbent;
  const GameCounts& games = pick.hold_out.games;
  const GameCounts& others = comparison.hold_out.games;
  if (games.empty() || others.empty() || comparison.recommended) return std::nullopt;
  const auto ends = payoff_difference(objective, comparison.differences, comparison.games).interval;
  return elo_difference(games.games.score(), others.games.score(),
                        std::min(games.games.games(), others.games.games()),
                        ends.value_or(Interval{-1.0, 1.0}));
}

}  // namespace

bool is_level(const IncumbentComparison& comparison) {
  return !comparison.recommended && comparison.hold_out.measured() &&
         comparison.hold_out.evaluations == 0;
}

bool is_level(const Objective& objective, const Pick& pick) {
  return is_opponent(objective, pick.point) && pick.hold_out.measured() &&
         pick.hold_out.evaluations == 0;
}

std::string incumbent_text(const Objective& objective, const Pick& pick) {
  const IncumbentComparison& comparison = *pick.incumbent;
  if (comparison.recommended) {
    return fmt::format("  default      is the recommendation\n  finding      {}\n",
                       finding_text(comparison));
  }
  if (!comparison.hold_out.measured() || !comparison.difference) {
    return "  default      not compared: no fresh evaluations of both\n";
  }
  const double value = comparison.hold_out.value(objective.unit());
  std::string elo;
  if (const auto rating = elo_above_default(objective, pick)) {
    elo = fmt::format("  Elo          {}  above the default\n", rating_text(*rating));
  }
  std::string probability;
  if (comparison.probability_better) {
    probability =
        fmt::format("  better than the default: {:.0f} %", 100.0 * *comparison.probability_better);
  }
  return fmt::format(
      "  default      {}{}\n"
      "  difference   {}{}{}{}\n"
      "{}"
      "  finding      {}\n",
      score_text(value), incumbent_source(comparison), signed_score_text(*comparison.difference),
      ends_text(comparison.interval), pairs_text(comparison), probability, elo,
      finding_text(comparison));
}

Json incumbent_json(const Objective& objective, const Pick& pick) {
  const IncumbentComparison& comparison = *pick.incumbent;
  const RunningStats& payoffs = comparison.hold_out.payoffs;
  Json value;
  Json held_out;
  if (comparison.hold_out.measured()) {
    value = comparison.hold_out.value(objective.unit());
  }
  if (comparison.hold_out.measured() && !is_level(comparison) && !is_level(objective, pick)) {
    held_out = {{"n", payoffs.count()},
                {"mean", objective.unit().value_of(payoffs.mean())},
                {"sd", objective.unit().size() * payoffs.sd()}};
  }
  Json json = {
      {"parameters", point_json(comparison.point, objective.space())},
      {"value", value},
      {"interval", ends_or_null(comparison.hold_out.interval)},
      {"true_value", number_or_null(comparison.true_value)},
      {"hold_out", held_out},
      {"difference",
       {{"value", number_or_null(comparison.difference)},
        {"interval", ends_or_null(comparison.interval)}}},
      {"probability_better", number_or_null(comparison.probability_better)},
      {"finding", comparison.difference ? Json(finding_name(comparison.finding)) : Json()}};
  if (!comparison.hold_out.games.empty()) {
    json["elo"] = elo_json(comparison.hold_out.games);
    json["elo_difference"] = rating_json(elo_above_default(objective, pick));
  }
  return json;
}

std::string beginning_text(const Study& study) {
  std::string text;
  const Beginning& beginning = study.beginning;
  if (beginning.incumbent) {
    const SearchSpace& space = study.objectives.front().objective->space();
    text += fmt::format("compared with the default: {}\n", space.text(*beginning.incumbent));
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
  }
  return text;
}

Json prior_json(const PriorObservations& prior) {
  return {{"source", prior.source},
          {"observations", prior.observed},
          {"weight", prior.weight},
          {"told", std::ssize(*prior.told)}};
}

}  // namespace ntune
