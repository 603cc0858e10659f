// Payoffs of a study with instances as the beginning of another.

#include <cmath>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/yaml.h"
#include "ntune/optim/optimisers.h"
#include "ntune/study/instances/instance_effects.h"
#include "ntune/study/journal/journal.h"
#include "study/make.h"
#include "study/recorded.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace {

/// Arms that pay their index and a hundred times the instance.
Study hard_and_easy() {
  return test::study_of(
      "{instances: [0, 1, 2], runs: 1, iterations: 30, optimiser: ntbea, hold_out: 0, record: "
      "evaluations}",
      std::make_shared<LambdaObjective>(
          SearchSpace({make_integers("arm", 0, 4)}),
          [](const Settings& settings, Rng& rng, const Instance& instance) {
            return settings.number("arm") + 100.0 * value_number(instance.value) +
                   0.1 * rng.normal();
          },
          "arms"));
}

}  // namespace

TEST_CASE("recorded payoffs are told without what their instances add") {
  const test::TemporaryFolder folder;
  (void)test::record(folder.path(), hard_and_easy());
  ForeignObservations data = read_foreign_observations(folder / kJournalName, {});
  REQUIRE(data.observations.size() == 30);
  const SearchSpace space({make_integers("arm", 0, 4)});
  const std::vector<Point> points = place_observations(data, space, data.notes);
  take_out_instances(data, space, points,
                     plan_optimiser(parse_yaml("gaussian_process"), space).make);
  for (std::size_t i = 0; i < points.size(); ++i) {
    CAPTURE(i, points[i][0]);
    CHECK(std::abs(data.observations[i].payoff - 100.0 - points[i][0]) < 5.0);
  }
  REQUIRE_FALSE(data.notes.empty());
  CHECK_THAT(data.notes.back(), Catch::Matchers::ContainsSubstring("effects of 3 instances"));
}

TEST_CASE("observations without instances, or with one, stay as they are") {
  ForeignObservations data;
  const SearchSpace space({make_integers("arm", 0, 1)});
  std::vector<Point> points;
  for (int i = 0; i < 20; ++i) {
    points.push_back(test::arm(i % 2));
    data.observations.push_back(
        {.values = {}, .payoff = static_cast<double>(i), .instance = "same"});
  }
  const auto model = plan_optimiser(parse_yaml("gaussian_process"), space).make;
  take_out_instances(data, space, points, model);
  for (auto& observation : data.observations) observation.instance.reset();
  take_out_instances(data, space, points, model);
  for (int i = 0; i < 20; ++i) {
    CHECK(data.observations[static_cast<std::size_t>(i)].payoff == i);
  }
  CHECK(data.notes.empty());
}

TEST_CASE("recorded payoffs of the hold-out are of the instances of the hold-out") {
  const test::TemporaryFolder folder;
  (void)test::record(
      folder.path(),
      test::study_of("{instances: [0, 1], test_instances: [7, 8], runs: 1, iterations: 6, "
                     "optimiser: random, hold_out: 4, record: evaluations}",
                     std::make_shared<LambdaObjective>(
                         SearchSpace({make_integers("arm", 0, 4)}),
                         [](const Settings&, Rng&, const Instance& instance) {
                           return value_number(instance.value);
                         },
                         "arms")));
  const ForeignObservations data = read_foreign_observations(folder / kJournalName, {});
  REQUIRE(data.observations.size() == 10);
  for (const ForeignObservation& one : data.observations) {
    CHECK(one.instance == fmt::format("{}", one.payoff));
  }
}

}  // namespace ntune
