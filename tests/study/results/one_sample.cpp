// A number has one formula and one sample: value, Elo, LOS and their intervals, whatever the scale.

#include <cstddef>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/json.h"
#include "ntune/facts/result_text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/results/saved_result.h"
#include "study/make.h"
#include "study/scripted.h"
#include "support/unwrapped.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;

namespace {

/// An evaluation of so many games, in pairs of which one game is nearly the other's mirror image.
std::shared_ptr<const Objective> matches_of(int games, bool paired, bool each) {
  return test::scripted(2,
                        [=](const Point& point, Rng& rng) {
                          GameCounts counts;
                          std::vector<double> points;
                          for (int game = 0; game < games; ++game) {
                            const double half = game % 2 == 1 && paired ? 1.0 - points.back() : 0.0;
                            const bool wins = rng.uniform() < 0.5 + 0.1 * point[0];
                            points.push_back(paired && game % 2 == 1 && rng.uniform() < 0.6 ? half
                                             : wins                                         ? 1.0
                                                                                            : 0.0);
                            if (!paired) counts.add(single_game(points.back()));
                            if (paired && game % 2 == 1) {
                              counts.add(pair_of_games(points[points.size() - 2], points.back()));
                            }
                          }
                          Outcome outcome = outcome_of(counts);
                          if (each) outcome.observations = points;
                          return outcome;
                        },
                        {.low = 0.0, .high = 1.0, .several = each, .games = true});
}

Json result_of(const Study& study) {
  const StudyResult result = test::run(study);
  return result_json(study, result, summarise(study, result));
}

}  // namespace

TEST_CASE("value and Elo are of one sample and have one interval") {
  for (const auto& [games, paired, each, hold_out] : {std::tuple(8, true, false, 30),
                                                      {8, false, false, 30},
                                                      {7, false, true, 30},
                                                      {200, false, false, 1},
                                                      {2, true, false, 40}}) {
    CAPTURE(games, paired, each, hold_out);
    const Study study = test::study_of(
        fmt::format("{{runs: 1, iterations: 40, hold_out: {}, default: {{arm: 0}}}}", hold_out),
        matches_of(games, paired, each));
    const Json result = result_of(study);
    for (const auto& [value, elo] :
         {std::pair(result["recommendation"], result["elo"]),
          {result["default"], result["default"].value("elo", result["elo"])}}) {
      CHECK(elo["value"].get<double>() == Approx(elo_of_score(value["value"])).margin(1e-9));
      for (const std::size_t end : {0U, 1U}) {
        const double score = value["interval"][end];
        if (score <= 0.0 || score >= 1.0) continue;
        CHECK(elo["interval"][end].get<double>() == Approx(elo_of_score(score)).margin(1e-9));
      }
      const Json& normalised = elo["normalised_elo"];
      CHECK(normalised["interval"][0] < normalised["value"]);
      CHECK(normalised["value"] < normalised["interval"][1]);
      // Without draws and near 1/2 it is nearly logistic Elo, and as sure, unless pairs depend.
      if (!paired && value["interval"][0] > 0.3 && value["interval"][1] < 0.7) {
        CHECK(normalised["value"].get<double>() == Approx(elo["value"].get<double>()).epsilon(0.1));
        for (const std::size_t end : {0U, 1U}) {
          CHECK(normalised["interval"][end].get<double>() ==
                Approx(elo["interval"][end].get<double>()).epsilon(0.15).margin(3.0));
        }
      }
      const double counted = elo["wins"].get<double>() + elo["losses"].get<double>();
      CHECK(elo["wins"].get<double>() / counted == Approx(value["value"].get<double>()));
    }
  }
}

TEST_CASE("pairs that take the luck of a start out make the value as sure as its Elo") {
  const auto length = [](bool paired) {
    const Study study =
        test::study_of("{runs: 1, iterations: 20, hold_out: 100}", matches_of(8, paired, false));
    const Json interval = result_of(study)["recommendation"]["interval"];
    return interval[1].get<double>() - interval[0].get<double>();
  };
  CHECK(length(true) < 0.8 * length(false));
}

TEST_CASE("games lost by a fault are said, and first where they are many") {
  const auto late_in = [](std::uint32_t of) {
    return test::scripted(2,
                          [of](const Point&, Rng& rng) {
                            GameCounts counts = single_game(rng.below(2) == 0 ? 1.0 : 0.0);
                            const bool lost = counts.games.losses == 1;
                            if (rng.below(of) == 0)
                              counts.forfeits.add(Forfeits::Cause::kTime, lost);
                            return outcome_of(counts);
                          },
                          {.low = 0.0, .high = 1.0, .games = true});
  };
  const auto text_of = [](const Study& study) {
    const StudyResult result = test::run(study);
    return test::unwrapped(result_text(study, result, summarise(study, result)));
  };
  const std::string yaml = "{runs: 1, iterations: 100, hold_out: 100}";
  const Study many = test::study_of(yaml, late_in(2));
  CHECK(text_of(many).starts_with("Look at the games first: "));
  CHECK_THAT(text_of(many), ContainsSubstring("lost by a fault: the player "));
  const Json forfeits = result_of(many)["forfeits"];
  CHECK(forfeits["games"] == 200);
  CHECK(forfeits["count"] ==
        forfeits["player"]["time"].get<int>() + forfeits["opponent"]["time"].get<int>());
  const Study few = test::study_of(yaml, late_in(60));
  CHECK_FALSE(text_of(few).starts_with("Look"));
  CHECK_THAT(text_of(few), ContainsSubstring(" games ("));
  CHECK(result_of(test::study_of(yaml, matches_of(2, true, false)))["forfeits"].is_null());
}

TEST_CASE("a study is the same on any scale") {
  const auto arms = [](double scale) {
    return test::arms(3, [scale](const Point& point, Rng& rng) {
      return scale * (5.0 + 0.3 * point[0] + rng.normal());
    });
  };
  const auto result_at = [&](double scale) {
    return result_of(test::study_of(
        "{runs: 2, iterations: 40, hold_out: 30, optimiser: random, default: {arm: 0}}",
        arms(scale)));
  };
  const Json plain = result_at(1.0);
  for (const double scale : {1e-9, 1e9}) {
    CAPTURE(scale);
    const Json scaled = result_at(scale);
    CHECK(scaled["recommendation"]["parameters"] == plain["recommendation"]["parameters"]);
    CHECK(scaled["default"]["finding"] == plain["default"]["finding"]);
    for (const char* part : {"recommendation", "default"}) {
      CHECK(scaled[part]["value"].get<double>() ==
            Approx(scale * plain[part]["value"].get<double>()));
      for (const std::size_t end : {0U, 1U}) {
        CHECK(scaled[part]["interval"][end].get<double>() ==
              Approx(scale * plain[part]["interval"][end].get<double>()));
      }
    }
  }
}

}  // namespace ntune
