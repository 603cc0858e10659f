#pragma once

#include <string>
#include <vector>

#include "ntune/report/data/study_row.h"

namespace ntune {

/// A study on the board.
struct BoardRow {
  StudyRow study = {};
  std::string key = {};   ///< its folder below that of the board
  std::string link = {};  ///< where its page is
};

/// The cells of each row as HTML, in the order of `rows`: state, study, budget, best so far, gain
/// and finding. Gains of one unit share an axis.
std::vector<std::vector<std::string>> board_cells(const std::vector<BoardRow>& rows);

/// "1 needs you", "3 better", … as marks.
std::string board_counts(const std::vector<BoardRow>& rows);

/// The table, what needs a person first.
std::string board_table(std::vector<BoardRow> rows);

/// What needs a person first, then what runs, then the rest by name.
void sort_board(std::vector<BoardRow>& rows);

/// A page that is told its rows by `events`, and patches what has changed alone.
std::string board_page(const std::string& title);

}  // namespace ntune
