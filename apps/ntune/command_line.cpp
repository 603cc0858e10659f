#include "apps/ntune/command_line.h"

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/version.h"

namespace ntune::cli {

namespace {

std::string version_text() {
#ifdef NTUNE_MPI
  const char* mpi = "with MPI";
#else
  const char* mpi = "without MPI";
#endif
  return fmt::format("ntune {} ({})", kVersion, mpi);
}

}  // namespace

CommandLine::CommandLine() {
  constexpr std::int64_t kLargestSeed = std::int64_t{1} << 53;
  app.name("ntune");
  app.set_version_flag("--version", version_text(), "print the version");
  app.set_help_flag("-h,--help", "print this help");
  app.require_subcommand(1);
  app.footer(
      "Start with: ntune describe hartmann6 > study.yaml && ntune run study.yaml\n"
      "Exit codes: 0 done, 2 wrong input, 3 an evaluation failed for good, 130 interrupted.");

  CLI::App* command = app.add_subcommand("run", "run a study and print what it recommends");
  command->add_option("study", run.study, "study file")->required()->type_name("STUDY.yaml");
  command->add_option("--out", run.out, "folder for result.json, runs.csv and the journal")
      ->type_name("DIR");
  add_number<std::int64_t>(*command, "--seed", run.seed, "seed instead of the study's", 0,
                           kLargestSeed);
  add_number<int>(*command, "--threads", run.threads,
                  "threads; 0: one per core; does not change the result", 0, kMostThreads);
  command->add_flag("--resume", run.resume,
                    "go on with what the journal in the folder of --out holds, if any");
  command
      ->add_option("--executor", run.mpi,
                   "tbb: threads of this process (default); mpi: the ranks of mpirun")
      ->transform(
          CLI::CheckedTransformer(std::map<std::string, bool>{{"tbb", false}, {"mpi", true}})
              .description(""))
      ->type_name("NAME");
  add_format(*command, run.format);
  command->add_flag("--quiet", run.quiet, "no progress and no notes, only the result");
  command->callback(
      [this] { chosen = [this](const Terminal& terminal) { return run_command(run, terminal); }; });

  command = app.add_subcommand("check", "validate study files without running them");
  command->add_option("studies", check.studies, "study files")->required()->type_name("STUDY.yaml");
  command->add_flag("--dry-run", check.dry_run,
                    "evaluate one point, and show what was sent and how the answer was read");
  command->callback([this] {
    chosen = [this](const Terminal& terminal) { return check_command(check, terminal); };
  });

  command = app.add_subcommand("list", "list objectives, optimisers and the choices of ntbea");
  command->add_option("what", list.what, list_text(list_tables()))
      ->check(CLI::IsMember(list_tables()).description(""))
      ->type_name("TABLE");
  command->add_flag("--names", list.names, "names only, one per line");
  add_format(*command, list.format);
  command->callback([this] {
    chosen = [this](const Terminal& terminal) { return list_command(list, terminal); };
  });

  command = app.add_subcommand(
      "describe", "an objective or optimiser with all options, as a study file that runs as it is");
  command->add_option("name", describe, "name from ntune list")->required()->type_name("NAME");
  command->callback([this] {
    chosen = [this](const Terminal& terminal) { return describe_command(describe, terminal); };
  });

  command = app.add_subcommand("eval", "evaluate one point of a study's objective");
  command->add_option("study", eval.study, "study file")->required()->type_name("STUDY.yaml");
  command->add_option("--set", eval.settings, "value of a parameter, once for each")
      ->type_name("NAME=VALUE")
      ->type_size(1)
      ->allow_extra_args(false);
  command->add_option("--times", eval.times, "evaluations (default 100)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}).description(""))
      ->type_name("N");
  add_number<std::int64_t>(*command, "--seed", eval.seed, "seed instead of the study's", 0,
                           kLargestSeed);
  add_number<int>(*command, "--threads", eval.threads, "threads; 0: one per core", 0, kMostThreads);
  add_format(*command, eval.format);
  command->callback([this] {
    chosen = [this](const Terminal& terminal) { return eval_command(eval, terminal); };
  });

  add_serve();
  add_steps();
  add_export();
  add_merge();
  add_import();

  command = app.add_subcommand("schema", "print the JSON Schema of study files, for editors");
  command->callback([this] { chosen = schema_command; });

  command = app.add_subcommand("completion",
                               "print a completion script: source <(ntune completion bash)");
  command->add_option("shell", shell, "bash")
      ->check(CLI::IsMember({"bash"}).description(""))
      ->type_name("SHELL");
  command->callback([this] {
    chosen = [this](const Terminal& terminal) { return completion_command(shell, terminal); };
  });
}

}  // namespace ntune::cli
