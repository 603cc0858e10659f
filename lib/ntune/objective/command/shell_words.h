#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/space/parameter.h"

namespace ntune {

/// The words that a POSIX shell makes of a text without variables and patterns: blanks separate
/// words, quotes and backslashes go. A quote that stays open ends with the text.
std::vector<std::string> shell_words(std::string_view text);

/// A value with numbers in plain decimals, 0.00000001 in place of 1e-08.
std::string plain_text(const Value& value);

/// Follows a text for a POSIX shell character by character, to tell where in it a word for a value
/// may stand: quotes, comments, command substitutions, ${…} and arithmetic, within each other.
class ShellContext {
 public:
  void pass(char c);
  /// A word for a value has been put here.
  void pass_value();

  /// What keeps a quoted word from becoming the value here: "inside of quotes"; empty: nothing
  /// does. In a comment nothing becomes of it, which is no harm.
  [[nodiscard]] std::string_view obstacle() const;
  /// Within $((…)), where quotes are not known and only numbers are safe.
  [[nodiscard]] bool is_arithmetic() const { return top() == State::kArithmetic; }

 private:
  enum class State : std::uint8_t {
    kCode,        ///< the text itself, or $(…)
    kSubshell,    ///< (…)
    kSingle,      ///< '…'
    kDouble,      ///< "…"
    kBackticks,   ///< `…`
    kParameter,   ///< ${…}
    kArithmetic,  ///< $((…))
    kComment
  };
  struct Level {
    State state;
    int open = 0;  ///< brackets within arithmetic
  };

  [[nodiscard]] State top() const { return levels_.back().state; }
  void open(State state) { levels_.push_back({state}); }
  void close() {
    if (levels_.size() > 1) levels_.pop_back();
  }
  void pass_code(char c);
  void pass_arithmetic(char c);
  /// Quotes and ${, $( where they are known; true if the character was one of them.
  bool opens(char c, bool single_quotes);

  std::vector<Level> levels_ = {{State::kCode}};
  bool escaped_ = false;
  char before_ = '\n';         ///< the character before, if it means something
  bool in_word_ = false;       ///< a # here is no comment
  bool begun_ = false;         ///< a "$(" stands before: another bracket makes it arithmetic
  bool dollar_quote_ = false;  ///< the text has $'…', which not all shells know
};

}  // namespace ntune
