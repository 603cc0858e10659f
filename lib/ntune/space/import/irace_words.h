#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/space/import/source.h"

namespace ntune {

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
std::vector<Value> choice_values(const std::vector<IraceLiteral>& literals);

/// Choices by the words with which a file writes them: conditions mean them by the same words.
class WrittenChoices {
 public:
  void keep(const std::string& parameter, const std::vector<IraceLiteral>& literals,
            const std::vector<Value>& values);
  /// The value that a word stands for in a test of the parameter: "01" and 1 stay what they are in
  /// the list. Throws InputError where a range is compared with what is no number.
  [[nodiscard]] Value meaning(const SourceSpace& space, const std::string& parameter,
                              const std::string& word, const Place& place) const;

 private:
  std::map<std::string, std::map<std::string, Value>> choices_;  ///< by name, then as written
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

/// Cuts an R expression into tokens.
class IraceLexer {
 public:
  explicit IraceLexer(const IraceCode& code) : code_(code), text_(code.text) {}

  [[nodiscard]] const IraceCode& code() const { return code_; }

  /// Throws InputError at a character that begins no token.
  IraceToken next();

 private:
  [[nodiscard]] std::size_t while_matching(std::size_t end, bool (*matches)(char)) const;
  IraceToken take(IraceToken::Kind kind, std::size_t end);
  IraceToken number();
  IraceToken quoted();

  IraceCode code_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace ntune
