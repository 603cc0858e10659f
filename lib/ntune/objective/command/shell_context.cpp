#include "ntune/objective/command/shell_context.h"

namespace ntune {

void ShellContext::pass_value() {
  before_ = 0;
  in_word_ = true;
  begun_ = false;
}

std::string_view ShellContext::obstacle() const {
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
  if (escaped_) {
    escaped_ = false;
    pass_value();
    return;
  }
  const State state = top();
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
  if (c == '(' && begun_) {
    begun_ = false;
    levels_.back() = {State::kArithmetic};
    return;
  }
  begun_ = false;
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
  if (level.open < 0) {
    if (c == ')') {
      close();
      in_word_ = true;
      return;
    }
    level = {State::kCode};
    pass_code(c);
  } else if (c == '(') {
    ++level.open;
  } else if (c == ')') {
    --level.open;
  }
}

}  // namespace ntune
