#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <list>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/common/watched.h"
#include "apps/ntune/commands.h"
#include "apps/ntune/fleet/fleet_connection.h"
#include "apps/ntune/fleet/fleet_secret.h"
#include "ntune/core/clock.h"
#include "ntune/core/error.h"
#include "ntune/core/folder_lock.h"
#include "ntune/core/json.h"
#include "ntune/core/parallel.h"
#include "ntune/core/text.h"
#include "ntune/core/time_text.h"
#include "ntune/core/yaml.h"
#include "ntune/study/evaluation/remote_evaluation.h"
#include "ntune/study/fleet/fleet_desk.h"
#include "ntune/study/keys/study_yaml.h"

namespace ntune::cli {

namespace {

/// Carries out evaluations for a server, several at a time.
class Worker {
 public:
  Worker(const WorkArguments& arguments, double patience, const Terminal& terminal)
      : arguments_(arguments),
        secret_(read_fleet_secret(arguments.token)),
        patience_(patience),
        terminal_(terminal),
        name_(arguments.name.empty() ? host_name() : arguments.name),
        client_(arguments.url, secret_),
        study_(load()),
        identity_(fleet_identity(study_)) {}

  /// Works until the server's study is done or Ctrl-C; the exit code.
  int work() {
    join(-1);
    const int jobs = Parallel::resolve(arguments_.jobs);
    if (!arguments_.quiet) {
      terminal_.err << fmt::format("{} works for {}, {} at a time\n", name_, arguments_.url,
                                   counted(jobs, "evaluation"))
                    << std::flush;
    }
    {
      std::list<std::jthread> threads;
      try {
        for (int i = 0; i < jobs; ++i) {
          threads.emplace_back([this] { guarded([this] { serve(); }); });
        }
        threads.emplace_back([this] { guarded([this] { renew(); }); });
      } catch (...) {  // no more threads: those that are there must not go on without renewal
        end();
        throw;
      }
      watch();
    }
    if (!done_) client_.post({{"op", "leave"}, {"worker", number()}});
    if (!arguments_.quiet) {
      terminal_.err << fmt::format("{}, {} too late\n", counted(taken_.load(), "evaluation"),
                                   count_text(late_.load()));
    }
    if (error_) std::rethrow_exception(error_);
    return done_ ? kDone : kInterrupted;
  }

 private:
  /// An evaluation that is carried out here.
  struct Running {
    std::int64_t lease = 0;
    std::atomic<bool> stop = false;  ///< it is given up
  };

  Study load() {
    if (!arguments_.study.empty()) return read_study(read_yaml(arguments_.study));
    const Json answer = exchange(client_, {{"op", "study"}});
    if (answer.contains("error")) refuse(answer);
    return read_study(parse_yaml(to_yaml(answer.at("study")), "study.yaml"));
  }

  [[noreturn]] void refuse(const Json& answer) const {
    constexpr std::size_t kLongest = 4000;
    throw InputError(fmt::format("{}: {}", printable(arguments_.url),
                                 printable(answer["error"].get<std::string>(), kLongest)));
  }

  /// Has the server take this worker in, unless another thread has done so since it was `before`.
  void join(std::int64_t before) {
    const std::lock_guard lock(join_mutex_);
    if (before >= 0 && number() != before) return;
    Json message = identity_;
    message["op"] = "join";
    message["name"] = name_;
    message["cores"] = Parallel::resolve(0);
    const Json answer = exchange(client_, message);
    if (answer.contains("error")) refuse(answer);
    // A study that an evaluation is carried out of already has this seed.
    if (before < 0) set_seed(study_, answer.at("seed"));
    if (study_.seed != answer.at("seed").get<std::uint64_t>()) {
      throw InputError(
          fmt::format("{}: the study has another seed now", printable(arguments_.url)));
    }
    number_ = answer.at("worker").get<std::int64_t>();
    lease_ = answer.at("lease").get<double>();
  }

  [[nodiscard]] std::int64_t number() const { return number_; }

  /// The answer to a message. Tries again for as long as the user has patience.
  Json exchange(FleetClient& client, const Json& message) {
    constexpr double kShortest = 0.1;
    constexpr double kLongest = 10.0;
    const Clock::time_point begin = Clock::now();
    for (double pause = kShortest;; pause = std::min(2.0 * pause, kLongest)) {
      if (stop_ || terminal_.is_interrupted()) throw Interrupted();
      if (auto answer = client.post(message)) return *std::move(answer);
      if (pause == kShortest) note_silence();
      if (seconds_since(begin) + pause > patience_) {
        throw EvaluationError(fmt::format("{}: the server has not answered for {}",
                                          printable(arguments_.url), duration_text(patience_)));
      }
      sleep(pause);
    }
  }

  /// Says once that the server does not answer.
  void note_silence() {
    if (arguments_.quiet || silent_.exchange(true)) return;
    terminal_.err << fmt::format("{} does not answer; this is tried again for {}\n",
                                 printable(arguments_.url), duration_text(patience_))
                  << std::flush;
  }

  /// Ends sooner at Ctrl-C.
  void sleep(double seconds) {
    constexpr double kEvery = 0.05;
    std::unique_lock lock(mutex_);
    const Clock::time_point end = seconds_from_now(seconds);
    while (!stop_ && !terminal_.is_interrupted() && Clock::now() < end) {
      wake_.wait_until(lock, std::min(end, seconds_from_now(kEvery)));
    }
  }

  /// Carries out one evaluation after the other.
  void serve() {
    constexpr double kWait = 1.0;  // seconds; so long Ctrl-C may wait
    FleetClient client(arguments_.url, secret_);
    Json answer;
    double lasted = 0.0;  // the last call; the next one will be alike
    while (!stop_) {
      const std::int64_t worker = number();
      Json message = {{"op", "work"}, {"worker", worker}, {"wait", kWait}};
      if (!answer.is_null()) message["answer"] = answer;
      const Json reply = exchange(client, message);
      if (reply.contains("unknown")) {  // the server was started anew
        join(worker);
        continue;
      }
      if (reply.contains("error")) refuse(reply);
      if (reply.contains("taken")) ++(reply["taken"].get<bool>() ? taken_ : late_);
      answer = Json();
      if (reply.contains("done")) {
        done_ = true;
        return end();
      }
      if (!reply.contains("lease")) continue;
      client.rest(lasted);
      const Clock::time_point start = Clock::now();
      answer = carry_out(reply);
      lasted = seconds_since(start);
    }
  }

  /// What is to be told of an evaluation; nothing where it was given up.
  Json carry_out(const Json& work) {
    const auto running = begin(work["lease"]);
    const Clock::time_point start = Clock::now();
    const Outcome outcome = carry_out_remote(study_, work.at("request"), running->stop);
    const double seconds = seconds_since(start);
    const bool given_up = running->stop;
    {
      const std::lock_guard lock(mutex_);
      running_.erase(running);
    }
    if (given_up && !outcome.failure.empty()) return {};
    return {{"lease", work["lease"]},
            {"request", work["request"]},
            {"outcome", outcome_json(outcome)},
            {"seconds", seconds}};
  }

  std::list<Running>::iterator begin(std::int64_t lease) {
    const std::lock_guard lock(mutex_);
    const auto running = running_.emplace(running_.end());
    running->lease = lease;
    running->stop = stop_.load();
    return running;
  }

  /// Keeps what is carried out here, and gives up what others have by now.
  void renew() {
    constexpr double kShare = 0.25;
    constexpr double kLongest = 2.0;  // seconds; what is void at the end is heard of in time
    FleetClient client(arguments_.url, secret_);
    while (!stop_) {
      const double pause = std::min(kLongest, kShare * lease_);
      client.rest(pause);
      sleep(pause);
      std::vector<std::int64_t> leases;
      {
        const std::lock_guard lock(mutex_);
        for (const Running& running : running_) leases.push_back(running.lease);
      }
      const auto answer = client.post({{"op", "renew"}, {"worker", number()}, {"leases", leases}});
      if (!answer || !answer->contains("lost")) continue;
      const std::vector<std::int64_t> lost = answer->at("lost");
      const std::lock_guard lock(mutex_);
      for (Running& running : running_) {
        if (std::ranges::find(lost, running.lease) != lost.end()) running.stop = true;
      }
    }
  }

  void end() {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    for (Running& running : running_) running.stop = true;
    wake_.notify_all();
  }

  /// Waits for the end, or Ctrl-C.
  void watch() {
    constexpr double kLong = 3600.0;
    while (!stop_ && !terminal_.is_interrupted()) sleep(kLong);
    end();
  }

  /// The first error of a thread ends them all.
  template <class Body>
  void guarded(const Body& body) {
    try {
      body();
    } catch (const Interrupted&) {
      return;
    } catch (...) {
      {
        const std::lock_guard lock(mutex_);
        if (!error_ && !done_) error_ = std::current_exception();
      }
      end();
    }
  }

  const WorkArguments& arguments_;
  FleetSecret secret_;
  double patience_;
  const Terminal& terminal_;
  std::string name_;
  std::atomic<bool> stop_ = false;
  std::atomic<bool> silent_ = false;  ///< the server has not answered once
  std::mutex mutex_;
  std::condition_variable wake_;
  FleetClient client_;  ///< of the main thread, and for joining
  Study study_;
  Json identity_;
  std::mutex join_mutex_;
  std::atomic<std::int64_t> number_ = 0;
  std::atomic<double> lease_ = 1.0;  ///< seconds
  std::list<Running> running_;
  std::atomic<bool> done_ = false;
  std::atomic<std::int64_t> taken_ = 0;
  std::atomic<std::int64_t> late_ = 0;
  std::exception_ptr error_;
};

}  // namespace

int work_command(const WorkArguments& arguments, const Terminal& terminal) {
  if (arguments.study.empty() && !arguments.trust) {
    throw InputError(
        "--study: is missing, your copy of the study, whose commands are run; with --trust those "
        "that the server names");
  }
  const std::optional<double> patience = read_duration(arguments.patience);
  if (!patience) {
    throw InputError(fmt::format("--patience: is '{}', a duration such as '5 min' is allowed",
                                 printable(arguments.patience, 60)));
  }
  return Worker(arguments, *patience, terminal).work();
}

}  // namespace ntune::cli
