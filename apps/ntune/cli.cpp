#include "apps/ntune/cli.h"

#include <algorithm>
#include <map>
#include <ostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/ntune/commands.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/version.h"

namespace ntune::cli {

namespace {

const std::map<std::string, Format> kFormats = {
    {"text", Format::kText}, {"json", Format::kJson}, {"csv", Format::kCsv}};

void add_format(CLI::App& command, Format& format) {
  command.add_option("--format", format, "text, json or csv (default text)")
      ->transform(CLI::CheckedTransformer(kFormats).description(""))
      ->type_name("FORMAT");
}

template <class Number>
void add_number(CLI::App& command, const char* name, std::optional<Number>& target,
                const char* help, Number low, Number high) {
  command
      .add_option_function<Number>(
          name, [&target](const Number& value) { target = value; }, help)
      ->check(CLI::Range(low, high).description(""))
      ->type_name("N");
}

/// All commands with their options; `chosen` is set to the one that was called.
struct CommandLine {
  CLI::App app{
      "ntune tunes the parameters of noisy, expensive black boxes with the N-Tuple Bandit\n"
      "Evolutionary Algorithm. A study file in YAML says what to maximise, over which values and\n"
      "with how many evaluations."};
  RunArguments run;
  std::vector<std::string> check;
  ListArguments list;
  std::string describe;
  EvalArguments eval;
  std::string shell = "bash";
  std::function<int(const Terminal&)> chosen;

  CommandLine() {
    constexpr std::int64_t kLargestSeed = std::int64_t{1} << 53;
    constexpr int kMostThreads = 1024;
    app.name("ntune");
    app.set_version_flag("--version", std::string("ntune ") + kVersion, "print the version");
    app.set_help_flag("-h,--help", "print this help");
    app.require_subcommand(1);
    app.footer(
        "Start with: ntune describe hartmann6 > study.yaml && ntune run study.yaml\n"
        "Exit codes: 0 done, 2 wrong input, 3 an evaluation failed for good, 130 interrupted.");

    CLI::App* command = app.add_subcommand("run", "run a study and print what it recommends");
    command->add_option("study", run.study, "study file")->required()->type_name("STUDY.yaml");
    command->add_option("--out", run.out, "folder for result.json and runs.csv")->type_name("DIR");
    add_number<std::int64_t>(*command, "--seed", run.seed, "seed instead of the study's", 0,
                             kLargestSeed);
    add_number<int>(*command, "--threads", run.threads,
                    "threads; 0: one per core; does not change the result", 0, kMostThreads);
    add_format(*command, run.format);
    command->add_flag("--quiet", run.quiet, "no progress and no notes, only the result");
    command->callback([this] {
      chosen = [this](const Terminal& terminal) { return run_command(run, terminal); };
    });

    command = app.add_subcommand("check", "validate study files without running them");
    command->add_option("studies", check, "study files")->required()->type_name("STUDY.yaml");
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
        "describe",
        "an objective or optimiser with all options, as a study file that runs as it is");
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
    add_number<int>(*command, "--threads", eval.threads, "threads; 0: one per core", 0,
                    kMostThreads);
    add_format(*command, eval.format);
    command->callback([this] {
      chosen = [this](const Terminal& terminal) { return eval_command(eval, terminal); };
    });

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
};

/// CLI11 says of a wrong command that one is missing.
void check_command_name(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.front().starts_with('-')) return;
  const std::string& name = arguments.front();
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  if (std::ranges::find(names, name) != names.end()) return;
  const std::string near = closest_word(name, names);
  throw InputError(fmt::format("ntune: '{}' is not a command{}; allowed: {}", printable(name, 60),
                               near.empty() ? "" : fmt::format(", did you mean '{}'?", near),
                               list_text(names)));
}

}  // namespace

int run(const std::vector<std::string>& arguments, const Terminal& terminal) {
  try {
    CommandLine line;
    check_command_name(line.app, arguments);
    try {
      std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
      line.app.parse(reversed);
    } catch (const CLI::Success& success) {
      return line.app.exit(success, terminal.out, terminal.err);
    } catch (const CLI::ParseError& error) {
      terminal.err << "ntune: " << printable(error.what()) << " (see ntune --help)\n";
      return kWrongInput;
    }
    const int code = line.chosen(terminal);
    terminal.out.flush();
    if (!terminal.out) throw InputError("standard output: cannot be written");
    return code;
  } catch (const InputError& error) {
    terminal.err << error.what() << '\n';
    return kWrongInput;
  } catch (const EvaluationError& error) {
    terminal.err << error.what() << '\n';
    return kEvaluationFailed;
  } catch (const std::bad_alloc&) {
    terminal.err << "ntune: not enough memory for this study\n";
    return kWrongInput;
  }
}

}  // namespace ntune::cli
