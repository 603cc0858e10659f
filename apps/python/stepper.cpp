#include "apps/python/stepper.h"

#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "ntune/core/error.h"
#include "ntune/core/fiber.h"
#include "ntune/study/journal/extension.h"
#include "ntune/study/results/result_files.h"

namespace ntune::python {

/// Hands requests of callers to the study, which goes on until it needs the next, and answers back.
class Stepper::HandedClient final : public Client {
 public:
  /// The study waits by `next` for its first request.
  explicit HandedClient(std::function<void(Client&)> study)
      : fiber_([this, study = std::move(study)] {
          try {
            study(*this);
          } catch (...) {
            error_ = std::current_exception();
          }
        }) {
    fiber_.resume();
  }
  ~HandedClient() override { close(); }
  HandedClient(const HandedClient&) = delete;
  HandedClient& operator=(const HandedClient&) = delete;

  std::optional<ClientRequest> next() override {
    if (!request_ && !closed_) fiber_.pause();
    return std::exchange(request_, std::nullopt);
  }

  void answer(Json answer) override { answer_ = std::move(answer); }

  void refuse(const RequestFault& fault) override { answer({{"error", fault.what()}}); }

  Json ask(ClientRequest request) {
    const std::lock_guard turn(turn_);
    if (closed_) throw InputError("the optimiser is closed; load its folder to go on");
    if (!fiber_.ended()) {
      request_ = std::move(request);
      fiber_.resume();
      if (answer_) return *std::exchange(answer_, std::nullopt);
    }
    if (error_) std::rethrow_exception(error_);
    throw InputError("the study has ended");
  }

  void close() {
    const std::lock_guard turn(turn_);
    closed_ = true;
    if (!fiber_.ended()) fiber_.resume();
  }

 private:
  std::mutex turn_;  ///< of callers
  std::optional<ClientRequest> request_;
  std::optional<Json> answer_;
  std::exception_ptr error_;
  bool closed_ = false;
  Fiber fiber_;
};

Stepper::Stepper(const GivenStudy& given) : study_(read_study_of(given)) {
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
  client_ = std::make_unique<HandedClient>([this, folder = given.folder](Client& client) {
    const ServeOptions options{.finished = [&](const StudyResult& result) {
      if (!journal_) return;
      journal_->sync();
      write_result(folder, study_, result, summarise(study_, result));
    }};
    serve_study(study_, journal_.get(), client, options);
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
  journal_.reset();
}

}  // namespace ntune::python
