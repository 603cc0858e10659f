#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <ostream>

#include <fmt/format.h>

#include "apps/bao/commands.h"
#include "apps/bao/training/genetic.h"
#include "apps/bao/training/td_leaf.h"
#include "apps/bao/training/training.h"
#include "apps/common/rows.h"
#include "apps/common/study_progress.h"
#include "ntune/core/error.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/yaml.h"
#include "ntune/games/bao/objective.h"
#include "ntune/study/journal/extension.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/run_study.h"

namespace ntune::bao {

namespace {

/// What a training brought.
struct Trained {
  std::optional<BaoEvaluation> evaluation;  ///< none: it was interrupted
  Json more = Json::object();               ///< what else there is to say of it
};

std::string command_of(const TrainArguments& arguments) {
  return fmt::format("bao train {} {} --out {}", arguments.training, arguments.file, arguments.out);
}

/// Options of a training from the file; the names of other files in it stand relative to it.
template <class TrainingOptions>
TrainingOptions options_of(const TrainArguments& arguments) {
  const std::filesystem::path folder = std::filesystem::path(arguments.file).parent_path();
  auto options = read_options<TrainingOptions>(read_yaml(arguments.file));
  if constexpr (requires { options.move_to(folder); }) {
    options.move_to(folder);
  } else {
    options.games.move_to(folder);
  }
  return options;
}

/// train(options, run) with a display, a checkpoint beside the weights and a line for every step.
template <class TrainingOptions, class Train>
Trained learn(const TrainArguments& arguments, const Terminal& terminal, Train train) {
  const auto options = options_of<TrainingOptions>(arguments);
  Parallel parallel(arguments.output.threads);
  Progress progress;
  const cli::ProgressDisplay display(progress, "games", terminal, arguments.output.quiet);
  const BaoTrainingRun run = {
      .parallel = parallel,
      .progress = progress,
      .checkpoint = arguments.out + ".checkpoint",
      .resume = arguments.resume,
      .report = [&](const BaoTrainingStep& step) {
        if (arguments.output.quiet) return;
        terminal.err << fmt::format(
            "round {}, step {}: {:.3f} of the games{}\n", step.round, step.step, step.share,
            step.best < 0.0 ? "" : fmt::format(", best so far {:.3f}", step.best));
      }};
  return {.evaluation = train(options, run)};
}

/// The study of the file, its journal in the folder OUT.study.
Trained tune(const TrainArguments& arguments, const Terminal& terminal) {
  Study study = read_study(read_yaml(arguments.file));
  study.execution.threads = arguments.output.threads;
  const auto* objective =
      study.objectives.size() == 1
          ? dynamic_cast<const BaoObjective*>(study.objectives.front().objective.get())
          : nullptr;
  if (objective == nullptr || study.is_comparison()) {
    throw InputError(fmt::format(
        "{}: bao train ntbea needs a study of one objective, {{game: bao}}, that ends with one "
        "recommendation",
        arguments.file));
  }
  // The study keeps its journal beside the weights and goes on from it.
  const std::string folder = arguments.out + ".study";
  if (arguments.resume) go_on_from(folder, study);
  Journal journal(folder, study, arguments.resume ? Journal::Open::kResume : Journal::Open::kNew);
  StudyProgress progress;
  const cli::ProgressDisplay display = cli::show_study(progress, terminal, arguments.output.quiet);
  const StudyResult result = run_study(study, progress, &journal);
  journal.sync();
  if (result.interrupted) return {};
  const Pick& pick = result.cells.front().picks.front();
  Json more = {{"evaluations", result.evaluations()}};
  if (pick.hold_out.payoffs.count() > 0 && pick.hold_out.interval) {
    more["hold_out_evaluations"] = pick.hold_out.payoffs.count();
    more["share"] = objective->unit().value_of(pick.hold_out.payoffs.mean());
    more["share_low"] = pick.hold_out.interval->low;
    more["share_high"] = pick.hold_out.interval->high;
  }
  return {.evaluation = objective->player_at(pick.point).evaluation, .more = more};
}

using Train = std::function<Trained(const TrainArguments&, const Terminal&)>;

const std::map<std::string, Train>& trainings() {
  static const std::map<std::string, Train> kTrainings = {
      {"ga",
       [](const TrainArguments& arguments, const Terminal& terminal) {
         return learn<BaoGeneticOptions>(arguments, terminal, train_bao_genetic);
       }},
      {"td-leaf",
       [](const TrainArguments& arguments, const Terminal& terminal) {
         return learn<BaoTdLeafOptions>(arguments, terminal, train_bao_td_leaf);
       }},
      {"ngn",
       [](const TrainArguments& arguments, const Terminal& terminal) {
         return learn<BaoNetworkOptions>(arguments, terminal, train_bao_network);
       }},
      {"ntbea", tune}};
  return kTrainings;
}

/// What an interrupted training goes on from.
std::string state_path(const TrainArguments& arguments) {
  return arguments.out + (arguments.training == "ntbea" ? ".study" : ".checkpoint");
}

}  // namespace

std::vector<std::string> training_names() {
  std::vector<std::string> names;
  for (const auto& [name, train] : trainings()) names.push_back(name);
  return names;
}

int train_command(const TrainArguments& arguments, const Terminal& terminal) {
  if (std::filesystem::exists(arguments.out)) {
    throw InputError(arguments.out + ": is there already; name another file or delete it");
  }
  const Trained trained = trainings().at(arguments.training)(arguments, terminal);
  if (!trained.evaluation) {
    if (!arguments.output.quiet) {
      terminal.err << fmt::format("To go on: {} --resume\n", command_of(arguments));
    }
    return cli::kInterrupted;
  }
  write_bao_weights({*trained.evaluation, command_of(arguments)}, arguments.out);
  Json json = {{"training", arguments.training}, {"weights", arguments.out}};
  json.update(trained.more);
  std::string text =
      fmt::format("Weights in {}; {} can be deleted\n", arguments.out, state_path(arguments));
  for (const auto& [key, value] : trained.more.items()) {
    text += fmt::format("{}: {}\n", key, value.dump());
  }
  cli::print_result(terminal.out, arguments.output.format, json, {json}, text);
  return cli::kDone;
}

}  // namespace ntune::bao
