// Goodman and Lucas 2020, Figures 1, 3 and 4. The paper has no numbers to them.

#include "apps/arcade/reproduce_figures.h"

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/optim/models/weightings.h"
#include "ntune/plot/axis.h"
#include "ntune/plot/sample_box.h"

namespace ntune::arcade {

namespace {

constexpr double kT = 15.0;
constexpr int kMostVisits = 60;
constexpr double kHalf = 0.3;  ///< half the height of a box

Json box_row(Game game, const std::string& weighting, const char* quantity,
             std::vector<double> values) {
  const std::size_t runs = values.size();
  const SampleBox box = sample_box(std::move(values));
  return {{"game", game_name(game)}, {"quantity", quantity},
          {"weighting", weighting},  {"runs", runs},
          {"low", box.low},          {"first_quartile", box.first},
          {"median", box.median},    {"third_quartile", box.third},
          {"high", box.high},        {"outside", box.outside}};
}

}  // namespace

Reproduction figure_1() {
  Reproduction part;
  std::vector<std::string> titles = {"visits"};
  for (const Weighting& weighting : kWeightings) {
    if (weighting.weight != nullptr) titles.emplace_back(weighting.name);
  }
  TextTable table(titles);
  for (int n = 0; n <= kMostVisits; n += 5) {
    std::vector<std::string> cells = {std::to_string(n)};
    for (const Weighting& weighting : kWeightings) {
      if (weighting.weight == nullptr) continue;
      const double weight = weighting.weight(n, kT);
      cells.push_back(fmt::format("{:.3f}", weight));
      part.rows.push_back(
          {{"weighting", std::string(weighting.name)}, {"visits", n}, {"weight", weight}});
    }
    table.add_row(cells);
  }
  part.title = fmt::format(
      "Figure 1 of Goodman and Lucas (2020): the weight of a tuple by its visits, T = {:.0f}", kT);
  part.table = table.text();
  part.summary = {{"T", kT}};
  return part;
}

Figure drawn_figure_1(const std::vector<Json>& rows) {
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
  TextTable table({"<weighting", "<quantity", "low", "first quartile", "median", "third quartile",
                   "high", "outside"});
  const RunPlan& plan = finished.study.plans.front();
  for (const char* quantity : {"value", "delta"}) {
    for (const CellSummary& cell : finished.summaries) {
      std::vector<double> values;
      for (const RunRecord& run : finished.result.cells[cell.optimiser].runs) {
        if (!run.true_value) continue;
        const bool delta = std::string_view(quantity) == "delta";
        values.push_back(delta ? run.estimate - *run.true_value : *run.true_value);
      }
      const std::string& label = finished.study.optimisers[cell.optimiser].label;
      const Json row = box_row(game, label, quantity, std::move(values));
      const auto text = [&](const char* key) { return value_text(game, row[key].get<double>()); };
      table.add_row({label, quantity, text("low"), text("first_quartile"), text("median"),
                     text("third_quartile"), text("high"), std::to_string(row["outside"].size())});
      part.rows.push_back(row);
    }
    if (std::string_view(quantity) == "value") table.add_rule();
  }
  part.title = fmt::format("Figure {} of Goodman and Lucas (2020), {}: {} runs of {} games each",
                           game == Game::kPlanetWars ? 3 : 4, game_title(game),
                           count_text(plan.runs), count_text(plan.iterations));
  part.table = table.text();
  part.summary = {{"seed", finished.study.seed}, {"iterations", plan.iterations}};
  part.remarks =
      "Value: the true value of what a run recommends; delta: its estimate less that. Whiskers "
      "reach "
      "to the\nlast run within 1.5 boxes; outside: runs beyond.\n";
  return part;
}

Figure drawn_figure_of_runs(const std::vector<Json>& rows) {
  Figure figure{.name = "boxes"};
  for (const char* quantity : {"value", "delta"}) {
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

}  // namespace ntune::arcade
