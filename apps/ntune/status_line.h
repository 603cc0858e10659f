#pragma once

#include <string>

#include "ntune/report/data/study_watch.h"

namespace ntune::cli {

// What `watch` and `top` say of a study that may be running.

/// "42 %".
std::string share_text(const StudyStatus& status);
/// How long the study will go on, or "-".
std::string left_text(const StudyStatus& status);
/// "+41 ±37", half the width of the interval; "-" where there are too few games for one, or all
/// were won or lost.
std::string elo_text(const StudyStatus& status);
/// "+25 =17 -18", and the pairs by their points where all games are paired.
std::string games_text(const GameCounts& games);
/// All of it in one line.
std::string status_line(const StudyStatus& status);

}  // namespace ntune::cli
