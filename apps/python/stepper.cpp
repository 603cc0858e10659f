#include "apps/python/stepper.h"

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
    changed_.wait(lock, [this] { return request_ || closed_; });
    return std::exchange(request_, std::nullopt);
  }

  void answer(Json answer) override {
    const std::lock_guard lock(mutex_);
    answer_ = std::move(answer);
    changed_.notify_all();
  }

  void refuse(const RequestFault& fault) override { answer({{"error", fault.what()}}); }

  /// The study has ended, by this if it is no nullptr.
  void end(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    error_ = std::move(error);
    ended_ = true;
    changed_.notify_all();
  }

  Json ask(ClientRequest request) {
    const std::lock_guard turn(turn_);
    std::unique_lock lock(mutex_);
    if (closed_) throw InputError("the optimiser is closed; load its folder to go on");
    request_ = std::move(request);
    changed_.notify_all();
    changed_.wait(lock, [this] { return answer_ || ended_; });
    if (answer_) return *std::exchange(answer_, std::nullopt);
    if (error_) std::rethrow_exception(error_);
    throw InputError("the study has ended");
  }

  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex turn_;  ///< of callers
  std::mutex mutex_;
  std::condition_variable changed_;
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
