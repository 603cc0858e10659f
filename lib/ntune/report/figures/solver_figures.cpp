#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/shared.h"

namespace ntune {

namespace {

/// A fresh run of a solver.
struct SolverRun {
  double cost = 0.0;  ///< of what was solved
  bool solved = false;
};

/// What the new and today's setting needed in the same fresh run: same instance, same seed.
struct RunPair {
  std::string instance = {};
  std::optional<SolverRun> found = {};
  std::optional<SolverRun> today = {};
};

/// The fresh runs of a program whose result is a cost, in order.
struct SolverRuns {
  std::vector<RunPair> pairs = {};
  ValueRange costs = {};  ///< of what was solved, above 0
  bool compared = false;  ///< today's setting was run beside another one
  std::string unit = {};

  /// Where runs stand that solved nothing: beyond every other cost, by a fifth of their decades.
  [[nodiscard]] double edge() const {
    return costs.high * std::max(1.5, std::pow(costs.high / costs.low, 0.2));
  }
  /// Where costs of 0 and below stand.
  [[nodiscard]] double floor() const { return costs.low / 1.2; }
  /// Where a run stands on an axis of costs.
  [[nodiscard]] double place_of(const SolverRun& run) const {
    return run.solved ? std::max(run.cost, floor()) : edge();
  }
  /// The costs of what one setting has solved, the least first.
  [[nodiscard]] std::vector<double> solved(std::optional<SolverRun> RunPair::*side) const {
    std::vector<double> solved;
    for (const RunPair& pair : pairs) {
      if (pair.*side && (pair.*side)->solved) solved.push_back((pair.*side)->cost);
    }
    std::ranges::sort(solved);
    return solved;
  }
  /// The fresh runs of one setting.
  [[nodiscard]] std::int64_t count(std::optional<SolverRun> RunPair::*side) const {
    return std::ranges::count_if(pairs,
                                 [&](const RunPair& pair) { return (pair.*side).has_value(); });
  }
};

/// The fresh runs of a study of a solver; nothing where no cost is above 0, or with fewer than
/// three runs.
std::optional<SolverRuns> solver_runs_of(const ReportData& data) {
  const Study& study = data.study.study;
  const auto& result = data.study.result;
  const Objective& objective = data.study.objective(0);
  const bool shown = !data.is_comparison() && result && result->recommendation &&
                     data.study.journal && objective.outside_program() != nullptr &&
                     objective.unit().direction() < 0.0;
  if (!shown) return std::nullopt;
  std::map<std::int64_t, RunPair> pairs;
  SolverRuns runs{.unit =
                      objective.outside_program()->costs_time() ? "seconds" : unit_text(objective)};
  // Fresh runs of the recommendation and of today's setting, matched by their number.
  data.study.journal->scan([&](const JournalLine& line) {
    if (!line.has_outcome() || line.key.stage != Stage::kHoldOut) return;
    const bool today = line.key.run == kIncumbentRun;
    if (!today && Point(line.point) != result->recommendation->point) return;
    SolverRun run{.solved = line.kind == JournalLine::Kind::kEvaluation &&
                            line.ending == Ending::kWhole && !line.payoffs.empty()};
    if (run.solved) {
      run.cost = objective.unit().value_of(line.payoffs[0]);
      if (run.cost > 0.0) runs.costs.add(run.cost);
    }
    RunPair& pair = pairs[line.key.index];
    const Instance* instance = study.instances.of(study.seed, line.key, line.block);
    if (instance != nullptr) pair.instance = instance->name;
    (today ? pair.today : pair.found) = run;
    runs.compared = runs.compared || today;
  });
  constexpr std::size_t kFewestSolved = 3;
  // The axes are logarithmic, which needs a cost above 0.
  if (runs.costs.empty() || pairs.size() < kFewestSolved) return std::nullopt;
  for (const auto& [index, pair] : pairs) runs.pairs.push_back(pair);
  return runs;
}

/// A run's cost in words.
std::string run_text(const SolverRun& run) {
  return run.solved ? score_text(run.cost) : "not solved";
}

/// A run's cost and whether it was solved, for a table.
std::vector<std::string> side_cells(const std::optional<SolverRun>& run) {
  if (!run) return {"", ""};
  return {run->solved ? data_text(run->cost) : "", run->solved ? "1" : "0"};
}

}  // namespace

std::vector<Figure> scatter_figure(const ReportData& data) {
  const std::optional<SolverRuns> runs = solver_runs_of(data);
  if (!runs || !runs->compared) return {};
  Panel panel{.x = {.label = "today's setting, " + runs->unit, .scale = Axis::Scale::kLog},
              .y = {.label = "new setting, " + runs->unit, .scale = Axis::Scale::kLog}};
  const double edge = runs->edge();
  const double low = runs->floor();
  panel.x.low = panel.y.low = low;
  panel.x.high = panel.y.high = edge * 1.4;
  panel.x.last_tick = panel.y.last_tick = runs->costs.high;
  // On the diagonal both settings need the same.
  panel.marks.emplace_back(
      Line{.points = {{low, low}, {edge, edge}}, .colour = kSoft, .width = 1.2});
  Figure figure{.name = "scatter",
                .title = "Run by run",
                .panel_height = 320.0,
                .data = {.columns = {"instance", "new", "new_solved", "today", "today_solved"}}};
  std::int64_t lower = 0;
  std::int64_t higher = 0;
  bool unsolved = false;
  for (const RunPair& pair : runs->pairs) {
    if (!pair.found || !pair.today) continue;
    // Runs that one of the settings did not solve stand at an edge beyond all costs.
    const Place at{runs->place_of(*pair.today), runs->place_of(*pair.found)};
    lower += at.y < at.x ? 1 : 0;
    higher += at.y > at.x ? 1 : 0;
    const bool whole = pair.found->solved && pair.today->solved;
    unsolved = unsolved || !whole;
    panel.marks.emplace_back(
        Dot{.at = at,
            .colour = kNewColour,
            .radius = 3.5,
            .hollow = !whole,
            .tip = fmt::format("{}new {}, today's {}",
                               pair.instance.empty() ? "" : short_name(pair.instance, 60) + ": ",
                               run_text(*pair.found), run_text(*pair.today)),
            .opacity = 0.7});
    std::vector<std::string> row = {pair.instance};
    for (const auto& side : {pair.found, pair.today}) {
      for (std::string& cell : side_cells(side)) row.push_back(std::move(cell));
    }
    figure.data.rows.push_back(std::move(row));
  }
  if (figure.data.rows.empty()) return {};
  // The edges are drawn and named only where a run stands there.
  if (unsolved) {
    for (const bool upright : {true, false}) {
      const auto at = [&](double along) {
        return upright ? Place{edge, along} : Place{along, edge};
      };
      panel.marks.emplace_back(
          Line{.points = {at(low), at(edge)}, .colour = kSoft, .width = 1.0, .dashed = true});
    }
    panel.marks.emplace_back(Note{.at = {low, edge}, .text = "not solved", .dx = 4.0, .dy = -4.0});
  }
  // The caption counts on which side of the diagonal the runs lie.
  const std::size_t n = figure.data.rows.size();
  figure.caption = fmt::format(
      "Each mark is a fresh run of both settings on the same instance with the same seed. Below "
      "the "
      "line the new setting needs less: in {} of {}; more in {}.{}",
      count_text(lower), counted(n, "run"), count_text(higher),
      unsolved ? " Rings at the edge are runs that were not solved." : "");
  figure.description = figure.caption;
  figure.panels.push_back(std::move(panel));
  return {figure};
}

std::vector<Figure> cactus_figure(const ReportData& data) {
  const std::optional<SolverRuns> runs = solver_runs_of(data);
  if (!runs) return {};
  Figure figure{.name = "cactus",
                .title = "Solved within a limit",
                .panel_height = 240.0,
                .data = {.columns = {"setting", "solved", "cost"}}};
  Panel panel{.x = {.label = "runs solved"},
              .y = {.label = "within " + runs->unit, .scale = Axis::Scale::kLog}};
  panel.x.whole = true;
  panel.x.low = 0.0;
  panel.y.low = runs->costs.low / 1.5;
  panel.y.high = runs->costs.high * 1.5;
  const bool moved = runs->compared || !data.study.result->incumbent;
  // A setting's costs in order: k runs are solved within the k-th least.
  const auto add = [&](std::optional<SolverRun> RunPair::*side, const char* name, int colour) {
    const std::vector<double> solved = runs->solved(side);
    const std::int64_t of = runs->count(side);
    if (of == 0) return;
    Line line{.colour = colour, .width = 2.0, .tip = name};
    for (std::size_t i = 0; i < solved.size(); ++i) {
      line.points.push_back({static_cast<double>(i + 1), std::max(solved[i], runs->floor())});
      figure.data.rows.push_back({name, std::to_string(i + 1), data_text(solved[i])});
    }
    panel.x.high = std::max(panel.x.high, 1.05 * static_cast<double>(of));
    if (!line.points.empty()) {
      panel.marks.emplace_back(Dot{.at = line.points.back(), .colour = colour, .radius = 3.5});
      panel.marks.emplace_back(std::move(line));
    }
    figure.caption += fmt::format("{} setting solved {} of {}. ", name, count_text(solved.size()),
                                  counted(of, "run"));
    figure.legend.push_back({fmt::format("{} setting", name), colour});
  };
  // Today's setting is drawn first and lies below.
  if (runs->compared) add(&RunPair::today, "Today's", kSoft);
  add(&RunPair::found, moved ? "The new" : "Today's", moved ? kNewColour : kSoft);
  figure.caption += "A line further to the right solves more, a lower one needs less for it.";
  figure.description = figure.caption;
  figure.panels.push_back(std::move(panel));
  return {figure};
}

}  // namespace ntune
