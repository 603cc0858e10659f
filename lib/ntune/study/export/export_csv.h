#pragma once

#include "ntune/study/export/export.h"

namespace ntune {

/// Per evaluation: [objective,optimiser,plan,repeat,]stage,run,evaluation,[observation,]value,
/// failure,seconds,attempts,start,complete and the parameters, empty where they are inactive; where
/// a search has chosen both players of matches, those of the other as opponent.NAME. One row for
/// each observation of an evaluation. Where the journal holds runs:
/// […]run,evaluations,failures,point_evaluations,estimate,true_value,hold_out,complete, ….
/// Per point, best mean first: [objective,]n,mean,sd,standard_error,low,high,failures,search,
/// re_evaluation,hold_out, ….
ExportSummary export_csv(const RecordedStudy& recorded, const ExportOptions& options,
                         const TextSink& sink);

}  // namespace ntune
