#pragma once

#include "ntune/study/model/evaluation.h"
#include "ntune/study/model/run_record.h"

namespace ntune {

struct RunTask;

/// Looks on while a study runs, and changes nothing. Members are called on the thread that the
/// event happens on, hence from several at once.
class StudyObserver {
 public:
  virtual ~StudyObserver() = default;

  /// An evaluation is asked for; it may be known from the log.
  virtual void asked(const Request& /*request*/) {}
  /// What an evaluation has brought, or had brought when it was recorded.
  virtual void evaluated(const Request& /*request*/, const Evaluated& /*evaluated*/) {}
  /// A run has been made that the log did not know; unfinished if the study was stopped or it
  /// has met nothing but failures.
  virtual void made_run(const RunTask& /*task*/, const RunRecord& /*run*/) {}
};

}  // namespace ntune
