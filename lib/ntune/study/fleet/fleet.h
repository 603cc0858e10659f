#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ntune/core/clock.h"
#include "ntune/core/json.h"
#include "ntune/study/model/evaluation.h"

namespace ntune {

/// A worker of a fleet, and what has become of what it was given.
struct FleetWorker {
  enum class State { kHere, kSilent, kLeft, kSetAside } state = State::kHere;
  std::string name = {};
  int cores = 1;
  int running = 0;             ///< evaluations that it holds
  std::int64_t calls = 0;      ///< answers that were taken
  std::int64_t failures = 0;   ///< of them
  std::int64_t refuted = 0;    ///< its failures that another worker has carried out
  std::int64_t lost = 0;       ///< evaluations that it did not bring in time
  double seconds = 0.0;        ///< that its calls took
  double lost_seconds = 0.0;   ///< for which it held what it lost
  std::string last_failure{};  ///< of a call that others have carried out
  std::string reason{};        ///< why it is set aside
};

/// Deals evaluations to workers that come and go. A worker holds an evaluation by a lease, which it
/// renews. Without that the evaluation is dealt again, and the first answer to it is taken. What
/// fails on one worker is tried by another, if there is one; a worker that fails where others
/// succeed is set aside. All members may be called from several threads at once.
class Fleet {
 public:
  using Now = std::function<Clock::time_point()>;

  /// `lease`: seconds; nothing: three times the slowest call so far, from ten seconds to a minute.
  explicit Fleet(std::optional<double> lease = {}, Now now = Clock::now);
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  // For the study:

  struct Answer {
    Outcome outcome;
    double seconds = 0.0;  ///< that the call took
  };
  /// Has a worker carry out the request, and waits for it. Nothing once `stop` has turned true.
  std::optional<Answer> call(const Json& request, const std::atomic<bool>& stop);
  /// The study is over: whoever asks for work is told so.
  void finish();
  /// Waits until all workers that are here have been told, at most so long.
  void wait_until_told(double seconds);

  // For the workers:

  /// Takes a worker in; its number.
  std::int64_t join(const std::string& name, int cores);
  struct Handout {
    enum class Kind { kWork, kNothing, kDone, kSetAside, kUnknown } kind = Kind::kNothing;
    std::int64_t lease = 0;   ///< of work
    Json request = {};        ///< of work
    std::string reason = {};  ///< why it is set aside
  };
  /// The next evaluation, once there is one; waits for it at most so long.
  Handout take(std::int64_t worker, double seconds);
  /// Takes the answer to what was handed out. False: it comes too late, or nobody has asked for
  /// it. `request`: what it answers, by which a server that was started anew knows it.
  bool answer(std::int64_t worker, std::int64_t lease, const Json& request, Answer answer);
  /// Renews what a worker is at work on; those that it has lost.
  std::vector<std::int64_t> renew(std::int64_t worker, const std::vector<std::int64_t>& leases);
  /// Whether it has joined this fleet, and not one of an earlier server.
  [[nodiscard]] bool knows(std::int64_t worker) const;
  /// The worker goes, and gives back what it holds.
  void leave(std::int64_t worker);

  // For those who look on:

  [[nodiscard]] double lease_seconds() const;
  [[nodiscard]] std::vector<FleetWorker> workers() const;
  /// What has happened since the last call, a line each.
  std::vector<std::string> take_news();

 private:
  /// An evaluation that the study waits for.
  struct Call {
    Json request;
    std::optional<Answer> answer = {};
    std::optional<Answer> failed = {};      ///< a failure that another worker is to confirm
    std::set<std::int64_t> failed_by = {};  ///< workers
    std::vector<std::int64_t> leases = {};  ///< by which it was dealt
    std::condition_variable done = {};
  };
  struct Lease {
    Call* call = nullptr;
    std::int64_t worker = 0;
    Clock::time_point begin = {};
    Clock::time_point end = {};
    bool lost = false;  ///< its evaluation is dealt again; an answer may come all the same
  };
  struct Member {
    FleetWorker facts;
    Clock::time_point seen = {};
    int refuted_in_a_row = 0;
  };

  [[nodiscard]] double length() const;
  [[nodiscard]] Clock::time_point end_from(Clock::time_point now) const;
  Member* seen(std::int64_t worker);
  [[nodiscard]] bool is_here(const Member& member) const;
  [[nodiscard]] bool has_another(const Call& call) const;
  std::optional<Handout> try_take(std::int64_t worker, Member& member);
  void deal_again(Call& call);
  void lose(Lease& lease);
  void lose_all_of(std::int64_t worker);
  void expire();
  void fail(Call& call, std::int64_t worker, Member& member, Answer answer);
  void settle(Call& call, Answer answer);
  void refute(const Call& call);
  void set_aside(Member& member, std::int64_t worker, const std::string& reason);
  void forget(Call& call);

  std::optional<double> fixed_lease_;
  Now now_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;  ///< there is work, or the study is over
  std::deque<Call*> queue_;
  std::list<Call> calls_;
  std::map<std::int64_t, Lease> leases_;
  std::map<std::int64_t, Member> members_;
  std::int64_t next_number_;  ///< of a worker or a lease
  double slowest_ = 0.0;
  Clock::time_point due_ = {};  ///< before then nobody falls silent, and no lease ends
  bool finished_ = false;
  std::vector<std::string> news_;
};

}  // namespace ntune
