#include "ntune/facts/front_text.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"

namespace ntune {

namespace {

std::span<const Goal> goals_of(const Study& study) {
  return study.objectives.front().objective->goals();
}

/// "the limit ms: at most 50", of all that there are.
std::string limits_of(const Study& study) {
  std::vector<std::string> texts;
  for (const Goal& goal : goals_of(study)) {
    if (goal.limit) texts.push_back(printable(goal.name) + " " + goal.limit_text());
  }
  return list_text(texts, "and");
}

double fail_limit_of(const Study& study) { return study.execution.on_failure.recommended; }

/// Why none of the settings is recommended within the limits.
std::string no_choice_sentence(const Study& study, const GoalFront& front) {
  const std::string limits = limits_of(study);
  if (limits.empty()) {
    return fmt::format(
        "No setting succeeds: each fails in more than {:.0f} % of its evaluations, which is the "
        "`fail_limit`.",
        100.0 * fail_limit_of(study));
  }
  const auto keeps = [&](const FrontMember& member) {
    return member.n > 0 && member.keeps_limits(goals_of(study));
  };
  if (std::ranges::any_of(front.members, keeps)) {
    return fmt::format(
        "No setting keeps {} (95 %) and succeeds: those that keep it fail in more than {:.0f} % of "
        "their evaluations, which is the `fail_limit`.",
        limits, 100.0 * fail_limit_of(study));
  }
  const auto breaks = [](const FrontMember& member) {
    return std::ranges::count(member.goals, false, &GoalValue::keeps_limit) > 0;
  };
  if (std::ranges::all_of(front.members, breaks)) {
    return fmt::format("No setting that was measured keeps {}: each is shown to break it (95 %).",
                       limits);
  }
  return fmt::format("No setting is shown to keep {} (95 %). More evaluations may show it.",
                     limits);
}

/// "is the best of those that keep ms at most 50 (95 %)", with an order "is level with the best in
/// win, and of those the best in ms".
std::string standing_of_chosen(const Study& study, const GoalFront& front) {
  const std::string limits = limits_of(study);
  const std::string kept =
      limits.empty() ? "" : fmt::format(" of those that keep {} (95 %)", limits);
  if (front.then.empty()) return "is the best" + kept;
  std::vector<std::string> names = front.all_sought();
  for (std::string& name : names) name = printable(name);
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("is level with the best{} in {}, and of these the best in {}", kept,
                     fmt::format("{}", fmt::join(names, ", then in ")), last);
}

/// ", win 0.61 [0.55, 0.67], ms 12.4 [12.1, 12.7]".
std::string sought_values(const GoalFront& front, const FrontMember& member) {
  std::string text;
  for (const std::string& name : front.all_sought()) {
    const GoalValue* value = member.find(name);
    if (value != nullptr) text += fmt::format(", {} {}", printable(name), goal_value_text(*value));
  }
  return text;
}

/// What to use within the limits, or in the order.
std::string choice_sentence(const Study& study, const GoalFront& front) {
  if (!front.chosen) return no_choice_sentence(study, front);
  const FrontMember& chosen = front.members[*front.chosen];
  const std::string name = front_names(front)[*front.chosen];
  const bool ordered = !front.then.empty();
  const std::string standing = standing_of_chosen(study, front);
  const std::string reason =
      ordered ? "it " + standing : fmt::format("it keeps {} (95 %)", limits_of(study));
  const std::string found = sought_values(front, chosen);
  if (chosen.is_default) {
    return fmt::format("Keep today's setting: {}{}{}.", reason,
                       ordered ? "" : ", and none that is shown to do so has a better mean", found);
  }
  const FrontMember* today = front.today();
  if (verdict_of(front) == Verdict::kUse) {
    const GoalValue* gain = front.gain();
    const std::string better =
        gain == nullptr
            ? ""
            : (ordered ? ", better in " + printable(gain->goal) : ", better") + " than today's";
    const char* lacks = today == nullptr || gain != nullptr ? ""
                        : today->n == 0                     ? ", and today's always fails"
                        : ordered                           ? ", and today's breaks a limit"
                                                            : ", which today's does not";
    return fmt::format("Use setting {}: {}{}{}{}.", name, reason, lacks, found, better);
  }
  if (chosen.fails_more_than(*today)) {
    return fmt::format("Not decided: setting {} {}{}, but {} of its {} failed, and {} of today's.",
                       name, standing, found, count_text(chosen.failures),
                       counted(chosen.n + chosen.failures, "evaluation"),
                       today->failures == 0 ? "none" : count_text(today->failures));
  }
  return fmt::format("Not decided: setting {} {}{}, but is not shown to be better than today's{}.",
                     name, standing, found,
                     today->keeps_limits(goals_of(study)) ? "" : ", which is not shown to keep it");
}

/// Settings that are shown to be better than today's in a goal, and to be worse in none.
std::int64_t clear_gains(const GoalFront& front) {
  return std::ranges::count_if(front.members, [](const FrontMember& member) {
    return !member.is_default &&
           std::ranges::count(member.goals, IncumbentFinding::kBetter, &GoalValue::finding) > 0 &&
           std::ranges::none_of(member.goals, &GoalValue::is_worse);
  });
}

/// How the settings stand to each other and to today's.
std::string front_count_sentence(const GoalFront& front) {
  const auto on_front = std::ranges::count(front.members, true, &FrontMember::on_front);
  const auto sure = std::ranges::count(front.members, true, &FrontMember::is_sure);
  std::string text = fmt::format("Of {} that {} measured, {} on the front, {} of them with 95 %.",
                                 counted(std::ssize(front.members), "setting"),
                                 front.members.size() == 1 ? "was" : "were",
                                 on_front == 1 ? "1 is" : fmt::format("{} are", on_front), sure);
  const FrontMember* today = front.today();
  if (today == nullptr) return text;
  const std::int64_t better = clear_gains(front);
  text += today->on_front ? " Today's is one of them." : " Today's is none of them.";
  if (better > 0) {
    text += fmt::format(" {} shown to be better than it in a goal, and to be worse in none.",
                        better == 1 ? "1 is" : fmt::format("{} are", better));
  }
  return text;
}

/// Which parameters differ between any two of the settings.
std::vector<int> differing(const SearchSpace& space, const GoalFront& front) {
  std::vector<int> parameters;
  for (int p = 0; p < space.dimensions(); ++p) {
    const auto differs = [&](const FrontMember& member) {
      const Point& first = front.members.front().point;
      const bool active = space.is_active(member.point, p);
      return active != space.is_active(first, p) || (active && member.point[p] != first[p]);
    };
    if (std::ranges::any_of(front.members, differs)) parameters.push_back(p);
  }
  return parameters;
}

std::string signed_change(double from, double to) {
  const double change = rounded_difference(to, from);
  std::string text = signed_score_text(change);
  if (from == 0.0) return text;
  const double percent = 100.0 * change / std::abs(from);
  return text + fmt::format(" ({:+.{}f} %)", percent, std::abs(percent) < 10.0 ? 1 : 0);
}

/// The values of two goals, as many as a line holds.
std::string values_table(const Study& study, const GoalFront& front, std::size_t first) {
  constexpr std::size_t kGoals = 2;
  const std::span<const Goal> goals = goals_of(study).subspan(first);
  const std::span<const Goal> shown = goals.first(std::min(kGoals, goals.size()));
  std::vector<std::string> titles = {"<"};
  for (const Goal& goal : shown) {
    titles.push_back("<" + goal.title());
    titles.push_back("<");
  }
  titles.insert(titles.end(), {"n", "<front"});
  TextTable table(titles);
  const std::vector<std::string> names = front_names(front);
  for (std::size_t i = 0; i < front.members.size(); ++i) {
    const FrontMember& member = front.members[i];
    std::vector<std::string> cells = {names[i]};
    for (const Goal& goal : shown) {
      const GoalValue* value = member.find(goal.name);
      cells.push_back(value == nullptr ? "all failed" : goal_value_text(*value));
      cells.push_back(value == nullptr ? "" : goal_marks(goal, *value));
    }
    cells.push_back(count_text(member.n));
    cells.push_back(front_word(study, member));
    table.add_row(cells);
  }
  return table.text_within();
}

std::string settings_text(const SearchSpace& space, const GoalFront& front) {
  const std::vector<std::string> names = front_names(front);
  std::string text;
  for (std::size_t i = 0; i < front.members.size(); ++i) {
    constexpr std::size_t kName = 7;
    std::string line = names[i];
    line.resize(std::max(kName, line.size() + 1), ' ');
    text += wrapped(line + differing_values(space, front, front.members[i]), kName) + '\n';
  }
  return text;
}

std::string steps_table(const Study& study, const GoalFront& front) {
  const std::vector<FrontStep> steps = front_steps(front);
  if (steps.empty()) return {};
  std::vector<std::string> titles = {"<from"};
  for (const Goal& goal : goals_of(study)) titles.push_back("<" + printable(goal.name));
  TextTable table(titles);
  for (const FrontStep& step : steps) {
    std::vector<std::string> cells = {fmt::format("{} to {}", step.from, step.to)};
    cells.insert(cells.end(), step.changes.begin(), step.changes.end());
    cells.resize(titles.size());
    table.add_row(cells);
  }
  return "\nWhat one goal costs in the other\n" + table.text_within();
}

std::string failures_text(const GoalFront& front) {
  const std::vector<std::string> names = front_names(front);
  std::string text;
  for (std::size_t i = 0; i < front.members.size(); ++i) {
    const FrontMember& member = front.members[i];
    if (member.failures == 0) continue;
    text += fmt::format("{}: {} of {} failed.\n", names[i], count_text(member.failures),
                        counted(member.n + member.failures, "evaluation"));
  }
  return text;
}

}  // namespace

std::string front_sentence(const Study& study, const GoalFront& front) {
  return front.sought ? choice_sentence(study, front) : front_count_sentence(front);
}

std::vector<std::string> front_names(const GoalFront& front) {
  std::vector<std::string> names;
  char letter = 'A';
  for (const FrontMember& member : front.members) {
    names.push_back(member.is_default ? "today" : std::string(1, letter++));
  }
  return names;
}

std::string goal_value_text(const GoalValue& value) {
  std::string text = score_text(value.mean, value.interval);
  if (value.interval && value.interval->low < value.interval->high) {
    text += " " + score_interval_text(*value.interval);
  }
  return text;
}

std::string goal_marks(const Goal& goal, const GoalValue& value) {
  std::vector<std::string> marks;
  if (value.finding == IncumbentFinding::kBetter) marks.emplace_back("+");
  if (value.is_worse()) marks.emplace_back("-");
  if (value.is_level) marks.emplace_back(*value.is_level ? "level" : "behind");
  if (goal.limit && value.keeps_limit) marks.emplace_back(*value.keeps_limit ? "keeps" : "breaks");
  return fmt::format("{}", fmt::join(marks, " "));
}

std::string front_word(const Study& study, const FrontMember& member) {
  if (!member.is_reliable(fail_limit_of(study))) return "fails";
  return member.is_sure ? "sure" : member.on_front ? "yes" : "no";
}

std::string front_legend(const Study& study, const GoalFront& front) {
  std::string text = "sure: with 95 % none of the others is as good in all goals.";
  if (front.today() != nullptr) {
    text +=
        " + and -: shown to be better or worse than today's, with 95 % for all settings at once in "
        "that goal.";
  }
  if (!front.then.empty()) {
    text +=
        " behind: shown to be worse than the best of those that are left, with 95 % for all "
        "settings at once; level: not shown to be worse.";
  }
  if (const std::string limits = limits_of(study); !limits.empty()) {
    text += fmt::format(
        " keeps, breaks: shown of the mean, with 95 % for all settings at once ({}).", limits);
  }
  return text;
}

std::string differing_values(const SearchSpace& space, const GoalFront& front,
                             const FrontMember& member) {
  std::vector<std::string> values;
  for (const int p : differing(space, front)) {
    if (!space.is_active(member.point, p)) continue;
    values.push_back(printable(space[p].name) + " " +
                     printable(value_text(space.value(member.point, p))));
  }
  return values.empty() ? "as all others" : fmt::format("{}", fmt::join(values, ", "));
}

std::vector<FrontStep> front_steps(const GoalFront& front) {
  const std::vector<std::string> names = front_names(front);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < front.members.size(); ++i) {
    if (front.members[i].on_front) order.push_back(i);
  }
  // Today's setting stands first in tables, and where its value puts it here: that of the first
  // goal, which falls or rises from one of the others to the next.
  if (order.size() > 2 && front.members[order.front()].is_default) {
    const auto first = [&](std::size_t i) { return front.members[i].goals.front().mean; };
    const double sign = first(order[1]) >= first(order.back()) ? -1.0 : 1.0;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return sign * first(i); });
  }
  std::vector<FrontStep> steps;
  for (std::size_t k = 0; k + 1 < order.size(); ++k) {
    const FrontMember& one = front.members[order[k]];
    const FrontMember& next = front.members[order[k + 1]];
    FrontStep& step = steps.emplace_back(FrontStep{names[order[k]], names[order[k + 1]], {}});
    bool changes = false;
    for (std::size_t g = 0; g < one.goals.size() && g < next.goals.size(); ++g) {
      changes = changes || one.goals[g].mean != next.goals[g].mean;
      step.changes.push_back(signed_change(one.goals[g].mean, next.goals[g].mean));
    }
    if (!changes) steps.pop_back();
  }
  return steps;
}

std::string front_text(const Study& study, const SavedResult& result) {
  const GoalFront& front = *result.front;
  const SearchSpace& space = study.objectives.front().objective->space();
  std::string text = wrapped(front_sentence(study, front), 2) + "\n\n";
  for (std::size_t first = 0; first < goals_of(study).size(); first += 2) {
    text += values_table(study, front, first) + '\n';
  }
  text += wrapped(front_legend(study, front), 0) + '\n' + failures_text(front) + '\n';
  return text + settings_text(space, front) + steps_table(study, front);
}

}  // namespace ntune
