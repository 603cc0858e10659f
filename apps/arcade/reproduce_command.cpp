#include <filesystem>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "apps/arcade/reproduce.h"
#include "apps/arcade/reproduce_figures.h"
#include "apps/arcade/reproduce_plot.h"
#include "apps/common/claims.h"
#include "apps/common/rows.h"
#include "apps/common/study_progress.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/plot/picture.h"
#include "ntune/study/journal/recorded_study.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/run_study.h"

namespace ntune::arcade {

namespace {

namespace fs = std::filesystem;

/// Table 2, and the figures that show its runs.
bool plays_table_2(const std::string& table) {
  return table == "2" || table == "fig3" || table == "fig4";
}

void check(const ReproduceArguments& arguments) {
  const bool is_2 = plays_table_2(arguments.table);
  if (!is_2 && arguments.runs) throw InputError("--runs: goes with 2, fig3 and fig4");
  const auto refuse = [](bool given, const char* option, const char* why) {
    if (given) throw InputError(fmt::format("{}: {}", option, why));
  };
  if (arguments.table != "3") {
    refuse(arguments.scale.has_value(), "--scale", "goes with table 3");
    refuse(arguments.repeats.has_value(), "--repeats", "goes with table 3");
    refuse(!arguments.from.empty(), "--from", "goes with table 3");
  }
  const bool has_game = arguments.table == "2" || arguments.table == "3";
  refuse(!has_game && arguments.game.has_value(), "--game", "goes with the tables 2 and 3");
  if (arguments.from.empty()) return;
  constexpr const char* kFinished = "does not go with --from, where the study is finished";
  refuse(arguments.scale.has_value(), "--scale", kFinished);
  refuse(arguments.repeats.has_value(), "--repeats", kFinished);
  refuse(arguments.seed.has_value(), "--seed", kFinished);
}

/// Calls act(progress) with a display.
template <class Act>
StudyResult watched(const ReproduceArguments& arguments, const Terminal& terminal, Act act) {
  StudyProgress progress;
  const auto display = cli::show_study(progress, terminal, arguments.output.quiet);
  return act(progress);
}

FinishedStudy finished(Study study, StudyResult result) {
  std::vector<CellSummary> summaries = summarise(study, result);
  return {std::move(study), std::move(result), std::move(summaries)};
}

/// The game that a study tunes: a label is the objective's name and what differs from the defaults.
Game game_of(const Study& study, const std::string& folder) {
  const std::string& label = study.objectives.front().label;
  for (const auto& [name, game] : game_names()) {
    if (study.objectives.size() == 1 && label.substr(0, label.find(' ')) == name) return game;
  }
  throw InputError(
      fmt::format("--from {}: is no study of planet_wars or asteroids", printable(folder, 1000)));
}

FinishedStudy read_from_folder(const ReproduceArguments& arguments, const Terminal& terminal) {
  const RecordedStudy recorded(arguments.from);
  const Game game = game_of(recorded.study(), arguments.from);
  if (arguments.game && *arguments.game != game) {
    throw InputError(fmt::format("--from {}: is a study of {}", printable(arguments.from, 1000),
                                 game_name(game)));
  }
  return finished(recorded.study(), watched(arguments, terminal, [&](StudyProgress& progress) {
                    return replay_study(recorded, false, progress);
                  }));
}

FinishedStudy run_paper_study(Study study, const ReproduceArguments& arguments,
                              const Terminal& terminal) {
  StudyResult result = watched(arguments, terminal,
                               [&](StudyProgress& progress) { return run_study(study, progress); });
  return finished(std::move(study), std::move(result));
}

/// The studies that are asked for, all of them read before one is run.
std::vector<std::pair<Game, Study>> studies_of(const ReproduceArguments& arguments) {
  std::vector<std::pair<Game, Study>> studies;
  if (arguments.table == "3") {
    const Game game = arguments.game.value_or(Game::kPlanetWars);
    studies.emplace_back(game, table_3_study(arguments, game));
    return studies;
  }
  std::optional<Game> only = arguments.game;
  if (arguments.table == "fig3") only = Game::kPlanetWars;
  if (arguments.table == "fig4") only = Game::kAsteroids;
  for (const auto& [name, game] : game_names()) {
    if (!only || *only == game) {
      studies.emplace_back(game, table_2_study(arguments, game));
    }
  }
  return studies;
}

void print(const std::vector<Reproduction>& parts, const ReproduceArguments& arguments,
           std::ostream& out) {
  Json json = Json::array();
  std::vector<Json> rows;
  std::string text;
  for (const Reproduction& part : parts) {
    json.push_back({{"title", part.title}, {"rows", part.rows}, {"summary", part.summary}});
    rows.insert(rows.end(), part.rows.begin(), part.rows.end());
    if (!text.empty()) text += '\n';
    text += fmt::format("{}\n\n{}\n{}", part.title, part.table, part.remarks);
  }
  cli::print_result(out, arguments.output.format, json, rows, text);
}

}  // namespace

Study load_paper_study(const ReproduceArguments& arguments, const std::string& name) {
  const fs::path file = fs::path(arguments.configs) / "papers" / (name + ".yaml");
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    throw InputError(
        fmt::format("--configs: '{}' does not exist; name the folder configs of "
                    "ntune's source",
                    path_text(file)));
  }
  Study study = read_study(read_yaml(file));
  study.execution.threads = arguments.output.threads;
  if (arguments.seed) study.seed = static_cast<std::uint64_t>(*arguments.seed);
  return study;
}

std::string value_text(Game game, double value) {
  return game == Game::kPlanetWars ? fmt::format("{:.3f}", value) : fmt::format("{:.0f}", value);
}

std::string difference_text(Game game, double value) {
  return game == Game::kPlanetWars ? fmt::format("{:+.3f}", value) : fmt::format("{:+.0f}", value);
}

std::string interval_text(Game game, const Interval& interval) {
  return fmt::format("[{}, {}]", value_text(game, interval.low), value_text(game, interval.high));
}

std::vector<std::string> experiment_names() { return {"2", "3", "fig1", "fig3", "fig4"}; }

int reproduce_command(const ReproduceArguments& arguments, const Terminal& terminal) {
  cli::check_experiment(arguments.table, arguments.list, experiment_names());
  if (arguments.list) return cli::list_claims("arcade", arguments.output.format, terminal);
  check(arguments);
  if (!arguments.plot.empty()) check_picture(arguments.plot);
  std::vector<Reproduction> parts;
  if (!arguments.from.empty()) {
    const FinishedStudy read = read_from_folder(arguments, terminal);
    if (read.result.interrupted) return cli::kInterrupted;
    parts.push_back(table_3(read, game_of(read.study, arguments.from)));
  } else if (arguments.table == "fig1") {
    parts.push_back(figure_1());
  } else {
    for (auto& [game, study] : studies_of(arguments)) {
      const FinishedStudy ours = run_paper_study(std::move(study), arguments, terminal);
      if (ours.result.interrupted) return cli::kInterrupted;
      parts.push_back(arguments.table == "2"   ? table_2(ours, game)
                      : arguments.table == "3" ? table_3(ours, game)
                                               : figure_of_runs(ours, game));
    }
  }
  print(parts, arguments, terminal.out);
  if (arguments.plot.empty()) return cli::kDone;
  std::vector<Json> rows;
  for (const Reproduction& part : parts) {
    rows.insert(rows.end(), part.rows.begin(), part.rows.end());
  }
  const std::string table = arguments.from.empty() ? arguments.table : "3";
  const Figure figure = table == "fig1"                      ? drawn_figure_1(rows)
                        : table == "fig3" || table == "fig4" ? drawn_figure_of_runs(rows)
                                                             : reproduction_figure(table, rows);
  write_picture(arguments.plot, figure, kPictureWidth);
  return cli::kDone;
}

}  // namespace ntune::arcade
