#include "apps/ntune/command_line.h"

#include <fmt/format.h>

#include "apps/common/data_path.h"
#include "apps/common/options.h"
#include "apps/common/program.h"
#include "apps/ntune/command_groups.h"
#include "apps/ntune/command_help.h"
#include "apps/ntune/commands.h"
#include "apps/ntune/mpi/mpi_run.h"
#include "ntune/core/text.h"
#include "ntune/version.h"

namespace ntune::cli {

namespace {

void add_run(Program& program) {
  const auto [command, run] =
      program.add<RunArguments>("run", "run a study and print what it recommends", run_command);
  add_study(command, run.study);
  command.add_option("--out", run.out, "folder for result.json, runs.csv and the journal")
      ->type_name("DIR");
  add_number<std::int64_t>(command, "--seed", run.seed, "seed instead of the study's", 0,
                           kLargestSeed);
  add_number<int>(command, "--threads", run.threads,
                  "threads; 0: one per core; does not change the result", 0, kMostThreads);
  command.add_flag("--resume", run.resume,
                   "go on from the journal in the folder of --out, if there is one");
  command.add_flag("--retry-failed", run.retry_failed,
                   "with --resume: carry out failed evaluations again; runs then go on as if these "
                   "had not failed");
  add_choice<bool>(command, "--executor", run.mpi,
                   "tbb: threads of this process (default); mpi: the ranks of mpirun",
                   {{"tbb", false}, {"mpi", true}});
  add_format(command, run.format);
  CLI::Option* quiet =
      command.add_flag("--quiet", run.quiet, "no progress and no notes, only the result");
  command
      .add_flag("--verbose", run.verbose,
                "on a terminal, a row for every tenth of a run: what it would recommend")
      ->excludes(quiet);
}

void add_check(Program& program) {
  const auto [command, check] = program.add<CheckArguments>(
      "check", "validate study files without running them", check_command);
  command.add_option("studies", check.studies, "study files")
      ->required()
      ->transform(data_path)
      ->type_name("STUDY.yaml");
  command.add_flag("--dry-run", check.dry_run,
                   "evaluate one point, and show what was sent and how the answer was read");
}

void add_list(Program& program) {
  const auto [command, list] = program.add<ListArguments>(
      "list", "list objectives, optimisers and the choices of ntbea", list_command);
  command.add_option("what", list.what, list_text(list_tables()))
      ->check(one_of(list_tables()))
      ->type_name("TABLE");
  command.add_flag("--names", list.names, "names only, one per line");
  add_format(command, list.format);
}

void add_describe(Program& program) {
  const auto [command, describe] = program.add<std::string>(
      "describe", "an objective or optimiser with all options, as a study file that runs as it is",
      describe_command);
  command.add_option("name", describe, "name from ntune list")->required()->type_name("NAME");
}

void add_eval(Program& program) {
  const auto [command, eval] =
      program.add<EvalArguments>("eval", "evaluate one point of a study's objective", eval_command);
  add_study(command, eval.study);
  command
      .add_option("--set", eval.settings,
                  "value of a parameter, once for each; those left out have their default")
      ->type_name("NAME=VALUE")
      ->type_size(1)
      ->allow_extra_args(false);
  command.add_option("--times", eval.times, "evaluations (default 100)")
      ->check(whole_number_from(1, 1'000'000'000))
      ->type_name("N");
  command
      .add_option("--instance", eval.instance,
                  "on this one of the study's instances alone; default: spread over all that it "
                  "trains on")
      ->type_name("NAME");
  add_number<std::int64_t>(command, "--seed", eval.seed, "seed instead of the study's", 0,
                           kLargestSeed);
  add_number<int>(command, "--threads", eval.threads, "threads; 0: one per core", 0, kMostThreads);
  add_format(command, eval.format);
}

void add_completion(Program& program) {
  const auto [command, shell] = program.add<std::string>(
      "completion", "print a completion script: source <(ntune completion bash)",
      completion_command);
  shell = "bash";
  command.add_option("shell", shell, "bash")->check(one_of({"bash"}))->type_name("SHELL");
}

}  // namespace

int run(const std::vector<std::string>& arguments, const Terminal& terminal) {
  Program program(
      "ntune", fmt::format("ntune {} ({})", kVersion, mpi_text()),
      "ntune tunes the parameters of noisy, expensive black boxes with the N-Tuple Bandit\n"
      "Evolutionary Algorithm. A study file in YAML says what to maximise, over which values "
      "and\nwith how many evaluations.",
      "Start with: ntune describe hartmann6 > study.yaml && ntune run study.yaml\n"
      "Exit codes: 0 done, 2 wrong input, 3 an evaluation failed for good, 130 "
      "interrupted.");
  add_describe(program);
  add_list(program);
  add_check(program);
  add_run(program);
  add_eval(program);
  add_folder_commands(program);
  add_show_commands(program);
  program.add_command("schema", "print the JSON Schema of study files, for editors",
                      schema_command);
  add_completion(program);
  program.arrange(command_help());
  return program.execute(arguments, terminal);
}

}  // namespace ntune::cli
