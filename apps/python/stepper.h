#pragma once

#include <memory>
#include <mutex>

#include "apps/python/study_session.h"
#include "ntune/core/json.h"
#include "ntune/study/serve/serve.h"

namespace ntune::python {

/// A study whose caller asks for evaluations and tells their values.
class Stepper {
 public:
  /// Begins or resumes the study; without a folder it keeps no journal. Throws InputError.
  explicit Stepper(const GivenStudy& given);
  ~Stepper();
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  /// The answer of `ntune serve`. Throws InputError for what cannot be done, EvaluationError where
  /// a failure has ended the study. May be called from several threads, one after another.
  Json request(const ClientRequest& request);
  /// Leaves the study, whose folder others may then open.
  void close();

  [[nodiscard]] const Study& study() const { return study_; }

 private:
  Study study_;
  std::unique_ptr<Journal> journal_;
  std::mutex turn_;  ///< of callers
  std::unique_ptr<StudySession> session_;
};

}  // namespace ntune::python
