#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/space/import/source.h"

namespace ntune {

/// R that has no counterpart here, found while parsing.
struct ForeignR {
  std::string reason;
};

/// Where a text of R that begins here with its quote ends: at the same quote, unless a backslash
/// stands before it. npos where it does not.
std::size_t r_text_end(std::string_view text, std::size_t begin);

/// What a text of R says between its quotes.
std::string r_text(std::string_view inside);

/// A word of an R expression.
struct IraceToken {
  enum class Kind { kEnd, kName, kNumber, kText, kSign };
  Kind kind = Kind::kEnd;
  std::string text;
  std::string_view written = {};  ///< its place in the file

  [[nodiscard]] bool is_sign(std::string_view sign) const {
    return kind == Kind::kSign && text == sign;
  }
};

/// An R expression: a part of a file, and the name of the parameter that it is about, if there is
/// one.
struct IraceCode {
  std::string_view text;
  const SourceText& file;
  std::string_view subject = {};

  [[nodiscard]] Place place() const { return file.place(text, subject); }
  /// Throws InputError with the place of a part of the text.
  [[noreturn]] void fail(std::string_view part, std::string_view message) const {
    fail_at(file.place(part, subject), message);
  }
};

/// The words of an R expression, one after another. A copy looks ahead.
class IraceTokens {
 public:
  /// Throws InputError at a character that begins no token, as all that goes on does.
  explicit IraceTokens(const IraceCode& code) : code_(code), rest_(code.text) { advance(); }

  [[nodiscard]] const IraceToken& current() const { return token_; }
  [[nodiscard]] bool is_end() const { return token_.kind == IraceToken::Kind::kEnd; }
  [[nodiscard]] bool is_sign(std::string_view sign) const { return token_.is_sign(sign); }
  void advance();
  /// Passes the sign, if it stands here.
  bool accept(std::string_view sign);
  /// Passes the sign, which must stand here, or throws InputError.
  void expect(std::string_view sign);
  [[noreturn]] void fail(std::string_view expected) const;
  /// Throws InputError with the place of the current word.
  [[noreturn]] void refuse(std::string_view message) const { code_.fail(token_.written, message); }

  /// Counts how deep an expression is nested; throws InputError where that is too deep.
  void enter();
  void leave() { --depth_; }

 private:
  void take(IraceToken::Kind kind, std::size_t length);
  void take_number();
  void take_text();

  IraceCode code_;
  std::string_view rest_;  ///< of the text behind the current word
  IraceToken token_;
  int depth_ = 0;
};

/// A condition or forbidden combination in R: comparisons of parameters and of what is calculated
/// from them, %in% c(…), &, |, !, xor(…), and parentheses. What else R knows becomes
/// Expression::Kind::kOpaque. Throws InputError for text that is no R.
Expression parse_irace_expression(const IraceCode& code, const SourceSpace& space);

/// A value as irace files write it.
struct IraceLiteral {
  std::string text;
  bool quoted = false;
  std::string_view written = {};  ///< between its quotes, in the file
};

/// The first such character outside of double quotes, or the end.
std::size_t find_unquoted(std::string_view text, char wanted);

/// Removes and returns the text before the first of the given characters.
std::string_view take_until(std::string_view& rest, std::string_view stops);

/// The literals of  a, "b", 1  or nothing if a quote is open, an element empty or the list too
/// long. `calculates`: commas within brackets belong to an element.
std::optional<std::vector<IraceLiteral>> split_domain(std::string_view text,
                                                      bool calculates = false);

/// irace knows texts alone. Words in quotes stay texts. Others become what they look like, if
/// writing that gives the same word again; where all are numbers, 0.50 may become 0.5.
SourceChoices choices_of(const std::vector<IraceLiteral>& literals);

/// The value that a word stands for in a test of the parameter (nullptr: an unknown one). Choices
/// are meant by the words of their list, where "01" and 1 stay what they are. Throws InputError
/// where a range is compared with what is no number.
Value meaning_of(const SourceParameter* parameter, const std::string& word, const Place& place);

}  // namespace ntune
