// The commands that work on a study's folder, tables, and the import of search spaces.

#include "apps/ntune/command_line.h"
#include "ntune/core/text.h"

namespace ntune::cli {

void CommandLine::add_tabulate() {
  CLI::App* command = add_command(
      "tabulate", "evaluate every point of a study's space and write a table of it all",
      [this](const Terminal& terminal) { return tabulate_command(tabulate, terminal); });
  command->add_option("study", tabulate.study, "study file")->required()->type_name("STUDY.yaml");
  command
      ->add_option("--out", tabulate.out,
                   "CSV file; rows that it has already are kept and filled up")
      ->required()
      ->type_name("FILE");
  add_number<std::int64_t>(*command, "--times", tabulate.times,
                           "evaluations of each point (default 100)", 1, 1'000'000);
  add_number<std::int64_t>(*command, "--seed", tabulate.seed, "seed instead of the study's", 0,
                           kLargestSeed);
  add_number<int>(*command, "--threads", tabulate.threads,
                  "threads; 0: one per core; does not change the table", 0, kMostThreads);
  command->add_flag("--quiet", tabulate.quiet, "no progress");
}

void CommandLine::add_serve() {
  CLI::App* command = add_command(
      "serve", "hand out evaluations and take results, as JSON lines on standard input and output",
      [this](const Terminal& terminal) { return serve_command(serve, terminal); });
  command->add_option("study", serve.study, "study file")->required()->type_name("STUDY.yaml");
  command->add_option("--out", serve.out, "folder for the journal and the result")
      ->type_name("DIR");
  command->add_flag("--resume", serve.resume, "go on with what the journal holds, if any");
}

void CommandLine::add_export() {
  CLI::App* command =
      add_command("export", "write what a study's journal holds as a table or for Optuna's tools",
                  [this](const Terminal& terminal) { return export_command(exported, terminal); });
  command->add_option("folder", exported.folder, "folder of the study, also while it runs")
      ->required()
      ->type_name("DIR");
  add_choice<ExportTarget>(*command, "--to", exported.options.target,
                           "csv (default), optuna-journal or optuna-sqlite",
                           {{"csv", ExportTarget::kCsv},
                            {"optuna-journal", ExportTarget::kOptunaJournal},
                            {"optuna-sqlite", ExportTarget::kOptunaSqlite}});
  add_choice<ExportPer>(*command, "--per", exported.options.per,
                        "evaluation (default): one row each, of a study with `record: runs` for "
                        "each run; point: one for each distinct point, with mean, n, standard "
                        "error and 95 % interval",
                        {{"evaluation", ExportPer::kEvaluation}, {"point", ExportPer::kPoint}});
  command
      ->add_option("--at-least", exported.options.at_least,
                   "leave out points of fewer evaluations (default 1)")
      ->check(whole_number_from(1, 1'000'000'000))
      ->type_name("N");
  command->add_option("-o,--output", exported.output, "file instead of standard output")
      ->type_name("FILE");
  add_choice<OptunaSchema>(
      *command, "--optuna-schema", [this](const OptunaSchema& schema) { exported.schema = schema; },
      "SQLite tables for Optuna 3.2 and later (default), or 3.1 for 3.0 and 3.1",
      {{"3.1", OptunaSchema::k31}, {"3.2", OptunaSchema::k32}})
      ->type_name("VERSION");
}

void CommandLine::add_merge() {
  constexpr std::int64_t kMostEvaluated = 1'000'000'000'000;
  CLI::App* command =
      add_command("merge", "combine runs of one study under different seeds into one result",
                  [this](const Terminal& terminal) { return merge_command(merge, terminal); });
  command->add_option("folders", merge.folders, "folders of the study")
      ->required()
      ->type_name("DIR");
  command->add_option("--out", merge.out, "new folder for result.json and runs.csv")
      ->type_name("NEW");
  command->add_flag("--partial", merge.partial, "take what there is of studies not finished");
  add_number<std::int64_t>(*command, "--evaluate", merge.evaluate,
                           "fresh evaluations: half compare the picks of the folders, the rest "
                           "measure the winner",
                           1, kMostEvaluated);
  command->add_option("--study", merge.study, "study file, for --evaluate where it calls programs")
      ->type_name("STUDY.yaml");
  add_number<int>(*command, "--threads", merge.threads, "threads; 0: one per core", 0,
                  kMostThreads);
  add_format(*command, merge.format);
  command->add_flag("--quiet", merge.quiet, "no progress and no notes, only the result");
}

void CommandLine::add_import() {
  CLI::App* command = add_command(
      "import-space", "print the search space of another tool's file as a `space:` section",
      [this](const Terminal& terminal) { return import_space_command(import, terminal); });
  command->add_option("file", import.file, "file of the other tool")->required()->type_name("FILE");
  command
      ->add_option("--format", import.format,
                   list_text(import_formats()) + " (default: by what stands in the file)")
      ->type_name("NAME");
  command->add_option("--points", import.points, "values of a wide range (default 10)")
      ->check(whole_number_from(2, 1000))
      ->type_name("N");
}

/// A command that makes one request of a study's folder.
CLI::App* CommandLine::add_step(const char* name, const char* help, std::function<Json()> request) {
  CLI::App* command =
      add_command(name, help, [this, request = std::move(request)](const Terminal& terminal) {
        step.request = request();
        return step_command(step, terminal);
      });
  command->add_option("folder", step.folder, "folder of the study")->required()->type_name("DIR");
  return command;
}

void CommandLine::add_steps() {
  CLI::App* command = add_step("ask", "print the next evaluation to be made, as JSON", [] {
    return Json{{"op", "ask"}};
  });
  command->add_option("--study", step.study, "study file, to begin the folder")
      ->type_name("STUDY.yaml");
  command->add_flag("--again", step.again,
                    "hand out again what was asked for and never told, oldest first");
  command = add_step("tell", "record the result of an evaluation", [this] {
    if (!reason.empty()) return Json{{"op", "fail"}, {"id", trial}, {"reason", reason}};
    return Json{{"op", "tell"}, {"id", trial}, {"values", values}};
  });
  command->add_option("--id", trial, "id that ask printed")->required()->type_name("N");
  CLI::Option* value =
      command->add_option("--value", values, "observed value, or several of one evaluation")
          ->type_name("X");
  command->add_option("--fail", reason, "the evaluation failed, and why")
      ->excludes(value)
      ->type_name("REASON");
  add_recommend();
  add_step("status", "print how far the study is, as JSON", [] { return Json{{"op", "status"}}; });
}

}  // namespace ntune::cli
