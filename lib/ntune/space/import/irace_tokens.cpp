#include "ntune/space/import/irace_tokens.h"

#include <utility>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/space/point.h"

namespace ntune {

const IraceToken& IraceTokens::ahead(std::size_t skip) {
  // The lexer is asked only as far as somebody looks.
  while (ahead_.size() <= skip) ahead_.push_back(lexer_.next());
  return ahead_[skip];
}

void IraceTokens::advance() {
  if (ahead_.empty()) {
    token_ = lexer_.next();
    return;
  }
  token_ = std::move(ahead_.front());
  ahead_.pop_front();
}

bool IraceTokens::accept(std::string_view sign) {
  if (!is_sign(sign)) return false;
  advance();
  return true;
}

void IraceTokens::expect(std::string_view sign) {
  if (!accept(sign)) fail(fmt::format("'{}'", sign));
}

void IraceTokens::fail(std::string_view expected) const {
  const std::string found = token_.kind == IraceToken::Kind::kEnd
                                ? std::string("the end")
                                : fmt::format("'{}'", printable(token_.text, 60));
  refuse(fmt::format("{} is found where {} is expected", found, expected));
}

void IraceTokens::enter() {
  constexpr int kDeepest = 50;
  if (++depth_ <= kDeepest) return;
  refuse(fmt::format("is nested deeper than the {} levels allowed", kDeepest));
}

namespace {

/// Recursive descent with R's precedence: + and -, then * and /, then %%, then signs, then ^.
class CalculationParser {
 public:
  explicit CalculationParser(IraceTokens& tokens) : tokens_(tokens) {}

  Calculation parse_sum() {
    return parse_chain({"+", "-"}, [this] { return parse_product(); });
  }

 private:
  /// Operators of one precedence, from left to right.
  template <class Part>
  Calculation parse_chain(std::initializer_list<const char*> signs, const Part& part) {
    Calculation left = part();
    for (bool found = true; found;) {
      found = false;
      for (const char* sign : signs) {
        if (!tokens_.accept(sign)) continue;
        left = call(sign, {std::move(left), part()});
        found = true;
        break;
      }
    }
    return left;
  }
  Calculation parse_product() {
    return parse_chain({"*", "/"}, [this] { return parse_remainder(); });
  }
  Calculation parse_remainder() {
    return parse_chain({"%%"}, [this] { return parse_signed(); });
  }
  Calculation parse_signed() {
    tokens_.enter();
    Calculation calculation;
    if (tokens_.accept("-")) {
      calculation = negated(parse_signed());
    } else {
      calculation = parse_power();
    }
    tokens_.leave();
    return calculation;
  }
  Calculation parse_power() {
    Calculation base = parse_primary();
    if (!tokens_.accept("^")) return base;
    // The exponent may have a sign of its own, and ^ binds to the right: 2^-x, 2^3^2.
    return call("^", {std::move(base), parse_signed()});
  }

  Calculation parse_primary() {
    if (tokens_.accept("(")) {
      Calculation inner = parse_sum();
      tokens_.expect(")");
      return inner;
    }
    // A copy, because the next token takes the place of the current one.
    const IraceToken token = tokens_.current();
    if (token.kind == IraceToken::Kind::kEnd || token.kind == IraceToken::Kind::kSign) {
      tokens_.fail("a parameter or a value");
    }
    tokens_.advance();
    if (token.kind == IraceToken::Kind::kNumber) {
      return {.text = token.text, .number = value_number(*parse_number(token.text))};
    }
    if (token.kind == IraceToken::Kind::kText) {
      return {.kind = Calculation::Kind::kText, .text = token.text};
    }
    if (tokens_.is_sign("(")) return parse_call(token.text);
    return {.kind = Calculation::Kind::kParameter, .text = token.text};
  }

  Calculation parse_call(const std::string& name) {
    // The name is checked before the arguments, so that a foreign call is foreign and not wrong.
    if (!is_known_function(name, 1)) throw ForeignR{"it calls a function"};
    tokens_.expect("(");
    std::vector<Calculation> arguments;
    do {
      arguments.push_back(parse_sum());
    } while (tokens_.accept(","));
    tokens_.expect(")");
    if (!is_known_function(name, arguments.size())) throw ForeignR{"it calls a function"};
    return call(name, std::move(arguments));
  }

  static Calculation call(const std::string& name, std::vector<Calculation> parts) {
    return {.kind = Calculation::Kind::kCall, .text = name, .parts = std::move(parts)};
  }
  /// A number with a sign is a number.
  static Calculation negated(Calculation calculation) {
    if (calculation.kind != Calculation::Kind::kNumber) return call("-", {std::move(calculation)});
    calculation.text.insert(0, "-");
    calculation.number = -calculation.number;
    return calculation;
  }

  IraceTokens& tokens_;
};

}  // namespace

Calculation parse_irace_calculation(IraceTokens& tokens) {
  return CalculationParser(tokens).parse_sum();
}

}  // namespace ntune
