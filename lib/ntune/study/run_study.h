#pragma once

#include "ntune/study/evaluation/study_progress.h"
#include "ntune/study/model/study.h"

namespace ntune {

class Backend;
class StudyLog;
class StudyObserver;

/// Runs a study. The result depends on the study and its seed alone, and where there is a limit of
/// time or measured costs on these too. Neither the number of threads, nor the backend, nor how
/// much of the study the log already knows changes it. Throws EvaluationError. When `progress.stop`
/// turns true it returns soon with what is finished. `log` and `observer` may be nullptr.
StudyResult run_study(const Study& study, Backend& backend, StudyProgress& progress,
                      StudyLog* log = nullptr, StudyObserver* observer = nullptr);
/// The same in this process.
StudyResult run_study(const Study& study, StudyProgress& progress, StudyLog* log = nullptr);

}  // namespace ntune
