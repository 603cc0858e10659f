#include "apps/python/stepper.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <utility>

#include "ntune/core/error.h"
#include "ntune/study/journal/chosen_split.h"
#include "ntune/study/results/result_files.h"

namespace ntune::python {

/// Hands requests from callers' threads to that of the study, and answers back.
class Stepper::HandedClient final : public Client {
 public:
  std::optional<ClientRequest> next() override {
    std::unique_lock lock(mutex_);
    wait(lock, [this] { return request_ || closed_; });
    return std::exchange(request_, std::nullopt);
  }

  void answer(Json answer) override {
    const std::lock_guard lock(mutex_);
    answer_ = std::move(answer);
    tell_change();
  }

  void refuse(const RequestFault& fault) override { answer({{"error", fault.what()}}); }

  /// The study has ended, by this if it is no nullptr.
  void end(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    error_ = std::move(error);
    ended_ = true;
    tell_change();
  }

  Json ask(ClientRequest request) {
    const std::lock_guard turn(turn_);
    std::unique_lock lock(mutex_);
    if (closed_) throw InputError("the optimiser is closed; load its folder to go on");
    request_ = std::move(request);
    tell_change();
    wait(lock, [this] { return answer_ || ended_; });
    if (answer_) return *std::exchange(answer_, std::nullopt);
    if (error_) std::rethrow_exception(error_);
    throw InputError("the study has ended");
  }

  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    tell_change();
  }

 private:
  void tell_change() {
    changes_.fetch_add(1, std::memory_order_release);
    changed_.notify_all();
  }

  /// Waits for what is protected by the mutex, for a moment without sleeping: to wake a thread up
  /// takes longer than most answers do.
  template <class Ready>
  void wait(std::unique_lock<std::mutex>& lock, Ready ready) {
    constexpr std::chrono::microseconds kAwake(20);
    static const bool has_cores = std::thread::hardware_concurrency() > 1;
    const auto sleep_at = std::chrono::steady_clock::now() + kAwake;
    while (has_cores && !ready() && std::chrono::steady_clock::now() < sleep_at) {
      const std::uint64_t seen = changes_.load(std::memory_order_acquire);
      lock.unlock();
      while (changes_.load(std::memory_order_acquire) == seen &&
             std::chrono::steady_clock::now() < sleep_at) {
      }
      lock.lock();
    }
    changed_.wait(lock, ready);
  }

  std::mutex turn_;  ///< of callers
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<std::uint64_t> changes_ = 0;
  std::optional<ClientRequest> request_;
  std::optional<Json> answer_;
  std::exception_ptr error_;
  bool ended_ = false;
  bool closed_ = false;
};

Stepper::Stepper(const GivenStudy& given)
    : study_(read_study_of(given)), client_(std::make_unique<HandedClient>()) {
  study_.execution.record = Recording::kEvaluations;
  study_.config["record"] = "evaluations";
  if (!given.folder.empty()) {
    check_result_folder(given.folder, study_);
    journal_ = std::make_unique<Journal>(
        given.folder, study_, given.resume ? Journal::Open::kResume : Journal::Open::kNew);
    set_aside_earlier_result(given.folder, study_);
    write_study_file(given.folder, study_);
  }
  settle_split(study_, {});
  if (journal_) journal_->keep_split();
  thread_ = std::thread([this, folder = given.folder] {
    try {
      const ServeOptions options{.finished = [&](const StudyResult& result) {
        if (!journal_) return;
        journal_->sync();
        write_result(folder, study_, result, summarise(study_, result));
      }};
      serve_study(study_, journal_.get(), *client_, options);
      client_->end(nullptr);
    } catch (...) {
      client_->end(std::current_exception());
    }
  });
}

Stepper::~Stepper() { close(); }

Json Stepper::request(ClientRequest request) {
  Json answer = client_->ask(std::move(request));
  if (answer.is_object() && answer.contains("error")) {
    const std::string text = answer["error"];
    if (answer.contains("ended")) throw EvaluationError(text);
    throw InputError(text);
  }
  return answer;
}

void Stepper::close() {
  client_->close();
  if (thread_.joinable()) thread_.join();
  journal_.reset();
}

}  // namespace ntune::python
