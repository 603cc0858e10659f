#include "apps/amazons/sample_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "ntune/plot/axis.h"
#include "ntune/plot/picture.h"
#include "ntune/plot/svg_text.h"

namespace ntune::amazons {

namespace {

const char* unit_of(const Json& row) { return row.contains("seconds") ? "seconds" : "nodes"; }

std::string limit_label(const std::string& unit) {
  return unit == "seconds" ? "processor time for each position, s" : "nodes for each position";
}

/// One quantity with 95 % intervals, a line for each variant.
Panel error_panel(const std::string& what, const std::string& key, const std::vector<Json>& rows,
                  const std::vector<std::string>& variants) {
  const std::string unit = rows.empty() ? "seconds" : unit_of(rows[0]);
  Panel panel{.title = what,
              .x = {.label = limit_label(unit), .scale = Axis::Scale::kLog},
              .y = {.label = "mean absolute error"}};
  for (std::size_t v = 0; v < variants.size(); ++v) {
    Line line{.colour = static_cast<int>(v), .width = 1.8};
    // Side by side, so that intervals do not hide each other.
    const double aside =
        std::pow(1.05, static_cast<double>(v) - 0.5 * static_cast<double>(variants.size() - 1));
    for (const Json& row : rows) {
      if (row["variant"] != variants[v]) continue;
      const double x = row[unit].get<double>();
      const double y = row[key].get<double>();
      const double low = row[key + "_low"].get<double>();
      const double high = row[key + "_high"].get<double>();
      const double at = aside * x;
      line.points.push_back({at, y});
      panel.marks.emplace_back(Whisker{.from = {at, low}, .to = {at, high}, .colour = line.colour});
      panel.marks.emplace_back(
          Dot{.at = {at, y},
              .colour = line.colour,
              .tip = fmt::format("{}, {} {}: {} [{}, {}], {} positions", variants[v],
                                 short_number(x), unit, short_number(y), short_number(low),
                                 short_number(high), row["n"].get<std::int64_t>())});
    }
    panel.marks.emplace_back(std::move(line));
  }
  return panel;
}

std::string said_of(const CoverageCurve& curve) {
  return fmt::format("{}: {} solved", curve.label,
                     curve.points.empty() ? 0.0 : curve.points.back().y);
}

/// The name of each curve to the right of its end, in its colour, moved apart where they are close.
/// `width` and `height` of the plotting area in pixels; the axes have ends.
void label_ends(Panel& panel, const std::vector<CoverageCurve>& curves, double width,
                double height) {
  constexpr double kGap = 12.0;
  constexpr double kFontSize = 11.0;
  // 1. The curves from the lowest end on.
  std::vector<std::size_t> order;
  double widest = 0.0;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (curves[i].points.empty()) continue;
    order.push_back(i);
    widest = std::max(widest, text_width(curves[i].label, kFontSize) + 10.0);
  }
  const auto foot = [&](std::size_t i) {
    return curves[i].points.back().y / panel.y.high * height;
  };
  std::ranges::stable_sort(order, std::ranges::less(), foot);
  // 2. From below, names move up until they are apart; from above, they move down again.
  double lowest = 0.0;
  std::vector<double> place;
  for (const std::size_t i : order) {
    place.push_back(std::max(foot(i), lowest));
    lowest = place.back() + kGap;
  }
  double highest = height;
  for (std::size_t k = order.size(); k-- > 0; highest = place[k] - kGap) {
    place[k] = std::min(place[k], highest);
    const CoverageCurve& curve = curves[order[k]];
    panel.marks.emplace_back(Note{.at = curve.points.back(),
                                  .text = curve.label,
                                  .colour = static_cast<int>(order[k] % kSeries),
                                  .dx = 7.0,
                                  .dy = foot(order[k]) - place[k] + 4.0});
  }
  const double room = widest / std::max(1.0, width - widest);
  panel.x.high *= std::pow(panel.x.high / panel.x.low, room);
}

/// Lines of `width` by `height` pixels, each with its name at its end.
Panel coverage_panel(const std::string& title, const std::string& unit,
                     const std::vector<CoverageCurve>& curves, double most, double width,
                     double height) {
  Panel panel{.title = title,
              .x = {.label = limit_label(unit), .scale = Axis::Scale::kLog},
              .y = {.label = "positions solved"}};
  // 1. Lines, with a dot for each number that was measured.
  double first = std::numeric_limits<double>::infinity();
  double last = 0.0;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const CoverageCurve& curve = curves[i];
    const auto colour = static_cast<int>(i % kSeries);
    panel.marks.emplace_back(Line{.points = curve.points,
                                  .colour = colour,
                                  .width = 1.8,
                                  .dashed = i >= kSeries,
                                  .steps = curve.steps,
                                  .tip = said_of(curve)});
    for (const Place& place : curve.points) {
      first = std::min(first, place.x);
      last = std::max(last, place.x);
      if (curve.steps) continue;
      panel.marks.emplace_back(Dot{.at = place,
                                   .colour = colour,
                                   .tip = fmt::format("{}: {} solved in {} {}", curve.label,
                                                      place.y, short_number(place.x), unit)});
    }
  }
  // 2. Axes from the first limit to the last, with room for the names.
  panel.y.high = 1.05 * most;
  if (last <= 0.0) return panel;
  panel.x.low = first < last ? first : 0.5 * first;
  panel.x.high = last;
  label_ends(panel, curves, width, height);
  return panel;
}

double most_solved(const std::vector<CoverageCurve>& curves) {
  double most = 1.0;
  for (const CoverageCurve& curve : curves) {
    for (const Place& place : curve.points) most = std::max(most, place.y);
  }
  return most;
}

}  // namespace

Figure error_figure(const std::string& title, const std::vector<Json>& rows) {
  std::vector<std::string> variants;
  for (const Json& row : rows) {
    const auto name = row["variant"].get<std::string>();
    if (std::ranges::find(variants, name) == variants.end()) variants.push_back(name);
  }
  Figure figure{.name = "error", .title = title};
  figure.panels = {error_panel("temperature", "temperature_error", rows, variants),
                   error_panel("mean", "mean_error", rows, variants)};
  figure.panel_width = 200.0;
  figure.panel_height = 220.0;
  figure.description = "Mean absolute error of temperature and mean against the limit.";
  for (std::size_t v = 0; v < variants.size(); ++v) {
    figure.legend.push_back({variants[v], static_cast<int>(v)});
  }
  return figure;
}

Figure coverage_figure(const std::string& title, const std::string& unit,
                       const std::vector<CoverageCurve>& curves) {
  Figure figure{.name = "coverage", .title = title};
  figure.panel_height = 300.0;
  figure.panels.push_back(coverage_panel("", unit, curves, most_solved(curves),
                                         kPictureWidth - 60.0, figure.panel_height));
  figure.description = "Positions solved against the limit.";
  for (const CoverageCurve& curve : curves) figure.description += ' ' + said_of(curve) + '.';
  return figure;
}

CoverageCurve coverage_curve(const std::string& label, const CaseResults& results,
                             const Limits& limits) {
  constexpr double kLeast = 1e-5;  // seconds that a clock tells apart
  const bool timed = !limits.seconds.empty();
  std::vector<double> costs;
  for (const std::optional<CaseResult>& result : results) {
    if (!result || !result->is_finished || !limits.allow(*result, limits.size() - 1)) continue;
    costs.push_back(timed ? std::max(kLeast, result->seconds)
                          : static_cast<double>(std::max<std::int64_t>(1, result->nodes)));
  }
  std::ranges::sort(costs);
  CoverageCurve curve{.label = label, .points = {}, .steps = true};
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (i + 1 < costs.size() && costs[i + 1] == costs[i]) continue;
    curve.points.push_back({costs[i], static_cast<double>(i + 1)});
  }
  const double last = limits.number(limits.size() - 1);
  if (!costs.empty()) curve.points.push_back({last, static_cast<double>(costs.size())});
  return curve;
}

Figure reproduced_coverage_figure(const std::string& title, const std::vector<Json>& rows) {
  const bool one_delta = std::ranges::all_of(
      rows, [&](const Json& row) { return row["delta"] == rows.front()["delta"]; });
  std::vector<CoverageCurve> ours;
  std::vector<CoverageCurve> papers;
  for (const Json& row : rows) {
    auto name = row["variant"].get<std::string>();
    if (!one_delta) name += ", " + row["delta"].get<std::string>();
    if (ours.empty() || ours.back().label != name) {
      ours.push_back({.label = name, .points = {}});
      papers.push_back({.label = name, .points = {}});
    }
    ours.back().points.push_back({row["seconds"].get<double>(), row["solved"].get<double>()});
    papers.back().points.push_back(
        {row["paper_seconds"].get<double>(), row["paper_solved"].get<double>()});
  }
  Figure figure{.name = "coverage", .title = title};
  figure.panel_width = 250.0;
  figure.panel_height = 300.0;
  const double most = std::max(most_solved(ours), most_solved(papers));
  figure.panels = {
      coverage_panel("ours", "seconds", ours, most, figure.panel_width, figure.panel_height),
      coverage_panel("published", "seconds", papers, most, figure.panel_width,
                     figure.panel_height)};
  figure.description = fmt::format(
      "Positions solved against the limit, ours and the paper's, for {} variants.", ours.size());
  return figure;
}

}  // namespace ntune::amazons
