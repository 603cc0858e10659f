#include <array>
#include <cmath>
#include <memory>
#include <ostream>

#include <fmt/format.h>

#include "apps/slide3/reproduce.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune::slide3 {

namespace {

constexpr int kMoves = 100;

struct Experiment {
  const char* name;
  Reproduction (*run)(Laboratory&);
  bool plays = true;       ///< by the search options of the arguments alone
  bool has_depth = false;  ///< and goes with --depth
  bool has_dtw = false;
};

/// All experiments by their names in order.
constexpr std::array<Experiment, 17> kExperiments = {
    {{.name = "3.4", .run = reproduce_count, .plays = false},
     {.name = "4.2", .run = reproduce_values, .plays = false},
     {.name = "4.3", .run = reproduce_ties, .plays = false},
     {.name = "6.1", .run = reproduce_intensity},
     {.name = "6.2", .run = reproduce_distance},
     {.name = "6.4", .run = reproduce_weak, .has_depth = true, .has_dtw = true},
     {.name = "7", .run = reproduce_repair, .plays = false, .has_depth = true, .has_dtw = true},
     {.name = "a1-a3", .run = reproduce_quotas},
     {.name = "b", .run = reproduce_fat},
     {.name = "c", .run = reproduce_starts, .has_depth = true},
     {.name = "d", .run = reproduce_distances},
     {.name = "e1", .run = reproduce_tile_tab},
     {.name = "f", .run = reproduce_rounded, .has_depth = true, .has_dtw = true},
     {.name = "intensities", .run = reproduce_intensities, .has_depth = true, .has_dtw = true},
     {.name = "moves", .run = reproduce_moves},
     {.name = "ranking", .run = reproduce_ranking},
     {.name = "reasons", .run = reproduce_reasons, .has_depth = true, .has_dtw = true}}};

/// The names of the experiments that have it.
std::vector<std::string> names_of(bool Experiment::*has) {
  std::vector<std::string> names;
  for (const Experiment& one : kExperiments) {
    if (one.*has) names.emplace_back(one.name);
  }
  return names;
}

/// Refuses options that do not go with the experiment.
void check_options(const Experiment& experiment, const ReproduceArguments& arguments) {
  const auto check = [&](const char* option, bool is_given, bool Experiment::*has) {
    if (!is_given || experiment.*has) return;
    throw InputError(fmt::format("{}: does not go with {}; it goes with {}", option,
                                 experiment.name, list_text(names_of(has), "and")));
  };
  check("--depth", arguments.depth.has_value(), &Experiment::has_depth);
  check("--dtw", arguments.dtw.has_value(), &Experiment::has_dtw);
  if (experiment.run == reproduce_repair && arguments.search.win_value != kRepairedWinValue) {
    throw InputError(fmt::format("--win-value: does not go with 7, which has Win worth 0 and {}",
                                 number_text(kRepairedWinValue)));
  }
}

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

std::vector<std::string> experiment_names() { return cli::experiment_names(kExperiments); }

int reproduce_command(const ReproduceArguments& arguments, const Terminal& terminal) {
  std::string effort;
  const int code = cli::reproduce("slide3", experiment_names(), arguments, terminal, [&] {
    const Experiment& experiment = cli::experiment_named(kExperiments, arguments.experiment);
    check_options(experiment, arguments);
    Laboratory laboratory(arguments, terminal);
    Reproduction result = experiment.run(laboratory);
    effort = laboratory.effort_text() + '\n';
    Json setting = {{"seed", arguments.seed}};
    if (experiment.plays) {
      const std::string table = table_name(arguments.search.table);
      setting["table"] = table;
      setting["win_value"] = arguments.search.win_value;
      result.setup =
          fmt::format("table {}, Win {}, ", table, number_text(arguments.search.win_value));
    }
    result.setup += fmt::format("seed {}\n", arguments.seed);
    cli::Reproduced reproduced = cli::reproduced(arguments.experiment, result, setting);
    reproduced.figure = [name = arguments.experiment, title = result.title,
                         rows = result.table.rows()] {
      return reproduction_figure(name, title, rows);
    };
    return reproduced;
  });
  if (!arguments.output.quiet) terminal.err << effort;
  return code;
}

}  // namespace ntune::slide3
