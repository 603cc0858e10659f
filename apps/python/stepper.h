#pragma once

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "apps/python/study_session.h"
#include "ntune/core/json.h"
#include "ntune/study/serve/serve.h"

namespace ntune::python {

/// A study whose caller asks for evaluations and tells their values. The study waits on a thread of
/// its own, as `ntune serve` does in a process of its own.
class Stepper {
 public:
  /// Begins or resumes the study; without a folder it keeps no journal. Throws InputError.
  explicit Stepper(const GivenStudy& given);
  ~Stepper();
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  /// The answer of `ntune serve`. Throws InputError for what cannot be done, EvaluationError where
  /// a failure has ended the study. May be called from several threads, one after another.
  Json request(ClientRequest request);
  /// Leaves the study, whose folder others may then open.
  void close();

  [[nodiscard]] const Study& study() const { return study_; }

 private:
  class HandedClient;

  Study study_;
  std::unique_ptr<Journal> journal_;
  std::unique_ptr<HandedClient> client_;
  std::thread thread_;
};

}  // namespace ntune::python
