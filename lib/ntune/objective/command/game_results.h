#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/objective/command/result_parser.h"

namespace ntune {

/// The results of games in what a program has written. All are counted from the side of the player
/// that is named first; contradictions between games and pairs are the result's problem.

/// All letters W, D and L of the lines that hold nothing else but blanks and commas. With
/// `last_line_too` the last line must be one of them.
std::optional<ParsedResult> parse_letters(const std::vector<std::string_view>& lines,
                                          bool last_line_too);

/// The last score line of cutechess-cli or fastchess, with the line of pairs behind it.
std::optional<ParsedResult> parse_score_lines(const std::vector<std::string_view>& lines);

/// {"wins": 3, "draws": 1, "losses": 2, "pentanomial": [0, 1, 1, 1, 0]}; what is left out is 0. The
/// object must have one of these keys.
ParsedResult parse_game_counts(const Json& object);
bool has_game_counts(const Json& object);

}  // namespace ntune
