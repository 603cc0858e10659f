#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/arcade/reproduce.h"
#include "apps/common/study_progress.h"
#include "apps/common/watched.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/study/journal/recorded_study.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/run_study.h"

namespace ntune::arcade {

namespace {

namespace fs = std::filesystem;

/// Refuses options that do not go with the experiment, or not with --from.
void check(const ReproduceArguments& arguments) {
  const std::string& name = arguments.experiment;
  const auto refuse = [](bool given, const char* option, const char* why) {
    if (given) throw InputError(fmt::format("{}: {}", option, why));
  };
  const bool plays_2 = name == "2" || name == "fig3" || name == "fig4";
  refuse(!plays_2 && arguments.runs, "--runs", "goes with 2, fig3 and fig4");
  if (name != "3") {
    refuse(arguments.scale.has_value(), "--scale", "goes with table 3");
    refuse(arguments.repeats.has_value(), "--repeats", "goes with table 3");
    refuse(!arguments.from.empty(), "--from", "goes with table 3");
  }
  refuse(name != "2" && name != "3" && arguments.game, "--game", "goes with the tables 2 and 3");
  if (arguments.from.empty()) return;
  constexpr const char* kFinished = "does not go with --from, where the study is finished";
  refuse(arguments.scale.has_value(), "--scale", kFinished);
  refuse(arguments.repeats.has_value(), "--repeats", kFinished);
  refuse(arguments.seed.has_value(), "--seed", kFinished);
}

/// The study with the result of act(progress), with a display meanwhile.
template <class Act>
FinishedStudy finished(Study study, const ReproduceArguments& arguments, const Terminal& terminal,
                       const Act& act) {
  StudyProgress progress;
  StudyResult result = [&] {
    const auto display = cli::show_study(progress, terminal, arguments.output.quiet);
    return act(progress);
  }();
  if (result.interrupted) throw cli::Interrupted();
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
  return finished(recorded.study(), arguments, terminal,
                  [&](StudyProgress& progress) { return replay_study(recorded, false, progress); });
}

FinishedStudy run_paper_study(const Study& study, const ReproduceArguments& arguments,
                              const Terminal& terminal) {
  return finished(study, arguments, terminal,
                  [&](StudyProgress& progress) { return run_study(study, progress); });
}

/// The studies that are asked for, all of them read before one is run.
std::vector<std::pair<Game, Study>> studies_of(const ReproduceArguments& arguments) {
  std::vector<std::pair<Game, Study>> studies;
  if (arguments.experiment == "3") {
    const Game game = arguments.game.value_or(Game::kPlanetWars);
    studies.emplace_back(game, table_3_study(arguments, game));
    return studies;
  }
  std::optional<Game> only = arguments.game;
  if (arguments.experiment == "fig3") only = Game::kPlanetWars;
  if (arguments.experiment == "fig4") only = Game::kAsteroids;
  for (const auto& [name, game] : game_names()) {
    if (!only || *only == game) {
      studies.emplace_back(game, table_2_study(arguments, game));
    }
  }
  return studies;
}

/// What the experiment brings, of each game where it has both.
std::vector<Reproduction> carry_out(const ReproduceArguments& arguments, const Terminal& terminal) {
  if (arguments.experiment == "fig1") return {figure_1()};
  if (!arguments.from.empty()) {
    const FinishedStudy read = read_from_folder(arguments, terminal);
    return {table_3(read, game_of(read.study, arguments.from))};
  }
  std::vector<Reproduction> parts;
  for (const auto& [game, study] : studies_of(arguments)) {
    const FinishedStudy ours = run_paper_study(study, arguments, terminal);
    parts.push_back(arguments.experiment == "2"   ? table_2(ours, game)
                    : arguments.experiment == "3" ? table_3(ours, game)
                                                  : figure_of_runs(ours, game));
  }
  return parts;
}

Figure figure_of(const std::string& experiment, const std::vector<Json>& rows) {
  if (experiment == "fig1") return drawn_figure_1(rows);
  const bool shows_runs = experiment == "fig3" || experiment == "fig4";
  return shows_runs ? drawn_figure_of_runs(rows) : reproduction_figure(experiment, rows);
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
  return cli::reproduce("arcade", experiment_names(), arguments, terminal, [&] {
    check(arguments);
    cli::Reproduced all{.json = Json::array(), .rows = {}, .text = {}, .figure = {}};
    for (const Reproduction& part : carry_out(arguments, terminal)) {
      const std::vector<Json>& rows = part.table.rows();
      all.json.push_back({{"title", part.title}, {"rows", rows}, {"summary", part.summary}});
      all.rows.insert(all.rows.end(), rows.begin(), rows.end());
      if (!all.text.empty()) all.text += '\n';
      all.text += cli::reproduction_text(part);
    }
    all.figure = [name = arguments.experiment, rows = all.rows] { return figure_of(name, rows); };
    return all;
  });
}

}  // namespace ntune::arcade
