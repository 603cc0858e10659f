#include <algorithm>

#include <fmt/format.h>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/shared.h"

namespace ntune {

namespace {

constexpr std::size_t kMostRivals = 15;

/// What is said of a rival on hovering.
std::string rival_tip(const Rival& rival, const Objective& objective,
                      const std::optional<Interval>& interval) {
  std::string tip = printable(objective.space().text(rival.point), 240);
  tip += fmt::format("; {} {} from {}", unit_text(objective), score_text(rival.mean, interval),
                     counted(rival.n, "fresh evaluation"));
  if (interval) tip += ", 95 % " + score_interval_text(*interval);
  if (!rival.best_probability || !rival.regret) return tip;
  return tip + fmt::format("; best with probability {:.3f}, expected regret {}",
                           *rival.best_probability, score_text(*rival.regret));
}

/// A rival's mean, interval and, where it is known, true value on the line y.
void add_rival(Panel& panel, double y, const Rival& rival, const Objective& objective) {
  constexpr int kOthers = 6;  // a colour that stands back
  const int colour = rival.recommended ? 0 : kOthers;
  const std::optional<Interval>& interval = rival.interval;
  // The interval lies below the mean, and the true value across both.
  if (interval) {
    panel.marks.emplace_back(Whisker{
        .from = {interval->low, y}, .to = {interval->high, y}, .colour = colour, .width = 1.6});
  }
  panel.marks.emplace_back(Dot{.at = {rival.mean, y},
                               .colour = colour,
                               .radius = 4.0,
                               .tip = rival_tip(rival, objective, interval)});
  if (!rival.true_value) return;
  panel.marks.emplace_back(
      Line{.points = {{*rival.true_value, y - 0.32}, {*rival.true_value, y + 0.32}},
           .colour = kTruth,
           .width = 2.0,
           .tip = fmt::format("true value {}", score_text(*rival.true_value))});
}

/// The best rival stands on top: the axis counts upwards.
Panel rival_panel(const ReportData& data, const std::vector<std::size_t>& places) {
  const Objective& objective = data.study.objective(0);
  Panel panel{.x = {.label = fmt::format("{}, 95 % interval", unit_text(objective))}};
  std::vector<std::string> labels;
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    const Rival& rival = data.rivals[*place];
    add_rival(panel, static_cast<double>(labels.size()), rival, objective);
    labels.push_back(rival_name(data.study, data.rivals, *place));
  }
  panel.y = category_axis("", labels);
  return panel;
}

}  // namespace

std::vector<Figure> candidates_figure(const ReportData& data) {
  std::vector<std::size_t> known;
  for (std::size_t i = 0; i < data.rivals.size() && known.size() < kMostRivals; ++i) {
    if (data.rivals[i].n > 0) known.push_back(i);
  }
  // One measured point alone is compared with nothing.
  if (known.size() < 2) return {};
  const Rival& best = data.rivals[known[0]];
  Figure figure{
      .name = "candidates",
      .title = "Recommendations compared by fresh evaluations",
      .description = fmt::format(
          "Mean and 95 % interval of {}; the recommended one has mean {} from {} and is the best "
          "with probability {:.3f}.",
          counted(known.size(), "point"), score_text(best.mean), counted(best.n, "evaluation"),
          best.best_probability.value_or(0.0)),
      .caption =
          "Points are named as in the table above. The comparison spends more evaluations "
          "on better points, so that intervals differ in width; the recommended point has "
          "those of the hold-out as well."};
  figure.data.columns = {"point", "parameters", "n", "mean", "low", "high", "true_value"};
  for (const std::size_t place : known) {
    const Rival& rival = data.rivals[place];
    figure.data.rows.push_back({rival_name(data.study, data.rivals, place),
                                data.study.objective(0).space().text(rival.point),
                                std::to_string(rival.n), data_text(rival.mean),
                                low_text(rival.interval), high_text(rival.interval),
                                data_text(rival.true_value)});
  }
  // A row needs 20 pixels; the legend stands only where there are true values.
  figure.panels.push_back(rival_panel(data, known));
  figure.panel_height = 24.0 + 20.0 * static_cast<double>(known.size());
  const auto is_true = [&](std::size_t place) { return data.rivals[place].true_value.has_value(); };
  if (std::ranges::any_of(known, is_true)) {
    figure.legend = {{"mean, 95 % interval", 0, LegendEntry::Shape::kDot},
                     {"true value", kTruth, LegendEntry::Shape::kLine}};
  }
  return {figure};
}

Figure shared_values_figure(const std::vector<ObjectiveOfStudy>& studies) {
  Figure figure{.name = "shared_values",
                .title = "Values of the recommendations",
                .description = "Values of the recommendations with 95 % intervals.",
                .caption = "As each study has measured its recommendation by fresh evaluations.",
                .data = {.columns = {"study", "value", "low", "high"}}};
  Panel panel{.x = {.label = "value, 95 % interval"}};
  std::vector<std::string> labels;
  // The first study stands on top: the axis counts upwards.
  for (auto study = studies.rbegin(); study != studies.rend(); ++study) {
    const ReportData& data = *study->data;
    if (!data.study.result || !data.study.result->recommendation) continue;
    const SavedMeasurement& fresh = data.study.result->recommendation->fresh;
    const auto& value = fresh.value;
    const auto& interval = fresh.interval;
    if (!value) continue;
    const auto y = static_cast<double>(labels.size());
    labels.push_back(shortened(data.study.title(), 40));
    if (interval) {
      panel.marks.emplace_back(
          Whisker{.from = {interval->low, y}, .to = {interval->high, y}, .colour = 0});
    }
    panel.marks.emplace_back(
        Dot{.at = {*value, y}, .radius = 4.0, .tip = labels.back() + ": " + score_text(*value)});
    figure.data.rows.push_back(
        {labels.back(), data_text(*value), low_text(interval), high_text(interval)});
  }
  panel.y = category_axis("", labels);
  figure.panel_height = 24.0 + 24.0 * static_cast<double>(labels.size());
  if (labels.size() > 1) figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace ntune
