#include "ntune/objective/command/result_parser.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/clock.h"
#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

using Lines = std::vector<std::string_view>;
using Kind = ResultFormat::Kind;

constexpr std::size_t kQuoted = 200;  ///< bytes of the program's text in a message
/// A search is linear, but a line may have as many matches as bytes.
constexpr double kMostPatternSeconds = 10.0;

ParsedResult problem(std::string text) { return {.problem = std::move(text)}; }

/// Lines that are not blank, as they are.
Lines whole_lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::string_view line = cut(text, "\n\r");
    if (!trimmed(line).empty()) lines.push_back(line);
  }
  return lines;
}

/// The same, trimmed.
Lines lines_of(std::string_view text) {
  Lines lines = whole_lines_of(text);
  for (std::string_view& line : lines) line = trimmed(line);
  return lines;
}

ParsedResult single(double value, std::string_view text, const char* form) {
  if (!std::isfinite(value)) {
    return problem(
        fmt::format("the value is '{}', a finite number is allowed", printable(text, kQuoted)));
  }
  return {.values = {value}, .form = form};
}

bool is_success(std::string_view status) {
  static const std::array<std::string_view, 4> kWords = {"success", "ok", "complete", "completed"};
  return std::ranges::find(kWords, lower_case(status)) != kWords.end();
}

std::optional<ParsedResult> parse_json_lines(const Lines& lines, std::span<const Goal> goals = {}) {
  std::size_t begin = 0;
  if (const auto object = object_at_end(lines, begin)) {
    return goals.empty() ? parse_answer(*object) : parse_goals(*object, goals);
  }
  if (lines.empty() || lines.back().front() != '{') return std::nullopt;
  return problem(fmt::format("the last line {}: '{}'", json_problem(lines.back()),
                             printable(lines.back(), kQuoted)));
}

/// The text after `key=` in a line of `key=text; key=text`.
std::optional<std::string_view> field(std::string_view line, std::string_view key) {
  while (!line.empty()) {
    std::string_view text = cut(line, ";");
    const bool has_text = text.find('=') != std::string_view::npos;
    if (trimmed(cut(text, "=")) == key && has_text) return trimmed(text);
  }
  return std::nullopt;
}

/// What a run reports with these texts; those that are missing are empty. One that has stopped at
/// its limit of time may have a value, as irace counts it.
ParsedResult reported_run(std::string_view status, std::string_view cost, std::string_view time,
                          std::string_view line, const char* form) {
  static constexpr std::string_view kSolved[] = {"sat", "unsat"};
  const std::string word = lower_case(status);
  const bool late = word == "timeout";
  const bool unsolved = late || word == "memout" || word == "unknown";
  if (!status.empty() && !late && !is_success(status) && std::ranges::count(kSolved, word) == 0) {
    return {.problem = fmt::format("the program reports status={}", printable(status, kQuoted)),
            .cut_off = unsolved,
            .abort = word == "abort"};
  }
  const auto number_of = [](std::string_view text) {
    return text.empty() ? std::nullopt : decimal_number(text);
  };
  const auto seconds = number_of(time);
  const auto value = cost.empty() ? seconds : number_of(cost);
  if (!value) {
    return {.problem = fmt::format("there is no number cost=… in '{}'", printable(line, kQuoted)),
            .cut_off = late};
  }
  ParsedResult result = single(*value, cost.empty() ? time : cost, form);
  result.meaning = ParsedResult::Meaning::kCost;
  result.cut_off = late;
  if (seconds && std::isfinite(*seconds) && *seconds >= 0.0) result.cost = seconds;
  return result;
}

/// The text behind a mark in the line, or nothing.
std::optional<std::string_view> behind(std::string_view line, std::string_view mark) {
  const std::size_t at = line.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  return trimmed(line.substr(at + mark.size()));
}

/// The line of a wrapper of AClib, SMAC or ParamILS.
std::optional<ParsedResult> parse_wrapper(std::string_view line) {
  if (const auto json = behind(line, "Result of this algorithm run:")) {
    const Json object = parse_loose_json(*json);
    if (!object.is_object()) return std::nullopt;
    const auto text_of = [&](const char* key) {
      if (!object.contains(key)) return std::string();
      return object[key].is_string() ? object[key].get<std::string>() : object[key].dump();
    };
    return reported_run(text_of("status"), text_of("cost"), text_of("runtime"), line,
                        "Result of this algorithm run (AClib)");
  }
  for (const char* const mark :
       {"Result for SMAC:", "Result for ParamILS:", "Result of algorithm run:"}) {
    const auto rest = behind(line, mark);
    if (!rest) continue;
    Lines fields = split(*rest, ',');
    for (std::string_view& text : fields) text = trimmed(text);
    constexpr std::size_t kFields = 5;  // status, runtime, length, quality, seed
    if (fields.size() < kFields) {
      return problem(
          fmt::format("'{}' has {} fields, status, runtime, runlength, quality and seed "
                      "are needed",
                      printable(line, kQuoted), fields.size()));
    }
    return reported_run(fields[0], fields[3], fields[1], line, "Result for … (SMAC, ParamILS)");
  }
  return std::nullopt;
}

/// A line of SMAC3's scripts or of a wrapper; a failed run may lack the cost.
std::optional<ParsedResult> parse_smac(const Lines& lines) {
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (auto result = parse_wrapper(*line)) return result;
    const auto cost = field(*line, "cost");
    const auto status = field(*line, "status");
    if (!cost && !status) continue;
    return reported_run(status.value_or(""), cost.value_or(""), "", *line, "cost=… (SMAC)");
  }
  return std::nullopt;
}

/// "0.5", or "0.5 12.3": a value and the time it took, which is the cost of the evaluation.
std::optional<ParsedResult> parse_number(const Lines& lines) {
  if (lines.empty()) return std::nullopt;
  const std::string_view line = lines.back();
  std::string_view rest = line;
  const auto value = decimal_number(cut(rest, " \t"));
  if (!value) return std::nullopt;
  rest = trimmed(rest);
  const auto time = rest.empty() ? std::nullopt : decimal_number(rest);
  if (!rest.empty() && !time) return std::nullopt;
  ParsedResult result =
      single(*value, line, rest.empty() ? "a number" : "a number and a time (irace)");
  if (time && std::isfinite(*time) && *time >= 0.0) result.cost = time;
  return result;
}

/// A number at the end of a line, and what stands before it.
struct LabelledNumber {
  double value = 0.0;
  std::string label = {};  ///< the word before it with what parts the two, where it is plain
};

std::optional<LabelledNumber> number_at_end(std::string_view line) {
  const std::size_t begin = line.find_last_of(" \t=:") + 1;  // npos + 1 is 0
  const auto value = decimal_number(line.substr(begin));
  if (!value) return std::nullopt;
  const std::string_view before = line.substr(0, begin);
  const std::string_view words = trimmed(before);
  const std::size_t last = words.find_last_of(" \t") + 1;
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '=' ||
           c == ':' || c == ' ';
  };
  std::string label(before.substr(words.empty() ? before.size() : last));
  if (!std::ranges::all_of(label, is_plain)) label.clear();
  return LabelledNumber{*value, std::move(label)};
}

const char* expectation(Kind kind) {
  switch (kind) {
    case Kind::kJson:
      return "a last line with a JSON object {\"value\": …}";
    case Kind::kSmac:
      return "a line cost=…; status=SUCCESS, or one of a wrapper's, such as 'Result for SMAC: …'";
    case Kind::kNumber:
      return "a last line with a number";
    case Kind::kLetters:
      return "lines of the letters W, D and L";
    case Kind::kCutechess:
    case Kind::kFastchess:
      return "a line 'Score of A vs B: W - L - D' or 'Games: n, Wins: w, Losses: l, Draws: d'";
    case Kind::kRegex:
      return "a line that matches the pattern";
    case Kind::kTime:
    case Kind::kAuto:
      break;
  }
  return "a last line with a JSON object, cost=…, a number, or W, D and L";
}

std::string expectation(std::span<const Goal> goals) {
  std::vector<std::string> fields;
  for (const Goal& goal : goals) fields.push_back(fmt::format("\"{}\": …", goal.name));
  return fmt::format("a last line with a JSON object {{{}}}", fmt::join(fields, ", "));
}

std::string text_in(const Json& object, const char* key) {
  const Json& value = object[key];
  return printable(value.is_string() ? value.get<std::string>() : value.dump(), kQuoted);
}

}  // namespace

std::string without_escapes(std::string_view text) {
  constexpr char kEscape = '\x1b';
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != kEscape) {
      plain += text[i];
    } else if (i + 1 < text.size() && text[i + 1] == '[') {
      // A control sequence ends with a character from @ to ~.
      for (i += 2; i < text.size() && (text[i] < '@' || text[i] > '~'); ++i) {
      }
    } else if (i + 1 < text.size() && text[i + 1] == ']') {
      // A title ends with a bell, or with an escape and a backslash.
      while (i + 1 < text.size() && text[i + 1] != '\a' && text[i + 1] != kEscape) ++i;
      if (i + 1 < text.size()) i += text[i + 1] == kEscape ? std::size_t{2} : std::size_t{1};
    } else {
      ++i;
    }
  }
  return plain;
}

Json parse_loose_json(std::string_view text) {
  Json object = parse_json(text);
  if (!object.is_discarded()) return object;
  // Python and others write numbers that JSON does not have; as texts they are no numbers.
  std::string quoted;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (text[i] == '"') in_text = !in_text;
    if (in_text && text[i] == '\\' && i + 1 < text.size()) quoted += text[i++];
    std::string_view word;
    for (const std::string_view each : {"NaN", "nan", "-Infinity", "Infinity", "-inf", "inf"}) {
      if (!in_text && word.empty() && rest.starts_with(each)) word = each;
    }
    if (word.empty()) {
      quoted += text[i];
    } else {
      quoted += fmt::format("\"{}\"", word);
      i += word.size() - 1;
    }
  }
  return parse_json(quoted);
}

std::optional<Json> object_at_end(const std::vector<std::string_view>& lines, std::size_t& begin) {
  constexpr std::size_t kMostLines = 200;
  if (lines.empty() || !lines.back().ends_with('}')) return std::nullopt;
  const std::string_view last = lines.back();
  for (begin = lines.size(); begin-- > 0 && lines.size() - begin <= kMostLines;) {
    if (!lines[begin].starts_with('{')) continue;
    const auto length = static_cast<std::size_t>(last.data() + last.size() - lines[begin].data());
    Json object = parse_loose_json({lines[begin].data(), length});
    if (object.is_object()) return object;
  }
  return std::nullopt;
}

std::optional<std::string> answer_field(std::string_view output, std::string_view key) {
  const Lines lines = lines_of(output);
  std::size_t begin = 0;
  if (const auto object = object_at_end(lines, begin)) {
    if (!object->contains(key)) return std::nullopt;
    const Json& value = (*object)[std::string(key)];
    return value.is_string() ? value.get<std::string>() : value.dump();
  }
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (const auto found = field(*line, key)) return std::string(*found);
  }
  return std::nullopt;
}

ParsedResult parse_end(const Json& object) {
  if (!object.is_object()) return problem("the answer is not a JSON object");
  const auto text_of = [&](const char* key) { return text_in(object, key); };
  ParsedResult result{.form = "a JSON object"};
  result.retry = object.contains("retry") && object["retry"] == true;
  if (object.contains("error") && !object["error"].is_null() && object["error"] != false) {
    result.problem = fmt::format("the program reports the error '{}'", text_of("error"));
  } else if (object.contains("status") &&
             !(object["status"].is_string() && is_success(object["status"].get<std::string>()))) {
    result.problem = fmt::format("the program reports the status '{}'", text_of("status"));
  }
  if (result.problem.empty() && object.contains("cost")) {
    const Json& cost = object["cost"];
    if (!cost.is_number() || !std::isfinite(cost.get<double>()) || cost.get<double>() < 0.0) {
      return problem(
          fmt::format("'cost' is {}, a finite number of at least 0 is allowed", text_of("cost")));
    }
    result.cost = cost.get<double>();
  }
  return result;
}

ParsedResult parse_answer(const Json& object) {
  ParsedResult result = parse_end(object);
  if (!result.problem.empty()) return result;
  const auto text_of = [&](const char* key) { return text_in(object, key); };
  // One of three forms: a number, a list of numbers, or counts of games. Without them a game by
  // seat.
  const bool several = object.contains("values");
  const bool games = has_game_counts(object);
  if (!several && !games && !object.contains("value") && has_seats(object)) {
    ParsedResult seats = parse_seats(object);
    seats.retry = result.retry;
    seats.cost = result.cost;
    return seats;
  }
  if ((several ? 1 : 0) + (games ? 1 : 0) + (object.contains("value") ? 1 : 0) != 1) {
    return problem(fmt::format(
        "the JSON object must have either 'value', 'values' or 'wins', 'draws' and 'losses', or by "
        "seat 'ranks', 'scores' or 'winner': {}",
        printable(object.dump(), kQuoted)));
  }
  if (games) {
    ParsedResult counted = parse_game_counts(object);
    counted.retry = result.retry;
    counted.cost = result.cost;
    return counted;
  }
  // A single value is a list of one.
  const Json list = several ? object["values"] : Json::array({object["value"]});
  const bool numbers = list.is_array() && !list.empty() &&
                       std::ranges::all_of(list, [](const Json& v) { return v.is_number(); });
  if (!numbers) {
    return problem(fmt::format("'{}' must be {}: {}", several ? "values" : "value",
                               several ? "a list of numbers" : "a number",
                               text_of(several ? "values" : "value")));
  }
  result.values = list.get<std::vector<double>>();
  for (const double value : result.values) {
    if (!std::isfinite(value)) return problem("a value in the JSON object is not finite");
  }
  return result;
}

ParsedResult parse_goals(const Json& object, std::span<const Goal> goals) {
  ParsedResult result = parse_end(object);
  if (!result.problem.empty()) return result;
  for (const Goal& goal : goals) {
    const auto found = object.find(goal.name);
    if (found == object.end() || !found->is_number()) {
      result.problem = fmt::format("the JSON object has no number '{}', one of its goals: {}",
                                   goal.name, printable(object.dump(), kQuoted));
      return result;
    }
    const double value = found->get<double>();
    if (const std::string fault = goal.fault_of(value); !fault.empty()) {
      result.problem = fmt::format("'{}' {}", goal.name, fault);
      return result;
    }
    result.values.push_back(value);
  }
  return result;
}

ResultParser::ResultParser(const ResultFormat& format) : format_(format) {
  if (format.kind != Kind::kRegex) return;
  pattern_.emplace(format.pattern);
  if (pattern_->groups() == 0) {
    throw InputError(fmt::format("'{}' has no group in brackets: (.*) where the number stands",
                                 printable(format.pattern)));
  }
}

namespace {

/// The last match in a line; nothing: there is none. Throws EvaluationError once the time is over.
std::optional<Pattern::Match> last_match(const Pattern& pattern, std::string_view line,
                                         Clock::time_point begin) {
  std::optional<Pattern::Match> last;
  std::size_t at = 0;
  while (const auto found = pattern.find(line, at)) {
    last = found;
    if (seconds_since(begin) < kMostPatternSeconds) continue;
    throw EvaluationError(
        fmt::format("the pattern takes more than {} s on the output", kMostPatternSeconds));
  }
  return last;
}

/// What stands before the value of a match, such as `score:` or `score=`; else empty.
std::string_view label_of(const Pattern::Match& match) {
  if (match.group.data() == nullptr) return {};
  const auto length = static_cast<std::size_t>(match.group.data() - match.whole.data());
  const std::string_view label = trimmed(match.whole.substr(0, length));
  return label.ends_with(':') || label.ends_with('=') ? label : std::string_view();
}

}  // namespace

/// Blanks at the ends of a line may be all that the pattern has in place of a value. A line behind
/// the match that ends with its label has lost its value: the match is of something earlier.
ResultParser::Form ResultParser::parse_regex(const Lines& lines) const {
  const auto begin = Clock::now();
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    auto match = last_match(*pattern_, trimmed(*line), begin);
    if (!match) match = last_match(*pattern_, *line, begin);
    if (!match) continue;
    const std::string_view label = label_of(*match);
    const auto bare = std::find_if(lines.rbegin(), line, [&](std::string_view later) {
      return !label.empty() && trimmed(later).ends_with(label);
    });
    if (bare != line) {
      return problem(fmt::format("there is no value in the line '{}', a number is allowed",
                                 printable(trimmed(*bare), kQuoted)));
    }
    const auto value = decimal_number(trimmed(match->group));
    if (value) return single(*value, match->group, "the match of the pattern");
    return problem(fmt::format("the pattern's group is '{}', a number is allowed",
                               printable(match->group, kQuoted)));
  }
  return std::nullopt;
}

ResultParser::Form ResultParser::parse_as(Kind kind, const Lines& lines) const {
  switch (kind) {
    case Kind::kJson:
      return parse_json_lines(lines);
    case Kind::kSmac:
      return parse_smac(lines);
    case Kind::kNumber:
      return parse_number(lines);
    case Kind::kLetters:
      return parse_letters(lines, false);
    case Kind::kCutechess:
    case Kind::kFastchess:
      return parse_score_lines(lines);
    case Kind::kRegex:
    case Kind::kTime:  // nothing that is printed counts
    case Kind::kAuto:
      break;
  }
  const Lines last(lines.end() - (lines.empty() ? 0 : 1), lines.end());
  if (auto result = parse_json_lines(lines)) return result;
  if (auto result = parse_smac(last)) return result;
  if (auto result = parse_number(last)) return result;
  if (auto result = parse_letters(lines, true)) return result;
  return parse_score_lines(lines);
}

std::string ResultParser::choice_text(std::string_view written) const {
  if (!goals_.empty() || (format_.kind != Kind::kAuto && format_.kind != Kind::kNumber)) return {};
  const std::string plain = without_escapes(written);
  Lines lines = lines_of(plain);
  const auto taken = parse_number(lines);
  if (!taken || taken->values.empty()) return {};
  const std::string value = number_text(taken->values.front());
  std::string text;
  if (lines.back().find_first_of(" \t") != std::string_view::npos) {
    text = fmt::format(
        "the last line has two numbers: the first, {}, is the value, and the second the time it "
        "took; for the second: result: {{regex: '(\\S+)$'}}\n",
        value);
  }
  lines.pop_back();
  std::int64_t others = 0;
  std::string label;
  for (const std::string_view line : lines) {
    const auto number = number_at_end(line);
    if (!number) continue;
    ++others;
    if (!number->label.empty()) label = number->label;
  }
  if (others == 0) return text;
  return text + fmt::format(
                    "{} also with a number: the last line counts, with {}; for another{}: "
                    "result: {{regex: '{}(.*)'}}\n",
                    others == 1 ? "another line ends" : count_text(others) + " other lines end",
                    value, label.empty() ? ", print a label in front of it" : " line",
                    label.empty() ? "score: " : label);
}

ParsedResult ResultParser::parse(std::string_view written) const {
  const std::string plain = without_escapes(written);
  const std::string_view output = plain;
  const Lines lines = lines_of(output);
  try {
    auto result = !goals_.empty()                ? parse_json_lines(lines, goals_)
                  : format_.kind == Kind::kRegex ? parse_regex(whole_lines_of(output))
                                                 : parse_as(format_.kind, lines);
    if (result) return *std::move(result);
  } catch (const EvaluationError& error) {
    return problem(error.what());
  }
  const std::string needed = goals_.empty() ? expectation(format_.kind) : expectation(goals_);
  if (lines.empty()) {
    return problem(fmt::format("the program printed nothing, {} is needed", needed));
  }
  return problem(fmt::format("the output has no result, {} is needed; its last line is '{}'",
                             needed, printable(lines.back(), kQuoted)));
}

}  // namespace ntune
