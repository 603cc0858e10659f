#include "ntune/study/results/incumbent_result.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/core/score_text.h"
#include "ntune/core/sequential_test.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/keys/objective_maps.h"
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

/// "none", "4" or "all".
std::string share_text(const HoldOut& hold_out) {
  const std::int64_t failed = hold_out.failures.skipped;
  if (failed == 0) return "none";
  return hold_out.measured() ? count_text(failed) : "all";
}

/// What else than the payoffs the finding is for; empty: nothing.
std::string reason_text(const StudyResult& result, const Pick& pick) {
  const IncumbentComparison& comparison = *pick.incumbent;
  if (result.all_cut_off()) return "every evaluation was cut off; raise `cutoff`";
  const HoldOut& ours = pick.hold_out;
  const HoldOut& theirs = comparison.hold_out;
  if (comparison.recommended || ours.tried() == 0 || theirs.tried() == 0) return {};
  if (ours.measured() && ours.skipped_rate() == theirs.skipped_rate()) return {};
  return fmt::format("{} of the recommendation's {} failed, {} of the default's", share_text(ours),
                     counted(ours.tried(), "fresh evaluation"), share_text(theirs));
}

/// Two digits are enough for what is about so much.
double in_two_digits(double number) {
  const double step = std::pow(10.0, std::floor(std::log10(number)) - 1.0);
  return step * std::ceil(number / step);
}

/// About how many evaluations `ntune verify` needs to decide, by the difference and the noise so
/// far; nothing where they say too little.
std::optional<double> evaluations_to_decide(const Objective& objective, const Pick& pick) {
  constexpr double kFewestPairs = 32.0;
  const IncumbentComparison& comparison = *pick.incumbent;
  if (comparison.finding != IncumbentFinding::kNotShown || !comparison.difference) return {};
  if (pick.hold_out.aggregate) return std::nullopt;  // a test is one of means
  const bool level = is_level(comparison);
  const RunningStats& noise = level ? pick.hold_out.payoffs : comparison.differences.values;
  if (noise.count() < 2) return std::nullopt;
  const double gain =
      level ? pick.hold_out.sample().mean.mean() - objective.unit().payoff_of(kLevelScore)
            : comparison.differences.mean.mean();
  const double effect = noise.sd() > 0.0 ? gain / noise.sd() : 0.0;
  const double games =
      comparison.games > 0.0 ? comparison.games : (objective.payoffs().two_valued ? 1.0 : 0.0);
  // In pairs of evaluations half of the games are the other player's.
  const double tested = games > 0.0
                            ? kTestedElo * std::sqrt(level ? games : 0.5 * games) / kNormalisedElo
                            : kTestedEffect;
  const double pairs = std::max(kFewestPairs, expected_observations(effect, tested));
  return in_two_digits(level ? pairs : 2.0 * pairs);
}

/// What would decide where the evaluations have not.
std::string undecided_text(const Study& study, const Pick& pick) {
  const auto more = evaluations_to_decide(*study.objectives[0].objective, pick);
  const bool asked = has_option(study.objectives[0].options, "ask_tell");
  if (pick.hold_out.aggregate) {
    return "a larger `hold_out` tells more, where the aggregate has an interval";
  }
  if (!more) return asked ? "a larger `hold_out` tells more" : "`ntune verify` measures on";
  const std::string count = count_text(static_cast<std::int64_t>(*more));
  return asked ? fmt::format("about {} fresh evaluations would decide", count)
               : fmt::format("`ntune verify` would take about {} evaluations", count);
}

std::string finding_text(const Study& study, const StudyResult& result, const Pick& pick) {
  const IncumbentComparison& comparison = *pick.incumbent;
  const std::string reason = reason_text(result, pick);
  switch (comparison.finding) {
    case IncumbentFinding::kBetter:
      return "better than the default" + (reason.empty() ? "" : ": " + reason);
    case IncumbentFinding::kKeep:
      if (!reason.empty()) return "keep the default: " + reason;
      return comparison.recommended ? "keep the default: nothing better was found"
                                    : "keep the default: the recommendation is not better";
    case IncumbentFinding::kNotShown:
      break;
  }
  if (!reason.empty()) return "not shown to be better: " + reason;
  return "not decided: neither is shown to be better; " + undecided_text(study, pick);
}

/// How many evaluations of the default there are, or why there are none.
std::string incumbent_source(const IncumbentComparison& comparison) {
  if (is_level(comparison)) return "  by definition: every match is against it";
  return fmt::format("{}  from {} with the same seeds{}", ends_text(comparison.hold_out.interval),
                     counted(comparison.hold_out.payoffs.count(), "evaluation"),
                     failed_text(comparison.hold_out));
}

/// "  from 9 pairs" where some seeds have a result of one of the two alone.
std::string pairs_text(const IncumbentComparison& comparison) {
  const auto pairs = comparison.differences.values.count();
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
  const auto score = [&](const HoldOut& held_out, const GameCounts& counts) {
    return held_out.aggregate ? counts.games.score() : held_out.value(objective.unit());
  };
  return elo_difference(score(pick.hold_out, games), score(comparison.hold_out, others),
                        std::min(games.games.games(), others.games.games()),
                        ends.value_or(Interval{-1.0, 1.0}));
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
  }
  return text;
}

/// What is taken of a default that lies off the grid.
std::string off_grid_text(const SearchSpace& space, const Point& point) {
  const std::optional<Point> near = space.nearest_on_grid(point);
  std::vector<std::string> values;
  std::vector<std::string> taken;
  for (int i = 0; i < space.dimensions(); ++i) {
    const Parameter& parameter = space[i];
    if (point[i] < parameter.cardinality()) continue;
    const auto text = [&](int index) {
      return printable(parameter.name) + " = " + printable(value_text(parameter.value(index)));
    };
    values.push_back(text(point[i]));
    taken.push_back(text(parameter.nearest_on_grid(point[i])));
  }
  if (values.empty()) return {};
  const bool one = values.size() == 1;
  return fmt::format(
      "note: the default {} off the grid: {} compared, and {}\n",
      list_text(values, "and") + (one ? " is" : " are"), one ? "it is" : "they are",
      near ? "the search begins at " + list_text(taken, "and")
           : std::string(
                 "the search begins elsewhere, as the nearest point of the grid is forbidden"));
}

}  // namespace

std::string failed_text(const HoldOut& hold_out) {
  const auto& [count, skipped, causes] = hold_out.failures;
  if (count == 0) return {};
  return skipped > 0 ? fmt::format("; {} more failed", count_text(skipped))
                     : fmt::format(", {} of them failed", count_text(count));
}

bool is_level(const IncumbentComparison& comparison) {
  return !comparison.recommended && comparison.hold_out.measured() &&
         comparison.hold_out.evaluations == 0;
}

bool is_level(const Objective& objective, const Pick& pick) {
  return is_opponent(objective, pick.point) && pick.hold_out.measured();
}

std::string all_failed_text(const HoldOut& hold_out) {
  const auto causes = hold_out.failures.causes.sorted();
  return fmt::format("all {} failed{}", counted(hold_out.tried(), "fresh evaluation"),
                     causes.empty() ? "" : fmt::format(" ({})", causes.front().text));
}

std::string incumbent_text(const Study& study, const StudyResult& result, const Pick& pick) {
  const Objective& objective = *study.objectives[0].objective;
  const IncumbentComparison& comparison = *pick.incumbent;
  const std::string finding = fmt::format("  finding      {}\n", finding_text(study, result, pick));
  if (comparison.recommended) return "  default      is the recommendation\n" + finding;
  if (pick.hold_out.tried() == 0 || comparison.hold_out.tried() == 0) {
    return "  default      not compared: no fresh evaluations of both\n";
  }
  if (!comparison.hold_out.measured()) {
    return fmt::format("  default      {}\n", all_failed_text(comparison.hold_out)) + finding;
  }
  const auto shown =
      comparison.hold_out.interval ? comparison.hold_out.interval : comparison.interval;
  const std::string value = fmt::format(
      "  default      {}{}\n", score_text(comparison.hold_out.value(objective.unit()), shown),
      incumbent_source(comparison));
  if (!comparison.difference) return value + finding;
  std::string elo;
  if (const auto rating = elo_above_default(objective, pick)) {
    elo = fmt::format("  Elo          {}  above the default\n", rating_text(*rating));
  }
  std::string probability;
  if (comparison.probability_better) {
    probability =
        fmt::format("  better than the default: {:.0f} %", 100.0 * *comparison.probability_better);
  }
  return value +
         fmt::format("  difference   {}{}{}{}\n",
                     signed_score_text(*comparison.difference, comparison.interval),
                     ends_text(comparison.interval), pairs_text(comparison), probability) +
         elo + finding;
}

Json incumbent_json(const Study& study, const StudyResult& result, const Pick& pick) {
  const Objective& objective = *study.objectives[0].objective;
  const IncumbentComparison& comparison = *pick.incumbent;
  const RunningStats& payoffs = comparison.hold_out.payoffs;
  Json value;
  Json held_out;
  if (comparison.hold_out.measured()) {
    value = comparison.hold_out.value(objective.unit());
  }
  if (comparison.hold_out.measured() && !is_level(comparison) && !is_level(objective, pick)) {
    held_out = {{"n", payoffs.count()},
                {"mean", objective.unit().value_of(comparison.hold_out.sample().mean.mean())},
                {"sd", objective.unit().size() * payoffs.sd()}};
  }
  const bool has_finding =
      comparison.difference || (pick.hold_out.tried() > 0 && comparison.hold_out.tried() > 0);
  const std::string reason = reason_text(result, pick);
  Json json = {{"parameters", point_json(comparison.point, objective.space())},
               {"value", value},
               {"interval", ends_or_null(comparison.hold_out.interval)},
               {"true_value", number_or_null(comparison.true_value)},
               {"hold_out", held_out},
               {"failures", comparison.hold_out.failures.count},
               {"difference",
                {{"value", number_or_null(comparison.difference)},
                 {"interval", ends_or_null(comparison.interval)}}},
               {"probability_better", number_or_null(comparison.probability_better)},
               {"finding", has_finding ? Json(finding_name(comparison.finding)) : Json()},
               {"finding_reason", has_finding && !reason.empty() ? Json(reason) : Json()},
               {"evaluations_to_decide",
                has_finding ? number_or_null(evaluations_to_decide(objective, pick)) : Json()}};
  if (!comparison.hold_out.games.empty()) {
    json["elo"] = elo_json(objective.unit(), comparison.hold_out);
    json["elo_difference"] = rating_json(elo_above_default(objective, pick));
  }
  return json;
}

std::string beginning_text(const Study& study) {
  std::string text = unused_text(study);
  const Beginning& beginning = study.beginning;
  if (beginning.incumbent) {
    const SearchSpace& space = study.objectives.front().objective->space();
    text += fmt::format("compared with the default: {}\n", space.text(*beginning.incumbent));
    text += off_grid_text(space, *beginning.incumbent);
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
