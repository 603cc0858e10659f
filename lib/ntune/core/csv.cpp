#include "ntune/core/csv.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

constexpr const char* kCutOff = "has no line end: the file has been cut off";
/// The message for what RFC 4180 forbids about quotes.
constexpr const char* kBadQuote = "has a quote that is not closed, or a text behind one";

constexpr std::string_view kBlanks = " \t";

/// The line without the carriage return that a Windows line end leaves before the line feed.
std::string_view without_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

std::string csv_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csv_field(std::string_view text) {
  const bool plain = text.find_first_of(",\"\r\n") == std::string_view::npos;
  return plain ? std::string(text) : csv_quoted(text);
}

CsvReader::CsvReader(std::string_view text, std::string name, CsvStyle style)
    : text_(text), name_(std::move(name)), style_(style) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
}

void CsvReader::fail(const std::string& message) const {
  throw InputError(fmt::format("{}:{}: {}", name_, line_, message));
}

bool CsvReader::is_comment(std::string_view line) const {
  // Before the first record a comment may stand in two of the styles, behind it only in one.
  const bool allowed = has_record_ ? style_.comments == CsvStyle::Comments::kEverywhere
                                   : style_.comments != CsvStyle::Comments::kNone;
  return allowed && line.starts_with('#');
}

bool CsvReader::next() {
  while (at_ < text_.size()) {
    // Blank lines and comments are passed over here, and still count as lines of the file.
    line_ = next_line_;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    if (style_.whole && end == text_.size()) fail(kCutOff);
    const std::string_view line = without_return(text_.substr(at_, end - at_));
    if (!line.empty() && !is_comment(line)) {
      read_record();
      return true;
    }
    // Only the comments above the header are kept: they describe the whole file.
    if (!line.empty() && !has_record_) comments_.push_back(line);
    at_ = end + 1;
    ++next_line_;
  }
  return false;
}

void CsvReader::read_record() {
  has_record_ = true;
  fields_.clear();
  // A quoted field may hold line ends, so the end of the record is where the last field ends.
  const std::size_t begin = at_;
  read_field();
  while (at_ < text_.size() && text_[at_] == ',') {
    ++at_;
    read_field();
  }
  record_ = without_return(text_.substr(begin, at_ - begin));
  if (!is_utf8(record_)) fail("holds a byte that is not UTF-8");
  if (record_.find('\0') != std::string_view::npos) fail("holds the character NUL");
  // A line end in quotes is not that of the record.
  if (style_.whole && at_ >= text_.size()) fail(kCutOff);
  ++at_;  // the line end
  ++next_line_;
}

bool CsvReader::at_field_end() const {
  return at_ >= text_.size() || text_[at_] == ',' || text_[at_] == '\n';
}

/// Takes the text before the next comma or line end.
std::string_view CsvReader::up_to_field_end() {
  const std::size_t begin = at_;
  while (!at_field_end()) ++at_;
  std::string_view text = text_.substr(begin, at_ - begin);
  // At the end of a line the last field must not keep the carriage return.
  if (at_ >= text_.size() || text_[at_] == '\n') text = without_return(text);
  return style_.trim ? trimmed(text, kBlanks) : text;
}

void CsvReader::read_field() {
  if (style_.trim) at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
  if (at_ >= text_.size() || text_[at_] != '"') {
    fields_.push_back({.text = std::string(up_to_field_end())});
    return;
  }
  fields_.push_back({.text = read_quoted(), .quoted = true});
  if (!up_to_field_end().empty()) fail(kBadQuote);
}

/// Takes the text in the quotes that begin here, and both quotes.
std::string CsvReader::read_quoted() {
  std::string text;
  for (++at_; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '"') {
      // Two quotes in a row stand for one quote of the text; a single one closes the field.
      ++at_;
      if (at_ >= text_.size() || text_[at_] != '"') return text;
    } else if (c == '\n') {
      // Without line ends in fields a quote that is not closed is found on its own line, and not at
      // the end of the file.
      if (!style_.line_ends) break;
      ++next_line_;
    }
    text += c;
  }
  fail(kBadQuote);
}

std::optional<std::size_t> find_column(std::span<const CsvField> header, std::string_view name) {
  const auto found = std::ranges::find(header, name, &CsvField::text);
  if (found == header.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.begin());
}

}  // namespace ntune
