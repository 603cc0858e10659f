#include "ntune/space/import/irace_expression.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/space/point.h"

namespace ntune {

namespace {

/// R that has no counterpart here, found while parsing.
struct Foreign {
  std::string reason;
};

/// One side of a comparison.
struct Operand {
  std::string parameter;  ///< or empty: literals
  std::vector<IraceLiteral> literals;
};

std::optional<Comparison> comparison_of(const IraceToken& token) {
  constexpr std::pair<std::string_view, Comparison> kTable[] = {
      {"==", Comparison::kEqual},   {"!=", Comparison::kNotEqual},
      {"<", Comparison::kLess},     {"<=", Comparison::kLessEqual},
      {">", Comparison::kGreater},  {">=", Comparison::kGreaterEqual},
      {"%in%", Comparison::kEqual},
  };
  for (const auto& [sign, comparison] : kTable) {
    if (token.kind == IraceToken::Kind::kSign && token.text == sign) return comparison;
  }
  return std::nullopt;
}

Comparison mirrored(Comparison comparison) {
  switch (comparison) {
    case Comparison::kLess:
      return Comparison::kGreater;
    case Comparison::kLessEqual:
      return Comparison::kGreaterEqual;
    case Comparison::kGreater:
      return Comparison::kLess;
    case Comparison::kGreaterEqual:
      return Comparison::kLessEqual;
    default:
      return comparison;
  }
}

/// Recursive descent with R's precedence: |, then &, then !, then comparisons.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Place& place, const IraceValue& value_of)
      : lexer_(text, place), place_(place), value_of_(value_of), token_(lexer_.next()) {}

  Expression parse() {
    Expression expression = parse_any();
    if (token_.kind != IraceToken::Kind::kEnd) fail("an operator or the end");
    return expression;
  }

 private:
  [[noreturn]] void fail(std::string_view expected) const {
    const std::string found = token_.kind == IraceToken::Kind::kEnd
                                  ? std::string("the end")
                                  : fmt::format("'{}'", printable(token_.text, 60));
    fail_at(place_, fmt::format("{} is found where {} is expected", found, expected));
  }

  [[nodiscard]] bool is_sign(std::string_view sign) const {
    return token_.kind == IraceToken::Kind::kSign && token_.text == sign;
  }
  void advance() { token_ = lexer_.next(); }
  bool accept(std::string_view sign) {
    if (!is_sign(sign)) return false;
    advance();
    return true;
  }
  void expect(std::string_view sign) {
    if (!accept(sign)) fail(fmt::format("'{}'", sign));
  }

  Expression parse_any() {
    Expression any{.kind = Expression::Kind::kAny};
    do {
      any.parts.push_back(parse_all());
    } while (accept("|") || accept("||"));
    return any.parts.size() == 1 ? Expression(std::move(any.parts.front())) : any;
  }

  Expression parse_all() {
    Expression all{.kind = Expression::Kind::kAll};
    do {
      all.parts.push_back(parse_not());
    } while (accept("&") || accept("&&"));
    return all.parts.size() == 1 ? Expression(std::move(all.parts.front())) : all;
  }

  Expression parse_not() {
    enter();
    Expression expression;
    if (accept("!")) {
      expression.kind = Expression::Kind::kNot;
      expression.parts.push_back(parse_not());
    } else if (accept("(")) {
      expression = parse_any();
      expect(")");
      if (comparison_of(token_)) throw Foreign{"it compares truth values"};
    } else {
      expression = parse_comparison();
    }
    --depth_;
    return expression;
  }

  Expression parse_comparison() {
    if (token_.kind == IraceToken::Kind::kName &&
        (token_.text == "TRUE" || token_.text == "FALSE")) {
      const bool truth = token_.text == "TRUE";
      advance();
      if (comparison_of(token_)) throw Foreign{"it compares truth values"};
      return {.kind = truth ? Expression::Kind::kAll : Expression::Kind::kAny};
    }
    const Operand left = parse_operand();
    const auto comparison = comparison_of(token_);
    if (!comparison) fail("a comparison");
    const bool is_in = token_.text == "%in%";
    advance();
    const Operand right = parse_operand();
    if (!is_in && std::max(left.literals.size(), right.literals.size()) > 1) {
      throw Foreign{"it compares with a vector"};
    }
    return compare(left, *comparison, right);
  }

  Expression compare(const Operand& left, Comparison comparison, const Operand& right) const {
    if (!left.parameter.empty() && !right.parameter.empty()) {
      return {.kind = Expression::Kind::kRelation,
              .parameter = left.parameter,
              .comparison = comparison,
              .other = right.parameter};
    }
    if (left.parameter.empty() && right.parameter.empty()) throw Foreign{"it names no parameter"};
    const bool flipped = left.parameter.empty();
    const Operand& subject = flipped ? right : left;
    Expression test{.kind = Expression::Kind::kTest,
                    .parameter = subject.parameter,
                    .comparison = flipped ? mirrored(comparison) : comparison};
    for (const IraceLiteral& literal : (flipped ? left : right).literals) {
      test.values.push_back(value_of_(subject.parameter, literal));
    }
    return test;
  }

  Operand parse_operand() {
    Operand operand;
    const bool negative = accept("-");
    const IraceToken token = token_;
    if (token.kind == IraceToken::Kind::kNumber) {
      operand.literals = {{.text = (negative ? "-" : "") + token.text, .quoted = false}};
    } else if (negative) {
      throw Foreign{"it calculates"};
    } else if (token.kind == IraceToken::Kind::kText) {
      operand.literals = {{.text = token.text, .quoted = true}};
    } else if (token.kind == IraceToken::Kind::kName) {
      operand.parameter = token.text;
    } else {
      fail("a parameter or a value");
    }
    advance();
    if (token.kind == IraceToken::Kind::kName && is_sign("(")) {
      if (token.text != "c") throw Foreign{"it calls a function"};
      operand = parse_vector();
    }
    for (const std::string_view sign : {"+", "-", "*", "/", "^", "%%", ":"}) {
      if (is_sign(sign)) throw Foreign{"it calculates"};
    }
    return operand;
  }

  /// After the name c.
  Operand parse_vector() {
    enter();
    expect("(");
    Operand all;
    do {
      const Operand element = parse_operand();
      if (!element.parameter.empty()) throw Foreign{"it lists parameters"};
      all.literals.insert(all.literals.end(), element.literals.begin(), element.literals.end());
      if (all.literals.size() > kMaxValues) fail_at(place_, "lists too many values");
    } while (accept(","));
    expect(")");
    --depth_;
    return all;
  }

  void enter() {
    constexpr int kDeepest = 50;
    if (++depth_ <= kDeepest) return;
    fail_at(place_, fmt::format("is nested deeper than the {} levels allowed", kDeepest));
  }

  IraceLexer lexer_;
  const Place& place_;
  const IraceValue& value_of_;
  IraceToken token_;
  int depth_ = 0;
};

}  // namespace

Expression parse_irace_expression(std::string_view text, const Place& place,
                                  const IraceValue& value_of) {
  try {
    return ExpressionParser(text, place, value_of).parse();
  } catch (const Foreign& foreign) {
    return {.kind = Expression::Kind::kOpaque, .reason = foreign.reason};
  }
}

}  // namespace ntune
