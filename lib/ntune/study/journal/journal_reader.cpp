#include "ntune/study/journal/journal_reader.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/line_cursor.h"
#include "ntune/core/text.h"
#include "ntune/core/time_text.h"
#include "ntune/study/journal/recorded_objects.h"

namespace ntune {

namespace {

using LineKind = JournalLine::Kind;
using Time = JournalLine::Time;

constexpr const char* kNoJournal = "is not the journal of an ntune study";

/// Microseconds since 1970 that a time of this program can have, before or after.
constexpr std::int64_t kMostMicros = 9'000'000'000'000'000;

/// False of times, and of spans between them, that no clock can tell.
bool is_span(std::int64_t micros) { return micros >= -kMostMicros && micros <= kMostMicros; }

/// A time that is so many microseconds from 1970.
Time time_of(std::int64_t micros) { return Time(std::chrono::microseconds(micros)); }

/// False for the text of another program: what is torn of ours begins as a header does, or holds
/// what a power cut leaves, zeros.
bool may_begin_journal(std::string_view text) {
  constexpr std::string_view kBegin = R"({"ntune":{)";
  const std::size_t length = std::min(text.size(), kBegin.size());
  return text.find('\n') != std::string_view::npos ||
         text.substr(0, length) == kBegin.substr(0, length) ||
         text.find_first_not_of('\0') == std::string_view::npos;
}

/// [CELL/REPEAT/]LETTER RUN.INDEX; the letter is the stage, or 'o' of what was offered.
void read_key(LineCursor& at, JournalLine& line) {
  line.key = {};
  // A study of one cell, repeated once, leaves both out.
  const bool has_cell = !at.rest().empty() && at.rest()[0] >= '0' && at.rest()[0] <= '9';
  if (has_cell) {
    at.number(line.key.cell);
    at.expect('/');
    at.number(line.key.repeat);
    at.expect('/');
  }
  const char letter = at.letter();
  line.kind = letter == 'o' ? LineKind::kOffered : LineKind::kEvaluation;
  if (letter == 'r') line.key.stage = Stage::kReEvaluation;
  if (letter == 'h') line.key.stage = Stage::kHoldOut;
  if (letter != 's' && letter != 'o' && line.key.stage == Stage::kSearch) at.fail();
  at.number(line.key.run);
  at.expect('.');
  at.number(line.key.index);
}

/// `?`, `!` or payoffs.
void read_outcome(LineCursor& at, JournalLine& line) {
  line.payoffs.clear();
  const bool offered = line.kind == LineKind::kOffered;
  if (!offered && at.accept('?')) {
    line.kind = LineKind::kAsked;
  } else if (!offered && at.accept('!')) {
    line.kind = LineKind::kFailure;
  } else {
    at.numbers(line.payoffs);
    if (!is_finite(line.payoffs)) at.fail();
  }
}

/// Counts with a dash between them.
template <class Counts>
void read_counts(LineCursor& at, Counts& counts) {
  bool first = true;
  for (std::int64_t& count : counts) {
    if (!first) at.expect('-');
    first = false;
    at.number(count);
  }
}

/// W-D-L, and behind a slash the pairs by their points, where they are known.
void read_games(LineCursor& at, GameCounts& counts) {
  std::array<std::int64_t, 3> games{};
  read_counts(at, games);
  counts.games = {.wins = games[0], .draws = games[1], .losses = games[2]};
  if (at.accept('/')) read_counts(at, counts.pairs.counts);
}

/// A number that must not be negative.
template <class Number>
void read_amount(LineCursor& at, std::optional<Number>& amount) {
  Number value{};
  at.number(value);
  if (!is_finite(static_cast<double>(value)) || value < Number{}) at.fail();
  amount = value;
}

void read_answer(LineCursor& at, SolverAnswer& answer) {
  int number = 0;
  at.number(number);
  if (number != 1 && number != 2) at.fail();
  answer = number == 1 ? SolverAnswer::kSatisfiable : SolverAnswer::kUnsatisfiable;
}

/// A field that begins with a letter; README.md has them all.
void read_field(LineCursor& at, JournalLine& line) {
  switch (at.letter()) {
    case 'x':
      line.ending = Ending::kCutOff;
      return;
    case 'm':
      line.ending = Ending::kCapped;
      return;
    case 'a':
      return read_answer(at, line.answer);
    case 'v':
      at.numbers(line.other_goals);
      if (!is_finite(line.other_goals)) at.fail();
      return;
    case 'g':
      read_games(at, line.games);
      if (*contradiction_of(line.games) != '\0') at.fail();
      return;
    case 'f':
      read_counts(at, line.games.forfeits.first);
      at.expect('/');
      return read_counts(at, line.games.forfeits.second);
    case 'c':
      return read_amount(at, line.cost);
    case 'u':
      return read_amount(at, line.used);
    case 'b':
      return read_amount(at, line.block);
    case 'q':
      return read_amount(at, line.request);
    case 'i':
      return read_amount(at, line.instance);
    case 'n':
      at.number(line.attempts);
      if (line.attempts < 1) at.fail();
      return;
    default:
      at.fail();
  }
}

/// What follows the times: fields, and at the end why it failed.
void read_rest(LineCursor& at, JournalLine& line) {
  while (at.accept(' ')) {
    if (!at.rest().starts_with('"')) {
      read_field(at, line);
      continue;
    }
    const Json text = parse_json(at.rest());
    if (!text.is_string()) return at.fail();
    line.failure = text.get<std::string>();
    at.skip(at.rest().size());
  }
}

}  // namespace

void JournalReader::fail(std::size_t line, const std::string& message) const {
  throw InputError(fmt::format("{}:{}: {}", printable(name_, 1000), line, message));
}

std::size_t JournalReader::read(std::string_view text, const Visit& visit) {
  std::size_t whole = 0;
  std::size_t blank = 0;
  // Another program's file is refused at once, even without a whole line.
  if (format_ == 0 && !may_begin_journal(text)) fail(1, kNoJournal);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;  // the last line is torn
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    // A blank line says nothing; at the end it is cut off with what is torn.
    if (format_ > 0 && line.find_first_not_of(" \t\r") == line.npos) {
      ++blank;
      continue;
    }
    // A bad line is torn if it is the last; in the middle it is an error.
    line_.number += blank + 1;
    const bool good = !line.empty() && read_line(line);
    if (!good && at == text.size() && line_.number > 1) {
      line_.number -= blank + 1;
      break;  // torn by a power cut
    }
    if (!good) fail(line_.number, format_ == 0 ? kNoJournal : kNoJournalLine);
    whole = at;
    blank = 0;
    visit(line_);
  }
  return whole;
}

bool JournalReader::read_line(std::string_view text) {
  line_.trial = -1;
  line_.was_asked = false;
  line_.games = {};
  line_.ending = Ending::kWhole;
  line_.answer = SolverAnswer::kNone;
  line_.attempts = 1;
  line_.failure.clear();
  line_.cost = {};
  line_.used = {};
  line_.block = {};
  line_.instance = {};
  line_.request = {};
  line_.start = {};
  line_.end = {};
  line_.against.clear();
  line_.other_goals.clear();
  // One line is used for all, since each is gone before the next: what it may lack is emptied.
  if (text.starts_with(kHeaderBegin)) return read_header(text);
  if (format_ == 0) return false;
  if (format_ < kJournalFormat) return read_older(text);
  return text.front() == '{' ? read_object(text) : read_evaluation(text);
}

bool JournalReader::read_header(std::string_view text) {
  if (parse_json(text).is_discarded()) return false;
  const Json header = journal_header(text, name_, line_.number);
  const int format = header["format"];
  if (format < format_) return false;
  line_.kind = format_ == 0 ? LineKind::kHeader : LineKind::kExtension;
  line_.version = header["version"];
  line_.study = std::make_shared<const Json>(header["study"]);
  // Points of before are of the space of that time.
  for (auto& [key, asked] : handed_out_) asked.may_be_named = false;
  format_ = format;
  if (format < kJournalFormat) return true;
  const Json written = header.value("time", Json());
  const auto time = written.is_string() ? read_time(written.get<std::string>()) : std::nullopt;
  if (!time) return false;
  micros_ = micros_of(*time);
  return true;
}

/// {"NAME": FIELDS}, what is said rarely.
bool JournalReader::read_object(std::string_view text) {
  const Json json = parse_json(text);
  if (!json.is_object() || json.size() != 1) return false;
  return read_recorded_object(json.begin().key(), *json.begin(), line_);
}

/// KEY POINT OUTCOME TIMES REST
bool JournalReader::read_evaluation(std::string_view text) {
  LineCursor at(text);
  read_key(at, line_);
  at.expect(' ');
  // The point: its values, or that under which the evaluation was handed out.
  const bool named_before = at.accept('=');
  if (named_before) {
    const auto asked = handed_out_.find(line_.key);
    if (asked == handed_out_.end()) return false;
    if (!asked->second.may_be_named && !at.rest().starts_with(" ?")) return false;
    line_.point = asked->second.point;
    line_.against = asked->second.against;
  } else {
    at.numbers(line_.point);
    if (at.accept(':')) at.numbers(line_.against);
  }
  at.expect(' ');
  // The outcome, and when it was there.
  read_outcome(at, line_);
  at.expect(' ');
  std::int64_t passed = 0;
  // Times are spans from the line before: both ends must be times that a clock can tell.
  std::int64_t lasted = 0;
  at.number(passed);
  if (!is_span(passed) || !is_span(micros_ + passed)) return false;
  if (at.accept('/')) at.number(lasted);
  const std::int64_t end = micros_ + passed;
  if (!is_span(lasted) || !is_span(end - lasted)) return false;
  if (line_.kind != LineKind::kAsked) read_rest(at, line_);
  if (!at.ok() || !at.is_at_end()) return false;
  // Now the kind is known: what is handed out by its old point is handed out again.
  if (line_.kind == LineKind::kAsked && named_before) line_.kind = LineKind::kAskedAgain;
  if (line_.kind == LineKind::kFailure && line_.failure.empty()) line_.failure = kNoReason;
  line_.start = time_of(end - lasted);
  line_.end = time_of(end);
  if (!is_recorded_key(line_.key, line_.number) || !is_recorded_point(line_)) return false;
  micros_ = end;
  return take_trial();
}

/// Counts the line among what has been handed out or has ended.
bool JournalReader::take_trial() {
  if (line_.kind == LineKind::kAsked) {
    line_.trial = trials_++;
    handed_out_[line_.key] = {
        .trial = line_.trial, .start = line_.start, .point = line_.point, .against = line_.against};
    return true;
  }
  // What ends was perhaps handed out before: then it has the number and the start of that.
  const bool may_be_handed_out = line_.has_outcome() || line_.kind == LineKind::kAskedAgain;
  const auto asked =
      may_be_handed_out && !handed_out_.empty() ? handed_out_.find(line_.key) : handed_out_.end();
  if (line_.kind == LineKind::kAskedAgain) {
    if (asked == handed_out_.end()) return false;
    line_.trial = asked->second.trial;
    asked->second.start = line_.start;
    return true;
  }
  if (asked == handed_out_.end()) {
    line_.trial = trials_++;
    return true;
  }
  line_.trial = asked->second.trial;
  line_.start = asked->second.start;
  line_.was_asked = true;
  handed_out_.erase(asked);
  return true;
}

std::size_t scan_journal(std::string_view text, const std::string& name,
                         const JournalReader::Visit& visit) {
  return JournalReader(name).read(text, visit);
}

std::vector<double> goals_of(const JournalLine& line) {
  if (line.other_goals.empty() || line.payoffs.size() != 1) return {};
  std::vector<double> goals;
  goals.reserve(1 + line.other_goals.size());
  goals.push_back(line.payoffs.front());
  goals.insert(goals.end(), line.other_goals.begin(), line.other_goals.end());
  return goals;
}

OfferedObservation offered_of(const JournalLine& line) {
  return {.key = line.key,
          .point = Point(line.point),
          .payoffs = line.payoffs,
          .instance = line.instance};
}

Json journal_header(std::string_view text, const std::string& name, std::size_t line) {
  // Messages name the line: a study that was given more has several headers.
  const auto fail = [&](const std::string& message) {
    throw InputError(fmt::format("{}:{}: {}", printable(name, 1000), line, message));
  };
  const Json json = parse_json(text);
  const Json header = json.is_object() ? json.value("ntune", Json()) : Json();
  if (!header.is_object() || !header.contains("format")) fail(kNoJournal);
  if (header["format"] != 1 && header["format"] != kJournalFormat) {
    fail(fmt::format("is a journal of format {}, this program reads formats 1 and {}",
                     printable(header["format"].dump()), kJournalFormat));
  }
  if (!header.value("study", Json()).is_object() || !header.value("version", Json()).is_string()) {
    fail(kNoJournal);
  }
  return header;
}

bool JournalTail::read(const JournalReader::Visit& visit) {
  // A piece at a time, from the end of the last whole line; a longer line takes a larger piece.
  constexpr std::uintmax_t kPiece = std::uintmax_t{1} << 20;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(name_, error);
  if (error || size <= offset_) return false;
  const std::uintmax_t rest = size - offset_;
  std::ifstream file(name_, std::ios::binary);
  std::string text;
  for (std::uintmax_t piece = std::min(rest, kPiece); file; piece = std::min(rest, 2 * piece)) {
    text.resize(static_cast<std::size_t>(piece));
    file.seekg(static_cast<std::streamoff>(offset_));
    file.read(text.data(), static_cast<std::streamsize>(piece));
    text.resize(static_cast<std::size_t>(file.gcount()));
    const std::size_t whole = reader_.read(text, visit);
    offset_ += whole;
    if (whole > 0) return true;
    if (piece == rest) return false;
  }
  return false;
}

}  // namespace ntune
