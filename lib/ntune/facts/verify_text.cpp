#include "ntune/facts/verify_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/facts/result_facts.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/results/result_files.h"
#include "ntune/study/results/saved_fields.h"
#include "ntune/version.h"

namespace ntune {

template <class Visitor>
void visit_fields(Visitor& field, SavedSide& side) {
  field("parameters", side.point);
  field.if_any("value", side.value);
  field.if_any("wins", side.wins);
  field.if_any("draws", side.draws);
  field.if_any("losses", side.losses);
  field.if_any("pentanomial", side.pentanomial);
}

template <class Visitor>
void visit_fields(Visitor& field, SavedVerification& test) {
  field("ntune", test.version, "objective", test.objective, "against", test.against, "decision",
        test.decision, "test", test.test, "match", test.match, "alpha", test.alpha, "beta",
        test.beta, "h0", test.h0, "h1", test.h1, "log_likelihood_ratio", test.ratio, "bounds",
        test.bounds, "pairs", test.counts.pairs, "evaluations", test.counts.evaluations, "failures",
        test.counts.failures, "skipped_pairs", test.counts.skipped, "recommended", test.recommended,
        "other", test.other, "difference", test.difference, "elo", test.elo, "normalised_elo",
        test.normalised_elo, "pentanomial", test.pentanomial, "seed", test.seed);
  field.if_any("forfeits", test.forfeits);
}

namespace {

/// The games of both sides; of a match the games between them.
EarlyEndings endings_of(const Verification& result) {
  EarlyEndings endings;
  endings.add(Ending::kWhole, result.first.games);
  if (!result.options.match) endings.add(Ending::kWhole, result.second.games);
  return endings;
}

/// The difference of the payoffs' means, in a match the score less 1/2, and its 95 % interval in
/// the reported unit.
Rating difference_of(const PayoffSource& source, const Verification& result) {
  constexpr Interval kUnknown{.low = -std::numeric_limits<double>::infinity(),
                              .high = std::numeric_limits<double>::infinity()};
  const MeanSample& sample = result.difference_sample;
  const double games = result.first.games.games_each(sample.values.count());
  if (result.options.match) {
    // A score less 1/2.
    const auto interval = mean_interval(sample, {.low = -0.5, .high = 0.5, .games = games});
    return {sample.mean.mean(), interval.value_or(kUnknown)};
  }
  const PayoffDifference difference =
      payoff_difference(source, sample, result.first.sample, result.second.sample, games);
  return {difference.value, difference.interval.value_or(kUnknown)};
}

/// The mean of a side in the reported unit, in a match its score.
double value_of(const RecommendedStudy& study, const VerifiedSide& side, bool match) {
  const double mean = side.sample.mean.mean();
  return match ? mean : study.objective().unit().value_of(mean);
}

using Counts = std::vector<std::int64_t>;

/// A side with its mean, and its games where it played any.
SavedSide saved_side(const RecommendedStudy& study, const Point& point, const VerifiedSide& side,
                     const Verification& result) {
  SavedSide saved{.point = point};
  if (result.counts.pairs == 0) return saved;
  saved.value = value_of(study, side, result.options.match);
  if (side.games.empty()) return saved;
  const auto& [wins, draws, losses] = side.games.games;
  saved.wins = wins;
  saved.draws = draws;
  saved.losses = losses;
  const auto& pairs = side.games.pairs.counts;
  if (side.games.are_paired()) saved.pentanomial = Counts(pairs.begin(), pairs.end());
  return saved;
}

}  // namespace

SavedVerification saved_verification(const RecommendedStudy& study, const Point& other,
                                     const std::string& against, const Verification& result) {
  const VerifyOptions& options = result.options;
  const TestEvidence& evidence = result.evidence;
  const bool by_t = evidence.test == VerifyTest::kT;
  SavedVerification saved{.version = kVersion,
                          .objective = study.objective().description(),
                          .against = against,
                          .decision = decision_name(result.decision),
                          .test = test_name(evidence.test),
                          .match = options.match,
                          .alpha = options.alpha,
                          .beta = options.beta,
                          .h0 = by_t ? options.effect0 : options.elo0,
                          .h1 = by_t ? options.effect1 : options.elo1,
                          .ratio = evidence.ratio,
                          .bounds = {evidence.bounds.low, evidence.bounds.high},
                          .counts = result.counts,
                          .recommended = saved_side(study, study.point, result.first, result),
                          .other = saved_side(study, other, result.second, result),
                          .elo = result.games.elo,
                          .normalised_elo = result.games.normalised_elo,
                          .seed = study.study.seed};
  if (result.counts.pairs > 1)
    saved.difference = difference_of(source_in(study.study, study.objective()), result);
  if (const EarlyEndings endings = endings_of(result); endings.forfeits.games() > 0) {
    saved.forfeits = endings.forfeits.games();
  }
  if (const auto& pairs = result.games.pentanomial) {
    saved.pentanomial = Counts(pairs->counts.begin(), pairs->counts.end());
  }
  return saved;
}

Json to_json(SavedVerification test, const Study& study) {
  FieldWriter writer{SpaceOfPoints(study)};
  visit_fields(writer, test);
  return std::move(writer.json);
}

SavedVerification read_verification(const Json& json, const Study& study) {
  SavedVerification test;
  FieldReader reader(json, SpaceOfPoints(study));
  visit_fields(reader, test);
  return test;
}

bool keep_decision(const std::filesystem::path& folder, const RecommendedStudy& study,
                   const Point& other, const Verification& result) {
  const bool better = result.decision == VerifyDecision::kBetter;
  const bool decided = better || result.decision == VerifyDecision::kNotBetter;
  const SavedVerification test = saved_verification(study, other, {}, result);
  if (!decided || result.stopped || test.h0 < 0.0 || std::max(test.alpha, test.beta) > kTestError) {
    return false;
  }
  return keep_test(folder, study.study, study.point, other,
                   {.better = better,
                    .test = test.test,
                    .h1 = test.h1,
                    .pairs = test.counts.pairs,
                    .difference = test.difference,
                    .elo = test.elo});
}

std::string test_line(const SavedVerification& test) {
  return fmt::format("verify against {}: log-likelihood ratio {:.2f} between {:.2f} and {:.2f}, {}",
                     printable(test.against, 60), test.ratio, test.bounds.low, test.bounds.high,
                     counted(test.counts.pairs, "pair"));
}

Facts verification_facts(const SavedVerification& test, const Objective& objective) {
  Facts facts;
  if (!test.difference) return facts;
  const Interval& interval = test.difference->interval;
  const bool known = std::isfinite(interval.low) || std::isfinite(interval.high);
  facts.push_back({.key = "difference",
                   .label = "difference",
                   .value = test.difference->value,
                   .interval = known ? std::optional(interval) : std::nullopt,
                   .digits = Digits::kDifference,
                   .after = test.match ? "  (score less 1/2)" : ""});
  if (objective.unit().is_cost()) {
    facts.push_back({.key = "direction", .value = "below 0 is an improvement: values are costs"});
  }
  for (const auto& [key, label, rating] :
       {std::tuple("elo", "Elo", test.elo),
        {"normalised_elo", "normalised Elo", test.normalised_elo}}) {
    if (!rating) continue;
    facts.push_back(elo_fact(key, label, *rating, ""));
    facts.back().brief = true;
  }
  // Counts of pairs are known of matches in pairs alone.
  if (!test.pentanomial) return facts;
  std::vector<std::string> counts;
  for (const std::int64_t count : *test.pentanomial) counts.push_back(count_text(count));
  facts.push_back({.key = "pairs",
                   .label = "pentanomial",
                   .value = fmt::format("{}", fmt::join(counts, " ")),
                   .after = "  (pairs of 0, 1/2, 1, 3/2, 2 points)"});
  return facts;
}

namespace {

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
  return table.text_within() +
         (same > 0 ? fmt::format("{} the same\n", same == 1
                                                      ? "1 more parameter is"
                                                      : fmt::format("{} more parameters are", same))
                   : "");
}

/// Both sides with their values and games.
std::string payoffs_text(const SavedVerification& test, bool shows_games) {
  std::vector<std::string> titles = {"<", test.match ? "score" : "value"};
  if (shows_games) titles.insert(titles.end(), {"wins", "draws", "losses"});
  TextTable table(titles);
  // Values are shown as finely as their difference is known.
  const auto interval = test.difference ? std::optional(test.difference->interval) : std::nullopt;
  const auto add = [&](const std::string& name, const SavedSide& side) {
    std::vector<std::string> row = {name, score_text(*side.value, interval)};
    for (const auto& count : {side.wins, side.draws, side.losses}) {
      if (shows_games) row.push_back(count_text(count.value_or(0)));
    }
    table.add_row(row);
  };
  add("recommended", test.recommended);
  add(printable(test.against, 40), test.other);
  return table.text_within();
}

/// The test's name and its two hypotheses.
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

/// The decision in words, or what kept the test open.
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
  if (result.stopped) return "undecided: the test was interrupted";
  // An open test may be open because of failures, which more evaluations do not mend.
  if (const auto more = more_frequent_failures(result.counts)) {
    return fmt::format("undecided: {} failed more often, which the test leaves out",
                       *more == 0 ? "the recommendation" : other);
  }
  if (solves_less(result.counts)) {
    const auto& [first, second] = result.counts.unsolved_of;
    return fmt::format("undecided: {} of the recommendation failed or {} cut off, {} of {}",
                       counted(first, "evaluation"), first == 1 ? "was" : "were",
                       count_text(second), other);
  }
  const TestEvidence& evidence = result.evidence;
  if (result.options.match && result.counts.skipped > 0 && evidence.ratio >= evidence.bounds.high) {
    return fmt::format("undecided: {} failed, and with {} lost H1 is not accepted",
                       counted(result.counts.skipped, "call"),
                       result.counts.skipped == 1 ? "it" : "these");
  }
  return "undecided: the evaluations did not suffice; --evaluations allows more";
}

/// How many pairs were evaluated, what failed, and the facts.
std::string measured_text(const RecommendedStudy& study, const SavedVerification& test,
                          const Verification& result) {
  const bool match = result.options.match;
  // What was carried out: games, pairs of games, or pairs of evaluations with one seed.
  std::string text =
      match && !result.games.pentanomial
          ? counted(result.counts.pairs, "game") + " between the two\n"
          : fmt::format(
                "{} ({}): {}{}\n", counted(result.counts.pairs, "pair"),
                match ? "two games from one start, one from either side" : "same seed for both",
                counted(2 * result.counts.pairs, match ? "game" : "evaluation"),
                result.counts.evaluations == 2 * result.counts.pairs
                    ? std::string()
                    : fmt::format(" of {} that were carried out",
                                  count_text(result.counts.evaluations)));
  if (result.counts.failures > 0) {
    const auto& [first, second] = result.counts.skipped_of;
    text += fmt::format(
        "{} failed{}, {} left out\n", counted(result.counts.failures, "evaluation"),
        first + second > 0 ? fmt::format(" ({} of the recommendation)", count_text(first)) : "",
        counted(result.counts.skipped, match ? "call" : "pair"));
  }
  const EarlyEndings endings = endings_of(result);
  if (endings.forfeits.games() > 0) text += forfeits_text(endings) + '\n';
  if (result.counts.pairs < 2) return text;
  constexpr std::size_t kWidth = 14;
  const Facts facts = verification_facts(test, study.objective());
  return text + facts_text(facts, Fact::Part::kFinding, kWidth) +
         "  (intervals as if the number of pairs were fixed: stopping favours the decision)\n";
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
  const SavedVerification test = saved_verification(study, other, against, result);
  if (const EarlyEndings endings = endings_of(result); are_many_forfeits(endings)) {
    text += "Look at the games first.\n\n";
  }
  text += changed_text(study, other, against) + '\n';
  if (result.counts.pairs > 0) text += payoffs_text(test, result.games.all) + '\n';
  text += measured_text(study, test, result) + '\n';
  text += test_text(result);
  return text + "Decision  " + decision_text(result, against) + '\n';
}

Json verification_json(const RecommendedStudy& study, const Point& other,
                       const std::string& against, const Verification& result) {
  return to_json(saved_verification(study, other, against, result), study.study);
}

}  // namespace ntune
