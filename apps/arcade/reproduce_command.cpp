#include <array>
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

/// What the study's options would say of one that is finished.
void check_finished(const ReproduceArguments& arguments) {
  for (const auto& [option, is_given] : {std::pair("--scale", arguments.scale.has_value()),
                                         {"--repeats", arguments.repeats.has_value()},
                                         {"--seed", arguments.seed.has_value()}}) {
    if (!is_given) continue;
    throw InputError(
        fmt::format("{}: does not go with --from, where the study is finished", option));
  }
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

struct Experiment : cli::Experiment {
  Reproduction (*part)(const FinishedStudy&, Game);  ///< nullptr: there is no study
  Study (*study)(const ReproduceArguments&, Game) = nullptr;
  std::optional<Game> game = {};  ///< where none is given; unset: both
};

constexpr std::array<Experiment, 5> kExperiments = {
    {{{"2", "Table 2 of Goodman and Lucas (2020)", draw_table_2, "--runs --game"},
      table_2,
      table_2_study},
     {{"3", "Table 3 of Goodman and Lucas (2020)", draw_table_3, "--scale --repeats --from --game"},
      table_3,
      table_3_study,
      Game::kPlanetWars},
     {{"fig1", "Figure 1 of Goodman and Lucas (2020): the weight of a tuple by its visits",
       drawn_figure_1},
      nullptr},
     {{"fig3", "Figure 3 of Goodman and Lucas (2020)", drawn_figure_of_runs, "--runs"},
      figure_of_runs,
      table_2_study,
      Game::kPlanetWars},
     {{"fig4", "Figure 4 of Goodman and Lucas (2020)", drawn_figure_of_runs, "--runs"},
      figure_of_runs,
      table_2_study,
      Game::kAsteroids}}};

/// What the experiment brings, of each game where it has both.
std::vector<Reproduction> carry_out(const Experiment& experiment,
                                    const ReproduceArguments& arguments, const Terminal& terminal) {
  if (experiment.part == nullptr) return {figure_1()};
  if (!arguments.from.empty()) {
    check_finished(arguments);
    const FinishedStudy read = read_from_folder(arguments, terminal);
    return {experiment.part(read, game_of(read.study, arguments.from))};
  }
  // All studies are read before one is run.
  const std::optional<Game> only = arguments.game ? arguments.game : experiment.game;
  std::vector<std::pair<Game, Study>> studies;
  for (const auto& [name, game] : game_names()) {
    if (!only || *only == game) studies.emplace_back(game, experiment.study(arguments, game));
  }
  std::vector<Reproduction> parts;
  for (const auto& [game, of_game] : studies) {
    const Study& study = of_game;
    parts.push_back(experiment.part(
        finished(study, arguments, terminal,
                 [&](StudyProgress& progress) { return run_study(study, progress); }),
        game));
  }
  return parts;
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

std::vector<cli::Experiment> experiments() { return {kExperiments.begin(), kExperiments.end()}; }

int reproduce_command(const ReproduceArguments& arguments, const Terminal& terminal) {
  const cli::Reproduce reproduce{
      .laboratory = "arcade",
      .experiments = experiments(),
      .given = {{"--runs", arguments.runs.has_value()},
                {"--scale", arguments.scale.has_value()},
                {"--repeats", arguments.repeats.has_value()},
                {"--from", !arguments.from.empty()},
                {"--game", arguments.game.has_value()}},
      .run = [&](std::size_t at) { return carry_out(kExperiments[at], arguments, terminal); },
      .lists_parts = true};
  return reproduce(arguments, terminal);
}

}  // namespace ntune::arcade
