#include "apps/amazons/sample_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "ntune/plot/axis.h"

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

Panel coverage_panel(const std::string& title, const std::string& unit,
                     const std::vector<CoverageCurve>& curves) {
  Panel panel{.title = title,
              .x = {.label = limit_label(unit), .scale = Axis::Scale::kLog},
              .y = {.label = "positions solved"}};
  double most = 1.0;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const CoverageCurve& curve = curves[i];
    const auto colour = static_cast<int>(i % kSeries);
    panel.marks.emplace_back(Line{.points = curve.points,
                                  .colour = colour,
                                  .width = 1.8,
                                  .dashed = curve.published,
                                  .steps = curve.steps,
                                  .tip = said_of(curve)});
    for (const Place& place : curve.points) {
      most = std::max(most, place.y);
      if (curve.steps) continue;
      panel.marks.emplace_back(Dot{.at = place,
                                   .colour = colour,
                                   .hollow = curve.published,
                                   .tip = fmt::format("{}: {} solved in {} {}", curve.label,
                                                      place.y, short_number(place.x), unit)});
    }
  }
  panel.y.high = 1.05 * most;
  return panel;
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
  figure.panels.push_back(coverage_panel("", unit, curves));
  figure.panel_height = 300.0;
  figure.description = "Positions solved against the limit.";
  for (std::size_t i = 0; i < curves.size(); ++i) {
    figure.description += ' ' + said_of(curves[i]) + '.';
    figure.legend.push_back({curves[i].label, static_cast<int>(i % kSeries)});
  }
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
  std::vector<std::string> names;
  std::vector<std::vector<CoverageCurve>> pairs;
  double most = 1.0;
  for (const Json& row : rows) {
    const std::string name = fmt::format("{}, delta {}", row["variant"].get<std::string>(),
                                         row["delta"].get<std::string>());
    if (names.empty() || names.back() != name) {
      names.push_back(name);
      pairs.push_back(
          {{.label = "ours", .points = {}}, {.label = "paper", .points = {}, .published = true}});
    }
    const double seconds = row["seconds"].get<double>();
    pairs.back()[0].points.push_back({seconds, row["solved"].get<double>()});
    pairs.back()[1].points.push_back({seconds, row["paper_solved"].get<double>()});
    most = std::max({most, row["solved"].get<double>(), row["paper_solved"].get<double>()});
  }
  Figure figure{.name = "coverage", .title = title};
  figure.description = fmt::format(
      "Positions solved against the limit, ours and the paper's, for {} variants.", names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    figure.panels.push_back(coverage_panel(names[i], "seconds", pairs[i]));
    figure.panels.back().x.label = "s";
    figure.panels.back().y.high = 1.05 * most;
  }
  figure.panel_width = 110.0;
  figure.panel_height = 120.0;
  figure.legend = {{"ours", 0}, {"paper, at its limits as scaled", 1, LegendEntry::Shape::kDash}};
  return figure;
}

}  // namespace ntune::amazons
