// One request of `ntune serve` on the study of a folder, and the answer: ask, tell, status, and
// recommend where it is given a folder.

#include <chrono>
#include <filesystem>
#include <ostream>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "apps/ntune/commands.h"
#include "apps/ntune/served_study.h"
#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/results/result_files.h"
#include "ntune/study/serve/serve.h"

namespace ntune::cli {

namespace {

/// The study that the folder holds.
Study read_held_study(const std::string& folder) {
  const std::filesystem::path held = std::filesystem::path(folder) / kStudyName;
  std::error_code error;
  if (!std::filesystem::exists(held, error)) {
    throw InputError(fmt::format("{}: holds no study yet; name one with --study STUDY.yaml",
                                 printable(folder, 1000)));
  }
  return read_served_study(held.string(), folder);
}

/// Carries out the request and prints its answer. Throws InputError with the answer's error.
void answer_request(const Study& study, const std::string& folder, bool again, const Json& request,
                    const Terminal& terminal) {
  constexpr auto kPatience = std::chrono::seconds(30);  // for other processes with the journal
  check_result_folder(folder, study);
  Journal journal(folder, study, Journal::Open::kResume, kPatience);
  write_study_file(folder, study);
  const ServeOptions options{.again = again, .finished = [&](const StudyResult& result) {
                               write_finished(folder, study, result);
                             }};
  std::istringstream in(request.dump() + "\n");
  std::ostringstream out;
  serve_study(study, &journal, in, out, options);
  journal.sync();
  const Json answer = Json::parse(out.str(), nullptr, false);
  if (answer.is_object() && answer.contains("error")) {
    throw InputError(
        fmt::format("{}: {}", printable(folder, 1000), answer["error"].get<std::string>()));
  }
  terminal.out << out.str();
}

int request_of_folder(const std::string& folder, const Json& request, const Terminal& terminal) {
  answer_request(read_held_study(folder), folder, false, request, terminal);
  return kDone;
}

}  // namespace

int ask_command(const AskArguments& arguments, const Terminal& terminal) {
  const Study study = arguments.study.empty()
                          ? read_held_study(arguments.folder)
                          : read_served_study(arguments.study, arguments.folder);
  answer_request(study, arguments.folder, arguments.again, Json{{"op", "ask"}}, terminal);
  return kDone;
}

int tell_command(const TellArguments& arguments, const Terminal& terminal) {
  Json request;
  if (arguments.reason.empty()) {
    request = {{"op", "tell"}, {"id", arguments.id}, {"values", arguments.values}};
  } else {
    request = {{"op", "fail"}, {"id", arguments.id}, {"reason", arguments.reason}};
  }
  return request_of_folder(arguments.folder, request, terminal);
}

int status_command(const StatusArguments& arguments, const Terminal& terminal) {
  return request_of_folder(arguments.folder, Json{{"op", "status"}}, terminal);
}

int recommend_now(const std::string& folder, const Terminal& terminal) {
  return request_of_folder(folder, Json{{"op", "recommend"}}, terminal);
}

}  // namespace ntune::cli
