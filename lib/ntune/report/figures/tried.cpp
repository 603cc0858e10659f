#include <algorithm>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "ntune/core/column_titles.h"
#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/shared.h"

namespace ntune {

namespace {

/// A value's height on the last axis, whose ends are given.
double height_in(const ValueRange& range, double value) {
  if (range.low >= range.high) return 0.5;
  return std::clamp((value - range.low) / (range.high - range.low), 0.0, 1.0);
}

/// Height of a value on the axis of its parameter, 0 to 1.
double place_of(const Parameter& parameter, std::uint16_t value) {
  return parameter.cardinality() < 2
             ? 0.5
             : static_cast<double>(value) / static_cast<double>(parameter.cardinality() - 1);
}

/// A line for values with an order, else a row of dots.
void add_axis(Panel& panel, double x, const std::vector<std::string>& labels, bool ordered) {
  constexpr std::size_t kMostLabels = 6;
  panel.marks.emplace_back(Line{.points = {{x, 0.0}, {x, 1.0}},
                                .colour = kSoft,
                                .width = 1.0,
                                .opacity = ordered ? 1.0 : 0.0});
  if (labels.empty()) return;
  // Of many values every k-th has its name.
  const std::size_t last = labels.size() - 1;
  const std::size_t every = last / kMostLabels + 1;
  Scatter dots{.colour = kSoft, .radius = 2.0, .opacity = 1.0};
  for (std::size_t v = 0; v <= last; ++v) {
    const double y = last == 0 ? 0.5 : static_cast<double>(v) / static_cast<double>(last);
    dots.points.push_back({x, y});
    if (v % every != 0) continue;
    panel.marks.emplace_back(
        Note{.at = {x, y}, .text = short_name(labels[v], 10), .colour = kInk, .dx = 4, .dy = 4});
  }
  if (!ordered) panel.marks.emplace_back(std::move(dots));
}

/// An axis for every parameter that is shown, and the last one with its name and labels.
void add_axes(Panel& panel, const SearchSpace& space, const std::vector<int>& shown,
              const std::string& last_name, const std::vector<std::string>& last_labels) {
  std::vector<std::string> names;
  for (const int i : shown) {
    std::vector<std::string> labels;
    for (const Value& value : space[i].values) labels.push_back(value_text(value));
    add_axis(panel, static_cast<double>(names.size()), labels, space[i].ordered);
    names.push_back(space[i].name);
  }
  const auto last = static_cast<double>(names.size());
  add_axis(panel, last, last_labels, true);
  names.push_back(last_name);
  panel.x = category_axis("", names);
  panel.x.low = -0.15;
  panel.x.high = last + std::max(0.6, 0.18 * last);  // room for the labels of the last axis
  panel.y = {.low = -0.05, .high = 1.05, .hidden = true};
}

/// Adds the values of a point to a row of numbers.
void add_values(std::vector<std::string>& row, const SearchSpace& space, const Point& point) {
  for (int i = 0; i < space.dimensions(); ++i) row.push_back(value_text(space.value(point, i)));
}

/// Some of the tried settings for one figure, evenly by rank from the worst to the best.
std::vector<SampledPoint> ranked_sample(const SearchStatistics& search) {
  constexpr std::size_t kMostLines = 300;
  std::vector<SampledPoint> tried = search.most_sampled(search.distinct_points());
  std::ranges::stable_sort(tried, {}, [](const SampledPoint& one) { return one.payoffs.mean(); });
  if (tried.size() <= kMostLines) return tried;
  // Even steps through the ranks hold the worst and the best.
  std::vector<SampledPoint> sample;
  for (std::size_t i = 0; i < kMostLines; ++i) {
    sample.push_back(tried[i * (tried.size() - 1) / (kMostLines - 1)]);
  }
  return sample;
}

/// The settings that the searches tried, each a line with the colour of its value.
class TriedFigure {
 public:
  TriedFigure(const ReportData& data, std::size_t objective)
      : data_(data),
        objective_(objective),
        search_(data.searches[objective]),
        space_(search_.objective().space()),
        shown_(shown_parameters(data, objective)),
        scale_(is_told_in_percent(search_.objective()) ? 100.0 : 1.0),
        tried_(ranked_sample(search_)) {
    for (const SampledPoint& one : tried_) range_.add(value_of(one.payoffs));
    // A few very bad ones do not take the colours from the others.
    const SampledPoint& bad = tried_[tried_.size() / kWorstShare];
    worst_ = value_of(bad.payoffs);
    best_ = value_of(tried_.back().payoffs);
  }

  Figure make() {
    // The colour is that of the mean, on a scale from the worst shown to the best.
    const std::string suffix = scale_ == 1.0 ? "" : " %";
    const std::string unit = unit_text(search_.objective());
    Figure figure{.name = "tried",
                  .title = "Settings that were tried" + of_objective(data_, objective_),
                  .description = fmt::format("Parallel coordinates of {}; {} from {} to {}.",
                                             counted(tried_.size(), "setting"), unit,
                                             score_text(worst_), score_text(best_)),
                  .panel_height = 230.0,
                  .shades = ShadeScale{.label = unit,
                                       .low = worst_,
                                       .high = best_,
                                       .palette = Palette::kWorth,
                                       .suffix = suffix}};
    Panel panel{.key = "tried"};
    for (const SampledPoint& one : tried_) panel.marks.emplace_back(line_of(one));
    if (objective_ == 0) mark(panel, figure.legend);
    add_axes(panel, space_, shown_, unit, ends(suffix));
    figure.panels.push_back(std::move(panel));
    const auto tried = static_cast<std::int64_t>(search_.distinct_points());
    figure.caption = fmt::format(
        "A line for each setting that the searches tried{}, in the colour of its mean {}; the best "
        "lie on top{}. {:.1f} calls of a setting on average.",
        tried > std::ssize(tried_)
            ? fmt::format(" ({} of {}, evenly by rank)", tried_.size(), count_text(tried))
            : "",
        unit, tried_.size() >= kWorstShare ? ", the worst twentieth have one colour" : "",
        static_cast<double>(search_.all().n) / static_cast<double>(tried));
    figure.caption += duel_note(data_, objective_) + partial_note(data_);
    add_table(figure.data);
    return figure;
  }

 private:
  static constexpr std::size_t kWorstShare = 20;

  /// A mean as it is told: in percent, or in the reported unit.
  [[nodiscard]] double value_of(const PayoffSum& payoffs) const {
    return scale_ * search_.objective().unit().value_of(payoffs.mean());
  }

  /// A setting's places on the axes of parameters; a value off the grid stands at the nearest one.
  [[nodiscard]] std::vector<Place> places_of(const Point& point) const {
    std::vector<Place> places;
    for (const int i : shown_) {
      const bool on_grid = point[i] < space_[i].cardinality();
      places.push_back(
          {static_cast<double>(places.size()),
           place_of(space_[i], on_grid ? point[i] : space_[i].nearest_on_grid(point[i]))});
    }
    return places;
  }

  /// A setting, the thicker and darker the better.
  [[nodiscard]] Line line_of(const SampledPoint& one) const {
    const double value = value_of(one.payoffs);
    const double good =
        best_ == worst_ ? 1.0 : std::clamp((value - worst_) / (best_ - worst_), 0.0, 1.0);
    Line line{
        .points = places_of(one.point),
        .width = 0.8 + good,
        .opacity = 0.35 + 0.5 * good * good,
        .tip = fmt::format("{}: {}{}, n {}", printable(space_.text(one.point), 240),
                           score_text(value), scale_ == 1.0 ? "" : " %", count_text(one.payoffs.n)),
        .key = "-",
        .shade = good,
        .palette = Palette::kWorth};
    line.points.push_back({static_cast<double>(shown_.size()), height_of(value)});
    return line;
  }

  /// On the last axis: the best value on top.
  [[nodiscard]] double height_of(double value) const {
    const double place = height_in(range_, value);
    return best_ < worst_ ? 1.0 - place : place;
  }

  /// Today's setting and the new one, up to the value where they were tried.
  void mark(Panel& panel, std::vector<LegendEntry>& legend) const {
    const auto add = [&](const Point& point, const char* name, int colour, bool dashed) {
      Line line{.points = places_of(point),
                .colour = colour,
                .width = 3.2,
                .dashed = dashed,
                .tip = name};
      // A setting that was never tried ends before the last axis.
      if (const PayoffSum* payoffs = search_.payoffs_of(point)) {
        line.points.push_back({static_cast<double>(shown_.size()), height_of(value_of(*payoffs))});
      }
      panel.marks.emplace_back(std::move(line));
      legend.push_back(
          {name, colour, dashed ? LegendEntry::Shape::kDash : LegendEntry::Shape::kLine});
    };
    // The new setting has no line of its own where it is today's.
    const bool has_new = !data_.rivals.empty() && data_.rivals[0].recommended;
    const bool has_today = data_.defaults && std::ranges::all_of(data_.default_given,
                                                                 [](bool given) { return given; });
    const bool same = has_new && has_today && data_.rivals[0].point == *data_.defaults;
    if (has_today) add(*data_.defaults, "today's", kSoft, true);
    if (has_new && !same)
      add(data_.rivals[0].point, has_today ? "new" : "what is recommended", kNewColour, false);
  }

  /// The least, the middle and the largest value from below, or from above where less is better.
  [[nodiscard]] std::vector<std::string> ends(const std::string& suffix) const {
    std::vector<std::string> ends;
    for (const double value : {range_.low, 0.5 * (range_.low + range_.high), range_.high}) {
      ends.push_back(short_number(value) + suffix);
    }
    if (best_ < worst_) std::ranges::reverse(ends);
    return ends;
  }

  void add_table(DataTable& table) const {
    ColumnTitles titles("n,mean");
    for (const std::string& name : space_.names()) {
      table.columns.push_back(titles.add(kParameterPrefix, name));
    }
    table.columns.insert(table.columns.end(), {"n", "mean"});
    for (auto one = tried_.rbegin(); one != tried_.rend(); ++one) {
      std::vector<std::string> row;
      add_values(row, space_, one->point);
      row.insert(row.end(),
                 {std::to_string(one->payoffs.n), data_text(value_of(one->payoffs) / scale_)});
      table.rows.push_back(std::move(row));
    }
  }

  const ReportData& data_;
  std::size_t objective_;
  const SearchStatistics& search_;
  const SearchSpace& space_;
  std::vector<int> shown_;
  ValueRange range_ = {};  ///< of the last axis
  double scale_;
  std::vector<SampledPoint> tried_;  ///< the best last
  double worst_ = 0.0;
  double best_ = 0.0;
};

}  // namespace

std::vector<Figure> tried_figure(const ReportData& data) {
  return per_objective(data, [](const ReportData& all, std::size_t objective) {
    const bool drawn = shown_parameters(all, objective).size() > 1 &&
                       all.searches[objective].distinct_points() > 1;
    return drawn ? TriedFigure(all, objective).make() : Figure();
  });
}

}  // namespace ntune
