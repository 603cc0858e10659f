#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ntune/core/sequential_test.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/results/saved_result.h"

namespace ntune {

namespace {

/// "none", "4" or "all".
std::string share_text(const HoldOut& hold_out) {
  const std::int64_t unsolved = hold_out.unsolved();
  if (unsolved == 0) return "none";
  return unsolved < hold_out.tried() ? count_text(unsolved) : "all";
}

/// Whether what looks better may owe it to wrong answers.
bool is_in_doubt(const StudyResult& result, const IncumbentComparison& comparison) {
  return comparison.finding == IncumbentFinding::kBetter && !result.contradictions.empty();
}

/// The same of matches against the default, where either player may have failed.
std::string reason_of_matches(const IncumbentComparison& comparison, const HoldOut& ours) {
  if (!ours.measured()) return "all fresh matches failed";
  const bool looks_better = comparison.interval && comparison.interval->low > 0.0;
  if (comparison.finding == IncumbentFinding::kBetter || !looks_better) return {};
  return fmt::format("{} of {} fresh matches failed, and with these lost no gain is shown",
                     share_text(ours), count_text(ours.tried()));
}

/// What else than the payoffs the finding is for; empty: nothing.
std::string reason_text(const Study& study, const StudyResult& result, const Pick& pick) {
  const IncumbentComparison& comparison = *pick.incumbent;
  if (result.all_cut_off()) return "every evaluation was " + all_unsolved_text(study);
  if (is_in_doubt(result, comparison)) return contradiction_text(result);
  // Without fresh evaluations of both there is nothing to say of failures.
  const HoldOut& ours = pick.hold_out;
  const HoldOut& theirs = comparison.hold_out;
  if (comparison.recommended || ours.tried() == 0 || theirs.tried() == 0) return {};
  if (is_level(comparison)) return reason_of_matches(comparison, ours);
  const bool all = ours.unsolved() >= ours.tried();
  if (!all && ours.unsolved_rate() == theirs.unsolved_rate()) return {};
  // Where the recommendation solves more and is not better, more evaluations may show it.
  const bool counts = ours.skipped_rate() == theirs.skipped_rate();
  const bool solves_more = ours.unsolved_rate() < theirs.unsolved_rate();
  if (counts && solves_more && comparison.finding != IncumbentFinding::kBetter) return {};
  // The words name what happened: failures, cut-offs or both.
  const bool failed = ours.failures.count + theirs.failures.count > 0;
  const bool cut_off = ours.endings.cut_off + theirs.endings.cut_off > 0;
  return fmt::format(
      "{} of the recommendation's {} {}, {} of the default's", share_text(ours),
      counted(ours.tried(), "fresh evaluation"),
      !cut_off ? "failed" : (failed ? "failed or were " : "were ") + unsolved_text(study),
      share_text(theirs));
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
  // In matches against the default the payoffs themselves show the gain, else pairs of payoffs do.
  const bool level = is_level(comparison);
  const RunningStats& noise = level ? pick.hold_out.payoffs : comparison.differences.values;
  if (noise.count() < 2) return std::nullopt;
  const double gain =
      level ? pick.hold_out.sample().mean.mean() - objective.unit().payoff_of(kLevelScore)
            : comparison.differences.mean.mean();
  // Differences that never varied are decided as soon as a test may end.
  constexpr double kClear = 10.0;  // standard deviations
  const double always = gain == 0.0 ? 0.0 : std::copysign(kClear, gain);
  const double effect = noise.sd() > 0.0 ? gain / noise.sd() : always;
  // The test is on Elo where an evaluation counts games, else on the effect in standard deviations.
  const double games =
      comparison.games > 0.0 ? comparison.games : (objective.payoffs().two_valued ? 1.0 : 0.0);
  // In pairs of evaluations half of the games are the other player's.
  const double tested = games > 0.0
                            ? kTestedElo * std::sqrt(level ? games : 0.5 * games) / kNormalisedElo
                            : kTestedEffect;
  const double pairs = std::max(kFewestPairs, expected_observations(effect, tested));
  return in_two_digits(level ? pairs : 2.0 * pairs);
}

/// Elo of the recommendation less that of the default, by their fresh games with the same seeds;
/// nothing where there are no games of both. Its interval is that of the difference of the scores.
std::optional<Rating> elo_above_default(const Study& study, const Pick& pick) {
  const Objective& objective = *study.objectives[0].objective;
  const IncumbentComparison& comparison = *pick.incumbent;
  const GameCounts& games = pick.hold_out.games;
  const GameCounts& others = comparison.hold_out.games;
  if (games.empty() || others.empty() || comparison.recommended) return std::nullopt;
  const auto ends =
      payoff_difference(source_in(study, objective), comparison.differences, pick.hold_out.payoffs,
                        comparison.hold_out.payoffs, comparison.games)
          .interval;
  const auto score = [&](const HoldOut& held_out, const GameCounts& counts) {
    return held_out.aggregate ? counts.games.score() : held_out.value(objective.unit());
  };
  return elo_difference(score(pick.hold_out, games), score(comparison.hold_out, others),
                        std::min(games.games.games(), others.games.games()),
                        ends.value_or(Interval{-1.0, 1.0}));
}

}  // namespace

bool is_level(const IncumbentComparison& comparison) {
  return !comparison.recommended && comparison.hold_out.measured() &&
         comparison.hold_out.evaluations == 0;
}

bool is_level(const Objective& objective, const Pick& pick) {
  return is_opponent(objective, pick.point) && pick.hold_out.measured();
}

std::string unsolved_text(const Study& study) {
  const StudyObjective& entry = study.objectives[0];
  if (!entry.options.contains("unsolved")) return "cut off";
  const Json& unsolved = entry.options["unsolved"];
  if (unsolved == "none") return "cut off";
  const OutsideProgram* program = entry.objective->outside_program();
  if (program != nullptr && !std::isfinite(program->cutoff())) return "unsolved";
  const Json exit = entry.options.value("exit", Json::array());
  const bool gives_up = unsolved != "auto" || std::ranges::any_of(exit, [](const Json& one) {
                          return one == 10 || one == 20;
                        });
  return gives_up ? "cut off or unsolved" : "cut off";
}

std::string all_unsolved_text(const Study& study) {
  const std::string text = unsolved_text(study);
  return text == "unsolved" ? text : text + "; raise `cutoff`";
}

std::string contradiction_text(const StudyResult& result) {
  const std::vector<Contradiction>& found = result.contradictions;
  if (found.empty()) return {};
  const std::string& first = found.front().instance;
  if (first.empty()) return "settings contradict each other, so that one of them answers wrongly";
  const std::string where = found.size() > 1 ? counted(std::ssize(found), "instance")
                                             : fmt::format("'{}'", printable(first, 60));
  return fmt::format("settings contradict each other on {}; a column `expect` says who is wrong",
                     where);
}

SavedDefault saved_default(const Study& study, const StudyResult& result, const Pick& pick) {
  const Objective& objective = *study.objectives[0].objective;
  const IncumbentComparison& comparison = *pick.incumbent;
  const IncumbentFinding finding =
      is_in_doubt(result, comparison) ? IncumbentFinding::kNotShown : comparison.finding;
  const HoldOut& hold_out = comparison.hold_out;
  SavedDefault saved{.point = comparison.point,
                     .fresh = saved_measurement(study, hold_out),
                     .difference = comparison.difference,
                     .difference_interval = comparison.interval,
                     .others_interval = comparison.others_interval,
                     .probability_better = comparison.probability_better,
                     .tested = comparison.tested,
                     .verdict = finding,
                     .pairs = comparison.differences.values.count()};
  if (comparison.constant) saved.constant = true;
  saved.fresh.true_value = comparison.true_value;
  // What is 1/2 by definition was not measured.
  if (is_level(comparison) || is_level(objective, pick)) saved.fresh.hold_out.reset();
  // A finding needs a difference, or fresh evaluations of both of which one always failed.
  if (comparison.difference || (pick.hold_out.tried() > 0 && hold_out.tried() > 0)) {
    saved.finding = finding;
    const std::string reason = reason_text(study, result, pick);
    if (!reason.empty()) saved.finding_reason = reason;
    saved.evaluations_to_decide = evaluations_to_decide(objective, pick);
  }
  if (!hold_out.games.empty()) {
    saved.elo = saved_elo(objective.unit(), hold_out);
    saved.elo_difference = elo_above_default(study, pick);
  }
  return saved;
}

}  // namespace ntune
