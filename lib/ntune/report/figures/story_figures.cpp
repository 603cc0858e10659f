#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/statistics.h"
#include "ntune/core/text.h"
#include "ntune/facts/story.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/shared.h"

namespace ntune {

namespace {

constexpr int kGain = 2;

/// Percent of a win rate, else the value itself.
double scale_of_story(const Story& story) {
  return story.unit.kind == StoryUnit::Kind::kWinRate ? 100.0 : 1.0;
}

/// The story of a study that recommends a setting.
std::optional<Story> story_in(const ReportData& data) {
  const auto& result = data.study.result;
  if (data.is_comparison() || !result || !result->recommendation) return std::nullopt;
  return story_of(data.study.study, *result);
}

/// A number with its interval as a bar that is lighter, along x or along y.
void add_number(Panel& panel, const StoryNumber& number, double scale, double place, bool upright,
                int colour, const std::string& tip) {
  const auto at = [&](double value) {
    return upright ? Place{place, scale * value} : Place{scale * value, place};
  };
  if (number.interval) {
    panel.marks.emplace_back(Line{.points = {at(number.interval->low), at(number.interval->high)},
                                  .colour = colour,
                                  .width = 7.0,
                                  .opacity = 0.3});
  }
  panel.marks.emplace_back(
      Dot{.at = at(number.value), .colour = colour, .radius = 6.0, .tip = tip});
}

/// Ends of x a little beyond what is drawn.
void give_room(Panel& panel) {
  ValueRange range;
  const auto cover = [&](const Place& place) { range.add(place.x); };
  for (const Mark& mark : panel.marks) {
    if (const auto* line = std::get_if<Line>(&mark)) std::ranges::for_each(line->points, cover);
    if (const auto* dot = std::get_if<Dot>(&mark)) cover(dot->at);
  }
  const double span = range.high - range.low;
  const double room = span > 0.0 ? 0.08 * span : std::max(1e-9, 0.1 * std::abs(range.high));
  panel.x.low = range.low - room;
  panel.x.high = range.high + room;
}

/// A number with its interval for a table.
std::vector<std::string> row_of(const char* what, const StoryNumber& number) {
  const auto end = [&](double Interval::*side) {
    return number.interval ? std::optional((*number.interval).*side) : std::nullopt;
  };
  return {what, data_text(number.value), data_text(end(&Interval::low)),
          data_text(end(&Interval::high))};
}

/// What a run believed of what it would have recommended, at even steps.
std::vector<Place> course_of(const RunTrace& trace, double scale, std::int64_t last) {
  constexpr int kSteps = 64;
  std::vector<Place> places;
  for (int step = 1; step <= kSteps; ++step) {
    const std::int64_t at = std::max<std::int64_t>(1, last * step / kSteps);
    // The estimate is that of the last checkpoint before the step.
    const auto after =
        std::ranges::upper_bound(trace.checkpoints, at, {}, &Checkpoint::evaluations);
    if (after == trace.checkpoints.begin()) continue;
    places.push_back({static_cast<double>(at), scale * std::prev(after)->estimate});
    if (at > trace.checkpoints.back().evaluations) break;
  }
  return places;
}

/// The run that found what is recommended, else the one that is furthest.
const RunTrace& told_run(const ReportData& data) {
  const auto& runs = data.traces.runs;
  const auto is_chosen = [&](const RunTrace& run) {
    return !data.rivals.empty() && run.checkpoints.back().point == data.rivals[0].point;
  };
  const auto chosen = std::ranges::find_if(runs, is_chosen);
  if (chosen != runs.end()) return *chosen;
  return *std::ranges::max_element(
      runs, {}, [](const RunTrace& run) { return run.checkpoints.back().evaluations; });
}

/// Lines and bands within the ends of y.
void cut_to(Panel& panel) {
  const auto cut = [&](std::vector<Place>& places) {
    for (Place& place : places) place.y = std::clamp(place.y, panel.y.low, panel.y.high);
  };
  for (Mark& mark : panel.marks) {
    if (auto* line = std::get_if<Line>(&mark)) cut(line->points);
    if (auto* band = std::get_if<Band>(&mark)) {
      cut(band->low);
      cut(band->high);
    }
  }
}

/// The model's interval at the places of a line, between those at which it was asked.
Band band_of(const RunModel& model, const std::vector<Place>& line, double scale) {
  Band band{.colour = kNewColour, .opacity = 0.16};
  const auto evaluations = [](const RunModel::Step& step) {
    return static_cast<double>(step.evaluations);
  };
  for (const Place& place : line) {
    // The interval is known at some numbers of calls; between them it is interpolated.
    const auto after = std::ranges::lower_bound(model.course, place.x, {}, evaluations);
    if (after == model.course.end()) break;
    if (after == model.course.begin() && evaluations(*after) > place.x) continue;
    const auto before = after == model.course.begin() ? after : std::prev(after);
    const double span = evaluations(*after) - evaluations(*before);
    const double part = span > 0.0 ? (place.x - evaluations(*before)) / span : 1.0;
    const auto between = [&](double Interval::*end) {
      return scale * std::lerp(before->interval.*end, after->interval.*end, part);
    };
    band.low.push_back({place.x, between(&Interval::low)});
    band.high.push_back({place.x, between(&Interval::high)});
  }
  return band;
}

/// The course as a table, with the interval from the first place on that the model speaks of.
void add_course_rows(DataTable& table, const std::vector<Place>& line, const Band& band,
                     double scale) {
  const auto is_covered = [&](const Place& place) {
    return !band.low.empty() && place.x >= band.low.front().x;
  };
  const auto without =
      static_cast<std::size_t>(std::ranges::find_if(line, is_covered) - line.begin());
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool has = i >= without && i - without < band.low.size();
    table.rows.push_back({data_text(line[i].x), data_text(line[i].y / scale),
                          has ? data_text(band.low[i - without].y / scale) : "",
                          has ? data_text(band.high[i - without].y / scale) : ""});
  }
}

/// Fits the axis of y to what was seen of the search and to the numbers of fresh calls, and cuts
/// what lies beyond.
void fit_height(Panel& panel, const Story& story, const std::vector<Place>& seen, double scale) {
  ValueRange range;
  for (const auto& number : {story.found, story.today}) {
    if (!number) continue;
    const Interval ends = number->interval.value_or(Interval{number->value, number->value});
    range.add(scale * ends.low);
    range.add(scale * ends.high);
  }
  for (const Place& place : seen) range.add(place.y);
  const double room = 0.08 * (range.high - range.low);
  panel.y.low = range.low - room;
  panel.y.high = range.high + 3.0 * room;
  cut_to(panel);
}

/// The numbers of fresh calls behind the search, which ends at `last`, on the scale of y.
void add_fresh_calls(Panel& panel, const Story& story, const std::vector<Place>& seen, double last,
                     double scale) {
  panel.x.high = 1.3 * last;
  panel.x.last_tick = last;
  fit_height(panel, story, seen, scale);
  panel.marks.emplace_back(Line{.points = {{last, panel.y.low}, {last, panel.y.high}},
                                .colour = kSoft,
                                .width = 1.0,
                                .dashed = true});
  panel.marks.emplace_back(Note{.at = {last, panel.y.high},
                                .text = "search",
                                .anchor = Note::Anchor::kEnd,
                                .dx = -6.0,
                                .dy = 11.0});
  panel.marks.emplace_back(
      Note{.at = {last, panel.y.high}, .text = "fresh calls", .dx = 6.0, .dy = 11.0});
  // Two names that would lie on each other are moved apart.
  const bool both = story.today && story.has_changes();
  constexpr double kNear = 0.16;  // of the height: names stand above each other
  const bool near = both && std::abs(scale * (story.found->value - story.today->value)) <
                                kNear * (panel.y.high - panel.y.low);
  const auto add = [&](const StoryNumber& number, const std::string& name, int colour) {
    const bool is_found = &number == &*story.found;
    const bool upper = near && is_found == (story.found->value >= story.today->value);
    add_number(panel, number, scale, 1.06 * last, true, colour,
               name + ": " + story.unit.text(number.value) + story.unit.ends_text(number));
    panel.marks.emplace_back(Note{.at = {1.06 * last, scale * number.value},
                                  .text = name,
                                  .colour = kInk,
                                  .dx = 11.0,
                                  .dy = !near   ? 4.0
                                        : upper ? -4.0
                                                : 13.0});
  };
  if (both) add(*story.today, "today's", kSoft);
  add(*story.found,
      story.has_changes() ? story.found_title()
      : story.today       ? "today's"
                          : "value",
      story.has_changes() || !story.today ? kNewColour : kSoft);
}

}  // namespace

std::vector<Figure> forest_figure(const ReportData& data) {
  const std::optional<Story> told = story_in(data);
  if (!told || !told->found) return {};
  const Story& story = *told;
  const double scale = scale_of_story(story);
  const std::string suffix = scale == 1.0 ? "" : " %";
  const bool compared = story.today && story.has_changes();
  Figure figure{.name = "forest",
                .title = "New and today's setting",
                .description = story.sentence + " " + story.measured,
                .caption = "95 % intervals of fresh calls, which the search has not seen.",
                .panel_height = compared ? 62.0 : 36.0,
                .data = {.columns = {"what", "value", "low", "high"}}};
  std::vector<std::string> names;
  Panel values;
  // A row for each setting: the number with its interval, and its text above.
  const auto add = [&](const std::string& name, const StoryNumber& number, int colour) {
    const double place = compared ? 1.0 - static_cast<double>(names.size()) : 0.0;
    names.push_back(name);
    add_number(values, number, scale, place, false, colour,
               name + ": " + story.unit.text(number.value) + story.unit.ends_text(number));
    values.marks.emplace_back(Note{.at = {scale * number.value, place},
                                   .text = story.unit.text(number.value),
                                   .colour = kInk,
                                   .anchor = Note::Anchor::kMiddle,
                                   .dy = -10.0});
    figure.data.rows.push_back(row_of(name.c_str(), number));
  };
  add(story.has_changes() ? story.found_title() : "value", *story.found,
      compared || !story.today ? kNewColour : kSoft);
  if (compared) add("today's", *story.today, kSoft);
  std::ranges::reverse(names);
  values.x.suffix = suffix;
  give_room(values);
  values.y = category_axis("", names);
  values.y.high += 0.2;  // for the number above
  figure.panels.push_back(std::move(values));
  // The gain stands in a panel of its own, as it has another scale; green if shown, red if a loss.
  if (compared && story.gain) {
    Panel gain;
    const double sign = data.study.objective(0).unit().direction();
    const bool better = story.verdict == Verdict::kUse;
    const bool worse = story.gain->interval && (sign > 0.0 ? story.gain->interval->high <= 0.0
                                                           : story.gain->interval->low >= 0.0);
    const std::string text = story.unit.gain_text(story.gain->value);
    add_number(gain, *story.gain, scale, 0.0, false,
               better  ? kGain
               : worse ? kTruth
                       : kSoft,
               "gain: " + story.gain_text());
    gain.marks.emplace_back(
        Line{.points = {{0.0, -0.5}, {0.0, 0.5}}, .colour = kInk, .width = 1.2, .dashed = true});
    gain.marks.emplace_back(Note{.at = {scale * story.gain->value, 0.0},
                                 .text = text,
                                 .colour = kInk,
                                 .anchor = Note::Anchor::kMiddle,
                                 .dy = -10.0});
    give_room(gain);
    gain.y = category_axis("", {"gain"});
    gain.x.label = "0: no better than today's";
    figure.data.rows.push_back(row_of("gain", *story.gain));
    figure.panels.push_back(std::move(gain));
  }
  return {figure};
}

std::vector<Figure> course_figure(const ReportData& data) {
  if (data.is_comparison() || data.traces.runs.empty()) return {};
  const std::optional<Story> told = story_in(data);
  const Story story = told.value_or(Story());
  const double scale = is_told_in_percent(data.study.objective(0)) ? 100.0 : 1.0;
  constexpr std::size_t kMostRuns = 20;
  const std::vector<RunTrace>& runs = data.traces.runs;
  const RunTrace& run = told_run(data);
  const std::int64_t calls = run.checkpoints.back().evaluations;
  Panel panel{.x = {.label = runs.size() > 1 ? "calls of a search" : "calls"}};
  panel.x.whole = true;
  panel.y.suffix = scale == 1.0 ? "" : " %";
  Line line{.points = course_of(run, scale, calls), .colour = kNewColour, .width = 2.0};
  if (line.points.size() < 2) return {};  // one point is no course
  const Band band = data.model ? band_of(*data.model, line.points, scale) : Band();
  Figure figure{.name = "course",
                .title = "How it was found",
                .description = "What the search believed its best setting to be worth.",
                .panel_height = 84.0,
                .data = {.columns = {"calls", "estimate", "low", "high"}}};
  figure.caption = "What the search believed its best setting to be worth";
  if (!band.low.empty()) {
    figure.caption +=
        ", with the 95 % interval that all its calls by then give this setting by the model";
  }
  figure.caption += story.found ? ", and at the right what fresh calls measured." : ".";
  if (runs.size() > 1) figure.caption += " Thin: the other searches.";
  add_course_rows(figure.data, line.points, band, scale);
  const double last = line.points.back().x;
  panel.x.low = 0.0;
  panel.x.high = last;
  std::vector<Place> seen = line.points;
  // What the model says early may be very wide; it is cut where the later part of it ends.
  for (const std::vector<Place>* side : {&band.low, &band.high}) {
    seen.insert(seen.end(), side->begin() + std::ssize(*side) / 3, side->end());
  }
  if (!band.low.empty()) panel.marks.emplace_back(band);
  // Other runs are thin lines that stand back.
  for (std::size_t i = 0; i < std::min(kMostRuns, runs.size()); ++i) {
    if (&runs[i] == &run || runs[i].checkpoints.empty()) continue;
    Line other{
        .points = course_of(runs[i], scale, calls), .colour = kSoft, .width = 0.8, .opacity = 0.6};
    seen.insert(seen.end(), other.points.begin() + std::ssize(other.points) / 3,
                other.points.end());
    panel.marks.emplace_back(std::move(other));
  }
  panel.marks.emplace_back(std::move(line));
  if (story.found) add_fresh_calls(panel, story, seen, last, scale);
  figure.panels.push_back(std::move(panel));
  return {figure};
}

std::vector<Figure> instances_figure(const ReportData& data) {
  constexpr std::size_t kMost = 40;
  const std::optional<Story> told = story_in(data);
  if (!told || !data.study.result->instances || data.study.result->instances->size() < 2) return {};
  const Story& story = *told;
  std::vector<InstanceRow> rows = *data.study.result->instances;
  // Test instances stand alone where there are any, as the search has not seen them.
  const bool test = std::ranges::any_of(rows, &InstanceRow::test);
  std::erase_if(rows, [&](const InstanceRow& row) { return row.test != test || !row.value; });
  if (rows.empty()) return {};
  const double direction = data.study.objective(0).unit().direction();
  const auto gain = [&](const InstanceRow& row) {
    return row.default_value ? direction * (*row.value - *row.default_value)
                             : direction * *row.value;
  };
  std::ranges::stable_sort(rows, std::ranges::less(), gain);  // the first one stands lowest
  // Of many instances both ends are shown.
  const std::size_t of = rows.size();
  if (of > kMost) rows.erase(rows.begin() + kMost / 2, rows.end() - kMost / 2);
  const double scale = scale_of_story(story);
  const std::string title = story.has_changes() ? story.found_title() : "today's";
  Figure figure{.name = "instances",
                .title = "Instances",
                .description = "New and today's setting on each instance.",
                .caption = "Fresh calls on each instance, those on top where the gain is largest.",
                .panel_height = 16.0 * static_cast<double>(rows.size()) + 8.0,
                .data = {.columns = {"instance", "value", "today"}}};
  if (of > kMost) figure.caption += fmt::format(" Both ends of {} instances.", of);
  Panel panel;
  panel.x.suffix = scale == 1.0 ? "" : " %";
  panel.x.label = unit_text(data.study.objective(0));
  std::vector<std::string> names;
  bool compared = false;
  for (const InstanceRow& row : rows) {
    const auto y = static_cast<double>(names.size());
    names.push_back(row.name);
    const Place found{scale * *row.value, y};
    std::string tip =
        fmt::format("{}: {} {}", short_name(row.name, 60), title, story.unit.text(*row.value));
    // Today's value is a ring, tied to the new one by a line.
    if (row.default_value) {
      compared = true;
      const Place today{scale * *row.default_value, y};
      tip += ", today's " + story.unit.text(*row.default_value);
      panel.marks.emplace_back(Line{.points = {today, found}, .colour = kSoft, .width = 2.0});
      panel.marks.emplace_back(Dot{.at = today, .colour = kSoft, .radius = 4.0, .hollow = true});
    }
    panel.marks.emplace_back(Dot{.at = found, .colour = kNewColour, .radius = 4.0, .tip = tip});
    figure.data.rows.push_back({row.name, data_text(row.value), data_text(row.default_value)});
  }
  panel.y = category_axis("", names);
  figure.legend.push_back({title, kNewColour, LegendEntry::Shape::kDot});
  if (compared) figure.legend.push_back({"today's", kSoft, LegendEntry::Shape::kRing});
  figure.panels.push_back(std::move(panel));
  return {figure};
}

}  // namespace ntune
