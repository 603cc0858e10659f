#include "ntune/objective/command/shell_words.h"

#include <array>
#include <charconv>
#include <system_error>

namespace ntune {

std::vector<std::string> shell_words(std::string_view text) {
  std::vector<std::string> words;
  // A word may be empty where quotes have begun it.
  bool is_open = false;
  char quote = 0;
  const auto add = [&](char c) {
    if (!is_open) words.emplace_back();
    is_open = true;
    words.back() += c;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool has_next = i + 1 < text.size();
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      is_open = false;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      if (!is_open) words.emplace_back();
      is_open = true;
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else if (c == '\\' && quote == 0 && has_next) {
      add(text[++i]);
    } else if (c == '\\' && quote == '"' && has_next &&
               std::string_view("\\\"$`").find(text[i + 1]) != std::string_view::npos) {
      add(text[++i]);
    } else {
      add(c);
    }
  }
  return words;
}

std::string plain_text(const Value& value) {
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr) return value_text(value);
  // The longest numbers are near 1e-308, with 17 digits behind the zeros.
  std::array<char, 512> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), *number,
                                          std::chars_format::fixed);
  return error == std::errc() ? std::string(digits.data(), end) : value_text(value);
}

void ShellContext::pass_value() {
  // A word stands here now: neither '$' nor "$(" stands before what follows, and '#' begins no
  // comment.
  before_ = 0;
  in_word_ = true;
  begun_ = false;
}

std::string_view ShellContext::obstacle() const {
  // A comment is never carried out, so anything may stand in it.
  if (top() == State::kComment) return {};
  if (dollar_quote_) return "in a text with $'…'";
  if (escaped_) return "behind a backslash";
  if (before_ == '$') return "behind a '$'";
  switch (top()) {
    case State::kSingle:
    case State::kDouble:
      return "inside of quotes";
    case State::kBackticks:
      return "inside of backticks";
    case State::kParameter:
      return "inside of ${…}";
    case State::kCode:
    case State::kSubshell:
    case State::kArithmetic:
    case State::kComment:
      break;
  }
  return {};
}

void ShellContext::pass(char c) {
  // The character behind a backslash means only itself.
  if (escaped_) {
    escaped_ = false;
    pass_value();
    return;
  }
  const State state = top();
  // In single quotes and comments a backslash is a character like any other.
  if (c == '\\' && state != State::kSingle && state != State::kComment) {
    escaped_ = true;
    return;
  }
  switch (state) {
    case State::kCode:
    case State::kSubshell:
      pass_code(c);
      break;
    case State::kArithmetic:
      pass_arithmetic(c);
      break;
    case State::kSingle:
      if (c == '\'') close();
      break;
    case State::kBackticks:
      if (c == '`') close();
      break;
    case State::kDouble:
      // In double quotes only substitutions open anew; single quotes mean nothing.
      if (c == '"') {
        close();
      } else {
        opens(c, false);
      }
      break;
    case State::kParameter:
      if (c == '}') {
        close();
      } else {
        // Whether single quotes count within ${…} depends on what stands around it.
        opens(c, levels_[levels_.size() - 2].state != State::kDouble);
      }
      break;
    case State::kComment:
      if (c != '\n') return;
      close();
      in_word_ = false;
      break;
  }
  before_ = c;
}

bool ShellContext::opens(char c, bool single_quotes) {
  if (c == '\'' && single_quotes) {
    dollar_quote_ |= before_ == '$';
    open(State::kSingle);
  } else if (c == '"') {
    open(State::kDouble);
  } else if (c == '`') {
    open(State::kBackticks);
  } else if (c == '{' && before_ == '$') {
    open(State::kParameter);
  } else if (c == '(' && before_ == '$') {
    open(State::kCode);
    in_word_ = false;
    begun_ = true;
  } else {
    return false;
  }
  return true;
}

void ShellContext::pass_code(char c) {
  constexpr std::string_view kBlank = " \t\n";
  constexpr std::string_view kOperators = ";&|()<>";
  // A second bracket behind "$(" makes it arithmetic.
  if (c == '(' && begun_) {
    begun_ = false;
    levels_.back() = {State::kArithmetic};
    return;
  }
  begun_ = false;
  // A '#' begins a comment only where a word could begin.
  if (c == '#' && !in_word_) return open(State::kComment);
  if (opens(c, true)) {
    in_word_ = top() != State::kCode;
    return;
  }
  in_word_ = kBlank.find(c) == kBlank.npos && kOperators.find(c) == kOperators.npos;
  if (c == '(') open(State::kSubshell);
  if (c != ')') return;
  in_word_ = top() == State::kCode && levels_.size() > 1;  // a word may go on behind $(…)
  close();
}

/// Its end is "))"; with one bracket alone it was a substitution that begins with a subshell.
void ShellContext::pass_arithmetic(char c) {
  Level& level = levels_.back();
  // One closing bracket more than opening ones: the next character decides what it was.
  if (level.open < 0) {
    if (c == ')') {
      close();
      in_word_ = true;
      return;
    }
    // It was a command substitution with a subshell, which goes on as code.
    level = {State::kCode};
    pass_code(c);
  } else if (c == '(') {
    ++level.open;
  } else if (c == ')') {
    --level.open;
  }
}

}  // namespace ntune
