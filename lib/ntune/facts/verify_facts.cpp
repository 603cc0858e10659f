#include "ntune/facts/verify_facts.h"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/study/evaluation/payoff_intervals.h"
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
}

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

using Counts = std::vector<std::int64_t>;

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
  if (result.counts.pairs > 1) saved.difference = difference_of(study.objective(), result);
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

Facts verification_facts(const SavedVerification& test, const Objective& objective) {
  Facts facts;
  if (!test.difference) return facts;
  facts.push_back({.key = "difference",
                   .label = "difference",
                   .value = test.difference->value,
                   .interval = test.difference->interval,
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
  if (!test.pentanomial) return facts;
  std::vector<std::string> counts;
  for (const std::int64_t count : *test.pentanomial) counts.push_back(count_text(count));
  facts.push_back({.key = "pairs",
                   .label = "pentanomial",
                   .value = fmt::format("{}", fmt::join(counts, " ")),
                   .after = "  (pairs of 0, 1/2, 1, 3/2, 2 points)"});
  return facts;
}

}  // namespace ntune
