#include <csignal>
#include <filesystem>
#include <iostream>
#include <istream>
#include <memory>
#include <ostream>
#include <sstream>

#include <fmt/format.h>

#include "apps/ntune/commands.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/study/results/result_files.h"
#include "ntune/study/serve/serve.h"
#include "ntune/study/split_advice.h"
#include "ntune/study/study_yaml.h"

namespace ntune::cli {

namespace fs = std::filesystem;

namespace {

/// A study whose evaluations come from outside: each is worth a line in the journal.
Study read_served_study(const std::string& path) {
  Study study = read_study(read_yaml(path));
  study.record = Recording::kEvaluations;
  study.config["record"] = "evaluations";
  if (study.advise_budget > 0) {
    StudyProgress progress;
    advise_split(study, progress);
  }
  return study;
}

void write_finished(const fs::path& folder, const Study& study, const StudyResult& result) {
  write_result(folder, study, result, summarise(study, result));
}

/// Signals end the program at once: everything that was told is on file.
void die_by_signals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

/// The study of a folder: the one that it holds, or the file that is to begin it.
Study study_of(const StepArguments& arguments) {
  const fs::path held = fs::path(arguments.folder) / kStudyName;
  std::error_code error;
  if (!arguments.study.empty()) return read_served_study(arguments.study);
  if (!fs::exists(held, error)) {
    throw InputError(fmt::format("{}: holds no study yet; name one with --study STUDY.yaml",
                                 printable(arguments.folder, 1000)));
  }
  return read_served_study(held.string());
}

}  // namespace

int serve_command(const ServeArguments& arguments, const Terminal& terminal) {
  const Study study = read_served_study(arguments.study);
  std::unique_ptr<Journal> journal;
  ServeOptions options;
  if (!arguments.out.empty()) {
    check_result_folder(arguments.out, study);
    journal = std::make_unique<Journal>(
        arguments.out, study, arguments.resume ? Journal::Open::kResume : Journal::Open::kNew);
    write_study_file(arguments.out, study);
    options.finished = [&](const StudyResult& result) {
      journal->sync();
      write_finished(arguments.out, study, result);
    };
  } else if (arguments.resume) {
    throw InputError("--resume: needs --out, the folder that holds the journal");
  }
  die_by_signals();
  serve_study(study, journal.get(), std::cin, terminal.out, options);
  return kDone;
}

int step_command(const StepArguments& arguments, const Terminal& terminal) {
  constexpr auto kPatience = std::chrono::seconds(30);
  const Study study = study_of(arguments);
  check_result_folder(arguments.folder, study);
  Journal journal(arguments.folder, study, Journal::Open::kResume, kPatience);
  write_study_file(arguments.folder, study);
  ServeOptions options{.again = arguments.again, .finished = [&](const StudyResult& result) {
                         write_finished(arguments.folder, study, result);
                       }};
  std::istringstream in(arguments.request.dump() + "\n");
  std::ostringstream out;
  serve_study(study, &journal, in, out, options);
  journal.sync();
  const Json answer = Json::parse(out.str(), nullptr, false);
  if (answer.is_object() && answer.contains("error")) {
    throw InputError(fmt::format("{}: {}", printable(arguments.folder, 1000),
                                 answer["error"].get<std::string>()));
  }
  terminal.out << out.str();
  return kDone;
}

}  // namespace ntune::cli
