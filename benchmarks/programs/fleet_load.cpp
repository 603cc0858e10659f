// How much of their time the workers of `ntune serve --listen` work, on the loopback of one
// machine.
//   fleet_load [--workers N] [--milliseconds MS] [--seconds S] [--in-flight Q] [--tail]
// A study of win or loss whose calls sleep. The server is a process of its own, and so are the
// workers together, a connection each. The result is checked against that of threads.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/ntune/fleet/fleet_connection.h"
#include "apps/ntune/fleet/fleet_secret.h"
#include "benchmarks/programs/experiment.h"
#include "ntune/core/clock.h"
#include "ntune/core/json.h"
#include "ntune/core/yaml.h"
#include "ntune/study/evaluation/remote_evaluation.h"
#include "ntune/study/fleet/fleet_backend.h"
#include "ntune/study/fleet/fleet_desk.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/results/result_csv.h"
#include "ntune/study/run_study.h"

namespace ntune {
namespace {

struct Arguments {
  int workers = 64;
  double milliseconds = 100.0;
  double seconds = 20.0;
  double in_flight = 2.0;  ///< evaluations for each worker
  bool tail = false;
};

std::int64_t evaluations_of(const Arguments& arguments) {
  return std::max<std::int64_t>(
      100, std::llround(1e3 * arguments.seconds * arguments.workers / arguments.milliseconds));
}

Study study_of(const Arguments& arguments) {
  return read_study(parse_yaml(fmt::format(
      "{{objective: {{function: hartmann6, noise: win_loss}}, optimiser: ntbea, runs: 1, "
      "iterations: {}, hold_out: 0, parallel_evaluations: {}}}",
      evaluations_of(arguments), std::llround(arguments.in_flight * arguments.workers))));
}

std::atomic<int> silences = 0;  ///< messages that were not answered

/// How long a call lasts, in seconds; with a tail: exponentially distributed.
double duration_of(const Arguments& arguments, const Json& request) {
  const double mean = 1e-3 * arguments.milliseconds;
  Rng rng = Rng::with_key(request["stream"]).stream("duration");
  return arguments.tail ? -mean * std::log(1.0 - rng.uniform()) : mean;
}

/// The answer to a message, which is sent again until there is one.
Json answer_to(cli::FleetClient& client, const Json& message) {
  while (true) {
    if (auto answer = client.post(message)) return *std::move(answer);
    ++silences;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void work(const Arguments& arguments, const Study& study, const Json& identity,
          const std::string& url, const cli::FleetSecret& secret) {
  cli::FleetClient client(url, secret);
  Json join = identity;
  join.update({{"op", "join"}, {"name", "simulated"}, {"cores", 1}});
  const Json worker = answer_to(client, join).at("worker");
  const std::atomic<bool> stop = false;
  Json message = {{"op", "work"}, {"worker", worker}, {"wait", 1.0}};
  while (true) {
    const Json reply = answer_to(client, message);
    message.erase("answer");
    if (reply.contains("done")) return;
    if (!reply.contains("lease")) continue;
    const double seconds = duration_of(arguments, reply["request"]);
    client.rest(seconds);
    const Clock::time_point end = seconds_from_now(seconds);
    const Outcome outcome = carry_out_remote(study, reply["request"], stop);
    std::this_thread::sleep_until(end);
    message["answer"] = {{"lease", reply["lease"]},
                         {"request", reply["request"]},
                         {"outcome", outcome_json(outcome)},
                         {"seconds", seconds}};
  }
}

/// A process with all workers.
pid_t begin_workers(const Arguments& arguments, const Study& study, const Json& identity,
                    const std::string& url, const cli::FleetSecret& secret) {
  const pid_t process = ::fork();
  if (process != 0) return process;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < arguments.workers; ++i) {
      threads.emplace_back([&] { work(arguments, study, identity, url, secret); });
    }
  }
  if (silences > 0) fmt::print("{} messages were sent again\n", silences.load());
  std::fflush(stdout);
  ::_exit(0);
}

double processor_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void measure(const Arguments& arguments) {
  const Study study = study_of(arguments);
  const std::filesystem::path token =
      std::filesystem::temp_directory_path() / fmt::format("fleet_load-{}", ::getpid());
  const cli::FleetSecret secret = cli::fleet_secret_of_server(token);
  std::filesystem::remove(token);
  std::filesystem::remove(token.string() + ".key");
  Fleet fleet;
  FleetDesk desk(study, fleet, true);
  const cli::FleetServer server("127.0.0.1:0", secret,
                                [&](const Json& message) { return desk.answer(message); });
  const pid_t workers =
      begin_workers(arguments, study, fleet_identity(study), server.url(), secret);
  FleetBackend backend(study, fleet, static_cast<int>(study.execution.parallel_evaluations));
  StudyProgress progress;
  const Clock::time_point begin = Clock::now();
  const double before = processor_seconds();
  const StudyResult result = run_study(study, backend, progress);
  const double seconds = seconds_since(begin);
  const double used = processor_seconds() - before;
  fleet.finish();
  ::waitpid(workers, nullptr, 0);
  double worked = 0.0;
  for (const FleetWorker& worker : fleet.workers()) worked += worker.seconds;
  const double calls = static_cast<double>(result.evaluations());
  StudyProgress alone;
  if (runs_csv(study, result) != runs_csv(study, run_study(study, alone))) {
    std::cerr << "the result differs from that of threads\n";
    std::exit(1);
  }
  fmt::print(
      "{:>4} workers, calls of {:g} ms{}: they work {:.1f} % of their time; {:.0f} calls a second; "
      "the server uses {:.1f} % of a core, {:.0f} us a call\n",
      arguments.workers, arguments.milliseconds, arguments.tail ? " with a tail" : "",
      100.0 * worked / (arguments.workers * seconds), calls / seconds, 100.0 * used / seconds,
      1e6 * used / calls);
}

}  // namespace
}  // namespace ntune

int main(int argc, char** argv) {
  ntune::Arguments arguments;
  CLI::App program("How much of their time the workers of ntune serve --listen work");
  program.add_option("--workers", arguments.workers)->check(CLI::PositiveNumber);
  program.add_option("--milliseconds", arguments.milliseconds, "of a call")
      ->check(CLI::PositiveNumber);
  program.add_option("--seconds", arguments.seconds, "of work")->check(CLI::PositiveNumber);
  program.add_option("--in-flight", arguments.in_flight, "evaluations for each worker")
      ->check(CLI::PositiveNumber);
  program.add_flag("--tail", arguments.tail, "durations are exponentially distributed");
  return ntune::run_experiment(program, argc, argv, [&] { ntune::measure(arguments); });
}
