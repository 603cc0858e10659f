#pragma once

#include <string>

#include "ntune/study/results/saved_result.h"

namespace ntune {

/// What a study of several goals has found, in sentences: what to use within limits or in an
/// order, or how many settings are on the front, and how today's setting stands to them.
std::string front_sentence(const Study& study, const GoalFront& front);

/// Names of the settings in tables and figures: "today", "A", "B", ….
std::vector<std::string> front_names(const GoalFront& front);

/// "12.40 [12.10, 12.70]".
std::string goal_value_text(const GoalValue& value);
/// "+" and "-": shown to be better or worse than today's; "level" with the best, or "behind" it,
/// in a goal of an order; "keeps" and "breaks" a limit.
std::string goal_marks(const Goal& goal, const GoalValue& value);
/// "sure", "yes", "no"; "fails": more often than a recommendation may.
std::string front_word(const Study& study, const FrontMember& member);
/// What "+", "-" and "sure" stand for.
std::string front_legend(const Study& study, const GoalFront& front);

/// The values of parameters by which the settings differ: "level 3, mode fast".
std::string differing_values(const SearchSpace& space, const GoalFront& front,
                             const FrontMember& member);

/// From one setting of the front to the next in the first goal, what every goal gains and loses.
struct FrontStep {
  std::string from;
  std::string to;
  std::vector<std::string> changes;  ///< by goal: "-18.2 (-60 %)"
};
std::vector<FrontStep> front_steps(const GoalFront& front);

/// All of it for a terminal.
std::string front_text(const Study& study, const SavedResult& result);

}  // namespace ntune
