#pragma once

#include "ntune/study/study.h"
#include "ntune/study/study_progress.h"

namespace ntune {

class Backend;
class StudyLog;
class StudyObserver;

/// Runs a study. The result depends on the study and its seed alone: not on the number of threads,
/// nor on the backend, nor on how much of it the log already knows. Throws EvaluationError. When
/// `progress.stop` turns true it returns soon with what is finished. `log` and `observer` may be
/// nullptr.
StudyResult run_study(const Study& study, Backend& backend, StudyProgress& progress,
                      StudyLog* log = nullptr, StudyObserver* observer = nullptr);
/// The same in this process.
StudyResult run_study(const Study& study, StudyProgress& progress, StudyLog* log = nullptr);

}  // namespace ntune
