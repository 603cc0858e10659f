#pragma once

#include "ntune/report/data/report_data.h"

namespace ntune {

/// Counts evaluations and failures, by cause and by value, as far as the journal holds them, or
/// else the result; examples are those of the journal.
void read_failures(ReportData& data);

}  // namespace ntune
