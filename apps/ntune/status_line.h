#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ntune/report/data/study_watch.h"

namespace ntune::cli {

// What `watch` and `top` say of a study that may be running.

/// "42 %".
std::string share_text(const StudyStatus& status);
/// How long the study will go on, or "-".
std::string left_text(const StudyStatus& status);
/// Whether its games are those by which the best of many settings was chosen, so that they flatter.
bool is_selected(const StudyStatus& status);
/// "+41 ±37", half the width of the interval; "-" where there are too few games for one, or all
/// were won or lost.
std::string elo_text(const StudyStatus& status);
/// "+25 =17 -18", and the pairs by their points where all games are paired.
std::string games_text(const GameCounts& games);
/// A table with a finding for each of its rows: behind it where a line has room for that, else
/// below it and moved in.
std::string with_findings(const std::string& table, const std::vector<std::string>& findings,
                          std::size_t columns);
/// All of it in one line.
std::string status_line(const StudyStatus& status);

}  // namespace ntune::cli
