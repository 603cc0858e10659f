#include <algorithm>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/plot/axis.h"
#include "ntune/report/figures/figures.h"

namespace ntune {

namespace {

/// Lines of one figure: more hide each other.
constexpr std::size_t kMostRecommendationLines = 200;

/// The last axis: what a recommendation is worth.
struct Worth {
  std::string label;
  double low = 0.0;
  double high = 1.0;

  [[nodiscard]] double place(double value) const {
    return high > low ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 0.5;
  }
};

double worth_of(const FinishedRun& run) { return run.score().value_or(run.estimate); }

/// The scale of the last axis, over all runs.
Worth worth_axis(const std::vector<const FinishedRun*>& runs) {
  const bool scored =
      std::ranges::all_of(runs, [](const FinishedRun* run) { return run->score().has_value(); });
  Worth worth{.label = !scored ? "estimate" : runs[0]->true_value ? "true value" : "hold-out"};
  worth.low = worth.high = worth_of(*runs[0]);
  for (const FinishedRun* run : runs) {
    worth.low = std::min(worth.low, worth_of(*run));
    worth.high = std::max(worth.high, worth_of(*run));
  }
  return worth;
}

/// Height of a value on the axis of its parameter, 0 to 1.
double place_of(const Parameter& parameter, std::uint16_t value) {
  return parameter.cardinality() < 2
             ? 0.5
             : static_cast<double>(value) / static_cast<double>(parameter.cardinality() - 1);
}

void add_axis(Panel& panel, double x, const std::vector<std::string>& labels) {
  constexpr std::size_t kMostLabels = 6;
  panel.marks.emplace_back(Line{.points = {{x, 0.0}, {x, 1.0}}, .colour = kSoft, .width = 1.0});
  if (labels.empty()) return;
  const std::size_t last = labels.size() - 1;
  const std::size_t every = last / kMostLabels + 1;
  for (std::size_t v = 0; v <= last; v += every) {
    const double y = last == 0 ? 0.5 : static_cast<double>(v) / static_cast<double>(last);
    panel.marks.emplace_back(
        Note{.at = {x, y}, .text = short_name(labels[v], 10), .colour = kInk, .dx = 4, .dy = 4});
  }
}

/// A run's recommendation through all axes, darker the better it is.
Line run_line(const ReportData& data, const SearchStatistics& search, const FinishedRun& run,
              const Worth& worth) {
  const SearchSpace& space = search.objective().space();
  const std::vector<int>& varied = search.varied();
  const bool chosen =
      !data.rivals.empty() && data.rivals[0].recommended && run.point == data.rivals[0].point;
  const double place = worth.place(worth_of(run));
  const double good = search.objective().unit().is_cost() ? 1.0 - place : place;
  Line line{.colour = chosen ? 1 : 0,
            .width = chosen ? 2.6 : 1.2,
            .opacity = chosen ? 1.0 : 0.2 + 0.6 * good,
            .tip = fmt::format("run {}: {}; {} {}", run.run, printable(space.text(run.point), 240),
                               worth.label, short_number(worth_of(run)))};
  for (std::size_t k = 0; k < varied.size(); ++k) {
    line.points.push_back(
        {static_cast<double>(k), place_of(space[varied[k]], run.point[varied[k]])});
  }
  line.points.push_back({static_cast<double>(varied.size()), place});
  return line;
}

/// An axis for every parameter that varies, and the last one.
void add_axes(Panel& panel, const SearchStatistics& search, const Worth& worth) {
  const SearchSpace& space = search.objective().space();
  const std::vector<int>& varied = search.varied();
  std::vector<std::string> names;
  for (std::size_t k = 0; k < varied.size(); ++k) {
    std::vector<std::string> labels;
    for (const Value& value : space[varied[k]].values) labels.push_back(value_text(value));
    add_axis(panel, static_cast<double>(k), labels);
    names.push_back(space[varied[k]].name);
  }
  const auto last = static_cast<double>(varied.size());
  add_axis(panel, last, {short_number(worth.low, 3), short_number(worth.high, 3)});
  names.push_back(worth.label);
  panel.x = category_axis("", names);
  panel.x.low = -0.15;
  panel.x.high = last + std::max(0.6, 0.18 * last);  // room for the labels of the last axis
  panel.y = {.low = -0.05, .high = 1.05, .hidden = true};
}

Figure parallel_of(const ReportData& data, std::size_t objective,
                   const std::vector<const FinishedRun*>& runs) {
  const SearchStatistics& search = data.searches[objective];
  const Worth worth = worth_axis(runs);
  const std::size_t shown = std::min(kMostRecommendationLines, runs.size());
  Panel panel;
  for (std::size_t r = 0; r < shown; ++r) {
    panel.marks.emplace_back(run_line(data, search, *runs[r], worth));
  }
  add_axes(panel, search, worth);
  Figure figure{.name = "parallel",
                .title = "Recommendations of the runs" + of_objective(data, objective)};
  figure.panels.push_back(std::move(panel));
  figure.panel_height = 230.0;
  figure.description =
      fmt::format("Parallel coordinates of the recommendations of {} runs; {} from {} to {}.",
                  shown, worth.label, short_number(worth.low), short_number(worth.high));
  figure.caption = fmt::format(
      "A line for each run{}, darker where its {} is better{}. On a page, drag along an axis to "
      "choose lines.",
      shown < runs.size() ? fmt::format(" (the first {})", shown) : "", worth.label,
      data.rivals.empty() ? "" : "; orange: the study's recommendation");
  if (data.searches.size() > 1) figure.name += fmt::format("-{}", objective + 1);
  return figure;
}

}  // namespace

std::vector<Figure> parallel_figure(const ReportData& data) {
  std::vector<Figure> figures;
  for (std::size_t objective = 0; objective < data.searches.size(); ++objective) {
    const std::vector<const FinishedRun*> runs = runs_of_objective(data, objective);
    if (runs.size() < 2 || data.searches[objective].varied().size() < 2) continue;
    figures.push_back(parallel_of(data, objective, runs));
  }
  return figures;
}

}  // namespace ntune
