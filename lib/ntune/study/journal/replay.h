#pragma once

#include "ntune/study/evaluation/study_progress.h"
#include "ntune/study/journal/recorded_study.h"

namespace ntune {

/// The result of a study from its journal, the same as when it was made. Nothing is evaluated,
/// unless the journal holds runs. Then the evaluations that compared and held out their
/// recommendations are made again if that needs no program, else refused. Throws InputError where
/// something is missing; with `partial` it is left out, and the result is `interrupted`.
StudyResult replay_study(const RecordedStudy& recorded, bool partial, StudyProgress& progress);

}  // namespace ntune
