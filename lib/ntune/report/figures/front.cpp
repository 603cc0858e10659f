#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/facts/front_text.h"
#include "ntune/plot/axis.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/notes.h"
#include "ntune/report/figures/shared.h"

namespace ntune {

namespace {

constexpr int kOther = 6;  // a colour that stands back: not on the front
constexpr int kToday = kSoft;

Axis goal_axis(const Goal& goal) {
  Axis axis{.label = fmt::format("{}, {} is better", goal.title(),
                                 goal.unit.is_cost() ? "less" : "more")};
  if (goal.logarithmic) axis.scale = Axis::Scale::kLog;
  return axis;
}

int colour_of(const FrontMember& member) {
  return member.on_front ? 0 : member.is_default ? kToday : kOther;
}

/// What is said of a setting on hovering.
std::string setting_tip(const SearchSpace& space, const GoalFront& front, std::size_t member,
                        const std::string& name) {
  const FrontMember& setting = front.members[member];
  std::string tip = name + ": " + differing_values(space, front, setting);
  for (const GoalValue& value : setting.goals) {
    tip += "; " + printable(value.goal) + " " + goal_value_text(value);
  }
  return shortened(tip, 400);
}

/// The ends of a value, as far as an axis shows them.
Interval ends_of(const GoalValue& value, const Goal& goal) {
  Interval ends = value.interval.value_or(Interval{value.mean, value.mean});
  if (goal.logarithmic) ends.low = std::max(ends.low, value.mean / 1e3);
  return ends;
}

void add_setting(Panel& panel, const Goal& across, const Goal& up, const FrontMember& member,
                 const std::string& tip) {
  const GoalValue* x = member.find(across.name);
  const GoalValue* y = member.find(up.name);
  if (x == nullptr || y == nullptr) return;
  const int colour = colour_of(member);
  const Interval wide = ends_of(*x, across);
  const Interval high = ends_of(*y, up);
  panel.marks.emplace_back(
      Whisker{.from = {wide.low, y->mean}, .to = {wide.high, y->mean}, .colour = colour});
  panel.marks.emplace_back(
      Whisker{.from = {x->mean, high.low}, .to = {x->mean, high.high}, .colour = colour});
  panel.marks.emplace_back(Dot{.at = {x->mean, y->mean},
                               .colour = colour,
                               .radius = 4.5,
                               .hollow = member.is_default,
                               .tip = tip});
}

/// A limit as a line across all that is shown.
void add_limit(Panel& panel, const GoalFront& front, const Goal& across, const Goal& up) {
  for (const bool upright : {true, false}) {
    const Goal& goal = upright ? across : up;
    const Goal& other = upright ? up : across;
    if (!goal.limit) continue;
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const FrontMember& member : front.members) {
      const GoalValue* value = member.find(other.name);
      if (value == nullptr) continue;
      const Interval ends = ends_of(*value, other);
      low = std::min(low, ends.low);
      high = std::max(high, ends.high);
    }
    const auto at = [&](double along) {
      return upright ? Place{*goal.limit, along} : Place{along, *goal.limit};
    };
    panel.marks.emplace_back(Line{.points = {at(low), at(high)},
                                  .colour = kTruth,
                                  .dashed = true,
                                  .tip = printable(goal.name) + " " + goal.limit_text()});
  }
}

/// Two goals against each other.
Panel front_panel(const ReportData& data, const Goal& across, const Goal& up) {
  const GoalFront& front = *data.study.result->front;
  const std::vector<std::string> names = front_names(front);
  Panel panel{.x = goal_axis(across), .y = goal_axis(up)};
  add_limit(panel, front, across, up);
  for (std::size_t i = 0; i < front.members.size(); ++i) {
    add_setting(panel, across, up, front.members[i],
                setting_tip(data.study.objective(0).space(), front, i, names[i]));
  }
  // Names go where the intervals of all leave room, on a phone.
  constexpr NoteArea kPhone{.width = 300.0, .height = 270.0};
  panel.x = fitted(panel.x, panel.marks, true);
  panel.y = fitted(panel.y, panel.marks, false);
  for (std::size_t i = 0; i < front.members.size(); ++i) {
    const GoalValue* x = front.members[i].find(across.name);
    const GoalValue* y = front.members[i].find(up.name);
    if (x == nullptr || y == nullptr) continue;
    place_note(panel, Note{.at = {x->mean, y->mean}, .text = names[i], .colour = kInk}, true,
               kPhone);
  }
  return panel;
}

}  // namespace

std::vector<Figure> front_figure(const ReportData& data) {
  if (!data.study.result || !data.study.result->front) return {};
  const GoalFront& front = *data.study.result->front;
  const std::span<const Goal> goals = data.study.objective(0).goals();
  Figure figure{.name = "front",
                .title = "Goals against each other",
                .description = front_sentence(data.study.study, front),
                .caption =
                    "Means of fresh evaluations with 95 % intervals. Settings in colour are "
                    "on the front: none of the others has better means in all goals.",
                .panel_height = 320.0,
                .legend = {{"on the front", 0, LegendEntry::Shape::kDot}}};
  if (std::ranges::any_of(front.members, [](const FrontMember& member) {
        return !member.on_front && !member.is_default;
      })) {
    figure.legend.push_back({"beaten", kOther, LegendEntry::Shape::kDot});
  }
  if (const FrontMember* today = front.today(); today != nullptr) {
    figure.legend.push_back({"today's", colour_of(*today), LegendEntry::Shape::kRing});
  }
  if (std::ranges::any_of(goals, [](const Goal& goal) { return goal.limit.has_value(); })) {
    figure.legend.push_back({"limit", kTruth, LegendEntry::Shape::kDash});
  }
  // The first goal against each of the others.
  for (const Goal& across : goals.subspan(1)) {
    figure.panels.push_back(front_panel(data, across, goals.front()));
  }
  figure.data.columns = {"setting", "on_front", "sure"};
  for (const Goal& goal : goals) {
    for (const char* end : {"", "_low", "_high"}) figure.data.columns.push_back(goal.name + end);
  }
  const std::vector<std::string> names = front_names(front);
  for (std::size_t i = 0; i < front.members.size(); ++i) {
    const FrontMember& member = front.members[i];
    std::vector<std::string> row = {names[i], member.on_front ? "true" : "false",
                                    member.is_sure ? "true" : "false"};
    for (const Goal& goal : goals) {
      const GoalValue* value = member.find(goal.name);
      row.push_back(value == nullptr ? "" : data_text(value->mean));
      row.push_back(value == nullptr ? "" : low_text(value->interval));
      row.push_back(value == nullptr ? "" : high_text(value->interval));
    }
    figure.data.rows.push_back(std::move(row));
  }
  return {figure};
}

}  // namespace ntune
