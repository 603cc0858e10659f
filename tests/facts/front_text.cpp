// What is said of a study of several goals.

#include "ntune/facts/front_text.h"

#include <memory>
#include <vector>

#include "catch.h"
#include "ntune/objective/lambda_goals.h"
#include "study/make.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;

namespace {

/// Goals in an order, with a limit of the second if there is one.
Study study_in_order(std::optional<double> limit = {}) {
  const std::vector<Goal> goals = {
      {.name = "win", .order = 1},
      {.name = "ms", .unit = Unit::cost(), .order = 2, .limit = limit}};
  return test::study_of(
      "{budget: 40}",
      std::make_shared<LambdaGoals>(SearchSpace({with_default(make_integers("depth", 1, 9), 9L)}),
                                    goals, [](const Settings&, Rng&) {
                                      return std::vector{0.5, 3.0};
                                    }));
}

FrontMember member(std::uint16_t depth, IncumbentFinding win, IncumbentFinding ms) {
  FrontMember one{.point = Point(1), .n = 8};
  one.point[0] = depth;
  one.goals = {{.goal = "win", .mean = 0.5, .is_level = true, .difference = 0.1, .finding = win},
               {.goal = "ms", .mean = 12.0, .difference = -3.0, .finding = ms}};
  return one;
}

/// Today's setting and another, which is chosen.
GoalFront front_of(IncumbentFinding win, IncumbentFinding ms) {
  GoalFront front{.members = {member(8, IncumbentFinding::kNotShown, IncumbentFinding::kNotShown),
                              member(3, win, ms)},
                  .sought = "win",
                  .then = {"ms"},
                  .chosen = 1};
  front.members.front().is_default = true;
  return front;
}

}  // namespace

TEST_CASE("what is chosen in an order is said to be level, and the best of these") {
  using enum IncumbentFinding;
  const Study study = study_in_order();
  CHECK(front_sentence(study, front_of(kNotShown, kBetter)) ==
        "Use setting A: it is level with the best in win, and of these the best in ms, win 0.5000, "
        "ms 12.00, better in ms than today's.");
  CHECK(front_sentence(study, front_of(kNotShown, kNotShown)) ==
        "Not decided: setting A is level with the best in win, and of these the best in ms, win "
        "0.5000, ms 12.00, but is not shown to be better than today's.");
  GoalFront front = front_of(kNotShown, kNotShown);
  front.chosen = 0;
  CHECK(front_sentence(study, front) ==
        "Keep today's setting: it is level with the best in win, and of these the best in ms, win "
        "0.5000, ms 12.00.");
  front.chosen.reset();
  CHECK_THAT(front_sentence(study, front), ContainsSubstring("No setting succeeds"));
}

TEST_CASE("an order within a limit says both") {
  using enum IncumbentFinding;
  GoalFront front = front_of(kBetter, kNotShown);
  for (FrontMember& one : front.members) one.goals[1].keeps_limit = true;
  const Study study = study_in_order(20.0);
  CHECK_THAT(front_sentence(study, front),
             ContainsSubstring("it is level with the best of those that keep ms at most 20 (95 %) "
                               "in win, and of these the best in ms"));
  CHECK(goal_marks(study.objectives[0].objective->goals()[0], front.members[1].goals[0]) ==
        "+ level");
  front.members[1].goals[0].is_level = false;
  CHECK(goal_marks(study.objectives[0].objective->goals()[0], front.members[1].goals[0]) ==
        "+ behind");
  CHECK_THAT(front_legend(study, front),
             ContainsSubstring("behind: shown to be worse than the best") &&
                 ContainsSubstring("keeps, breaks"));
}

}  // namespace ntune
