#include "apps/ntune/command_line.h"

#include <memory>
#include <ostream>

#include <fmt/format.h>

#include "apps/common/flags.h"
#include "apps/common/program.h"
#include "apps/ntune/command_groups.h"
#include "apps/ntune/commands.h"
#include "apps/ntune/init_command.h"
#include "apps/ntune/study_run.h"
#include "ntune/core/text.h"
#include "ntune/version.h"

namespace ntune::cli {

namespace {

void add_describe(Program& program) {
  const auto [command, describe] = program.add<std::string>(
      "describe", "an objective or optimiser with all options, as a study file that runs as it is",
      describe_command);
  Flags(command).value("name", describe, "NAME", "name from ntune list").required();
}

void add_completion(Program& program) {
  const auto shell = std::make_shared<std::string>("bash");
  CLI::App& command = program.add_command(
      "completion", "print a completion script: source <(ntune completion bash)",
      [&program, shell](const Terminal& terminal) {
        terminal.out << completion_script(program.options());
        return kDone;
      });
  Flags(command).value("shell", *shell, "SHELL", "bash").one_of({"bash"});
}

}  // namespace

void RunArguments::visit(Flags& flags) {
  flags.study(study);
  flags.value("--out", out, "DIR", "folder for result.json, runs.csv and the journal");
  flags.seed(seed);
  flags.threads(threads, "threads; 0: one per core; does not change the result");
  flags.flag("--resume", resume, "go on from the journal in the folder of --out, if there is one");
  flags.flag("--retry-failed", retry_failed,
             "with --resume: carry out failed evaluations again; runs then go on as if these had "
             "not failed");
  flags.choice<Executor>(
      "--executor", executor,
      "tbb: threads of this process (default); mpi: the ranks of mpirun; dask: a cluster of Dask",
      {{"tbb", Executor::kTbb}, {"mpi", Executor::kMpi}, {"dask", Executor::kDask}});
  flags.value("--scheduler", scheduler, "ADDRESS", "with --executor dask: tcp://HOST:PORT");
  flags.format(format);
  flags.quiet(quiet);
  flags
      .flag("--verbose", verbose,
            "on a terminal, a row for every tenth of a run: what it would recommend")
      .excludes("--quiet");
}

void CheckArguments::visit(Flags& flags) {
  flags.studies(studies);
  flags.flag(
      "--dry-run", dry_run,
      "evaluate one point, and show what was sent and how the answer was read; engines behind "
      "cmd= are asked for their options first");
  flags.value("--uci", engine, "ENGINE",
              "ask this engine for its options: names, ranges and defaults must be those of the "
              "space");
}

void ListArguments::visit(Flags& flags) {
  flags.value("what", what, "TABLE", list_text(list_tables())).one_of(list_tables());
  flags.flag("--names", names, "names only, one per line");
  flags.format(format);
}

void EvalArguments::visit(Flags& flags) {
  flags.study(study);
  flags
      .value("--set", settings, "NAME=VALUE",
             "value of a parameter, once for each; those left out have their default")
      .one_at_a_time();
  flags.number("--times", times, 1, 1'000'000'000, "evaluations (default 100)");
  flags.value("--instance", instance, "NAME",
              "on this one of the study's instances alone; default: spread over all that it trains "
              "on");
  flags.seed(seed);
  flags.threads(threads);
  flags.format(format);
}

int run(const std::vector<std::string>& arguments, const Terminal& terminal) {
  Program program(
      "ntune", fmt::format("ntune {} ({})", kVersion, mpi_text()),
      "ntune finds good parameters for programs whose results are noisy and cost time. A study\n"
      "file in YAML says what to evaluate, over which values and how often. Where it names no\n"
      "optimiser, `auto` takes what was measured to be best: duels where two settings can meet,\n"
      "else Gaussian processes. `ntbea`, the N-Tuple Bandit Evolutionary Algorithm, is for\n"
      "evaluations that are many and cheap, and for papers.",
      "Start with: ntune init -- ./program --depth {depth:1..8=4}\n"
      "Exit codes: 0 done, 2 wrong input, 3 an evaluation failed for good, 130 "
      "interrupted.");
  program.add<InitArguments>(
      "init", "write a first study of a command line, an engine or another tool's file",
      init_command);
  program.add<TuneArguments>("tune", "tune a command line, without a study file", tune_command);
  add_describe(program);
  program.add<ListArguments>("list", "list objectives, optimisers and the choices of ntbea",
                             list_command);
  program.add<CheckArguments>("check", "validate study files without running them", check_command);
  program.add<RunArguments>("run", "run a study and print what it recommends", run_command);
  program.add<EvalArguments>("eval", "evaluate one point of a study's objective", eval_command);
  add_folder_commands(program);
  add_show_commands(program);
  program.add_command("schema", "print the JSON Schema of study files, for editors",
                      schema_command);
  add_completion(program);
  program.arrange(command_help());
  return program.execute(arguments, terminal);
}

}  // namespace ntune::cli
