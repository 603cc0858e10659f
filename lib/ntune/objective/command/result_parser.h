#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/game_statistics.h"
#include "ntune/core/json.h"
#include "ntune/core/json_fwd.h"
#include "ntune/core/pattern.h"
#include "ntune/objective/command/command_result.h"
#include "ntune/objective/objective.h"
#include "ntune/objective/seated_games.h"

namespace ntune {

/// What a program's output says.
struct ParsedResult {
  std::vector<double> values = {};  ///< finite; at least one where there is no problem
  GameCounts games = {};            ///< counts, where the values are points of games
  std::string problem = {};         ///< one line; empty: understood
  bool retry = false;               ///< the program says that it is worth another try
  std::string form = {};            ///< "a JSON object", for rehearsals
  std::optional<double> cost = {};  ///< what it used of a budget of costs, where it says so
  bool cut_off = false;  ///< the program says that it stopped at its own limit, without a solution
  bool abort = false;    ///< the program says that no evaluation makes sense
  /// Of a game with seats, whose values are known once it is known who sits where: a number for
  /// each seat, of which more is better, or the seats of the winners, from 1.
  std::vector<double> by_seat = {};
  std::optional<std::vector<std::int64_t>> winners = {};
  [[nodiscard]] bool has_seats() const { return !by_seat.empty() || winners; }
  enum class Meaning { kAny, kCost, kScore };
  Meaning meaning = Meaning::kAny;  ///< costs are minimised, scores are points from 0 to 1
};

/// Reads results from what a program has written:
///   json     the object at the end, on one line or several. It has `value`, `values`, `error` or
///            counts of games: `wins`, `draws`, `losses`, `pentanomial`, or a game by seat:
///            `ranks`, `scores` or `winner`. It may have `status`, `retry` and `cost`.
///   smac     cost=0.5; status=SUCCESS (SMAC3). Or what wrappers of AClib, SMAC and ParamILS print:
///            `Result of this algorithm run: {"status": …, "cost": 0.5, "runtime": 1.5}`,
///            `Result for SMAC: SUCCESS, runtime, length, 0.5, seed`. TIMEOUT, MEMOUT and
///            UNKNOWN are unsolved, ABORT ends the study, and any other status is a failure.
///   number   the last line is a number, or a cost and a time (irace)
///   letters  lines of W, D, L and blanks: 1, 0.5 and 0 points each (CLOP)
///   cutechess, fastchess  the last line `Score of A vs B: W - L - D` or `Games: n, Wins: w, …`,
///            and the line `Ptnml(0-2): [ll, ld, wl + dd, wd, ww]` behind it
///   regex    the first group of the last line that matches. A later line that ends with the label
///            before it, such as `score:`, has lost its value, which is a failure.
///   auto     the first of json, smac, number, letters, cutechess that the output has the form of
/// Games that these two call lost on time, by an illegal move, a disconnect or a stall are counted.
/// Two games of one call are a pair, whether or not a line of pairs says so.
class ResultParser {
 public:
  /// Throws InputError if the pattern is not one, or has no group.
  explicit ResultParser(const ResultFormat& format);
  /// From now on the result is a JSON object with these, which outlive the parser.
  void set_goals(std::span<const Goal> goals) { goals_ = goals; }

  [[nodiscard]] ParsedResult parse(std::string_view written) const;
  /// Where an output has several numbers, in lines: which one is taken, and how another one is.
  [[nodiscard]] std::string choice_text(std::string_view written) const;

 private:
  using Form = std::optional<ParsedResult>;
  [[nodiscard]] Form parse_regex(const std::vector<std::string_view>& lines) const;
  [[nodiscard]] Form parse_as(ResultFormat::Kind kind,
                              const std::vector<std::string_view>& lines) const;

  ResultFormat format_;
  std::optional<Pattern> pattern_;
  std::span<const Goal> goals_ = {};
};

/// What a JSON object says: `value`, `values` or counts of games, or `error`; perhaps `cost`.
ParsedResult parse_answer(const Json& object);
/// The same where it has a number under the name of each goal: as many `values`, in their order.
ParsedResult parse_goals(const Json& object, std::span<const Goal> goals);
/// What the end of an evaluation without a value says: `error`, `status`, `retry` and `cost`.
ParsedResult parse_end(const Json& object);

/// The object that these lines end with, which may take several of them, or nothing. `begin` is set
/// to its first line. NaN and Infinity, which are no JSON, are read as texts.
std::optional<Json> object_at_end(const std::vector<std::string_view>& lines, std::size_t& begin);
/// The text as a JSON object; NaN and Infinity are texts in it. Discarded as by parse_json.
Json parse_loose_json(std::string_view text);
/// The text without the escape sequences with which terminals are told colours and titles.
std::string without_escapes(std::string_view text);
/// What a field of the last answer in an output says: of the JSON object in its last line, or of
/// the last line with `key=text;`. Nothing where there is none.
std::optional<std::string> answer_field(std::string_view output, std::string_view key);

/// The results of games in what a program has written. All are counted from the side of the player
/// that is named first; contradictions between games and pairs are the result's problem.

/// All letters W, D and L of the lines that hold nothing else but blanks and commas. With
/// `last_line_too` the last line must be one of them.
std::optional<ParsedResult> parse_letters(const std::vector<std::string_view>& lines,
                                          bool last_line_too);

/// The last score line of cutechess-cli or fastchess, with the line of pairs behind it.
std::optional<ParsedResult> parse_score_lines(const std::vector<std::string_view>& lines);

/// {"wins": 3, "draws": 1, "losses": 2, "pentanomial": [0, 1, 1, 1, 0]}; wins and losses must be
/// there, draws that are left out are 0. The object must have one of these keys.
ParsedResult parse_game_counts(const Json& object);
bool has_game_counts(const Json& object);

/// {"ranks": [2, 1, 3, 3]}, {"scores": [40, 55, 12, 12]} or {"winner": 2}: of every seat, from the
/// first; a lower rank and a higher score are better, and equal ones are level. The winner is the
/// number of a seat, from 1, or a list of them; null or an empty list: all are level. The object
/// must have one of these keys.
ParsedResult parse_seats(const Json& object);
bool has_seats(const Json& object);
/// The game as the first's side sees it.
ParsedResult result_of_seats(ParsedResult result, const Seating& seating);

}  // namespace ntune
