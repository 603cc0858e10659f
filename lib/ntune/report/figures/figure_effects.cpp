#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/plot/axis.h"
#include "ntune/report/data/intervals.h"
#include "ntune/report/figures/figures.h"
#include "ntune/study/evaluation.h"

namespace ntune {

namespace {

constexpr std::int64_t kFewest = 2;

/// Most cells of heat maps in one figure.
constexpr std::size_t kMostCells = 4000;
constexpr std::size_t kMostPairs = 66;

/// The group that the study recommends; -1: it recommends nothing.
int recommended_group(const ReportData& data, int parameter) {
  if (data.rivals.empty() || !data.rivals[0].recommended) return -1;
  const Point& point = data.rivals[0].point;
  return data.searches[0].groups(parameter).group_of[point[parameter]];
}

struct Effect {
  double mean = 0.0;
  std::optional<Interval> interval;
  std::int64_t n = 0;
};

Effect effect_of(const SearchStatistics& search, const PayoffSum& sum) {
  const Objective& objective = search.objective();
  Effect effect{.mean = objective.unit().value_of(sum.mean()), .interval = {}, .n = sum.n};
  const double unit = objective.unit().size();
  if (sum.n >= kFewest)
    effect.interval = interval_of(objective, sum.n, effect.mean, unit * sum.stats().sd());
  return effect;
}

struct Reach {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// Of what has enough observations not to stretch the axis for noise.
Reach reach_of(const SearchStatistics& search) {
  Reach reach;
  const double enough = static_cast<double>(search.all().n) * 0.002;
  for (const int i : search.varied()) {
    for (std::size_t g = 0; g < search.groups(i).size(); ++g) {
      const Effect effect = effect_of(search, search.one(i, g));
      if (effect.n == 0 || static_cast<double>(effect.n) < enough) continue;
      reach.add(effect.mean);
      if (effect.interval) {
        reach.add(effect.interval->low);
        reach.add(effect.interval->high);
      }
    }
  }
  if (reach.low > reach.high) reach = {0.0, 1.0};
  if (reach.low == reach.high) reach = {reach.low - 0.5, reach.high + 0.5};
  return reach;
}

Panel effect_panel(const ReportData& data, std::size_t objective, int i, const Reach& reach) {
  const SearchStatistics& search = data.searches[objective];
  const ValueGroups& groups = search.groups(i);
  const std::string& name = search.objective().space()[i].name;
  Panel panel{.title = short_name(name), .x = category_axis("", groups.labels, groups.numeric)};
  const double span = reach.high - reach.low;
  panel.y.low = reach.low - 0.3 * span;
  panel.y.high = reach.high + 0.04 * span;
  Line line{.colour = 0, .width = 1.2};
  std::int64_t most = 1;
  for (std::size_t g = 0; g < groups.size(); ++g) most = std::max(most, search.one(i, g).n);
  std::vector<Mark> dots;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Effect effect = effect_of(search, search.one(i, g));
    if (effect.n == 0) continue;
    const auto x = static_cast<double>(g);
    const bool chosen = objective == 0 && recommended_group(data, i) == static_cast<int>(g);
    std::string tip = fmt::format("{} = {}: mean {}, n {}", short_name(name, 40), groups.labels[g],
                                  short_number(effect.mean), count_text(effect.n));
    if (effect.interval) {
      tip += fmt::format(", 95 % [{}, {}]", short_number(effect.interval->low),
                         short_number(effect.interval->high));
    }
    if (chosen) tip += "; recommended";
    const double share = static_cast<double>(effect.n) / static_cast<double>(most);
    panel.marks.emplace_back(Block{.from = {x - 0.38, panel.y.low},
                                   .to = {x + 0.38, panel.y.low + 0.24 * span * share},
                                   .colour = kSoft,
                                   .opacity = 0.35,
                                   .tip = tip});
    const double mean = std::clamp(effect.mean, reach.low, reach.high);
    if (effect.interval) {
      dots.emplace_back(
          Whisker{.from = {x, std::clamp(effect.interval->low, reach.low, reach.high)},
                  .to = {x, std::clamp(effect.interval->high, reach.low, reach.high)},
                  .colour = 0});
    }
    if (chosen) dots.emplace_back(Dot{.at = {x, mean}, .colour = 1, .radius = 6.0, .hollow = true});
    dots.emplace_back(Dot{.at = {x, mean}, .colour = 0, .radius = 3.0, .tip = tip});
    line.points.push_back({x, mean});
  }
  if (groups.numeric) panel.marks.emplace_back(line);
  panel.marks.insert(panel.marks.end(), dots.begin(), dots.end());
  return panel;
}

Figure main_effects_of(const ReportData& data, std::size_t objective) {
  const SearchStatistics& search = data.searches[objective];
  Figure figure{.name = "main_effects", .title = "Main effects" + of_objective(data, objective)};
  const Reach reach = reach_of(search);
  const std::string unit = unit_text(search.objective());
  for (const int i : search.varied()) {
    Panel panel = effect_panel(data, objective, i, reach);
    panel.y.label = "mean " + unit;
    figure.panels.push_back(std::move(panel));
  }
  figure.panel_width = 150.0;
  figure.panel_height = 150.0;
  figure.description = fmt::format(
      "Mean {} of the searches' evaluations by the value of each of {} parameters, with 95 % "
      "intervals and counts.",
      unit, search.varied().size());
  figure.caption = fmt::format(
      "1-tuples: mean of all {} search evaluations that had the value, with 95 % interval; grey "
      "bars: how many they are (n, the tallest is the parameter's largest). The searches prefer "
      "good points: a value's mean depends on what it was tried with, and rises with n.",
      count_text(search.all().n));
  if (objective == 0 && !data.rivals.empty() && data.rivals[0].recommended) {
    figure.caption += " Ring: the recommended value.";
  }
  return figure;
}

/// The most important pairs that together keep to the number of cells.
std::vector<PairShare> shown_pairs(const SearchStatistics& search, const Importance& importance) {
  std::vector<PairShare> pairs;
  std::size_t cells = 0;
  for (const PairShare& pair : importance.pairs) {
    cells += search.groups(pair.a).size() * search.groups(pair.b).size();
    if (pairs.size() >= kMostPairs || (cells > kMostCells && !pairs.empty())) break;
    pairs.push_back(pair);
  }
  return pairs;
}

Figure pairs_of(const ReportData& data, std::size_t objective) {
  const SearchStatistics& search = data.searches[objective];
  const Objective& own = search.objective();
  const std::vector<PairShare> pairs = shown_pairs(search, data.importance[objective]);
  Reach reach;
  const auto visit = [&](const PairShare& pair, auto&& body) {
    for (std::size_t g = 0; g < search.groups(pair.a).size(); ++g) {
      for (std::size_t h = 0; h < search.groups(pair.b).size(); ++h) {
        const PayoffSum& cell = search.two(pair.a, pair.b, g, h);
        if (cell.n > 0) body(g, h, cell);
      }
    }
  };
  constexpr std::int64_t kEnough = 5;
  for (const PairShare& pair : pairs) {
    visit(pair, [&](std::size_t, std::size_t, const PayoffSum& cell) {
      if (cell.n >= kEnough) reach.add(own.unit().value_of(cell.mean()));
    });
  }
  if (reach.low >= reach.high) {
    const double mean = own.unit().value_of(search.all().mean());
    reach = {mean - 0.5, mean + 0.5};
  }
  Figure figure{.name = "pairs", .title = "Pairs of parameters" + of_objective(data, objective)};
  for (const PairShare& pair : pairs) {
    const ValueGroups& rows = search.groups(pair.a);
    const ValueGroups& columns = search.groups(pair.b);
    const std::string a = short_name(own.space()[pair.a].name);
    const std::string b = short_name(own.space()[pair.b].name);
    Panel panel{.x = category_axis(b, columns.labels, columns.numeric),
                .y = category_axis(a, rows.labels, rows.numeric)};
    visit(pair, [&](std::size_t g, std::size_t h, const PayoffSum& cell) {
      const double value = own.unit().value_of(cell.mean());
      const auto x = static_cast<double>(h);
      const auto y = static_cast<double>(g);
      panel.marks.emplace_back(
          Block{.from = {x - 0.5, y - 0.5},
                .to = {x + 0.5, y + 0.5},
                .shade = std::clamp((value - reach.low) / (reach.high - reach.low), 0.0, 1.0),
                .text = count_text(cell.n),
                .tip = fmt::format("{} = {}, {} = {}: mean {}, n {}", a, rows.labels[g], b,
                                   columns.labels[h], short_number(value), count_text(cell.n))});
    });
    figure.panels.push_back(std::move(panel));
  }
  figure.panel_width = 120.0;
  figure.panel_height = 130.0;
  figure.shades = ShadeScale{"mean " + unit_text(own), reach.low, reach.high};
  figure.description =
      fmt::format("Heat maps of the mean {} for {} pairs of parameters, from {} to {}.",
                  unit_text(own), pairs.size(), short_number(reach.low), short_number(reach.high));
  figure.caption = fmt::format(
      "2-tuples: mean of the search evaluations with both values (colour) and their number, where "
      "it fits. {} of {} pairs, "
      "those with the largest interaction first. The scale spans cells of {} evaluations or more; "
      "empty cells were never sampled together.",
      pairs.size(), data.importance[objective].pairs.size(), kEnough);
  return figure;
}

Figure importance_of_objective(const ReportData& data, std::size_t objective) {
  constexpr std::size_t kMostBars = 20;
  const SearchStatistics& search = data.searches[objective];
  const SearchSpace& space = search.objective().space();
  const Importance& importance = data.importance[objective];
  struct Row {
    std::string label;
    double share;
    int colour;
  };
  std::vector<Row> rows;
  for (const int i : search.varied()) {
    rows.push_back(
        {short_name(space[i].name, 20), importance.mains[static_cast<std::size_t>(i)], 0});
  }
  for (const PairShare& pair : importance.pairs) {
    rows.push_back({fmt::format("{} × {}", short_name(space[pair.a].name, 10),
                                short_name(space[pair.b].name, 10)),
                    pair.share, 1});
  }
  std::ranges::stable_sort(rows, std::greater(), &Row::share);
  if (rows.size() > kMostBars) rows.resize(kMostBars);
  std::ranges::reverse(rows);
  Panel panel{.x = {.label = "share of the variance of the evaluations, %"}};
  std::vector<std::string> labels;
  double largest = 0.0;
  for (const Row& row : rows) largest = std::max(largest, 100.0 * row.share);
  for (const Row& row : rows) {
    const auto y = static_cast<double>(labels.size());
    const std::string text = fmt::format("{:.2g}", 100.0 * row.share);
    panel.marks.emplace_back(Block{.from = {0.0, y - 0.36},
                                   .to = {100.0 * row.share, y + 0.36},
                                   .colour = row.colour,
                                   .opacity = 0.85,
                                   .tip = fmt::format("{}: {} %", row.label, text)});
    panel.marks.emplace_back(
        Note{.at = {100.0 * row.share, y}, .text = text, .colour = kInk, .dx = 4, .dy = 4});
    labels.push_back(row.label);
  }
  panel.y = category_axis("", labels);
  panel.x.low = 0.0;
  panel.x.high = largest > 0.0 ? 1.12 * largest : 1.0;
  Figure figure{.name = "importance", .title = "Importance" + of_objective(data, objective)};
  figure.panels.push_back(std::move(panel));
  figure.panel_height = 10.0 + 19.0 * static_cast<double>(rows.size());
  figure.legend = {{"parameter", 0, LegendEntry::Shape::kBlock},
                   {"pair, beyond its two parameters", 1, LegendEntry::Shape::kBlock}};
  figure.description = fmt::format(
      "Share of the variance of evaluations that goes with parameters "
      "and pairs. Largest: {}, {:.2g} %.",
      rows.empty() ? "none" : rows.back().label, largest);
  figure.caption =
      "Omega squared of the searches' evaluations: what goes with a parameter's values beyond "
      "chance, and with a pair's beyond both. Parameters that moved together are counted twice, "
      "and what the searches left early counts little.";
  if (importance.noise) {
    figure.caption += fmt::format(
        " Where points were sampled again, {:.0f} % of the variance is noise "
        "within equal points.",
        100.0 * *importance.noise);
  }
  return figure;
}

template <class Make>
std::vector<Figure> per_objective(const ReportData& data, Make make) {
  std::vector<Figure> figures;
  for (std::size_t objective = 0; objective < data.searches.size(); ++objective) {
    if (data.searches[objective].all().n == 0 || data.searches[objective].varied().empty())
      continue;
    figures.push_back(make(data, objective));
    if (data.searches.size() > 1) figures.back().name += fmt::format("-{}", objective + 1);
  }
  std::erase_if(figures, [](const Figure& figure) { return figure.panels.empty(); });
  return figures;
}

/// Of the evaluations in a slice that had one value, rounded up to a tenth.
double largest_share(const SearchStatistics& search) {
  double largest = 0.1;
  for (const int i : search.varied()) {
    const std::size_t groups = search.groups(i).size();
    for (std::size_t slice = 0; slice < SearchStatistics::kSlices; ++slice) {
      std::int64_t all = 0;
      std::int64_t most = 0;
      for (std::size_t g = 0; g < groups; ++g) {
        all += search.sampled(i, g, slice);
        most = std::max(most, search.sampled(i, g, slice));
      }
      if (all > 0)
        largest = std::max(largest, static_cast<double>(most) / static_cast<double>(all));
    }
  }
  return std::ceil(10.0 * largest) / 10.0;
}

Figure sampling_of(const ReportData& data, std::size_t objective) {
  const SearchStatistics& search = data.searches[objective];
  Figure figure{.name = "sampling", .title = "Sampling over time" + of_objective(data, objective)};
  const double most = largest_share(search);
  for (const int i : search.varied()) {
    const ValueGroups& groups = search.groups(i);
    const std::string name = short_name(search.objective().space()[i].name);
    Panel panel{.title = name,
                .x = {.label = "% of a run", .low = 0.0, .high = 100.0},
                .y = category_axis("", groups.labels, groups.numeric)};
    constexpr std::size_t kSlices = SearchStatistics::kSlices;
    for (std::size_t slice = 0; slice < kSlices; ++slice) {
      std::int64_t all = 0;
      for (std::size_t g = 0; g < groups.size(); ++g) all += search.sampled(i, g, slice);
      if (all == 0) continue;
      const double from = 100.0 * static_cast<double>(slice) / kSlices;
      const double to = 100.0 * static_cast<double>(slice + 1) / kSlices;
      for (std::size_t g = 0; g < groups.size(); ++g) {
        const double share =
            static_cast<double>(search.sampled(i, g, slice)) / static_cast<double>(all);
        const auto y = static_cast<double>(g);
        panel.marks.emplace_back(
            Block{.from = {from, y - 0.5},
                  .to = {to, y + 0.5},
                  .shade = share / most,
                  .tip = fmt::format("{} = {}: {:.0f} % of the evaluations from "
                                     "{:.0f} to {:.0f} %",
                                     name, groups.labels[g], 100.0 * share, from, to)});
      }
    }
    figure.panels.push_back(std::move(panel));
  }
  figure.panel_width = 150.0;
  figure.panel_height = 110.0;
  figure.shades = ShadeScale{"share of the evaluations, %", 0.0, 100.0 * most};
  figure.description =
      "For every parameter, which share of the evaluations had which value, over the course of a "
      "run.";
  figure.caption = "All runs together, each divided into twentieths.";
  return figure;
}

}  // namespace

std::vector<Figure> main_effects_figure(const ReportData& data) {
  return per_objective(data, main_effects_of);
}
std::vector<Figure> pairs_figure(const ReportData& data) { return per_objective(data, pairs_of); }
std::vector<Figure> importance_figure(const ReportData& data) {
  return per_objective(data, importance_of_objective);
}
std::vector<Figure> sampling_figure(const ReportData& data) {
  return per_objective(data, sampling_of);
}

}  // namespace ntune
