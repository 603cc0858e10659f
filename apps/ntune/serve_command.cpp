#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "apps/ntune/commands.h"
#include "apps/ntune/served_study.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/yaml.h"
#include "ntune/study/journal/extension.h"
#include "ntune/study/journal/recorded_study.h"
#include "ntune/study/journal/study_folder.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/results/result_files.h"
#include "ntune/study/serve/serve.h"

namespace ntune::cli {

namespace fs = std::filesystem;

namespace {

/// Signals end the program at once: everything that was told is on file.
void die_by_signals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

Study read_served_study(const std::string& path, const std::filesystem::path& folder) {
  Study study = read_resumed_study(read_yaml(path), folder);
  set_record(study, Recording::kEvaluations);
  return study;
}

void settle_served_study(const fs::path& folder, Study& study) {
  if (!folder.empty()) go_on_from(folder, study);
  settle_split(study, {});
}

Study read_held_file(const fs::path& folder) {
  const fs::path held = folder / kStudyName;
  std::error_code error;
  if (!fs::exists(held, error)) {
    throw InputError(
        fmt::format("{}: holds no study yet; ntune run STUDY.yaml --out DIR and ntune ask DIR "
                    "--study STUDY.yaml begin one",
                    path_text(folder)));
  }
  return read_served_study(held.string(), folder);
}

Study read_held_study(const fs::path& folder) {
  Study study = read_held_file(folder);
  settle_served_study(folder, study);
  return study;
}

void write_finished(const fs::path& folder, const Study& study, const StudyResult& result) {
  write_result(folder, study, result, summarise(study, result));
}

int serve_command(const ServeArguments& arguments, const Terminal& terminal) {
  if (!arguments.listen.empty()) return serve_fleet(arguments, terminal);
  const ServeArguments usual;
  if (!arguments.token.empty() || arguments.seed || arguments.any_program ||
      arguments.lease != usual.lease || arguments.at_once != usual.at_once) {
    throw InputError(
        "--listen: is missing, with which --token, --seed, --any-program, --lease and --at-once "
        "go");
  }
  Study study = read_served_study(arguments.study, arguments.out);
  std::unique_ptr<Journal> journal;
  ServeOptions options;
  if (!arguments.out.empty()) {
    settle_served_study(arguments.resume ? arguments.out : std::string(), study);
    journal = open_study_folder(arguments.out, study,
                                arguments.resume ? Journal::Open::kResume : Journal::Open::kNew);
    options.finished = [&](const StudyResult& result) {
      journal->sync();
      write_finished(arguments.out, study, result);
    };
  } else if (arguments.resume) {
    throw InputError("--resume: needs --out, the folder that holds the journal");
  } else {
    settle_served_study({}, study);
  }
  die_by_signals();
  serve_study(study, journal.get(), std::cin, terminal.out, options);
  return kDone;
}

}  // namespace ntune::cli
