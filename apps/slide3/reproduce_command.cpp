#include <array>
#include <cmath>
#include <memory>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "apps/common/laboratory_figures.h"
#include "apps/slide3/reproduce.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/plot/axis.h"

namespace ntune::slide3 {

namespace {

/// What an experiment's rows say of their place: the keys of panel and series, and of x.
struct Course {
  const char* panel;  ///< nullptr: one panel
  const char* series;
  const char* x;
  const char* label;
};

/// One quota with its interval, on the line of its series.
void add_quota(Panel& panel, Line& line, const Json& row, const std::string& name,
               const Course& course) {
  const double at = row[course.x].get<double>();
  const double ours = row["ours"].get<double>();
  const Interval interval{row["ours_low"].get<double>(), row["ours_high"].get<double>()};
  line.points.push_back({at, ours});
  panel.marks.emplace_back(
      Whisker{.from = {at, interval.low}, .to = {at, interval.high}, .colour = line.colour});
  panel.marks.emplace_back(
      Dot{.at = {at, ours},
          .colour = line.colour,
          .radius = course.panel == nullptr ? 3.0 : 2.0,
          .tip = fmt::format("{}, {} {}: {} [{}, {}]", name, course.x, short_number(at),
                             short_number(ours), short_number(interval.low),
                             short_number(interval.high))});
}

Course course_of(const Json& row) {
  Course course{nullptr, "evaluation", "dtw", "DTW of the starting positions"};
  if (row.contains("panel")) course = {"panel", "series", course.x, course.label};
  if (row.contains("intensity")) {
    course.x = "intensity";
    course.label = "intensity of the randomisation";
  }
  return course;
}

/// "Eu Add, depth 4", "Man, depth 4, DTW 24".
std::string cell_name(const Json& row) {
  std::string name = row.value("evaluation", "");
  if (row.contains("randomisation")) name += " " + row["randomisation"].get<std::string>();
  for (const auto& [key, word] : {std::pair("depth", "depth"), std::pair("dtw", "DTW")}) {
    if (row.contains(key)) name += fmt::format(", {} {}", word, row[key].get<int>());
  }
  return name;
}

}  // namespace

Figure draw_lines(const std::string& title, const std::vector<Json>& rows) {
  const Course course = course_of(rows.front());
  std::vector<std::string> titles;
  std::vector<std::string> names;
  Figure figure{.name = course.x, .title = title};
  std::vector<std::vector<Line>> lines;  // by panel and series
  for (const Json& row : rows) {
    const std::size_t at_panel =
        cli::place_of(titles, course.panel == nullptr ? "" : row[course.panel].get<std::string>());
    if (at_panel == figure.panels.size()) {
      figure.panels.push_back(
          {.title = titles.back(),
           .x = {.label = course.label},
           .y = {.label = course.panel == nullptr ? "winning quota, 95 % interval" : "quota"}});
      lines.emplace_back();
    }
    const auto name = row[course.series].get<std::string>();
    const std::size_t series = cli::place_of(names, name);
    std::vector<Line>& series_lines = lines[at_panel];
    while (series_lines.size() <= series) {
      series_lines.push_back({.colour = static_cast<int>(series_lines.size()) % kSeries});
    }
    add_quota(figure.panels[at_panel], series_lines[series], row, name, course);
  }
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    for (const Line& line : lines[i]) {
      if (!line.points.empty()) figure.panels[i].marks.emplace_back(line);
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    figure.legend.push_back({names[i], static_cast<int>(i) % kSeries});
  }
  figure.description = fmt::format("Quotas against {}, {} series.", course.label, names.size());
  figure.panel_height = course.panel == nullptr ? 280.0 : 150.0;
  return figure;
}

Figure draw_quotas(const std::string& title, const std::vector<Json>& rows) {
  std::vector<Json> named = rows;
  for (Json& row : named) row["cell"] = cell_name(row);
  return cli::agreement_figure({.title = title,
                                .unit = "winning quota",
                                .name = {"cell"},
                                .series = rows[0].contains("randomisation") ? "randomisation" : ""},
                               named);
}

namespace {

constexpr int kMoves = 100;

struct Experiment : cli::Experiment {
  Reproduction (*run)(Laboratory&);
  bool plays = true;  ///< by the search options of the arguments alone
};
constexpr const char* kDepth = "--depth";
constexpr const char* kBoth = "--depth --dtw";

/// All experiments by their names in order.
constexpr std::array<Experiment, 17> kExperiments = {
    {{{"3.4", "Equation 3.4 of Heuser (2003): positions of SlideK"}, reproduce_count, false},
     {{"4.2", "Table 4.2 of Heuser (2003): different values", draw_quotas},
      reproduce_values,
      false},
     {{"4.3", "Table 4.3 of Heuser (2003): per cent of ties", draw_quotas}, reproduce_ties, false},
     {{"6.1", "Figure 6.1 of Heuser (2003): winning quota against the intensity of Add",
       draw_lines},
      reproduce_intensity},
     {{"6.2", "Figure 6.2 of Heuser (2003): winning quota against DTW", draw_lines},
      reproduce_distance},
     {{"6.4", "Table 6.4 of Heuser (2003): fat quota with weak randomisation", nullptr, kBoth},
      reproduce_weak},
     {{"7", "Chapter 7 of Heuser (2003): winning quota against the intensity", draw_lines, kBoth},
      reproduce_repair,
      false},
     {{"a1-a3", "Tables A1 to A3 of Althöfer and Heuser (2005): winning quotas", draw_quotas},
      reproduce_quotas},
     {{"b", "Appendix B of Heuser (2003): winning quota and fat quota against the intensity of Add",
       draw_lines},
      reproduce_fat},
     {{"c", "Appendix C of Heuser (2003): winning quotas", nullptr, kDepth}, reproduce_starts},
     {{"d", "Appendix D of Heuser (2003): winning quota against DTW", draw_lines},
      reproduce_distances},
     {{"e1", "Table E.1 of Heuser (2003): winning quotas", draw_quotas}, reproduce_tile_tab},
     {{"f", "Appendix F of Heuser (2003): Perm and L2 rounded to whole numbers", nullptr, kBoth},
      reproduce_rounded},
     {{"intensities",
       "Tables 6.2, 6.3 and 7.1 of Heuser (2003), 1 to 4 of Althöfer and Heuser (2005): every "
       "intensity",
       nullptr, kBoth},
      reproduce_intensities},
     {{"moves", "Table 6.1 and Appendix A of Heuser (2003): Hits with chance"}, reproduce_moves},
     {{"ranking", "Sections 6.1.1 and 6.2.1 of Heuser (2003): mean Hits and mean winning quotas"},
      reproduce_ranking},
     {{"reasons", "Section 3.2 of Althöfer and Heuser (2005): what chance changes in a game",
       nullptr, kBoth},
      reproduce_reasons}}};

}  // namespace

Laboratory::Laboratory(const ReproduceArguments& arguments, const Terminal& terminal)
    : arguments_(arguments),
      terminal_(terminal),
      parallel_(arguments.output.threads),
      database_(database_of<3>(arguments.database, parallel_)) {}

std::vector<SlidePosition<3>> Laboratory::sample(int dtw) const {
  return draw_sample({.file = "",
                      .dtw = std::to_string(dtw),
                      .count = games(),
                      .seed = arguments_.seed,
                      .database = ""},
                     database_);
}

DepthPlayer Laboratory::player(const SlideEvaluation& evaluation, int depth) const {
  return {.evaluation = evaluation, .depth = depth, .search = arguments_.search};
}

std::vector<DepthPlayer> Laboratory::plain_players(int depth) const {
  std::vector<DepthPlayer> players;
  for (const SlideFeature feature : kFeatures) {
    players.push_back(player(SlideEvaluation::of(feature), depth));
  }
  return players;
}

std::vector<Autoplay> Laboratory::play(const std::vector<DepthPlayer>& players, int dtw,
                                       const char* purpose, bool count) {
  return play_from(players, sample(dtw), dtw, purpose, count);
}

std::vector<Autoplay> Laboratory::play_from(const std::vector<DepthPlayer>& players,
                                            const std::vector<SlidePosition<3>>& positions, int dtw,
                                            const char* purpose, bool count) {
  std::vector<AutoplayTask> tasks;
  for (const DepthPlayer& player : players) {
    tasks.push_back(
        {.make_agent = [player, count] { return std::make_unique<DepthAgent>(player, count); },
         .rng = rng().stream(purpose, dtw, tasks.size())});
  }
  const auto games = static_cast<std::int64_t>(players.size() * positions.size());
  const auto act = [&](Progress& progress) {
    return autoplay(tasks, positions, kMoves, parallel_, progress);
  };
  std::vector<Autoplay> played =
      cli::watched(games, "games", arguments_.output, terminal_, act, &seconds_);
  for (const Autoplay& one : played) leaves_ += one.evaluations;
  return played;
}

std::string Laboratory::effort_text() const {
  std::string text = fmt::format("{:.1f} s", seconds_);
  if (!counts_leaves_ || leaves_ == 0) return text;
  const double rate = static_cast<double>(leaves_) / seconds_;
  return text + fmt::format(", {} leaves a second", count_text(std::floor(rate)));
}

std::vector<cli::Experiment> experiments() { return {kExperiments.begin(), kExperiments.end()}; }

int reproduce_command(const ReproduceArguments& arguments, const Terminal& terminal) {
  std::string effort;
  const auto run = [&](std::size_t at) -> std::vector<Reproduction> {
    const DepthSearchOptions& search = arguments.search;
    if (kExperiments[at].run == reproduce_repair && search.win_value != kRepairedWinValue) {
      throw InputError(fmt::format("--win-value: does not go with 7, which has Win worth 0 and {}",
                                   number_text(kRepairedWinValue)));
    }
    Laboratory laboratory(arguments, terminal);
    Reproduction result = kExperiments[at].run(laboratory);
    effort = laboratory.effort_text() + '\n';
    result.setting = {{"seed", arguments.seed}};
    if (kExperiments[at].plays) {
      const std::string table = table_name(search.table);
      result.setting["table"] = table;
      result.setting["win_value"] = search.win_value;
      result.setup = fmt::format("table {}, Win {}, ", table, number_text(search.win_value));
    }
    result.setup += fmt::format("seed {}\n", arguments.seed);
    return {std::move(result)};
  };
  const cli::Reproduce reproduce{
      .laboratory = "slide3",
      .experiments = experiments(),
      .given = {{"--depth", arguments.depth.has_value()}, {"--dtw", arguments.dtw.has_value()}},
      .run = run};
  const int code = reproduce(arguments, terminal);
  if (!arguments.output.quiet) terminal.err << effort;
  return code;
}

}  // namespace ntune::slide3
