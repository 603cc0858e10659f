#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ntune/core/json.h"
#include "ntune/core/pattern.h"
#include "ntune/core/text.h"
#include "ntune/objective/command/result_parser.h"

namespace ntune {

namespace {

using Lines = std::vector<std::string_view>;

constexpr std::size_t kQuotedLine = 200;  ///< bytes of the program's text in a message
constexpr std::int64_t kMostGames = 1'000'000;
constexpr std::array<const char*, 3> kGameKeys = {"wins", "draws", "losses"};
constexpr const char* kPairsKey = "pentanomial";

/// What these games are worth, `what` as "a score line".
ParsedResult result_of_games(const GameCounts& counts, const std::string& what) {
  const auto& [wins, draws, losses] = counts.games;
  if (counts.empty()) return {.problem = what + " counts no game"};
  if (std::max({wins, draws, losses, counts.games.games()}) > kMostGames) {
    return {.problem = fmt::format("{} counts more than {} games", what, kMostGames)};
  }
  if (const std::string wrong = contradiction_of(counts); !wrong.empty()) {
    return {.problem = fmt::format("{}: +{} -{} ={}, pairs {}: {}", what, wins, losses, draws,
                                   fmt::join(counts.pairs.counts, " "), wrong)};
  }
  ParsedResult result{.games = counts, .meaning = ParsedResult::Meaning::kScore};
  result.form = fmt::format("{} (+{} -{} ={})", what, wins, losses, draws);
  if (counts.are_paired()) {
    result.form += fmt::format(", pairs of 0 to 2 points {}", fmt::join(counts.pairs.counts, " "));
  }
  if (counts.forfeits.games() > 0) {
    result.form += fmt::format("; lost by a fault: {} by the first player, {} by the second",
                               counts.forfeits.by_first(), counts.forfeits.by_second());
  }
  result.values.assign(static_cast<std::size_t>(wins), 1.0);
  result.values.insert(result.values.end(), static_cast<std::size_t>(draws), 0.5);
  result.values.insert(result.values.end(), static_cast<std::size_t>(losses), 0.0);
  return result;
}

bool is_letters(std::string_view line) {
  return line.find_first_not_of("WDL ,\t") == std::string_view::npos;
}

/// Of at most nine digits.
std::int64_t count_of(std::string_view digits) { return std::stoll(std::string(digits)); }

/// The first line of pairs from `line` on: `Ptnml(0-2): [1, 0, 2, 0, 0]`, losses first.
std::optional<Pentanomial> pairs_from(Lines::const_iterator line, Lines::const_iterator end) {
  static const Pattern kPairs(
      R"(Ptnml\(0-2\): \[(\d{1,9}), (\d{1,9}), (\d{1,9}), (\d{1,9}), (\d{1,9})\](?:,.*)?)");
  for (; line != end; ++line) {
    if (!line->starts_with("Ptnml(0-2)")) continue;
    std::array<std::string_view, 5> counts;
    if (!kPairs.matches(*line, counts)) continue;
    Pentanomial pairs;
    for (std::size_t i = 0; i < pairs.counts.size(); ++i) pairs.counts[i] = count_of(counts[i]);
    return pairs;
  }
  return std::nullopt;
}

/// A score line of cutechess-cli or of fastchess.
std::optional<WinDrawLoss> score_of_line(std::string_view line) {
  static const Pattern kScoreOf(R"(Score of .* vs .*: (\d{1,9}) - (\d{1,9}) - (\d{1,9})(?:\s.*)?)");
  static const Pattern kGames(
      R"(Games: \d+, Wins: (\d{1,9}), Losses: (\d{1,9}), Draws: (\d{1,9})(?:,.*)?)");
  if (!line.starts_with("Score of ") && !line.starts_with("Games: ")) return std::nullopt;
  std::array<std::string_view, 3> counts;
  if (!kScoreOf.matches(line, counts) && !kGames.matches(line, counts)) return std::nullopt;
  return WinDrawLoss{
      .wins = count_of(counts[0]), .draws = count_of(counts[2]), .losses = count_of(counts[1])};
}

/// Which fault a game ended by, by the words of cutechess-cli and fastchess; nothing: none.
std::optional<Forfeits::Cause> fault_in(std::string_view reason) {
  using Cause = Forfeits::Cause;
  for (const auto& [words, cause] : {std::pair("loses on time", Cause::kTime),
                                     {"illegal move", Cause::kIllegalMove},
                                     {"disconnects", Cause::kDisconnect},
                                     {"connection stalls", Cause::kStall}}) {
    if (reason.find(words) != std::string_view::npos) return cause;
  }
  return std::nullopt;
}

/// True if the player who is named first in `Score of A vs B: …` or `Results of A vs B …` had White
/// in a game of `A vs B`.
bool first_had_white(std::string_view title, std::string_view players) {
  return title.starts_with(players) && (title.substr(players.size()).starts_with(":") ||
                                        title.substr(players.size()).starts_with(" ("));
}

/// The faults in lines such as `Finished game 2 (B vs A): 0-1 {White loses on time}`. `title` names
/// the first player and the second.
Forfeits forfeits_in(const Lines& lines, std::string_view title) {
  constexpr std::string_view kBegin = "Finished game ";
  Forfeits forfeits;
  for (const std::string_view line : lines) {
    if (!line.starts_with(kBegin) || !line.ends_with('}')) continue;
    const std::size_t open = line.find('(');
    const std::size_t reason_at = line.rfind(" {");
    if (open == std::string_view::npos || reason_at == std::string_view::npos) continue;
    const std::size_t close = line.rfind("): ", reason_at);
    if (close == std::string_view::npos || close < open) continue;
    const std::string_view players = line.substr(open + 1, close - open - 1);
    const std::string_view reason = line.substr(reason_at + 2, line.size() - reason_at - 3);
    const bool white = reason.starts_with("White");
    const auto cause = fault_in(reason);
    if (!cause || (!white && !reason.starts_with("Black"))) continue;
    forfeits.add(*cause, white == first_had_white(title, players));
  }
  return forfeits;
}

/// What follows `Score of ` in a score line, or `Results of ` before it.
std::string_view title_of(const Lines& lines, Lines::const_iterator score) {
  for (const std::string_view begin : {"Score of ", "Results of "}) {
    for (auto line = score + 1; line != lines.begin();) {
      --line;
      if (line->starts_with(begin)) return line->substr(begin.size());
    }
  }
  return {};
}

/// A count of the object, 0 if it has none.
std::optional<std::int64_t> count_at(const Json& object, const char* key) {
  if (!object.contains(key)) return 0;
  const Json& count = object[key];
  if (!count.is_number_integer() || count < 0 || count > kMostGames) return std::nullopt;
  return count.get<std::int64_t>();
}

}  // namespace

std::optional<ParsedResult> parse_letters(const Lines& lines, bool last_line_too) {
  if (last_line_too && (lines.empty() || !is_letters(lines.back()))) return std::nullopt;
  std::vector<double> values;
  WinDrawLoss games;
  for (const std::string_view line : lines) {
    if (!is_letters(line)) continue;
    for (const char c : line) {
      if (c != 'W' && c != 'D' && c != 'L') continue;
      values.push_back(c == 'W' ? 1.0 : c == 'D' ? 0.5 : 0.0);
      games.add(values.back());
    }
  }
  if (values.empty()) return std::nullopt;
  ParsedResult result = result_of_games(games_of_one_call(games), "letters");
  if (result.problem.empty()) result.values = std::move(values);  // in the order of the games
  return result;
}

std::optional<ParsedResult> parse_score_lines(const Lines& lines) {
  for (auto line = lines.end(); line != lines.begin();) {
    const std::optional<WinDrawLoss> score = score_of_line(*--line);
    if (!score && line->starts_with("Score of ") && line->ends_with(':')) {
      return ParsedResult{.problem = fmt::format("there is no score in the line '{}'",
                                                 printable(*line, kQuotedLine))};
    }
    if (!score) continue;
    GameCounts counts = games_of_one_call(*score);
    if (const auto pairs = pairs_from(line, lines.end())) counts.pairs = *pairs;
    if (const std::string_view title = title_of(lines, line); !title.empty()) {
      counts.forfeits = forfeits_in(lines, title);
    }
    if (*contradiction_of(counts) != '\0') counts.forfeits = {};  // of other games than the score
    return result_of_games(counts, "a score line");
  }
  return std::nullopt;
}

namespace {

constexpr std::array<const char*, 3> kSeatKeys = {"ranks", "scores", "winner"};

bool are_numbers(const Json& list) {
  return list.is_array() && std::ranges::all_of(list, [](const Json& number) {
           return number.is_number() && std::isfinite(number.get<double>());
         });
}

}  // namespace

bool has_seats(const Json& object) {
  return std::ranges::any_of(kSeatKeys, [&](const char* key) { return object.contains(key); });
}

ParsedResult parse_seats(const Json& object) {
  const auto is_told = [&](const char* each) { return object.contains(each); };
  const auto first = std::ranges::find_if(kSeatKeys, is_told);
  // Of two that contradict each other, as where the fewest points win, either may be meant.
  const auto second = std::find_if(first + 1, kSeatKeys.end(), is_told);
  if (second != kSeatKeys.end()) {
    return {
        .problem = fmt::format(
            "the JSON object has '{}' and '{}': one of them is allowed, the other under another "
            "name",
            *first, *second)};
  }
  const std::string_view key = *first;
  const Json& told = object[std::string(key)];
  ParsedResult result{
      .form = fmt::format("a JSON object with {} {}", key, printable(told.dump(), kQuotedLine))};
  if (key == "winner") {
    const Json list = told.is_null() ? Json::array() : told.is_array() ? told : Json::array({told});
    const bool seats = std::ranges::all_of(list, [](const Json& seat) {
      return seat.is_number_integer() && seat >= 1 && seat <= kMostPlayers;
    });
    if (seats) {
      result.winners = list.get<std::vector<std::int64_t>>();
      return result;
    }
    result.problem = "is no number of a seat, from 1, no list of them, and not null";
  } else if (are_numbers(told) && !told.empty()) {
    result.by_seat = told.get<std::vector<double>>();
    if (key == "ranks") {
      std::ranges::transform(result.by_seat, result.by_seat.begin(), std::negate());
    }
    return result;
  } else {
    result.problem = "is no list of numbers, one for each seat";
  }
  result.problem =
      fmt::format("'{}': {} {}", key, printable(told.dump(), kQuotedLine), result.problem);
  return result;
}

ParsedResult result_of_seats(ParsedResult result, const Seating& seating) {
  const std::size_t players = seating.seats.size();
  if (result.winners) {
    result.by_seat.assign(players, 0.0);
    for (const std::int64_t seat : *result.winners) {
      const auto place = static_cast<std::size_t>(seat - 1);
      if (place < players) {
        result.by_seat[place] = 1.0;
      } else {
        result.problem = fmt::format("'winner': {}, the game has {} seats", seat, players);
      }
    }
  } else if (result.by_seat.empty()) {
    result.problem = fmt::format(
        "the output has no result by seat, or a value or games beside it: {{\"ranks\": […]}}, "
        "{{\"scores\": […]}} or {{\"winner\": …}} of {} seats is needed",
        players);
  } else if (result.by_seat.size() != players) {
    result.problem =
        fmt::format("{}: {} numbers for {} seats", result.form, result.by_seat.size(), players);
  }
  if (!result.problem.empty()) return result;
  const double points = seating.points(result.by_seat);
  result.values = {points};
  result.games = single_game(points);
  result.meaning = ParsedResult::Meaning::kScore;
  std::vector<std::size_t> own;
  for (std::size_t i = 0; i < players; ++i) {
    if (seating.seats[i]) own.push_back(i + 1);
  }
  result.form += fmt::format(", the tuned player in {} {}", own.size() == 1 ? "seat" : "seats",
                             fmt::join(own, ", "));
  return result;
}

bool has_game_counts(const Json& object) {
  return object.contains(kPairsKey) ||
         std::ranges::any_of(kGameKeys, [&](const char* key) { return object.contains(key); });
}

ParsedResult parse_game_counts(const Json& object) {
  std::array<std::int64_t, 3> games{};
  for (std::size_t i = 0; i < games.size(); ++i) {
    const auto count = count_at(object, kGameKeys[i]);
    if (!count) {
      return {.problem = fmt::format("'{}' is {}, a count of games is allowed", kGameKeys[i],
                                     printable(object[kGameKeys[i]].dump(), kQuotedLine))};
    }
    games[i] = *count;
  }
  // Wins alone may be of any number of games.
  for (const char* key : {"wins", "losses"}) {
    if (object.contains(key)) continue;
    return {.problem = fmt::format(
                "counts of games lack '{}': 'wins' and 'losses' are needed, 'draws' may be left "
                "out: {}",
                key, printable(object.dump(), kQuotedLine))};
  }
  GameCounts counts = games_of_one_call({.wins = games[0], .draws = games[1], .losses = games[2]});
  if (object.contains(kPairsKey)) {
    const Json& pairs = object[kPairsKey];
    const bool counted = pairs.is_array() && pairs.size() == counts.pairs.counts.size() &&
                         std::ranges::all_of(pairs, [](const Json& pair) {
                           return pair.is_number_unsigned() && pair <= kMostGames;
                         });
    if (!counted) {
      return {.problem = fmt::format("'{}' is {}, a list of five counts of pairs is allowed",
                                     kPairsKey, printable(pairs.dump(), kQuotedLine))};
    }
    counts.pairs.counts = pairs.get<std::array<std::int64_t, 5>>();
  }
  return result_of_games(counts, "a JSON object with games");
}

}  // namespace ntune
