#include "ntune/study/fleet/fleet.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/core/time_text.h"

namespace ntune {

namespace {

constexpr auto kLook = std::chrono::milliseconds(200);

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

/// Where numbers begin that no earlier server has given; all fit into a double.
std::int64_t fresh_number() {
  constexpr int kRoom = 20;  // bits
  return std::int64_t{std::random_device()() >> 1} << kRoom;
}

}  // namespace

Fleet::Fleet(std::optional<double> lease, Now now)
    : fixed_lease_(lease), now_(std::move(now)), next_number_(fresh_number()) {}

std::optional<Fleet::Answer> Fleet::call(const Json& request, const std::atomic<bool>& stop) {
  std::unique_lock lock(mutex_);
  const auto call = calls_.emplace(calls_.end());
  call->request = request;
  queue_.push_back(&*call);
  wake_.notify_one();
  while (!call->answer && !stop) {
    // The dead are found by whoever waits.
    if (call->done.wait_for(lock, kLook) == std::cv_status::timeout) expire();
  }
  forget(*call);
  std::optional<Answer> answer = std::move(call->answer);
  calls_.erase(call);
  return answer;
}

void Fleet::finish() {
  const std::lock_guard lock(mutex_);
  finished_ = true;
  wake_.notify_all();
}

void Fleet::wait_until_told(double seconds) {
  std::unique_lock lock(mutex_);
  const auto all_told = [this] {
    return std::ranges::none_of(members_,
                                [this](const auto& entry) { return is_here(entry.second); });
  };
  wake_.wait_until(lock, seconds_from_now(seconds), all_told);
}

std::int64_t Fleet::join(const std::string& name, int cores) {
  const std::lock_guard lock(mutex_);
  const auto is_taken = [this](const std::string& wanted) {
    return std::ranges::any_of(members_, [&](const auto& entry) {
      return is_here(entry.second) && entry.second.facts.name == wanted;
    });
  };
  std::string own = name;
  for (int i = 2; is_taken(own); ++i) own = fmt::format("{}-{}", name, i);
  const std::int64_t number = next_number_++;
  members_[number] = {.facts = {.name = own, .cores = cores}, .seen = now_()};
  due_ = std::min(due_, end_from(now_()));
  news_.push_back(fmt::format("worker {} has come, {}", own, counted(cores, "core")));
  return number;
}

Fleet::Handout Fleet::take(std::int64_t worker, double seconds) {
  std::unique_lock lock(mutex_);
  const Clock::time_point end = seconds_from_now(seconds);
  while (true) {
    Member* member = seen(worker);
    if (member == nullptr) return {.kind = Handout::Kind::kUnknown};
    if (std::optional<Handout> handout = try_take(worker, *member)) return *std::move(handout);
    if (Clock::now() >= end) return {};
    wake_.wait_until(lock, end);
  }
}

std::optional<Fleet::Handout> Fleet::try_take(std::int64_t worker, Member& member) {
  expire();
  if (member.facts.state == FleetWorker::State::kSetAside) {
    return Handout{.kind = Handout::Kind::kSetAside, .reason = member.facts.reason};
  }
  if (finished_) {
    member.facts.state = FleetWorker::State::kLeft;
    due_ = {};
    wake_.notify_all();
    return Handout{.kind = Handout::Kind::kDone};
  }
  const auto found = std::ranges::find_if(
      queue_, [&](const Call* call) { return !call->failed_by.contains(worker); });
  if (found == queue_.end()) return std::nullopt;
  Call* call = *found;
  queue_.erase(found);
  const std::int64_t number = next_number_++;
  const Clock::time_point now = now_();
  leases_[number] = {.call = call, .worker = worker, .begin = now, .end = end_from(now)};
  call->leases.push_back(number);
  due_ = std::min(due_, leases_[number].end);
  return Handout{.kind = Handout::Kind::kWork, .lease = number, .request = call->request};
}

bool Fleet::answer(std::int64_t worker, std::int64_t lease, const Json& request, Answer answer) {
  const std::lock_guard lock(mutex_);
  Member* member = seen(worker);
  if (member == nullptr || member->facts.state == FleetWorker::State::kSetAside) return false;
  Call* call = nullptr;
  if (const auto found = leases_.find(lease); found != leases_.end()) {
    call = found->second.call;
    leases_.erase(found);
  } else {
    const auto open = std::ranges::find(calls_, request, &Call::request);
    if (open != calls_.end()) call = &*open;
  }
  if (call == nullptr || call->answer) return false;
  ++member->facts.calls;
  member->facts.seconds += answer.seconds;
  slowest_ = std::max(slowest_, answer.seconds);
  if (!answer.outcome.failure.empty()) {
    fail(*call, worker, *member, std::move(answer));
    return true;
  }
  member->refuted_in_a_row = 0;
  refute(*call);
  settle(*call, std::move(answer));
  return true;
}

std::vector<std::int64_t> Fleet::renew(std::int64_t worker,
                                       const std::vector<std::int64_t>& leases) {
  const std::lock_guard lock(mutex_);
  std::vector<std::int64_t> lost;
  if (seen(worker) == nullptr) return lost;
  expire();
  for (const std::int64_t number : leases) {
    const auto lease = leases_.find(number);
    const bool held = lease != leases_.end() && lease->second.worker == worker;
    // What nobody else has begun goes on.
    if (held && lease->second.lost && std::erase(queue_, lease->second.call) > 0) {
      lease->second.lost = false;
    }
    if (!held || lease->second.lost) {
      lost.push_back(number);
    } else {
      lease->second.end = end_from(now_());
      due_ = std::min(due_, lease->second.end);
    }
  }
  return lost;
}

bool Fleet::knows(std::int64_t worker) const {
  const std::lock_guard lock(mutex_);
  return members_.contains(worker);
}

void Fleet::leave(std::int64_t worker) {
  const std::lock_guard lock(mutex_);
  Member* member = seen(worker);
  if (member == nullptr) return;
  if (member->facts.state == FleetWorker::State::kHere) {
    member->facts.state = FleetWorker::State::kLeft;
    due_ = {};
    news_.push_back(fmt::format("worker {} has left", member->facts.name));
  }
  lose_all_of(worker);
}

double Fleet::lease_seconds() const {
  const std::lock_guard lock(mutex_);
  return length();
}

std::vector<FleetWorker> Fleet::workers() const {
  const std::lock_guard lock(mutex_);
  std::vector<FleetWorker> workers;
  for (const auto& [number, member] : members_) {
    FleetWorker& worker = workers.emplace_back(member.facts);
    const auto is_running = [worker_number = number](const auto& entry) {
      return entry.second.worker == worker_number && !entry.second.lost;
    };
    worker.running = static_cast<int>(std::ranges::count_if(leases_, is_running));
  }
  return workers;
}

std::vector<std::string> Fleet::take_news() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, {});
}

double Fleet::length() const {
  constexpr double kLeast = 10.0;
  constexpr double kMost = 60.0;
  return fixed_lease_.value_or(std::clamp(3.0 * slowest_, kLeast, kMost));
}

Clock::time_point Fleet::end_from(Clock::time_point now) const {
  return now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(length()));
}

/// The worker, of whom this is a sign of life; nullptr: it is not known.
Fleet::Member* Fleet::seen(std::int64_t worker) {
  const auto found = members_.find(worker);
  if (found == members_.end()) return nullptr;
  Member& member = found->second;
  member.seen = now_();
  if (member.facts.state == FleetWorker::State::kSilent) {
    member.facts.state = FleetWorker::State::kHere;
    due_ = std::min(due_, end_from(member.seen));
    news_.push_back(fmt::format("worker {} is back", member.facts.name));
  }
  return &member;
}

bool Fleet::is_here(const Member& member) const {
  return member.facts.state == FleetWorker::State::kHere &&
         seconds_between(member.seen, now_()) < length();
}

/// Whether a worker is here that the call has not failed on.
bool Fleet::has_another(const Call& call) const {
  return std::ranges::any_of(members_, [&](const auto& entry) {
    return is_here(entry.second) && !call.failed_by.contains(entry.first);
  });
}

/// Puts a call first in the queue, unless it is there or somebody is at work on it.
void Fleet::deal_again(Call& call) {
  const bool is_held = std::ranges::any_of(call.leases, [&](std::int64_t number) {
    const auto lease = leases_.find(number);
    return lease != leases_.end() && !lease->second.lost;
  });
  if (call.answer || is_held || std::ranges::find(queue_, &call) != queue_.end()) return;
  queue_.push_front(&call);
  wake_.notify_all();
}

void Fleet::lose(Lease& lease) {
  FleetWorker& worker = members_.at(lease.worker).facts;
  ++worker.lost;
  worker.lost_seconds += seconds_between(lease.begin, now_());
  lease.lost = true;
  deal_again(*lease.call);
}

void Fleet::lose_all_of(std::int64_t worker) {
  for (auto& [number, lease] : leases_) {
    if (lease.worker == worker && !lease.lost) lose(lease);
  }
}

/// Finds out who has fallen silent, and what that leaves undone. Each message asks for that: as
/// long as nobody can have fallen silent it costs nothing.
void Fleet::expire() {
  const Clock::time_point now = now_();
  if (now < due_) return;
  due_ = Clock::time_point::max();
  for (auto& [number, lease] : leases_) {
    if (!lease.lost && lease.end <= now) lose(lease);
    if (!lease.lost) due_ = std::min(due_, lease.end);
  }
  for (auto& [number, member] : members_) {
    if (member.facts.state != FleetWorker::State::kHere) continue;
    if (is_here(member)) {
      due_ = std::min(due_, end_from(member.seen));
      continue;
    }
    member.facts.state = FleetWorker::State::kSilent;
    news_.push_back(fmt::format("worker {} has been silent for {}: what it has is dealt again",
                                member.facts.name,
                                duration_text(seconds_between(member.seen, now))));
  }
  // A failure that nobody is left to confirm counts.
  const auto is_unconfirmed = [this](const Call* call) {
    return call->failed && !has_another(*call);
  };
  while (true) {
    const auto found = std::ranges::find_if(queue_, is_unconfirmed);
    if (found == queue_.end()) return;
    Call& call = **found;
    settle(call, *std::move(call.failed));
  }
}

void Fleet::fail(Call& call, std::int64_t worker, Member& member, Answer answer) {
  if (answer.outcome.blame == Blame::kInterruption) return deal_again(call);
  if (answer.outcome.blame == Blame::kMachine) {
    set_aside(member, worker, answer.outcome.failure);
    return deal_again(call);
  }
  ++member.facts.failures;
  // A call that was dealt to the same worker twice is not confirmed by it.
  const bool is_first = call.failed_by.insert(worker).second;
  if (call.failed && is_first) return settle(call, *std::move(call.failed));
  if (!has_another(call)) return settle(call, std::move(answer));
  if (!call.failed) call.failed = std::move(answer);
  deal_again(call);
}

void Fleet::settle(Call& call, Answer answer) {
  forget(call);
  call.answer = std::move(answer);
  call.done.notify_all();
}

/// Another worker has carried out what has failed.
void Fleet::refute(const Call& call) {
  constexpr int kMost = 3;
  for (const std::int64_t worker : call.failed_by) {
    Member& member = members_.at(worker);
    ++member.facts.refuted;
    if (call.failed) member.facts.last_failure = call.failed->outcome.failure;
    if (++member.refuted_in_a_row < kMost) continue;
    set_aside(member, worker,
              fmt::format("{} evaluations in a row failed on it that others carried out; the last: "
                          "{}",
                          kMost, member.facts.last_failure));
  }
}

void Fleet::set_aside(Member& member, std::int64_t worker, const std::string& reason) {
  constexpr std::size_t kLongest = 1000;
  if (member.facts.state == FleetWorker::State::kSetAside) return;
  member.facts.state = FleetWorker::State::kSetAside;
  due_ = {};
  member.facts.reason = printable(reason, kLongest);
  news_.push_back(
      fmt::format("worker {} is set aside: {}", member.facts.name, member.facts.reason));
  lose_all_of(worker);
  wake_.notify_all();  // else the next call might wake this worker alone, which takes nothing
}

/// Nobody is to carry out the call any more.
void Fleet::forget(Call& call) {
  std::erase(queue_, &call);
  for (const std::int64_t number : call.leases) leases_.erase(number);
  call.leases.clear();
}

}  // namespace ntune
