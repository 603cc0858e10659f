#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "apps/ntune/study_run.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/study/keys/objective_maps.h"
#include "ntune/study/model/study.h"
#include "ntune/version.h"

namespace ntune::cli {

namespace {

/// `python3 -m ntune.dask`, but a missing package is wrong input, told in one line.
constexpr const char* kProgram = R"(import sys
try:
    from ntune.dask import main
except ImportError as error:
    print(f"--executor dask: needs the Python package of ntune: {error}", file=sys.stderr)
    sys.exit(2)
sys.exit(main(sys.argv[1:]))
)";

/// The file of the program that runs; empty if it is not ntune itself.
std::string own_program() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return !error && program.filename() == "ntune" ? program.string() : std::string();
}

void check(const RunArguments& arguments) {
  if (arguments.scheduler.empty()) {
    throw InputError("--executor dask: needs --scheduler, such as tcp://192.168.1.10:8786");
  }
  int port = 0;
  const std::string_view scheduler = arguments.scheduler;
  if (!read_number(scheduler.substr(scheduler.rfind(':') + 1), port)) {
    throw InputError(fmt::format(
        "--scheduler: is '{}', an address with a port such as tcp://192.168.1.10:8786 is allowed",
        printable(scheduler)));
  }
  if (arguments.out.empty()) {
    throw InputError("--executor dask: needs --out, the folder that holds the study");
  }
  if (own_program().empty()) {
    throw InputError("--executor dask: this program is not named ntune, and cannot begin itself");
  }
  const Study study = load_study(arguments);
  if (is_asked(study)) {
    throw InputError(
        "--executor dask: the study has no program of its own; give its function to "
        "ntune.Study(…).run(function, parallel=client.get_executor()) in Python");
  }
  if (study.execution.record == Recording::kNone) {
    throw InputError("--executor dask: the study has `record: none`, and so no folder to go by");
  }
}

/// The words of the command that evaluates, and after `--` of the one that shows the finished
/// study.
std::vector<std::string> words_of(const RunArguments& arguments) {
  std::vector<std::string> common = {"--out", arguments.out};
  if (arguments.seed) common.insert(common.end(), {"--seed", fmt::to_string(*arguments.seed)});
  if (arguments.quiet) common.emplace_back("--quiet");
  std::vector<std::string> words = {"python3", "-c", kProgram, "--version", kVersion};
  words.insert(words.end(), {"--study", arguments.study, "--scheduler", arguments.scheduler});
  words.insert(words.end(), common.begin(), common.end());
  if (arguments.resume) words.emplace_back("--resume");
  if (arguments.retry_failed) words.emplace_back("--retry-failed");
  words.insert(words.end(), {"--", own_program(), "run", arguments.study, "--resume"});
  words.insert(words.end(), common.begin(), common.end());
  if (arguments.format == Format::kJson) words.insert(words.end(), {"--format", "json"});
  if (arguments.format == Format::kCsv) words.insert(words.end(), {"--format", "csv"});
  return words;
}

}  // namespace

void run_with_dask(const RunArguments& arguments) {
  check(arguments);
  std::vector<std::string> words = words_of(arguments);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  (void)std::signal(SIGPIPE, SIG_DFL);
  ::execvp(pointers.front(), pointers.data());
  throw InputError(fmt::format("--executor dask: cannot start python3: {}",
                               std::generic_category().message(errno)));
}

}  // namespace ntune::cli
