#include <string>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/facts/front_text.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/page/html.h"
#include "ntune/report/page/sections.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

namespace {

/// A setting with its values, and a button that copies it.
std::string members_table(const ReportData& data, const GoalFront& front) {
  const std::span<const Goal> goals = data.study.objective(0).goals();
  const SearchSpace& space = data.study.objective(0).space();
  std::vector<std::string> titles = {"<setting"};
  for (const Goal& goal : goals) titles.push_back(goal.title());
  titles.insert(titles.end(), {"n", "<front", "<values that differ"});
  HtmlTable table("Settings that were measured by fresh evaluations", titles);
  const std::vector<std::string> names = front_names(front);
  for (std::size_t i = 0; i < front.members.size(); ++i) {
    const FrontMember& member = front.members[i];
    std::vector<std::string> cells = {names[i] + ' ' +
                                      copy_button(point_json(member.point, space), "Copy")};
    for (const Goal& goal : goals) {
      const GoalValue* value = member.find(goal.name);
      cells.push_back(value == nullptr
                          ? "failed"
                          : html_number(value->mean, value->interval) +
                                fmt::format("<small>{} {}</small>", html_interval(value->interval),
                                            goal_marks(goal, *value)));
    }
    cells.push_back(
        html_count(member.n) +
        (member.failures == 0 ? "" : fmt::format(", {} failed", html_count(member.failures))));
    cells.push_back(front_word(data.study.study, member));
    cells.push_back(xml_text(differing_values(space, front, member)));
    table.add_row(cells, front.chosen == i);
  }
  return table.text();
}

std::string steps_html(std::span<const Goal> goals, const GoalFront& front) {
  const std::vector<FrontStep> steps = front_steps(front);
  if (steps.empty()) return {};
  std::vector<std::string> titles = {"<from"};
  for (const Goal& goal : goals) titles.push_back("<" + printable(goal.name));
  HtmlTable table("What one goal costs in the other", titles);
  for (const FrontStep& step : steps) {
    std::vector<std::string> cells = {fmt::format("{} to {}", step.from, step.to)};
    for (const std::string& change : step.changes) cells.push_back(xml_text(change));
    cells.resize(titles.size());
    table.add_row(cells);
  }
  return table.text();
}

}  // namespace

std::string front_section(const ReportData& data, int level) {
  const GoalFront& front = *data.study.result->front;
  const Study& study = data.study.study;
  std::string html = fmt::format("<h{0} class=\"verdict\">{1}</h{0}>\n", level,
                                 xml_text(front_sentence(study, front)));
  if (!front.sought) {
    html +=
        "<p class=\"sub\">Choose one by what it costs in the other goals, and copy it. With a "
        "limit "
        "of a goal, or an order of them, ntune chooses.</p>\n";
  }
  for (const Figure& figure : front_figure(data)) html += figure_html(figure);
  html += members_table(data, front);
  html += "<p class=\"soft\">" + xml_text(front_legend(study, front)) + "</p>\n";
  html += steps_html(study.objectives.front().objective->goals(), front);
  return html + fmt::format("<p class=\"soft\">What follows shows '{}', the first goal.</p>\n",
                            xml_text(study.objectives.front().objective->goals().front().name));
}

}  // namespace ntune
