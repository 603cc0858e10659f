#include "ntune/facts/verify_text.h"

#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/results/elo_text.h"
#include "ntune/version.h"

namespace ntune {

namespace {

/// The difference of the payoffs' means, in a match the score less 1/2, and its 95 % interval in
/// the reported unit.
Rating difference_of(const Objective& objective, const Verification& result) {
  constexpr Interval kUnknown{.low = -std::numeric_limits<double>::infinity(),
                              .high = std::numeric_limits<double>::infinity()};
  const MeanSample& sample = result.difference_sample;
  const double games = result.first.games.games_each(sample.values.count());
  if (result.options.match) {
    // A score less 1/2.
    const auto interval = mean_interval(sample, {.low = -0.5, .high = 0.5, .games = games});
    return {sample.mean.mean(), interval.value_or(kUnknown)};
  }
  const PayoffDifference difference = payoff_difference(objective, sample, games);
  return {difference.value, difference.interval.value_or(kUnknown)};
}

/// The mean of a side in the reported unit, in a match its score.
double value_of(const RecommendedStudy& study, const VerifiedSide& side, bool match) {
  const double mean = side.sample.mean.mean();
  return match ? mean : study.objective().unit().value_of(mean);
}

/// The parameters in which the points differ.
std::string changed_text(const RecommendedStudy& study, const Point& other,
                         const std::string& against) {
  TextTable table({"<parameter", "recommended", printable(against, 40)});
  const SearchSpace& space = study.space();
  int same = 0;
  for (int i = 0; i < space.dimensions(); ++i) {
    if (study.point[i] == other[i]) {
      ++same;
      continue;
    }
    table.add_row({printable(space[i].name, 40),
                   printable(value_text(space.value(study.point, i)), 40),
                   printable(value_text(space.value(other, i)), 40)});
  }
  return table.text() +
         (same > 0 ? fmt::format("{} the same\n", same == 1
                                                      ? "1 more parameter is"
                                                      : fmt::format("{} more parameters are", same))
                   : "");
}

std::string payoffs_text(const RecommendedStudy& study, const std::string& against,
                         const Verification& result) {
  const bool match = result.options.match;
  const bool shows_games = result.games.all;
  // Values are shown as finely as their difference is known.
  const Interval interval = difference_of(study.objective(), result).interval;
  std::vector<std::string> titles = {"<", match ? "score" : "value"};
  if (shows_games) titles.insert(titles.end(), {"wins", "draws", "losses"});
  TextTable table(titles);
  const auto add = [&](const std::string& name, const VerifiedSide& side) {
    std::vector<std::string> row = {name, score_text(value_of(study, side, match), interval)};
    if (shows_games) {
      const auto& [wins, draws, losses] = side.games.games;
      row.insert(row.end(), {count_text(wins), count_text(draws), count_text(losses)});
    }
    table.add_row(row);
  };
  add("recommended", result.first);
  add(printable(against, 40), result.second);
  return table.text();
}

std::string hypotheses_text(const Verification& result) {
  const VerifyOptions& options = result.options;
  if (result.evidence.test == VerifyTest::kT) {
    return fmt::format(
        "Hajnal's sequential t-test, H0: the gain is {} of its standard deviation, H1: {};\n"
        "  error rates hold for normal differences",
        options.effect0, options.effect1);
  }
  return fmt::format(
      "GSPRT on {}, H0: {} Elo is {}, H1: {};\n"
      "  error rates hold asymptotically, checked by simulation",
      result.games.pentanomial ? "pentanomial counts"
      : options.match          ? "wins, draws and losses"
                               : "scores of pairs of evaluations",
      result.evidence.test == VerifyTest::kLogistic ? "logistic" : "normalised", options.elo0,
      options.elo1);
}

std::string decision_text(const Verification& result, const std::string& against) {
  const std::string other = printable(against, 60);
  switch (result.decision) {
    case VerifyDecision::kBetter:
      return fmt::format("better: H1 is accepted, the recommendation beats {}", other);
    case VerifyDecision::kNotBetter:
      return fmt::format("not better: H0 is accepted, no such gain over {}", other);
    case VerifyDecision::kSame:
      return fmt::format("same: the recommendation is {} itself, nothing to test", other);
    case VerifyDecision::kUndecided:
      break;
  }
  if (const auto more = more_frequent_failures(result.counts)) {
    return fmt::format("undecided: {} failed more often, which the test leaves out",
                       *more == 0 ? "the recommendation" : other);
  }
  return "undecided: the evaluations did not suffice; --evaluations allows more";
}

std::string measured_text(const RecommendedStudy& study, const Verification& result) {
  const bool match = result.options.match;
  std::string text =
      match && !result.games.pentanomial
          ? fmt::format("{} games between the two\n", count_text(result.counts.pairs))
          : fmt::format(
                "{} pairs ({}), {} {}{}\n", count_text(result.counts.pairs),
                match ? "two games from one start, one from either side" : "same seed for both",
                count_text(result.counts.evaluations), match ? "games" : "evaluations",
                result.counts.evaluations == 2 * result.counts.pairs ? "" : " carried out");
  if (!match && study.objective().unit().is_cost()) {
    text += "Values are costs: a difference below 0 is an improvement.\n";
  }
  if (result.counts.failures > 0) {
    const auto& [first, second] = result.counts.skipped_of;
    text += fmt::format(
        "{} failed{}, {} left out\n", counted(result.counts.failures, "evaluation"),
        first + second > 0 ? fmt::format(" ({} of the recommendation)", count_text(first)) : "",
        counted(result.counts.skipped, match ? "call" : "pair"));
  }
  if (result.counts.pairs < 2) return text;
  const Rating difference = difference_of(study.objective(), result);
  text += fmt::format("  difference      {}  95 % interval {}{}\n",
                      signed_score_text(difference.value, difference.interval),
                      signed_interval_text(difference.interval), match ? "  (score less 1/2)" : "");
  if (study.objective().unit().is_cost()) {
    text += "                  below 0 is an improvement: values are costs\n";
  }
  const VerifiedGames& games = result.games;
  if (games.elo) text += "  Elo             " + rating_text(*games.elo) + '\n';
  if (games.normalised_elo) {
    text += "  normalised Elo  " + rating_text(*games.normalised_elo) + '\n';
  }
  if (games.pentanomial) {
    text += "  pentanomial    ";
    for (const std::int64_t n : games.pentanomial->counts) text += " " + count_text(n);
    text += "  (pairs of 0, 1/2, 1, 3/2, 2 points)\n";
  }
  return text +
         "  (intervals as if the number of pairs were fixed: stopping favours the decision)\n";
}

Json side_json(const RecommendedStudy& study, const Point& point, const VerifiedSide& side,
               const Verification& result) {
  Json json = {{"parameters", point_json(point, study.space())}};
  if (result.counts.pairs == 0) return json;
  json["value"] = value_of(study, side, result.options.match);
  if (!side.games.empty()) {
    json["wins"] = side.games.games.wins;
    json["draws"] = side.games.games.draws;
    json["losses"] = side.games.games.losses;
    if (side.games.are_paired()) json["pentanomial"] = side.games.pairs.counts;
  }
  return json;
}

/// The test that was made and its outcome.
std::string test_text(const Verification& result) {
  const TestEvidence& evidence = result.evidence;
  if (evidence.test == VerifyTest::kExact) {
    return "Test      payoffs without noise: one evaluation of each decides\n";
  }
  return fmt::format(
      "Test      {}\n  log-likelihood ratio {:.2f}, bounds ({:.2f}, {:.2f}): "
      "alpha {}, beta {}\n",
      hypotheses_text(result), evidence.ratio, evidence.bounds.low, evidence.bounds.high,
      result.options.alpha, result.options.beta);
}

}  // namespace

std::string verification_text(const RecommendedStudy& study, const Point& other,
                              const std::string& against, const Verification& result) {
  std::string text = study.objective().description() + "\n\n";
  if (result.decision == VerifyDecision::kSame) {
    return text + "Decision  " + decision_text(result, against) + '\n';
  }
  text += changed_text(study, other, against) + '\n';
  if (result.counts.pairs > 0) text += payoffs_text(study, against, result) + '\n';
  text += measured_text(study, result) + '\n';
  text += test_text(result);
  return text + "Decision  " + decision_text(result, against) + '\n';
}

Json verification_json(const RecommendedStudy& study, const Point& other,
                       const std::string& against, const Verification& result) {
  const bool by_t = result.evidence.test == VerifyTest::kT;
  const VerifyOptions& options = result.options;
  Json json = {{"ntune", kVersion},
               {"objective", study.objective().description()},
               {"against", against},
               {"decision", decision_name(result.decision)},
               {"test", test_name(result.evidence.test)},
               {"match", options.match},
               {"alpha", options.alpha},
               {"beta", options.beta},
               {"h0", by_t ? options.effect0 : options.elo0},
               {"h1", by_t ? options.effect1 : options.elo1},
               {"log_likelihood_ratio", result.evidence.ratio},
               {"bounds", {result.evidence.bounds.low, result.evidence.bounds.high}},
               {"pairs", result.counts.pairs},
               {"evaluations", result.counts.evaluations},
               {"failures", result.counts.failures},
               {"skipped_pairs", result.counts.skipped},
               {"recommended", side_json(study, study.point, result.first, result)},
               {"other", side_json(study, other, result.second, result)}};
  json["difference"] =
      result.counts.pairs > 1 ? rating_json(difference_of(study.objective(), result)) : Json();
  json["elo"] = rating_json(result.games.elo);
  json["normalised_elo"] = rating_json(result.games.normalised_elo);
  json["pentanomial"] = result.games.pentanomial ? Json(result.games.pentanomial->counts) : Json();
  json["seed"] = study.study.seed;
  return json;
}

}  // namespace ntune
