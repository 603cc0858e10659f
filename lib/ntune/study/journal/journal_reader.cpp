#include "ntune/study/journal/journal_reader.h"

#include <charconv>
#include <concepts>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/study/journal/journal_tail.h"

namespace ntune {

namespace {

constexpr std::string_view kPrefix = R"({"ntune":)";

[[noreturn]] void fail(const std::string& name, std::size_t line, const std::string& message) {
  throw InputError(fmt::format("{}:{}: {}", printable(name, 1000), line, message));
}

/// Reads the value of the key "ntune" from left to right; whatever is not as we write it makes it
/// fail for good.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  void expect(std::string_view token) {
    ok_ = ok_ && std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(token);
    if (ok_) at_ += token.size();
  }
  bool accept(char token) {
    if (!ok_ || at_ == end_ || *at_ != token) return false;
    ++at_;
    return true;
  }
  char letter() {
    ok_ = ok_ && at_ != end_;
    return ok_ ? *at_++ : '\0';
  }
  template <class Number>
  void number(Number& value) {
    if (!ok_) return;
    const auto [end, error] = std::from_chars(at_, end_, value);
    ok_ = error == std::errc();
    at_ = end;
  }
  template <class Number>
  void numbers(std::vector<Number>& values) {
    values.clear();
    expect("[");
    if (accept(']')) return;
    do {
      number(values.emplace_back());
    } while (ok_ && accept(','));
    expect("]");
  }
  /// `,number` for each.
  template <class... Number>
  void fields(Number&... values) {
    ((expect(","), number(values)), ...);
  }
  template <class Number>
  void list(std::vector<Number>& values) {
    expect(",");
    numbers(values);
  }
  [[nodiscard]] bool at(char c) const { return ok_ && at_ < end_ && *at_ == c; }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  const char* at_;
  const char* end_;
  bool ok_ = true;
};

bool is_finite(const std::vector<double>& values) {
  for (const double value : values) {
    if (!(value - value == 0.0)) return false;
  }
  return true;
}

void read_key(Cursor& cursor, EvaluationKey& key) {
  unsigned stage = 0;
  cursor.fields(key.cell, stage, key.repeat, key.run, key.index);
  if (stage > static_cast<unsigned>(Stage::kHoldOut)) cursor.expect("a stage");
  key.stage = static_cast<Stage>(stage);
}

void read_run(Cursor& cursor, JournalLine& line) {
  RunRecord& run = line.run = {};
  RunningStats::State hold_out;
  cursor.fields(line.key.cell, run.repeat, run.run, run.evaluations, run.failures,
                run.point_evaluations, run.hold_out_evaluations, run.estimate, hold_out.count,
                hold_out.mean, hold_out.squares, hold_out.min, hold_out.max);
  run.hold_out = RunningStats(hold_out);
  line.key.repeat = run.repeat;
  line.key.run = run.run;
  run.finished = true;
  cursor.list(line.point);
  if (cursor.at(',')) {
    std::vector<double> certainty;
    cursor.list(certainty);
    if (certainty.size() != 2 || !is_finite(certainty)) cursor.expect("a certainty");
    if (cursor.ok()) run.certainty = {.sd = certainty[0], .best_probability = certainty[1]};
  }
  if (!is_finite({run.estimate, hold_out.mean, hold_out.squares}) || hold_out.count < 0) {
    cursor.expect("a run");
  }
}

/// Reads what stands between `{"ntune":` and `,"op_code":`. False if it is not as we write it.
bool read_own(std::string_view text, JournalLine& line, std::int64_t& trials) {
  using Kind = JournalLine::Kind;
  Cursor cursor(text.substr(kPrefix.size()));
  cursor.expect("[\"");
  const char letter = cursor.letter();
  cursor.expect("\"");
  line.key = {};
  if (letter == 'r') {
    line.kind = Kind::kRun;
    read_run(cursor, line);
  } else {
    read_key(cursor, line.key);
    cursor.list(line.point);
    if (letter == 'e') {
      line.kind = Kind::kEvaluation;
      cursor.list(line.payoffs);
      if (line.payoffs.empty() || !is_finite(line.payoffs)) return false;
    } else if (letter == 'f' || letter == 'a') {
      line.kind = letter == 'f' ? Kind::kFailure : Kind::kAsked;
    } else {
      return false;
    }
  }
  cursor.expect("],\"op_code\":");
  const char op_code = cursor.letter();
  if (op_code == '6') {
    cursor.expect(",\"trial_id\":");
    cursor.number(line.trial);
    if (line.trial < 0 || line.trial >= trials) return false;
  } else if (op_code == '4') {
    line.trial = trials++;
  } else {
    return false;
  }
  cursor.expect(",");
  if (line.point.size() > static_cast<std::size_t>(kMaxDimensions)) return false;
  return cursor.ok() && text.back() == '}';
}

/// Python writes NaN and Infinity, for which JSON has no words.
Json parse_record(std::string_view text) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_discarded()) return json;
  std::string plain(text);
  for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
    for (std::size_t at = plain.find(word); at != std::string::npos; at = plain.find(word, at)) {
      plain.replace(at, word.size(), "null");
    }
  }
  return Json::parse(plain, nullptr, false);
}

/// A record that this study did not write, or a header. False if it is none.
bool read_foreign(std::string_view text, JournalLine& line, std::int64_t& trials) {
  const Json json = parse_record(text);
  if (!json.is_object() || !json.contains("op_code") || !json["op_code"].is_number_integer()) {
    return false;
  }
  if (json["op_code"] == 4) line.trial = trials++;
  const bool header = json["op_code"] == 0 && json.contains("ntune") && json["ntune"].is_object() &&
                      json["ntune"].contains("format");
  line.kind = header ? JournalLine::Kind::kHeader : JournalLine::Kind::kForeign;
  return true;
}

}  // namespace

std::size_t scan_journal(std::string_view text, const std::string& name,
                         const std::function<void(const JournalLine&)>& visit) {
  JournalPlace place;
  return scan_journal_from(place, text, name, visit);
}

std::size_t scan_journal_from(JournalPlace& place, std::string_view text, const std::string& name,
                              const std::function<void(const JournalLine&)>& visit) {
  JournalLine line;
  std::int64_t trials = place.trials;
  std::size_t whole = 0;
  for (std::size_t number = place.lines + 1; whole < text.size(); ++number) {
    const std::size_t start = whole;
    const std::size_t end = text.find('\n', start);
    if (end == std::string_view::npos) break;  // torn
    line.number = number;
    line.text = text.substr(start, end - start);
    line.kind = JournalLine::Kind::kForeign;
    line.trial = -1;
    const bool own = line.text.starts_with(kPrefix) && line.text.size() > kPrefix.size() &&
                     line.text[kPrefix.size()] == '[';
    const bool good = !line.text.empty() && (own ? read_own(line.text, line, trials)
                                                 : read_foreign(line.text, line, trials));
    if (!good) {
      if (end + 1 == text.size() && number > 1) break;  // torn by a power cut
      fail(name, number, "is not a line of a journal");
    }
    if (number == 1 && line.kind != JournalLine::Kind::kHeader) {
      fail(name, 1, "is not the journal of an ntune study");
    }
    whole = end + 1;
    place = {number, trials};
    visit(line);
  }
  return whole;
}

Json journal_header(std::string_view text, const std::string& name) {
  const Json json = Json::parse(text, nullptr, false);
  constexpr int kFormat = 1;
  const Json header = json.is_object() ? json.value("ntune", Json()) : Json();
  if (!header.is_object() || !header.contains("format")) {
    fail(name, 1, "is not the journal of an ntune study");
  }
  if (header["format"] != kFormat) {
    fail(name, 1,
         fmt::format("is a journal of format {}, this program reads format {}",
                     printable(header["format"].dump()), kFormat));
  }
  if (!header.value("study", Json()).is_object() || !header.value("version", Json()).is_string()) {
    fail(name, 1, "is not the journal of an ntune study");
  }
  return header;
}

}  // namespace ntune
