#include "ntune/report/figures/figures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/text.h"
#include "ntune/plot/layout.h"
#include "ntune/report/figures/notes.h"
#include "ntune/report/figures/shared.h"
#include "report/drawn.h"

namespace ntune {

namespace {

template <class Kind>
std::vector<Kind> marks_in(const Panel& panel) {
  std::vector<Kind> marks;
  for (const Mark& mark : panel.marks) {
    if (const auto* one = std::get_if<Kind>(&mark)) marks.push_back(*one);
  }
  return marks;
}

Figure only(std::vector<Figure> figures) {
  REQUIRE(figures.size() == 1);
  return std::move(figures[0]);
}

/// All places that the marks of a panel have, but for those of notes.
std::vector<Place> places_in(const Panel& panel) {
  std::vector<Place> places;
  const auto add = [&](const std::vector<Place>& more) {
    places.insert(places.end(), more.begin(), more.end());
  };
  for (const Line& line : marks_in<Line>(panel)) add(line.points);
  for (const Scatter& scatter : marks_in<Scatter>(panel)) add(scatter.points);
  for (const Dot& dot : marks_in<Dot>(panel)) add({dot.at});
  for (const Whisker& whisker : marks_in<Whisker>(panel)) add({whisker.from, whisker.to});
  for (const Block& block : marks_in<Block>(panel)) add({block.from, block.to});
  for (const Band& band : marks_in<Band>(panel)) {
    add(band.low);
    add(band.high);
  }
  return places;
}

std::set<int> colours_in(const Panel& panel) {
  std::set<int> colours;
  for (const Mark& mark : panel.marks) {
    std::visit([&](const auto& one) { colours.insert(one.colour); }, mark);
  }
  return colours;
}

/// The fields of a column as numbers.
std::vector<double> column(const DataTable& table, const std::string& name) {
  const auto place = std::ranges::find(table.columns, name) - table.columns.begin();
  REQUIRE(place < std::ssize(table.columns));
  std::vector<double> numbers;
  for (const auto& row : table.rows) {
    numbers.push_back(decimal_number(row[static_cast<std::size_t>(place)]).value_or(std::nan("")));
  }
  return numbers;
}

/// Sums of a column for each text that the first `keys` columns have.
std::map<std::string, double> sums(const DataTable& table, const std::vector<std::size_t>& keys,
                                   const std::string& name) {
  std::map<std::string, double> sums;
  const std::vector<double> numbers = column(table, name);
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    std::string key;
    for (const std::size_t k : keys) key += table.rows[row][k] + ' ';
    sums[key] += numbers[row];
  }
  return sums;
}

}  // namespace

TEST_CASE("Every figure's axes have labels enough, its marks lie within, its legend is of them") {
  for (const char* yaml : {test::kSingle, test::kToday, test::kCells}) {
    const ReportData& data = test::drawn(yaml);
    for (const FigureEntry& entry : figure_table()) {
      for (const Figure& figure : entry.make(data)) {
        CAPTURE(figure.name, yaml);
        std::set<int> colours;
        for (const PlacedPanel& placed : lay_out(figure, 680.0).panels) {
          CAPTURE(placed.panel->title);
          for (const auto& [axis, ticks] :
               {std::pair(&placed.x, &placed.x_ticks), {&placed.y, &placed.y_ticks}}) {
            if (axis->hidden) continue;
            const bool named = axis->scale == Axis::Scale::kCategories;
            CHECK(ticks->size() >= (named ? std::min<std::size_t>(1, axis->categories.size()) : 3));
            CHECK(axis->low < axis->high);
            for (const Tick& tick : *ticks) CHECK_FALSE(tick.text.empty());
          }
          for (const Place& place : places_in(*placed.panel)) {
            REQUIRE(std::isfinite(place.x));
            REQUIRE(std::isfinite(place.y));
            CHECK(position(placed.x, place.x) == Approx(0.5).margin(0.51));
            CHECK(position(placed.y, place.y) == Approx(0.5).margin(0.51));
          }
          colours.merge(colours_in(*placed.panel));
        }
        for (const LegendEntry& entry_of : figure.legend) CHECK_FALSE(entry_of.text.empty());
        const auto is_drawn = [&](const LegendEntry& one) { return colours.contains(one.colour); };
        CHECK((figure.legend.empty() || std::ranges::any_of(figure.legend, is_drawn)));
      }
    }
  }
}

TEST_CASE("A note beside a mark covers no curve, no whisker and no other note") {
  const auto placed = [](std::vector<Place> curve, const Place& at) {
    Panel panel{.x = {.low = 0.0, .high = 1.0}, .y = {.low = 0.0, .high = 1.0}};
    panel.marks.emplace_back(Line{.points = std::move(curve)});
    place_note(panel, Note{.at = at, .text = "today 0.1"}, false);
    return marks_in<Note>(panel).front();
  };
  // Below a level line, and where a line falls or rises below at the side that it leaves free.
  const Note level = placed({{0.0, 0.6}, {1.0, 0.6}}, {0.5, 0.6});
  CHECK((level.dy > 0.0 && level.anchor == Note::Anchor::kMiddle));
  const Note falls = placed({{0.0, 1.0}, {1.0, 0.0}}, {0.5, 0.5});
  CHECK((falls.dy > 0.0 && falls.anchor == Note::Anchor::kEnd));
  const Note rises = placed({{0.0, 0.0}, {1.0, 1.0}}, {0.5, 0.5});
  CHECK((rises.dy > 0.0 && rises.anchor == Note::Anchor::kStart));
  // Without room there it stands above.
  const Note first = placed({{0.0, 0.8}, {0.3, 0.3}, {1.0, 0.1}}, {0.05, 0.72});
  CHECK((first.dy < 0.0 && first.anchor == Note::Anchor::kStart));
  // At the foot of a whisker it stands beside, and a second note elsewhere.
  Panel panel{.x = category_axis("", {"x", "y"}), .y = {.low = 0.0, .high = 1.0}};
  panel.marks.emplace_back(Whisker{.from = {0.0, 0.1}, .to = {0.0, 0.9}});
  place_note(panel, Note{.at = {0.0, 0.5}, .text = "x"}, true);
  place_note(panel, Note{.at = {0.0, 0.5}, .text = "today x"}, false);
  const std::vector<Note> notes = marks_in<Note>(panel);
  CHECK(notes[0].dx > 0.0);
  CHECK(notes[1].dx > 0.0);
  CHECK(notes[1].dy < notes[0].dy);
  // On a phone a text is half as wide as its panel, and would lie on another that is below it.
  Panel narrow{.x = {.low = 0.0, .high = 1.0}, .y = {.low = 0.0, .high = 1.0}};
  place_note(narrow, Note{.at = {0.6, 0.15}, .text = "0.6"}, true);
  place_note(narrow, Note{.at = {0.1, 0.45}, .text = "today 0.1"}, false);
  CHECK(marks_in<Note>(narrow)[1].dy < 0.0);
  // In a cross it stands between the arms.
  Panel cross{.x = {.low = 0.0, .high = 1.0}, .y = {.low = 0.0, .high = 1.0}};
  cross.marks.emplace_back(Whisker{.from = {0.5, 0.1}, .to = {0.5, 0.9}});
  cross.marks.emplace_back(Whisker{.from = {0.1, 0.5}, .to = {0.9, 0.5}});
  place_note(cross, Note{.at = {0.5, 0.5}, .text = "A"}, true);
  const Note corner = marks_in<Note>(cross).front();
  CHECK((corner.dx > 0.0 && corner.dy < 0.0));
}

TEST_CASE("Values of several goals are called as the first of them") {
  test::DrawnStudy made(
      "{objective: {command: [sh, -c, 'echo \"{{\\\"score\\\": $1, \\\"b\\\": $(( $1 * $1 ))}}\"', "
      "sh, '{x}']}, goals: {score: maximise, b: minimise}, space: {x: {integers: [1, 6], default: "
      "3}}, budget: 40, seed: 1}");
  const Objective& objective = *made.data->study.study.objectives[0].objective;
  CHECK(unit_text(objective) == "score");
  CHECK_FALSE(is_told_in_percent(objective));
}

TEST_CASE("The legend of goals names what is drawn alone, in its colours") {
  test::DrawnStudy made(
      "{objective: {command: [sh, -c, 'echo \"{{\\\"a\\\": $1, \\\"b\\\": $(( $1 * $1 ))}}\"', "
      "sh, '{x}']}, goals: {a: maximise, b: minimise}, space: {x: {integers: [1, 6], default: "
      "3}}, budget: 40, seed: 1}");
  std::vector<FrontMember>& members = made.data->study.result->front->members;
  REQUIRE(members.size() > 2);
  for (FrontMember& member : members) member.on_front = true;
  const auto names = [&] {
    const Figure figure = only(front_figure(*made.data));
    std::set<std::string> texts;
    for (const LegendEntry& entry : figure.legend) {
      CAPTURE(entry.text);
      CHECK(colours_in(figure.panels[0]).contains(entry.colour));
      texts.insert(entry.text);
    }
    return texts;
  };
  CHECK(names() == std::set<std::string>{"on the front", "today's"});
  members.back().on_front = false;
  CHECK(names() == std::set<std::string>{"beaten", "on the front", "today's"});
  members.front().on_front = false;
  CHECK(names().size() == 3);
}

TEST_CASE("Candidates stand where their fresh evaluations say, the recommended one on top") {
  const ReportData& data = test::drawn(test::kSingle);
  const Figure figure = only(candidates_figure(data));
  std::vector<Rival> known = data.rivals;
  std::erase_if(known, [](const Rival& rival) { return rival.n == 0; });
  const std::vector<Dot> dots = marks_in<Dot>(figure.panels[0]);
  REQUIRE(dots.size() == known.size());
  CHECK(figure.panels[0].y.categories.back() == "recommended");
  const std::vector<double> means = column(figure.data, "mean");
  std::ptrdiff_t intervals = 0;
  for (std::size_t i = 0; i < known.size(); ++i) {
    CHECK(dots[known.size() - 1 - i].at.x == known[i].mean);
    CHECK(means[i] == known[i].mean);
    intervals += known[i].interval ? 1 : 0;
  }
  CHECK(std::ssize(marks_in<Whisker>(figure.panels[0])) == intervals);
  CHECK(marks_in<Line>(figure.panels[0]).size() == known.size());  // true values
  CHECK(figure.legend.size() == 2);
}

TEST_CASE("Convergence ends at what the runs recommend, and its median between them") {
  const ReportData& data = test::drawn(test::kSingle);
  const Figure figure = only(convergence_figure(data));
  std::vector<double> ends;
  std::optional<double> median;
  for (const Line& line : marks_in<Line>(figure.panels[0])) {
    if (line.dashed) continue;  // the best of the space
    CHECK(line.points.back().x == 100.0);
    if (line.width > 2.0) median = line.points.back().y;
    if (line.width < 2.0) ends.push_back(line.points.back().y);
  }
  std::vector<double> recommended;
  for (const RunTrace& run : data.traces.runs) {
    recommended.push_back(run.checkpoints.back().true_value.value());
  }
  CHECK(ends == recommended);
  REQUIRE(median);
  CHECK(*median >= *std::ranges::min_element(ends));
  CHECK(*median <= *std::ranges::max_element(ends));
  CHECK(marks_in<Band>(figure.panels[0]).size() == 1);
}

TEST_CASE("Several studies share one axis of convergence and one of values") {
  const ReportData& single = test::drawn(test::kSingle);
  const std::vector<ObjectiveOfStudy> twice = {{&single, 0}, {&single, 0}};
  const Figure lines = shared_convergence_figure(twice);
  REQUIRE(lines.panels.size() == 1);
  CHECK(marks_in<Line>(lines.panels[0]).size() == 2);
  CHECK(lines.legend.size() == 2);
  const Figure values = shared_values_figure(twice);
  REQUIRE(values.panels.size() == 1);
  for (const Dot& dot : marks_in<Dot>(values.panels[0])) {
    CHECK(dot.at.x == single.study.result->recommendation->fresh.value);
  }
  CHECK(shared_values_figure({{&single, 0}}).panels.empty());
  CHECK(shared_convergence_figure({{&single, 0}}).panels.empty());
}

TEST_CASE("Effects and pairs count each evaluation once for every parameter and every pair") {
  const ReportData& data = test::drawn(test::kSingle);
  const auto evaluations = static_cast<double>(data.traces.evaluations);
  const Figure effects = only(main_effects_figure(data));
  CHECK(effects.panels.size() == 3);
  const auto by_parameter = sums(effects.data, {0}, "n");
  CHECK(by_parameter.size() == 3);
  for (const auto& [name, n] : by_parameter) CHECK(n == evaluations);
  const Figure pairs = only(pairs_figure(data));
  CHECK(pairs.panels.size() == 3);
  const auto by_pair = sums(pairs.data, {0, 2}, "n");
  CHECK(by_pair.size() == 3);
  for (const auto& [name, n] : by_pair) CHECK(n == evaluations);
  std::size_t blocks = 0;
  std::ptrdiff_t ringed = 0;
  for (const Panel& panel : pairs.panels) {
    const std::vector<Block> cells = marks_in<Block>(panel);
    blocks += cells.size();
    ringed += std::ranges::count_if(cells, &Block::ringed);
    for (const Block& cell : cells) CHECK(cell.shade.value() == Approx(0.5).margin(0.5));
  }
  CHECK(blocks == pairs.data.rows.size());
  CHECK(ringed == 3);
}

TEST_CASE("Bars of importance are as long as their shares, the largest on top") {
  const ReportData& data = test::drawn(test::kSingle);
  const Figure figure = only(importance_figure(data));
  std::vector<double> shares = column(figure.data, "share");
  CHECK(std::ranges::is_sorted(shares, std::ranges::greater()));
  const std::vector<Block> bars = marks_in<Block>(figure.panels[0]);
  REQUIRE(bars.size() == shares.size());
  for (std::size_t i = 0; i < bars.size(); ++i) {
    CHECK(bars[i].to.x == 100.0 * shares[bars.size() - 1 - i]);
  }
  CHECK(marks_in<Note>(figure.panels[0]).size() == bars.size());
  CHECK(marks_in<Whisker>(figure.panels[0]).size() == bars.size());
}

TEST_CASE("Shares of values add up to all runs, and to all evaluations of each part of a run") {
  const ReportData& data = test::drawn(test::kSingle);
  const Figure agreement = only(agreement_figure(data));
  CHECK(agreement.panels.size() == 3);
  for (const Panel& panel : agreement.panels) {
    double height = 0.0;
    for (const Block& block : marks_in<Block>(panel)) height += block.to.y;
    CHECK(height == Approx(100.0));
  }
  for (const auto& [name, runs] : sums(agreement.data, {0}, "runs")) CHECK(runs == 4.0);
  const Figure sampling = only(sampling_figure(data));
  const auto shares = sums(sampling.data, {0, 2}, "share");
  CHECK(shares.size() == 3 * SearchStatistics::kSlices);
  for (const auto& [part, share] : shares) CHECK(share == Approx(1.0));
  for (const auto& [name, n] : sums(sampling.data, {0}, "evaluations")) CHECK(n == 400.0);
}

TEST_CASE("Parallel coordinates have a line for each setting that was tried") {
  const ReportData& data = test::drawn(test::kSingle);
  const Figure tried = only(tried_figure(data));
  const std::vector<Line> all = marks_in<Line>(tried.panels[0]);
  const auto shaded =
      std::ranges::count_if(all, [](const Line& line) { return line.shade.has_value(); });
  CHECK(shaded == static_cast<std::ptrdiff_t>(data.searches[0].distinct_points()));
  double n = 0.0;
  for (const double count : column(tried.data, "n")) n += count;
  CHECK(n == static_cast<double>(data.traces.evaluations));
}

TEST_CASE("The history has a dot for each evaluation that is held") {
  const ReportData& data = test::drawn(test::kSingle);
  const Figure figure = only(history_figure(data));
  std::size_t dots = 0;
  for (const Scatter& scatter : marks_in<Scatter>(figure.panels[0])) dots += scatter.points.size();
  CHECK(dots == data.samples[0].evaluations().size());
  CHECK(figure.data.rows.size() == dots);
  const std::vector<Line> means = marks_in<Line>(figure.panels[0]);
  REQUIRE(means.size() == 1);
  CHECK(means[0].points.size() == RunCourse::kParts);
}

TEST_CASE("Numbers of the first screen are those of the result, in percent of a win rate") {
  const ReportData& single = test::drawn(test::kSingle);
  const SavedMeasurement& fresh = single.study.result->recommendation->fresh;
  const std::vector<Dot> alone = marks_in<Dot>(only(forest_figure(single)).panels[0]);
  REQUIRE(alone.size() == 1);
  CHECK(alone[0].at.x == 100.0 * *fresh.value);
  const Figure course = only(course_figure(single));
  CHECK(course.panels[0].y.suffix == " %");
  const auto is_last = [&](const RunTrace& run) {
    return column(course.data, "estimate").back() ==
           Approx(run.checkpoints.back().estimate).epsilon(1e-12);
  };
  CHECK(std::ranges::any_of(single.traces.runs, is_last));

  const ReportData& today = test::drawn(test::kToday);
  const SavedResult& result = *today.study.result;
  REQUIRE(result.incumbent->difference);
  const Figure forest = only(forest_figure(today));
  REQUIRE(forest.panels.size() == 2);
  const std::vector<Dot> both = marks_in<Dot>(forest.panels[0]);
  REQUIRE(both.size() == 2);
  CHECK(both[0].at.x == *result.recommendation->fresh.value);
  CHECK(both[1].at.x == *result.incumbent->fresh.value);
  CHECK(marks_in<Dot>(forest.panels[1]).at(0).at.x == *result.incumbent->difference);
  const Figure instances = only(instances_figure(today));
  std::multiset<double> values;
  for (const InstanceRow& row : *result.instances) values.insert({*row.value, *row.default_value});
  std::multiset<double> shown;
  for (const Dot& dot : marks_in<Dot>(instances.panels[0])) shown.insert(dot.at.x);
  CHECK(shown == values);
  CHECK(marks_in<Line>(instances.panels[0]).size() == result.instances->size());
}

TEST_CASE("Ranks stand at their means, each with one critical difference around it") {
  const ReportData& data = test::drawn(test::kCells);
  const Figure figure = only(ranks_figure(data));
  const std::vector<Dot> dots = marks_in<Dot>(figure.panels[0]);
  const std::vector<Whisker> bars = marks_in<Whisker>(figure.panels[0]);
  const auto& contestants = data.ranks.contestants;
  REQUIRE(dots.size() == contestants.size());
  REQUIRE(bars.size() == contestants.size());
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const Contestant& one = contestants[contestants.size() - 1 - i];
    CHECK(dots[i].at.x == one.mean_rank);
    CHECK(bars[i].to.x - bars[i].from.x == Approx(data.ranks.critical_difference));
    CHECK(figure.panels[0].y.categories[i] == one.label);
  }
}

TEST_CASE("A comparison has a panel for each objective, with every cell and every score") {
  const ReportData& data = test::drawn(test::kCells);
  const Figure scores = only(scores_figure(data));
  const Figure distribution = only(distribution_figure(data));
  const Figure differences = only(differences_figure(data));
  CHECK(scores.data.rows.size() == 36);
  CHECK(distribution.data.rows.size() == 36);
  CHECK(distribution.legend.size() == 3);
  for (std::size_t objective = 0; objective < 2; ++objective) {
    CAPTURE(objective);
    CHECK(marks_in<Block>(scores.panels[objective]).size() == 3);
    const std::vector<Line> lines = marks_in<Line>(distribution.panels[objective]);
    CHECK(lines.size() == 3);
    for (const Line& line : lines) {
      CHECK(line.points.size() == 7);  // from 0, and a step for each of 6 runs
      CHECK(line.points.back().y == 100.0);
    }
    const std::string& title = data.study.study.objectives[objective].label;
    for (const Figure* figure : {&scores, &distribution, &differences}) {
      REQUIRE(figure->panels.size() == 2);
      CHECK(figure->panels[objective].title == title);
    }
    std::multiset<double> means;
    for (const CellScores& cell : data.cells) {
      if (data.study.study.objective_of(cell.cell) != objective) continue;
      if (!cell.differences.empty()) means.insert(stats_of(cell.differences).mean());
    }
    std::multiset<double> shown;
    for (const Dot& dot : marks_in<Dot>(differences.panels[objective])) shown.insert(dot.at.x);
    CHECK(shown == means);
  }
}

TEST_CASE("Figures of parameters show those that are asked for alone") {
  const test::DrawnStudy study(test::kSingle, {.parameters = {"x1", "x3"}});
  const ReportData& data = *study.data;
  const std::vector<std::pair<const char*, std::size_t>> panels = {
      {"main_effects", 2}, {"pairs", 1}, {"agreement", 2}, {"sampling", 2}};
  for (const auto& [name, count] : panels) {
    CAPTURE(name);
    CHECK(only(find_figure(name).make(data)).panels.size() == count);
  }
  CHECK(only(importance_figure(data)).data.rows.size() == 3);
  for (const Line& line : marks_in<Line>(only(tried_figure(data)).panels[0])) {
    if (!line.key.empty()) CHECK(line.points.size() == 3);
  }
}

TEST_CASE("Quantities of runs are medians where at least half of the runs have come so far") {
  const auto trace = [](std::vector<std::pair<std::int64_t, double>> steps, bool whole) {
    RunTrace run{.whole = whole};
    for (const auto& [evaluations, estimate] : steps) {
      run.checkpoints.push_back({.evaluations = evaluations, .estimate = estimate});
    }
    return run;
  };
  const RunTrace a = trace({{1, 3.0}, {10, 4.0}}, true);
  const RunTrace b = trace({{2, 1.0}, {5, 2.0}}, false);
  const RunTrace c = trace({{8, 9.0}}, false);
  const std::vector<const RunTrace*> runs = {&a, &b, &c};
  CHECK(checkpoints_of(runs) == std::vector<std::int64_t>{1, 2, 5, 8, 10});
  const std::vector<std::pair<std::int64_t, std::vector<double>>> cases = {
      {0, {}},         {1, {}},  // one of three has begun
      {2, {1.0, 3.0}}, {5, {2.0, 3.0}},
      {8, {3.0, 9.0}},  // b has not ended, and is not known beyond its last place
      {10, {}},        {99, {}}};
  for (const auto& [evaluations, worths] : cases) {
    CAPTURE(evaluations);
    CHECK(worths_at(runs, evaluations) == worths);
  }
}

}  // namespace ntune
