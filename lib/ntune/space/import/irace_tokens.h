#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "ntune/space/import/calculation.h"
#include "ntune/space/import/irace_words.h"
#include "ntune/space/import/source.h"

namespace ntune {

/// R that has no counterpart here, found while parsing.
struct ForeignR {
  std::string reason;
};

/// The words of an R expression, one after another.
class IraceTokens {
 public:
  explicit IraceTokens(const IraceCode& code) : lexer_(code), token_(lexer_.next()) {}

  [[nodiscard]] const IraceToken& current() const { return token_; }
  [[nodiscard]] const IraceCode& code() const { return lexer_.code(); }
  [[nodiscard]] bool is_sign(std::string_view sign) const {
    return token_.kind == IraceToken::Kind::kSign && token_.text == sign;
  }
  /// The word after the current one and `skip` more.
  const IraceToken& ahead(std::size_t skip);
  void advance();
  /// Passes the sign, if it stands here.
  bool accept(std::string_view sign);
  /// Passes the sign, which must stand here, or throws InputError.
  void expect(std::string_view sign);
  [[noreturn]] void fail(std::string_view expected) const;
  /// Throws InputError with the place of the current word.
  [[noreturn]] void refuse(std::string_view message) const { code().fail(token_.written, message); }

  /// Counts how deep an expression is nested; throws InputError where that is too deep.
  void enter();
  void leave() { --depth_; }

 private:
  IraceLexer lexer_;
  IraceToken token_;
  std::deque<IraceToken> ahead_;
  int depth_ = 0;
};

/// The calculation that stands here, which may be a single number, word or parameter. Throws
/// InputError for what is no R, ForeignR for what cannot be calculated here.
Calculation parse_irace_calculation(IraceTokens& tokens);

}  // namespace ntune
