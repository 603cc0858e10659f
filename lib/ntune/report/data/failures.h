#pragma once

#include "ntune/report/data/report_data.h"

namespace ntune {

/// Counts evaluations and failures, by cause and by value, as far as the journal holds them.
void read_failures(ReportData& data);
/// Takes the numbers of the study's result in their place; examples stay.
void take_failures_of_result(ReportData& data);

}  // namespace ntune
