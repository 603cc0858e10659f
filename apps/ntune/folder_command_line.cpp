// The commands that work on a study's folder, tables, and the import of search spaces.

#include "apps/common/options.h"
#include "apps/common/program.h"
#include "apps/ntune/command_groups.h"
#include "apps/ntune/commands.h"
#include "apps/ntune/import_command.h"
#include "apps/ntune/resident.h"
#include "ntune/core/text.h"

namespace ntune::cli {

namespace {

void add_tabulate(Program& program) {
  const auto [command, tabulate] = program.add<TabulateArguments>(
      "tabulate", "evaluate every point of a study's space and write a table of it all",
      tabulate_command);
  add_study(command, tabulate.study);
  command
      .add_option("--out", tabulate.out,
                  "CSV file; rows that it has already are kept and filled up")
      ->required()
      ->type_name("FILE");
  add_number<std::int64_t>(command, "--times", tabulate.times,
                           "evaluations of each point (default 100)", 1, 1'000'000);
  add_number<std::int64_t>(command, "--seed", tabulate.seed, "seed instead of the study's", 0,
                           kLargestSeed);
  add_number<int>(command, "--threads", tabulate.threads,
                  "threads; 0: one per core; does not change the table", 0, kMostThreads);
  command.add_flag("--quiet", tabulate.quiet, "no progress");
}

void add_serve(Program& program) {
  const auto [command, serve] = program.add<ServeArguments>(
      "serve", "hand out evaluations and take results, as JSON lines on standard input and output",
      serve_command);
  add_study(command, serve.study);
  command.add_option("--out", serve.out, "folder for the journal and the result")->type_name("DIR");
  command.add_flag("--resume", serve.resume,
                   "go on from the journal in the folder, if there is one");
}

void add_export(Program& program) {
  const auto [command, exported] = program.add<ExportArguments>(
      "export", "write what a study's journal holds as a table or for Optuna's tools",
      export_command);
  command.add_option("folder", exported.folder, "folder of the study, also while it runs")
      ->required()
      ->type_name("DIR");
  add_choice<ExportTarget>(
      command, "--to", exported.options.target,
      "csv (default), optuna-journal or optuna-sqlite; openbench: the recommendation "
      "as the input of an SPSA tune",
      {{"csv", ExportTarget::kCsv},
       {"optuna-journal", ExportTarget::kOptunaJournal},
       {"optuna-sqlite", ExportTarget::kOptunaSqlite},
       {"openbench", ExportTarget::kOpenBench}});
  add_choice<ExportPer>(command, "--per", exported.options.per,
                        "evaluation (default): one row each, of a study with `record: runs` for "
                        "each run; point: one for each distinct point, with mean, n, standard "
                        "error and 95 % interval",
                        {{"evaluation", ExportPer::kEvaluation}, {"point", ExportPer::kPoint}});
  command
      .add_option("--at-least", exported.options.at_least,
                  "leave out points of fewer evaluations (default 1)")
      ->check(whole_number_from(1, 1'000'000'000))
      ->type_name("N");
  command.add_option("-o,--output", exported.output, "file instead of standard output")
      ->type_name("FILE");
  command.add_flag("--follow", exported.follow,
                   "go on with --to optuna-journal or optuna-sqlite until the study is done");
  add_choice<OptunaSchema>(
      command, "--optuna-schema", exported.schema,
      "SQLite tables for Optuna 3.2 and later (default), or 3.1 for 3.0 and 3.1",
      {{"3.1", OptunaSchema::k31}, {"3.2", OptunaSchema::k32}})
      ->type_name("VERSION");
}

void add_merge(Program& program) {
  constexpr std::int64_t kMostEvaluated = 1'000'000'000'000;
  const auto [command, merge] = program.add<MergeArguments>(
      "merge", "combine runs of one study under different seeds into one result", merge_command);
  command.add_option("folders", merge.folders, "folders of the study")
      ->required()
      ->type_name("DIR");
  command.add_option("--out", merge.out, "new folder for result.json and runs.csv")
      ->type_name("NEW");
  command.add_flag("--partial", merge.partial, "use what unfinished studies have so far");
  add_number<std::int64_t>(command, "--evaluate", merge.evaluate,
                           "fresh evaluations: half compare the picks of the folders, the rest "
                           "measure the winner",
                           1, kMostEvaluated);
  command.add_option("--study", merge.study, "study file, for --evaluate where it calls programs")
      ->type_name("STUDY.yaml");
  add_number<int>(command, "--threads", merge.threads, "threads; 0: one per core", 0, kMostThreads);
  add_format(command, merge.format);
  command.add_flag("--quiet", merge.quiet, "no progress and no notes, only the result");
}

void add_import_space(Program& program) {
  const auto [command, source] =
      program.add<ImportArguments>("import-space",
                                   "print the search space of another tool's file as a `space:` "
                                   "section, a scenario of irace as a "
                                   "study",
                                   import_space_command);
  command.add_option("file", source.file, "file of the other tool")->required()->type_name("FILE");
  command
      .add_option("--format", source.format,
                  list_text(import_formats()) + " (default: by what stands in the file)")
      ->type_name("NAME");
  command.add_option("--points", source.points, "values of a wide range (default 10)")
      ->check(whole_number_from(2, 1000))
      ->type_name("N");
}

template <class Arguments>
Program::Command<Arguments> add_step(Program& program, const char* name, const char* help,
                                     int (*act)(const Arguments&, const Terminal&)) {
  const Program::Command<Arguments> step = program.add<Arguments>(name, help, act);
  step.command.add_option("folder", step.arguments.folder, "folder of the study")
      ->required()
      ->type_name("DIR");
  return step;
}

void add_ask(Program& program) {
  const auto [command, ask] = add_step<AskArguments>(
      program, "ask", "print the next evaluation to be made, as JSON", ask_command);
  command.add_option("--study", ask.study, "study file, to begin the folder")
      ->type_name("STUDY.yaml");
  command.add_flag("--again", ask.again,
                   "hand out again the evaluations that were never told, oldest first");
  command
      .add_option("--lease", ask.lease,
                  "hand out an evaluation again that was handed out so long ago and not told, in "
                  "place of an answer to wait; auto: ten times the longest, a minute at least")
      ->type_name("DURATION");
}

/// Not for people: `ask` and `tell` begin it.
void add_resident(Program& program) {
  const auto [command, resident] = program.add<ResidentArguments>(
      "resident", "keep the served study of a folder in memory for ask and tell", resident_command);
  command.add_option("folder", resident.folder, "folder of the study")
      ->required()
      ->type_name("DIR");
}

void add_tell(Program& program) {
  const auto [command, tell] =
      add_step<TellArguments>(program, "tell", "record the result of an evaluation", tell_command);
  CLI::Option* id = command.add_option("--id", tell.id, "id that ask printed")->type_name("N");
  CLI::Option* params =
      command
          .add_option(
              "--params", tell.params,
              "parameters and their values, as JSON or YAML, of an evaluation that nobody asked "
              "for: the searches learn from it, the budget does not count it")
          ->excludes(id)
          ->type_name("MAP");
  command
      .add_option(
          "--instance", tell.instance,
          "instance of the evaluation, one that the study trains on; with --id it is checked")
      ->type_name("NAME");
  CLI::Option* value =
      command.add_option("--value", tell.values, "observed value, or several of one evaluation")
          ->type_name("X");
  command.add_option("--fail", tell.reason, "the evaluation failed, and why")
      ->excludes(value)
      ->type_name("REASON");
  command
      .add_option("--cost", tell.cost,
                  "what the evaluation has used of `budget: {cost: …}` (default: its seconds since "
                  "ask)")
      ->excludes(params)
      ->type_name("X");
}

void add_status(Program& program) {
  add_step<StatusArguments>(program, "status", "print how far the study is, as JSON",
                            status_command);
}

void add_recommend(Program& program) {
  const auto [command, recommend] = program.add<RecommendArguments>(
      "recommend",
      "what a study would recommend now, as JSON; or what a model makes of another program's data",
      recommend_command);
  command
      .add_option("data", recommend.data,
                  "folder of a study; or a CSV file of observations, or an Optuna journal")
      ->required()
      ->type_name("DIR|FILE");
  command
      .add_option("--space", recommend.space,
                  "YAML file with the search space of the data (default: inferred)")
      ->type_name("FILE");
  command
      .add_option("--model", recommend.model,
                  "optimiser whose model is fitted, a name or a map (default gaussian_process, or "
                  "regression_n_tuple above 3,000 distinct points)")
      ->type_name("NAME");
  command
      .add_option("--payoff", recommend.options.payoff,
                  "column of a CSV file with the payoffs (default payoff or value)")
      ->type_name("NAME");
  command.add_flag("--minimise", recommend.options.minimise,
                   "payoffs of a CSV file are costs; an Optuna journal says it itself");
  command
      .add_option("--optuna-study", recommend.options.study,
                  "study of a journal that holds several")
      ->type_name("NAME");
  add_number<int>(command, "--points", recommend.options.points,
                  "values of a parameter of many numbers (default 10)", 2, 1000);
  add_number<int>(command, "--top", recommend.top, "points listed (default 5)", 1, 1000);
  add_format(command, recommend.format);
  command.add_flag("--quiet", recommend.quiet, "no notes, only the result");
}

void add_verification_options(CLI::App& command, VerificationArguments& arguments,
                              const char* out_help) {
  command.add_option("--out", arguments.out, out_help)->type_name("FILE");
  add_number<std::int64_t>(command, "--seed", arguments.seed, "seed instead of the study's", 0,
                           kLargestSeed);
  add_number<int>(command, "--threads", arguments.threads,
                  "threads; 0: one per core; does not change the result", 0, kMostThreads);
  add_format(command, arguments.format);
  command.add_flag("--resume", arguments.resume,
                   "go on with an interrupted test or one that may evaluate more now; show a "
                   "finished one again");
  command.add_flag("--quiet", arguments.quiet, "no progress and no notes, only the result");
}

void add_verify(Program& program) {
  const auto [command, verify] = program.add<VerifyArguments>(
      "verify", "test a study's recommendation against the default or another point, sequentially",
      verify_command);
  command.add_option("folder", verify.folder, "folder of the study")->required()->type_name("DIR");
  command
      .add_option("--against", verify.against,
                  "default: the parameters' defaults (default); or a YAML or JSON file with "
                  "their values; or the folder of another study")
      ->type_name("FILE");
  VerifyOptions& options = verify.options;
  add_real(command, "--alpha", options.alpha, "chance of `better` where H0 is true (default 0.05)",
           1e-6, 0.499);
  add_real(command, "--beta", options.beta,
           "chance of `not better` where H1 is true (default 0.05)", 1e-6, 0.499);
  const auto asks_elo = [&options](const std::string&) { options.asks_elo = true; };
  const auto asks_effect = [&options](const std::string&) { options.asks_effect = true; };
  add_real(command, "--elo0", options.elo0, "H0 for wins, draws and losses, in Elo (default 0)",
           -400, 400)
      ->each(asks_elo);
  add_real(command, "--elo1", options.elo1, "H1, in Elo (default 20)", -400, 400)->each(asks_elo);
  add_real(command, "--effect0", options.effect0,
           "H0 for other payoffs: mean of the differences in their standard deviations (default 0)",
           -10, 10)
      ->each(asks_effect);
  add_real(command, "--effect1", options.effect1, "H1, the same (default 0.1)", -10, 10)
      ->each(asks_effect);
  add_choice<VerifyTest>(command, "--test", options.test,
                         "auto (default): normalised for wins, draws and losses, else t; "
                         "normalised: normalised Elo; logistic: Elo; t: the sequential t-test",
                         {{"auto", VerifyTest::kAuto},
                          {"normalised", VerifyTest::kNormalised},
                          {"logistic", VerifyTest::kLogistic},
                          {"t", VerifyTest::kT}});
  command.add_flag(
      "--match", options.match,
      "let the two points play each other, where the game can; a program whose command "
      "names the opponent always does");
  add_number<std::int64_t>(command, "--evaluations", options.evaluations,
                           "evaluations (or games) at most (default 20000)", 2, 1'000'000'000'000);
  command
      .add_option("--study", verify.study,
                  "study file to evaluate with, for programs and files beside it")
      ->type_name("STUDY.yaml");
  add_verification_options(command, verify, "file for the result, as JSON");
}

void add_deviations(Program& program) {
  const auto [command, deviations] = program.add<DeviationsArguments>(
      "deviations",
      "test all changes of one parameter of a study's recommendation: which matter, which could "
      "go back",
      deviations_command);
  command.add_option("folder", deviations.folder, "folder of the study")
      ->required()
      ->type_name("DIR");
  add_number<std::int64_t>(command, "--evaluations", deviations.options.evaluations,
                           "evaluations at most (default 10000)", 2, 1'000'000'000'000);
  command
      .add_option("--default", deviations.against,
                  "YAML or JSON file with the defaults, or the folder of another study (default: "
                  "those that the space and the objective declare)")
      ->type_name("FILE");
  command
      .add_option("--study", deviations.study,
                  "study file to evaluate with, for programs and files beside it")
      ->type_name("STUDY.yaml");
  add_verification_options(command, deviations, "file for the result: CSV by its name, else JSON");
}

}  // namespace

void add_folder_commands(Program& program) {
  add_import_space(program);
  add_tabulate(program);
  add_serve(program);
  add_ask(program);
  add_tell(program);
  add_resident(program);
  add_status(program);
  add_recommend(program);
  add_verify(program);
  add_deviations(program);
  add_merge(program);
  add_export(program);
}

}  // namespace ntune::cli
