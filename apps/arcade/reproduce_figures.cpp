// Figures of Goodman and Lucas 2020: Figures 1, 3 and 4, to which the paper has no numbers, and the
// tables as pictures.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "apps/arcade/reproduce.h"
#include "apps/common/laboratory_figures.h"
#include "ntune/core/text.h"
#include "ntune/optim/models/weightings.h"
#include "ntune/plot/axis.h"
#include "ntune/plot/sample_box.h"

namespace ntune::arcade {

namespace {

constexpr double kT = 15.0;
constexpr int kMostVisits = 60;
constexpr double kHalf = 0.3;  ///< half the height of a box

}  // namespace

Reproduction figure_1() {
  Reproduction part;
  for (int n = 0; n <= kMostVisits; n += 5) {
    part.table.line().text("visits", std::to_string(n));
    for (const Weighting& weighting : kWeightings) {
      if (weighting.weight == nullptr) continue;
      const std::string name(weighting.name);
      part.table.entry()
          .data("weighting", name)
          .data("visits", n)
          .both("weight", name, weighting.weight(n, kT), "{:.3f}");
    }
  }
  part.title = fmt::format(", T = {:.0f}", kT);
  part.summary = {{"T", kT}};
  return part;
}

Figure drawn_figure_1(const std::string&, const std::vector<Json>& rows) {
  Panel panel{.x = {.label = "visits of the tuple"}, .y = {.label = "weight", .low = 0, .high = 1}};
  Figure figure{.name = "weightings", .title = "Weightings of NTBEA, T = 15"};
  for (const Weighting& weighting : kWeightings) {
    if (weighting.weight == nullptr) continue;
    const std::string name(weighting.name);
    Line line{.colour = static_cast<int>(figure.legend.size())};
    for (const Json& row : rows) {
      if (row["weighting"] == name) {
        line.points.push_back({row["visits"].get<double>(), row["weight"].get<double>()});
      }
    }
    figure.legend.push_back({name, line.colour});
    panel.marks.emplace_back(std::move(line));
  }
  figure.description = "The weight of a tuple's own mean by its visits, a line for each weighting.";
  figure.panels.push_back(std::move(panel));
  return figure;
}

Reproduction figure_of_runs(const FinishedStudy& finished, Game game) {
  Reproduction part;
  const RunPlan& plan = finished.study.plans.front();
  const auto text = [game](double value) { return value_text(game, value); };
  for (const bool is_delta : {false, true}) {
    if (is_delta) part.table.rule();
    for (const CellSummary& cell : finished.summaries) {
      // A box over the runs whose true value is known.
      std::vector<double> values;
      for (const RunRecord& run : finished.result.cells[cell.optimiser].runs) {
        if (!run.true_value) continue;
        values.push_back(is_delta ? run.estimate - *run.true_value : *run.true_value);
      }
      const std::string& label = finished.study.optimisers[cell.optimiser].label;
      const std::size_t runs = values.size();
      const SampleBox box = sample_box(std::move(values));
      part.table.row()
          .data("game", game_name(game))
          .text("<weighting", label)
          .both("quantity", "<quantity", is_delta ? "delta" : "value")
          .data("weighting", label)
          .data("runs", runs)
          .data("low", box.low)
          .text("low", text(box.low))
          .data("first_quartile", box.first)
          .text("first quartile", text(box.first))
          .data("median", box.median)
          .text("median", text(box.median))
          .data("third_quartile", box.third)
          .text("third quartile", text(box.third))
          .data("high", box.high)
          .text("high", text(box.high))
          .data("outside", box.outside)
          .text("outside", std::to_string(box.outside.size()));
    }
  }
  part.title = fmt::format(", {}: {} runs of {} games each", game_title(game),
                           count_text(plan.runs), count_text(plan.iterations));
  part.summary = {{"seed", finished.study.seed}, {"iterations", plan.iterations}};
  part.remarks =
      "Value: the true value of what a run recommends; delta: its estimate less that. Whiskers "
      "reach to the\nlast run within 1.5 boxes; outside: runs beyond.\n";
  return part;
}

Figure drawn_figure_of_runs(const std::string&, const std::vector<Json>& rows) {
  Figure figure{.name = "boxes"};
  for (const char* quantity : {"value", "delta"}) {
    // A box for each weighting, the first on top; runs beyond the whiskers are dots.
    std::vector<std::string> labels;
    Panel panel{.title = quantity};
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
      if ((*row)["quantity"] != quantity) continue;
      const auto y = static_cast<double>(labels.size());
      labels.push_back((*row)["weighting"].get<std::string>());
      const auto number = [&](const char* key) { return (*row)[key].get<double>(); };
      panel.marks.emplace_back(Whisker{.from = {number("low"), y}, .to = {number("high"), y}});
      panel.marks.emplace_back(
          Block{.from = {number("first_quartile"), y - kHalf},
                .to = {number("third_quartile"), y + kHalf},
                .opacity = 0.5,
                .tip = fmt::format("{}: median {}", labels.back(), number("median"))});
      panel.marks.emplace_back(
          Line{.points = {{number("median"), y - kHalf}, {number("median"), y + kHalf}},
               .colour = kInk});
      for (const Json& outside : (*row)["outside"]) {
        panel.marks.emplace_back(
            Dot{.at = {outside.get<double>(), y}, .radius = 1.5, .hollow = true});
      }
    }
    if (std::string_view(quantity) == "delta") {
      const double top = static_cast<double>(labels.size()) - 0.5;
      panel.marks.emplace_back(
          Line{.points = {{0.0, -0.5}, {0.0, top}}, .colour = kTruth, .dashed = true});
    }
    panel.y = category_axis("", labels);
    panel.x.label = std::string_view(quantity) == "value" ? "true value of what is recommended"
                                                          : "estimate less true value";
    figure.panels.push_back(std::move(panel));
  }
  figure.title = "What NTBEA and its weightings recommend";
  figure.description =
      "Quartiles over runs of the recommended values and of the estimates' errors.";
  figure.panel_width = 260.0;
  figure.panel_height = 170.0;
  return figure;
}

namespace {

std::string label_of(const Json& row, bool table_3) {
  auto label = row["weighting"].get<std::string>();
  if (table_3) {
    label = fmt::format("{} x {} {}", row["runs"].get<std::int64_t>(),
                        row["games"].get<std::int64_t>(), label);
  }
  return label;
}

/// One quantity of one game, ours with its interval beside the published number; the first row on
/// top. `description` is given a sentence for each.
Panel panel_of(const std::string& game, const std::string& key, const std::string& unit,
               const std::vector<Json>& rows, bool table_3, std::string& description) {
  Panel panel{.title = game, .x = {.label = unit}};
  std::vector<std::string> labels;
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    const auto ours = cli::number_at(*row, key);
    if ((*row)["game"] != game || !ours) continue;
    const auto y = static_cast<double>(labels.size());
    labels.push_back(label_of(*row, table_3));
    const auto published = cli::number_at(*row, "published_" + key);
    std::string tip = fmt::format("{}: ours {}", labels.back(), short_number(*ours));
    if (published) tip += fmt::format(", published {}", short_number(*published));
    description += " " + tip + ".";
    const auto low = cli::number_at(*row, key + "_low");
    const auto high = cli::number_at(*row, key + "_high");
    if (low && high) panel.marks.emplace_back(Whisker{.from = {*low, y}, .to = {*high, y}});
    panel.marks.emplace_back(Dot{.at = {*ours, y}, .radius = 3.6, .tip = tip});
    if (!published) continue;
    panel.marks.emplace_back(
        Dot{.at = {*published, y}, .colour = 1, .radius = 4.6, .hollow = true, .tip = tip});
  }
  panel.y = category_axis("", labels);
  return panel;
}

/// A picture of Table 2 or 3.
Figure drawn_table(const std::vector<Json>& rows, bool table_3) {
  Figure figure{.name = "compared"};
  figure.title = fmt::format("Table {} of Goodman and Lucas (2020) beside ours", table_3 ? 3 : 2);
  figure.description = "Ours with 95 % intervals beside published numbers.";
  std::vector<std::string> games;
  for (const Json& row : rows) cli::place_of(games, row["game"].get<std::string>());
  const auto add = [&](const std::string& game, const char* key, const char* unit) {
    figure.panels.push_back(panel_of(game, key, unit, rows, table_3, figure.description));
  };
  std::size_t most = 1;
  for (const std::string& game : games) {
    add(game, "mean", "mean value of what is recommended");
    add(game, table_3 ? "best" : "delta",
        table_3 ? "the best recommendation" : "estimate minus value");
    most = std::max(most, figure.panels.back().y.categories.size());
  }
  figure.panel_width = 200.0;
  figure.panel_height = 24.0 + 20.0 * static_cast<double>(most);
  figure.legend = {{"ours, 95 % interval", 0, LegendEntry::Shape::kDot},
                   {"published", 1, LegendEntry::Shape::kDot}};
  return figure;
}

}  // namespace

Figure draw_table_2(const std::string&, const std::vector<Json>& rows) {
  return drawn_table(rows, false);
}

Figure draw_table_3(const std::string&, const std::vector<Json>& rows) {
  return drawn_table(rows, true);
}

}  // namespace ntune::arcade
