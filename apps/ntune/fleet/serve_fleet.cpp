#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <ostream>
#include <stop_token>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "apps/ntune/commands.h"
#include "apps/ntune/fleet/fleet_connection.h"
#include "apps/ntune/fleet/fleet_secret.h"
#include "apps/ntune/fleet/fleet_status.h"
#include "apps/ntune/study_run.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/program.h"
#include "ntune/core/text.h"
#include "ntune/core/time_text.h"
#include "ntune/study/fleet/fleet.h"
#include "ntune/study/fleet/fleet_backend.h"
#include "ntune/study/fleet/fleet_desk.h"

namespace ntune::cli {

namespace {

/// Tells what becomes of the workers, and keeps it in the folder, from its beginning to its end.
class FleetNews {
 public:
  FleetNews(Fleet& fleet, const FleetDesk& desk, const ServeArguments& arguments,
            const Terminal& terminal)
      : fleet_(fleet), desk_(desk), arguments_(arguments), terminal_(terminal) {}
  ~FleetNews() {
    thread_.request_stop();
    thread_.join();
    tell(true);
  }
  FleetNews(const FleetNews&) = delete;
  FleetNews& operator=(const FleetNews&) = delete;

 private:
  void watch(const std::stop_token& stop) {
    constexpr auto kEvery = std::chrono::seconds(1);
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    while (!wake.wait_for(lock, stop, kEvery, [] { return false; }) && !stop.stop_requested()) {
      tell(false);
    }
  }

  /// The list is written where it has changed. At the end it is left alone where nothing was begun:
  /// the folder may be one that was refused.
  void tell(bool at_end) {
    for (const std::string& line : fleet_.take_news()) {
      if (arguments_.quiet) continue;
      terminal_.err << fmt::format("{}{}\n", terminal_.live ? "\r\x1b[K" : "", line) << std::flush;
    }
    std::error_code error;
    if (arguments_.out.empty() || !std::filesystem::is_directory(arguments_.out, error)) return;
    const Json workers = desk_.workers();
    if (workers == written_ || (at_end && written_.is_null() && workers.empty())) return;
    try {
      write_fleet(arguments_.out, workers);
      written_ = workers;
    } catch (const InputError&) {
      // The study is worth more than the list of those who work for it.
    }
  }

  Fleet& fleet_;
  const FleetDesk& desk_;
  const ServeArguments& arguments_;
  const Terminal& terminal_;
  Json written_ = {};  ///< null: nothing
  std::jthread thread_{[this](const std::stop_token& stop) { watch(stop); }};
};

RunArguments run_arguments(const ServeArguments& arguments) {
  RunArguments run;
  run.study = arguments.study;
  run.out = arguments.out;
  run.seed = arguments.seed;
  run.quiet = arguments.quiet;
  run.resume = arguments.resume;
  return run;
}

/// The command that goes on at the port where the workers look for it.
std::string resume_line(const ServeArguments& arguments, const std::string& url) {
  const ServeArguments usual;
  const std::string address =
      arguments.listen.substr(0, arguments.listen.rfind(':')) + url.substr(url.rfind(':'));
  return fmt::format(
      "ntune serve {} --listen {} --token {} --out {}{}{}{}{} --resume",
      shown_word(arguments.study), shown_word(address), shown_word(arguments.token),
      shown_word(arguments.out), arguments.seed ? fmt::format(" --seed {}", *arguments.seed) : "",
      arguments.any_program ? " --any-program" : "",
      arguments.at_once == usual.at_once ? "" : fmt::format(" --at-once {}", arguments.at_once),
      arguments.lease == usual.lease ? "" : " --lease " + shown_word(arguments.lease));
}

std::optional<double> lease_of(const ServeArguments& arguments) {
  if (arguments.lease == "auto") return std::nullopt;
  const std::optional<double> seconds = read_duration(arguments.lease);
  if (seconds && *seconds > 0.0) return seconds;
  throw InputError(fmt::format("--lease: is '{}', auto or a duration such as '1 min' is allowed",
                               printable(arguments.lease, 60)));
}

/// What begins a worker.
std::string worker_line(const Study& study, const std::string& url,
                        const ServeArguments& arguments) {
  const std::string token = shown_word(arguments.token);
  const std::string file = shown_word(arguments.study);
  if (!is_asked(study)) {
    return fmt::format("ntune work {} --token {} --study {}", url, token, file);
  }
  return fmt::format(
      "your program, by ntune_client.Worker(\"{}\", \"{}\", \"{}\") or NTune.worker in Java", url,
      token, file);
}

}  // namespace

int serve_fleet(const ServeArguments& arguments, const Terminal& terminal) {
  if (arguments.token.empty()) {
    throw InputError("--listen: needs --token FILE, which is made where there is none");
  }
  RunArguments run = run_arguments(arguments);
  Study study = load_study(run);
  Fleet fleet(lease_of(arguments));
  FleetDesk desk(study, fleet, arguments.any_program, MappedFile(arguments.study).digest());
  std::optional<FleetServer> server;
  std::optional<FleetNews> news;
  run.begun = [&] {
    server.emplace(arguments.listen, fleet_secret_of_server(arguments.token),
                   [&desk](const Json& message) { return desk.answer(message); });
    run.resumed_by = resume_line(arguments, server->url());
    terminal.err
        << fmt::format(
               "{} until the study is done. On each machine, with copies of {} and {}: {}\n",
               server->url(), shown_word(arguments.token), shown_word(arguments.study),
               worker_line(study, server->url(), arguments))
        << std::flush;
    news.emplace(fleet, desk, arguments, terminal);
  };
  FleetBackend backend(study, fleet, arguments.at_once);
  const auto dismiss = [&fleet] {
    constexpr double kPatience = 3.0;
    fleet.finish();
    fleet.wait_until_told(kPatience);
  };
  try {
    const int code = execute_study(study, backend, run, terminal);
    if (code != kInterrupted) dismiss();  // else the workers wait for what goes on
    return code;
  } catch (...) {
    dismiss();
    throw;
  }
}

}  // namespace ntune::cli
