#pragma once

#include <string>

#include "ntune/report/data/report_data.h"

namespace ntune {

/// The command of a laboratory that plays a game of the recommended agent into a replay; empty
/// where the study is of no game that has one.
std::string play_command_of(const ReportData& data);

}  // namespace ntune
