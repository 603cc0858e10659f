#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/notes.h"
#include "ntune/report/figures/shared.h"
#include "ntune/study/evaluation/payoff_intervals.h"

namespace ntune {

namespace {

constexpr std::int64_t kFewest = 2;  ///< evaluations, for an interval

struct Effect {
  double mean = 0.0;
  std::optional<Interval> interval;
  std::int64_t n = 0;
};

/// The mean of a sum of payoffs in the reported unit, with its interval from two payoffs on.
Effect effect_of(const SearchStatistics& search, const PayoffSum& sum) {
  const Objective& objective = search.objective();
  Effect effect{.mean = objective.unit().value_of(sum.mean()), .interval = {}, .n = sum.n};
  if (sum.n >= kFewest) effect.interval = payoff_interval({objective}, sum.stats());
  return effect;
}

/// What the model says of a parameter, the others as in what was found; nullptr: nothing.
const RunModel::Slice* slice_in(const ReportData& data, std::size_t objective, int i) {
  return objective == 0 && data.model ? data.model->slice_of(i) : nullptr;
}

/// What the model says of the values of a group: of the one nearest to its middle.
const RunModel::Slice::At* said_of(const RunModel::Slice& slice, const ValueGroups& groups,
                                   std::size_t group) {
  std::vector<const RunModel::Slice::At*> within;
  for (const RunModel::Slice::At& at : slice.values) {
    const auto value = static_cast<std::size_t>(at.value);
    if (value < groups.group_of.size() && groups.group_of[value] == group) within.push_back(&at);
  }
  return within.empty() ? nullptr : within[within.size() / 2];
}

/// The model's word on a group of values, or the mean of what was tried.
Effect effect_in(const ReportData& data, std::size_t objective, int i, std::size_t g,
                 bool by_model) {
  const SearchStatistics& search = data.searches[objective];
  Effect effect = effect_of(search, search.one(i, g));
  const RunModel::Slice* slice = by_model ? slice_in(data, objective, i) : nullptr;
  if (slice == nullptr) return effect;
  // The model may not have been asked for a value of this group.
  if (const RunModel::Slice::At* said = said_of(*slice, search.groups(i), g)) {
    effect.mean = said->mean;
    effect.interval = said->interval;
  }
  return effect;
}

/// Evaluations that a value needs for a say in the range of the axis.
bool has_enough(const SearchStatistics& search, const Effect& effect) {
  constexpr double kShare = 0.005;
  constexpr double kLeast = 3.0;
  return static_cast<double>(effect.n) >=
         std::max(kLeast, kShare * static_cast<double>(search.all().n));
}

/// The range from the least to the largest mean of values with enough evaluations, and of their
/// intervals what lies within half of that span around it: wide intervals do not press the means
/// together.
ValueRange range_of(const ReportData& data, std::size_t objective, const std::vector<int>& shown,
                    bool by_model) {
  const SearchStatistics& search = data.searches[objective];
  ValueRange means;
  ValueRange ends;
  for (const int i : shown) {
    for (std::size_t g = 0; g < search.groups(i).size(); ++g) {
      const Effect effect = effect_in(data, objective, i, g, by_model);
      if (!by_model && (effect.n == 0 || !has_enough(search, effect))) continue;
      means.add(effect.mean);
      if (!effect.interval) continue;
      ends.add(effect.interval->low);
      ends.add(effect.interval->high);
    }
  }
  // Without a value that was tried often enough the mean of all is shown.
  if (means.empty()) {
    const double mean = search.objective().unit().value_of(search.all().mean());
    return {mean - 0.5, mean + 0.5};
  }
  if (ends.empty()) ends = means;
  // The means and, of their intervals, what lies within half of the means' span.
  const double span = means.high - means.low;
  ValueRange range{std::min(means.low, std::max(ends.low, means.low - 0.5 * span)),
                   std::max(means.high, std::min(ends.high, means.high + 0.5 * span))};
  if (range.low == range.high) range = ends;
  if (range.low == range.high) range = {range.low - 0.5, range.high + 0.5};
  return range;
}

/// What is said of a value on hovering.
std::string effect_tip(const std::string& name, const std::string& value, const Effect& effect,
                       bool chosen, bool by_model) {
  std::string tip = fmt::format("{} = {}: {} {}, n {}", short_name(name, 40), value,
                                by_model ? "the model says" : "mean",
                                score_text(effect.mean, effect.interval), count_text(effect.n));
  if (effect.interval) {
    tip += ", 95 % " + score_interval_text(*effect.interval);
  }
  return chosen ? tip + "; recommended" : tip;
}

/// Percent of a win rate, else the value itself.
double scale_of(const Objective& objective) { return is_told_in_percent(objective) ? 100.0 : 1.0; }

/// The groups of a parameter as they are drawn: in their order, or the best mean first.
std::vector<std::size_t> drawn_groups(const ReportData& data, std::size_t objective, int i,
                                      bool by_model) {
  const SearchStatistics& search = data.searches[objective];
  const ValueGroups& groups = search.groups(i);
  std::vector<std::size_t> order;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups.numeric || search.one(i, g).n > 0) order.push_back(g);
  }
  // Values without an order stand by their means, the best first.
  if (groups.numeric) return order;
  const double direction = search.objective().unit().direction();
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t g) {
    return direction * effect_in(data, objective, i, g, by_model).mean;
  });
  return order;
}

/// A value with its mean, interval and number of evaluations.
void add_row(DataTable& table, const std::string& name, const std::string& value,
             const Effect& effect) {
  table.rows.push_back({name, value, data_text(effect.mean), low_text(effect.interval),
                        high_text(effect.interval), std::to_string(effect.n)});
}

/// The group of the value of today; -1: it is not known.
int today_group(const ReportData& data, std::size_t objective, int i) {
  const bool known = objective == 0 && data.knows_today(i);
  return known ? group_of(data.searches[0].groups(i), *data.defaults, i) : -1;
}

/// A group of values in a panel.
struct Place1d {
  double x = 0.0;
  double share = 0.0;  ///< along the axis, from 0 to 1
  Effect effect = {};
};

/// Where the values of an ordered parameter of numbers stand: each group at its middle.
std::vector<double> numbers_of(const SearchStatistics& search, int i) {
  const ValueGroups& groups = search.groups(i);
  const Parameter& parameter = search.objective().space()[i];
  std::vector<double> sums(groups.size());
  std::vector<double> counts(groups.size());
  // A group stands at the mean of its values.
  for (std::size_t v = 0; v < parameter.values.size(); ++v) {
    const double number = value_number(parameter.values[v]);
    if (!std::isfinite(number)) return {};
    sums[groups.group_of[v]] += number;
    ++counts[groups.group_of[v]];
  }
  for (std::size_t g = 0; g < groups.size(); ++g) sums[g] /= counts[g];
  return sums;
}

/// Whether the numbers, which rise, are spread by their ratios rather than by their differences.
bool is_logarithmic(const std::vector<double>& numbers) {
  constexpr double kLeastRatio = 10.0;
  if (numbers.size() < 3 || numbers.front() <= 0.0) return false;
  const double middle = numbers[numbers.size() / 2];
  const double low = numbers.front();
  const double high = numbers.back();
  return high / low >= kLeastRatio && middle < 0.5 * (std::sqrt(low * high) + 0.5 * (low + high));
}

/// A line with its 95 % band, both kept within a range.
class Curve {
 public:
  explicit Curve(const ValueRange& range) : range_(range) {}

  /// Adds a place of the line and the band.
  void add(double x, double mean, double low, double high) {
    const auto shown = [&](double value) { return std::clamp(value, range_.low, range_.high); };
    line_.points.push_back({x, shown(mean)});
    band_.low.push_back({x, shown(low)});
    band_.high.push_back({x, shown(high)});
  }
  /// The line above its band.
  void draw(std::vector<Mark>& marks) const {
    marks.emplace_back(band_);
    marks.emplace_back(line_);
  }

 private:
  const ValueRange& range_;
  Line line_{.colour = 0, .width = 2.0};
  Band band_{.colour = 0, .opacity = 0.14};
};

/// The mean near each place, with its 95 % band: of the groups around by a normal kernel, each with
/// the weight of its evaluations.
void add_curve(std::vector<Mark>& marks, const SearchStatistics& search,
               const std::vector<Place1d>& places, const Axis& axis, const ValueRange& range) {
  constexpr std::size_t kFewestGroups = 4;
  constexpr int kSteps = 48;
  constexpr double kWidth = 0.09;  // of the kernel, as a share of the axis
  constexpr double kQuantile = 1.96;
  if (places.size() < kFewestGroups) return;
  const Unit unit = search.objective().unit();
  const double scale = scale_of(search.objective());
  const double sd = scale * unit.size() * search.all().stats().sd();
  Curve curve(range);
  // At each step: sum w n y / sum w n with normal weights w, and half width 1.96 sd sqrt(sum w^2 n)
  // / sum w n.
  for (int step = 0; step <= kSteps; ++step) {
    const double share = static_cast<double>(step) / kSteps;
    double weights = 0.0;
    double values = 0.0;
    double squares = 0.0;
    for (const Place1d& place : places) {
      const double distance = (place.share - share) / kWidth;
      const auto n = static_cast<double>(place.effect.n);
      const double kernel = std::exp(-0.5 * distance * distance);
      weights += kernel * n;
      values += kernel * n * place.effect.mean;
      squares += kernel * kernel * n;
    }
    constexpr double kLeast = 0.5;  // evaluations nearby
    if (weights < kLeast) continue;
    // A share of a logarithmic axis is one of its logarithms.
    const double x = axis.scale == Axis::Scale::kLog
                         ? axis.low * std::pow(axis.high / axis.low, share)
                         : axis.low + share * (axis.high - axis.low);
    const double mean = values / weights;
    const double half = kQuantile * sd * std::sqrt(squares) / weights;
    curve.add(x, mean, mean - half, mean + half);
  }
  curve.draw(marks);
}

/// The curve of the model with its band, between the groups at both ends.
void add_slice(std::vector<Mark>& marks, const SearchStatistics& search,
               const RunModel::Slice& slice, const std::vector<double>& numbers,
               const ValueRange& range) {
  const double scale = scale_of(search.objective());
  Curve curve(range);
  for (const RunModel::Slice::At& at : slice.values) {
    const double number = value_number(search.objective().space()[slice.parameter].value(at.value));
    const auto [low, high] = std::minmax(numbers.front(), numbers.back());
    const double x = std::clamp(number, low, high);
    curve.add(x, scale * at.mean, scale * at.interval.low, scale * at.interval.high);
  }
  curve.draw(marks);
}

/// Where the curve stands at this place, or else the mean of its group.
double height_at(const std::vector<Mark>& marks, const Place& at) {
  for (const Mark& mark : marks) {
    const auto* line = std::get_if<Line>(&mark);
    if (line == nullptr || line->points.empty()) continue;
    const auto near = std::ranges::min_element(
        line->points, {}, [&](const Place& place) { return std::abs(place.x - at.x); });
    return near->y;
  }
  return at.y;
}

/// Marks what is recommended and today's value on the curve, with the values beside. `marked`: the
/// groups of these, and their dots.
void mark_values(Panel& panel, const ReportData& data, std::size_t objective, int i,
                 const std::vector<std::pair<int, Place>>& marked) {
  const SearchSpace& space = data.searches[objective].objective().space();
  const int chosen = recommended_group(data, objective, i);
  const int today = today_group(data, objective, i);
  std::vector<Note> notes;
  for (const auto& [group, at] : marked) {
    const Place place{at.x, height_at(panel.marks, at)};
    const bool is_new = group == chosen;
    if (group == today) {
      panel.marks.emplace_back(
          Dot{.at = place, .colour = kSoft, .radius = is_new ? 8.0 : 5.5, .hollow = true});
    }
    if (is_new) panel.marks.emplace_back(Dot{.at = place, .colour = 0, .radius = 5.5});
    const Point& point = is_new ? data.rivals[0].point : *data.defaults;
    Note note{.at = place,
              .text = (is_new ? (chosen == today ? "stays " : "") : std::string("today ")) +
                      shortened(value_text(space.value(point, i)), 12),
              .colour = is_new ? 0 : kSoft};
    notes.insert(is_new ? notes.begin() : notes.end(), std::move(note));
  }
  // What is new has the better place: above its mark, and today's value below its own.
  for (Note& note : notes) place_note(panel, std::move(note), note.colour == 0);
}

/// One parameter: a dot for each value, the larger the more often it was tried, and the curve
/// through them; what is recommended and the default are marked.
Panel effect_panel(const ReportData& data, std::size_t objective, int i, const ValueRange& range,
                   bool by_model, DataTable& table) {
  const SearchStatistics& search = data.searches[objective];
  const ValueGroups& groups = search.groups(i);
  const std::string& name = search.objective().space()[i].name;
  const double scale = scale_of(search.objective());
  Panel panel{.title = short_name(name)};
  const double span = range.high - range.low;
  panel.y.low = range.low - 0.06 * span;
  panel.y.high = range.high + 0.16 * span;  // room for what is written above a mark
  panel.y.suffix = scale == 1.0 ? "" : " %";
  // An ordered parameter has an axis of numbers, others one of names.
  const std::vector<double> numbers =
      groups.numeric ? numbers_of(search, i) : std::vector<double>();
  std::vector<std::string> labels;
  std::vector<Place1d> places;
  std::vector<std::size_t> drawn;
  std::int64_t most = 1;
  for (const std::size_t g : drawn_groups(data, objective, i, by_model)) {
    Effect effect = effect_in(data, objective, i, g, by_model);
    const double x = numbers.empty() ? static_cast<double>(labels.size()) : numbers[g];
    labels.push_back(groups.labels[g]);
    if (effect.n == 0) continue;
    add_row(table, name, groups.labels[g], effect);
    most = std::max(most, effect.n);
    places.push_back({x, 0.0, effect});
    drawn.push_back(g);
  }
  if (numbers.empty()) {
    panel.x = category_axis("", labels, groups.numeric);
  } else {
    if (is_logarithmic(numbers)) panel.x.scale = Axis::Scale::kLog;
    panel.x.low = numbers.front();
    panel.x.high = numbers.back();
  }
  // Dots are placed first, as the curve needs all of them; the curve lies below.
  const int chosen = recommended_group(data, objective, i);
  const int today = today_group(data, objective, i);
  const auto shown = [&](double value) { return std::clamp(value, range.low, range.high); };
  std::vector<Mark> means;
  std::vector<std::pair<int, Place>> marked;
  for (std::size_t p = 0; p < places.size(); ++p) {
    Place1d& place = places[p];
    const std::string tip = effect_tip(name, groups.labels[drawn[p]], place.effect,
                                       chosen == static_cast<int>(drawn[p]), by_model);
    place.effect.mean *= scale;
    place.share = position(panel.x, place.x);
    const Place at{place.x, shown(place.effect.mean)};
    if (numbers.empty() && place.effect.interval && place.effect.n > 2) {
      means.emplace_back(Whisker{.from = {at.x, shown(scale * place.effect.interval->low)},
                                 .to = {at.x, shown(scale * place.effect.interval->high)},
                                 .colour = kSoft});
    }
    const double part = static_cast<double>(place.effect.n) / static_cast<double>(most);
    means.emplace_back(Dot{.at = at,
                           .colour = kInk,
                           .radius = 1.8 + 5.0 * std::sqrt(part),
                           .hollow = at.y != place.effect.mean,
                           .tip = tip,
                           .opacity = 0.28});
    if (static_cast<int>(drawn[p]) == chosen || static_cast<int>(drawn[p]) == today) {
      marked.emplace_back(static_cast<int>(drawn[p]), at);
    }
  }
  // The curve is the model's own, or else a smoothed mean.
  if (!numbers.empty() && by_model) {
    add_slice(panel.marks, search, *slice_in(data, objective, i), numbers, range);
  } else if (!numbers.empty()) {
    add_curve(panel.marks, search, places, panel.x, range);
  }
  panel.marks.insert(panel.marks.end(), means.begin(), means.end());
  mark_values(panel, data, objective, i, marked);
  return panel;
}

/// Whether the model says something of all of them.
bool has_model(const ReportData& data, std::size_t objective, const std::vector<int>& shown) {
  return std::ranges::all_of(shown, [&](int i) { return slice_in(data, objective, i) != nullptr; });
}

/// The panels of these parameters on one scale.
Figure main_effects_of(const ReportData& data, std::size_t objective, const std::vector<int>& shown,
                       bool by_model) {
  const SearchStatistics& search = data.searches[objective];
  Figure figure{
      .name = by_model ? "effects" : "main_effects",
      .title = "What each setting does" + of_objective(data, objective) +
               (by_model ? " · by the model, the others as found" : " · means of what was tried"),
      .data = {.columns = {"parameter", "value", "mean", "low", "high", "n"}}};
  ValueRange range = range_of(data, objective, shown, by_model);
  // Values that are marked widen the range.
  for (const int i : shown) {
    for (const int group :
         {recommended_group(data, objective, i), today_group(data, objective, i)}) {
      if (group < 0) continue;
      const Effect effect =
          effect_in(data, objective, i, static_cast<std::size_t>(group), by_model);
      if (by_model || effect.n > 0) range.add(effect.mean);
    }
  }
  const double scale = scale_of(search.objective());
  range.low *= scale;
  range.high *= scale;
  const std::string unit = unit_text(search.objective());
  for (const int i : shown) {
    figure.panels.push_back(effect_panel(data, objective, i, range, by_model, figure.data));
  }
  // All panels are equally large, and share the scale of y.
  figure.panel_width = 110.0;
  figure.panel_height = 116.0;
  figure.description = fmt::format("Mean {} of what was tried, by the value of each of {}.", unit,
                                   counted(shown.size(), "parameter"));
  figure.caption = fmt::format(
      "Mean {} of the {} search evaluations by value; a dot's area is how often it was tried. "
      "Curve: the mean nearby, with its 95 % band. The searches prefer good settings, so that a "
      "mean depends on what its value was tried with.",
      unit, count_text(search.all().n));
  // By the model a mean does not depend on what a value was tried with.
  if (by_model) {
    figure.description = fmt::format("What the optimiser's model says of each value of {}.",
                                     counted(shown.size(), "parameter"));
    figure.caption =
        "What the optimiser's model expects of each value, with its 95 % band, where all others "
        "are as in the setting that was found; a dot's area is how often the value was tried.";
  }
  const auto is_choice = [&](int i) { return !search.groups(i).numeric; };
  if (std::ranges::any_of(shown, is_choice)) {
    figure.caption += " Values without an order: the best first.";
  }
  if (!by_model) figure.caption += duel_note(data, objective) + partial_note(data);
  return figure;
}

}  // namespace

std::vector<Figure> effects_figure(const ReportData& data) {
  return per_objective(data, [](const ReportData& all, std::size_t objective) {
    const std::vector<int> shown = shown_parameters(all, objective);
    return has_model(all, objective, shown) ? main_effects_of(all, objective, shown, true)
                                            : Figure();
  });
}

std::vector<Figure> main_effects_figure(const ReportData& data) {
  return per_objective(data, [](const ReportData& all, std::size_t objective) {
    return main_effects_of(all, objective, shown_parameters(all, objective), false);
  });
}

std::vector<Figure> first_effects_figure(const ReportData& data) {
  constexpr std::size_t kMost = 6;
  return per_objective(data, [](const ReportData& all, std::size_t objective) {
    std::vector<int> shown = shown_parameters(all, objective);
    const auto importance = [&](int i) { return all.importance_of(objective, i); };
    std::ranges::stable_sort(shown, std::ranges::greater(), importance);
    if (shown.size() > kMost) shown.resize(kMost);
    Figure figure = main_effects_of(all, objective, shown, has_model(all, objective, shown));
    // Names at an angle take the height that the panels leave to the first screen.
    const auto is_choice = [&](int i) { return !all.searches[objective].groups(i).numeric; };
    constexpr double kBesideNames = 92.0;
    if (std::ranges::any_of(shown, is_choice)) figure.panel_height = kBesideNames;
    return figure;
  });
}

}  // namespace ntune
