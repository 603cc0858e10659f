#include "ntune/objective/failure_cause.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "ntune/core/text.h"

namespace ntune {

namespace {

/// What stands in place of folders, and of temporary names.
constexpr std::string_view kLeftOut = "…";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
/// Bytes of characters beyond ASCII too.
bool is_of_path(char c) {
  return is_word(c) || static_cast<unsigned char>(c) > 127 ||
         std::string_view("/.+-~@%=").find(c) != std::string_view::npos;
}

/// How many characters at the beginning of the text are of the kind.
template <class Of>
std::size_t length_of(std::string_view text, Of of) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, of) - text.begin());
}

/// Length of the number that the text begins with: 12, 1.5, 1e-7; 0 if with none.
std::size_t number_length(std::string_view text) {
  // A point or an exponent counts only if digits follow it.
  std::size_t length = length_of(text, is_digit);
  const auto add = [&](std::string_view mark, std::size_t from) {
    if (length == 0 || text.size() <= length + from) return;
    if (mark.find(text[length]) == std::string_view::npos) return;
    const std::size_t digits = length_of(text.substr(length + from), is_digit);
    if (digits > 0) length += from + digits;
  };
  add(".", 1);
  const bool has_sign =
      text.size() > length + 1 && (text[length + 1] == '-' || text[length + 1] == '+');
  add("eE", has_sign ? 2 : 1);
  return length;
}

/// A word with its numbers masked; of hexadecimal digits it is one number.
std::string masked_word(std::string_view word) {
  constexpr std::size_t kShortestCode = 6;
  // Short words of hexadecimal letters, such as "bad", are words; with a digit and six characters
  // they are codes.
  const std::string_view digits = word.starts_with("0x") ? word.substr(2) : word;
  const bool long_enough = digits.size() < word.size() || word.size() >= kShortestCode;
  if (long_enough && std::ranges::all_of(digits, is_hex) && std::ranges::any_of(digits, is_digit)) {
    return "N";
  }
  // Digits within a word are masked one run at a time: "worker12" becomes "workerN".
  std::string masked;
  while (!word.empty()) {
    const std::size_t length = length_of(word, is_digit);
    masked += length > 0 ? 'N' : word.front();
    word.remove_prefix(std::max<std::size_t>(1, length));
  }
  return masked;
}

/// An absolute path without its folders; nothing of it is left where it is a temporary name.
std::string masked_path(std::string_view path) {
  constexpr std::array<std::string_view, 3> kTemporary = {"/tmp", "/var/tmp", "/dev/shm"};
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  // A file directly in a temporary folder has a random name.
  const std::size_t name = path.rfind('/') + 1;
  const bool temporary =
      std::ranges::find(kTemporary, path.substr(0, name - 1)) != kTemporary.end();
  if (temporary) return std::string(kLeftOut);
  std::string masked = std::string(kLeftOut) + '/';
  for (std::string_view rest = path.substr(name); !rest.empty();) {
    const std::size_t length = std::max<std::size_t>(1, length_of(rest, is_word));
    masked += masked_word(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  return masked;
}

/// Length of the absolute path that the text begins with, without full stops at its end.
std::size_t path_length(std::string_view text) {
  // A '//' may follow the scheme of a URL and begins no path.
  if (text.size() < 2 || text[0] != '/' || !is_of_path(text[1]) || text[1] == '/') return 0;
  std::size_t length = length_of(text, is_of_path);
  while (length > 1 && text[length - 1] == '.') --length;
  return length;
}

/// True where a sign before a number belongs to it.
bool may_have_sign(const std::string& before) {
  return before.empty() ||
         std::string_view(" =:,([{<>").find(before.back()) != std::string_view::npos;
}

/// The text with paths and numbers masked, so that failures of one kind become equal.
std::string masked(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    // A slash behind a character of a path, as in a relative path, begins no absolute one.
    const bool inside = !result.empty() && is_of_path(result.back());
    std::size_t length = inside ? 0 : path_length(text);
    if (length > 0) {
      result += masked_path(text.substr(0, length));
      text.remove_prefix(length);
      continue;
    }
    // A sign goes with its number, so that -3 and 3 are masked alike.
    const bool sign = text.size() > 1 && (text[0] == '-' || text[0] == '+') && is_digit(text[1]);
    if (sign && may_have_sign(result)) text.remove_prefix(1);
    length = number_length(text);
    const bool whole = length > 0 && (length == text.size() || !is_word(text[length]));
    if (!whole) length = length_of(text, is_word);
    // Exit statuses and signals tell kinds of failures apart, so these numbers stay.
    const bool stays = whole && (result.ends_with("exit status ") || result.ends_with("signal "));
    if (length == 0) {
      result += text.front();
    } else if (stays) {
      result += text.substr(0, length);
    } else {
      result += whole ? "N" : masked_word(text.substr(0, length));
    }
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return result;
}

/// The lines of a program's output that a failure ends with, behind `mark`; empty: none.
std::string_view lines_behind(std::string_view mark, std::string_view failure) {
  const std::size_t at = failure.find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view lines = failure.substr(at + mark.size());
  return mark == kErrorMark ? lines.substr(0, lines.find(kOutputMark)) : lines;
}

/// True if the line speaks of an error: not every last line of an output does.
bool names_error(std::string_view line) {
  const std::string lower = lower_case(line);
  constexpr std::array<std::string_view, 12> kWords = {
      "error", "fail",    "crash", "disconnect", "stall",  "abort",
      "fatal", "illegal", "panic", "exception",  "assert", "segmentation"};
  return std::ranges::any_of(
      kWords, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

/// The last of the lines that `is_wanted`; empty: none is.
template <class Wanted>
std::string_view last_line(std::string_view lines, Wanted is_wanted) {
  while (!lines.empty()) {
    const std::size_t mark = lines.rfind(kLineMark);
    const bool only = mark == std::string_view::npos;
    const std::string_view line = only ? lines : lines.substr(mark + kLineMark.size());
    if (is_wanted(line)) return line;
    lines = only ? std::string_view() : lines.substr(0, mark);
  }
  return {};
}

bool is_any_line(std::string_view) { return true; }

/// What went wrong and the last line of the error output, each as `show` gives it. Of a program
/// without error output, the last line of its output that speaks of an error.
template <class Show>
std::string cause_shown_by(std::string_view text, Show show) {
  constexpr std::size_t kLongest = 200;
  const std::string whole = printable(text, kLongestFailure);  // as journals hold it
  const std::string_view failure = whole;
  // The parts of the failure are found by the marks between them.
  const std::string_view problem = failure.substr(0, failure.find(kCommandMark));
  std::string cause = show(problem);
  const std::string_view rest = failure.substr(problem.size());
  const std::string_view error = last_line(lines_behind(kErrorMark, rest), is_any_line);
  const std::string_view line =
      error.empty() ? last_line(lines_behind(kOutputMark, rest), names_error) : error;
  if (!line.empty()) cause += ": " + show(line);
  return printable(cause, kLongest);
}

}  // namespace

FailureParts failure_parts(std::string_view failure) {
  FailureParts parts{.problem = std::string(failure.substr(0, failure.find(kCommandMark)))};
  if (parts.problem.size() == failure.size()) return parts;
  const std::string_view rest = failure.substr(parts.problem.size());
  const std::string_view command = rest.substr(kCommandMark.size());
  parts.command = command.substr(0, std::min(command.find(kErrorMark), command.find(kOutputMark)));
  std::string_view words = last_line(lines_behind(kErrorMark, rest), is_any_line);
  if (words.empty()) words = last_line(lines_behind(kOutputMark, rest), is_any_line);
  parts.last_words = words;
  return parts;
}

std::string failure_cause(std::string_view failure) { return cause_shown_by(failure, masked); }

std::string failure_problem(std::string_view failure) {
  return cause_shown_by(failure, [](std::string_view part) { return std::string(part); });
}

}  // namespace ntune
