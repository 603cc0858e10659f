#include "apps/python/stepper.h"

#include <string>

#include "ntune/core/error.h"
#include "ntune/study/journal/extension.h"
#include "ntune/study/journal/study_folder.h"
#include "ntune/study/results/result_files.h"

namespace ntune::python {

Stepper::Stepper(const GivenStudy& given) : study_(read_study_of(given)) {
  set_record(study_, Recording::kEvaluations);
  if (!given.folder.empty()) {
    journal_ = open_study_folder(given.folder, study_,
                                 given.resume ? Journal::Open::kResume : Journal::Open::kNew);
  }
  settle_split(study_, {});
  if (journal_) journal_->keep_split();
  const auto finished = [this, folder = given.folder](const StudyResult& result) {
    if (!journal_) return;
    journal_->sync();
    write_result(folder, study_, result, summarise(study_, result));
  };
  session_ =
      std::make_unique<StudySession>(study_, journal_.get(), ServeOptions{.finished = finished});
}

Stepper::~Stepper() { close(); }

Json Stepper::request(const ClientRequest& request) {
  const std::lock_guard turn(turn_);
  if (!session_) throw InputError("the optimiser is closed; load its folder to go on");
  Json answer = session_->answer(request);
  if (answer.is_object() && answer.contains("error")) {
    const std::string text = answer["error"];
    if (answer.contains("ended")) throw EvaluationError(text);
    throw InputError(text);
  }
  return answer;
}

void Stepper::close() {
  const std::lock_guard turn(turn_);
  session_.reset();
  journal_.reset();
}

}  // namespace ntune::python
