#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "ntune/space/import/irace_tokens.h"
#include "ntune/space/point.h"

namespace ntune {

namespace {

/// One side of a comparison.
struct Operand {
  std::string parameter = {};  ///< or empty: literals
  std::vector<IraceLiteral> literals = {};
  std::optional<Calculation> calculation = {};  ///< instead of both
};

/// The comparison that a token is; nothing for other tokens. %in% is equality to any value.
std::optional<Comparison> comparison_of(const IraceToken& token) {
  if (token.is_sign("%in%")) return Comparison::kEqual;
  for (const auto& [sign, comparison] : kComparisonSigns) {
    if (token.is_sign(sign)) return comparison;
  }
  return std::nullopt;
}

/// The comparison after its sides have changed places: less and greater do so too.
Comparison mirrored(Comparison comparison) {
  const auto bits = static_cast<unsigned>(comparison);
  return static_cast<Comparison>((bits & 2U) | (bits & 1U) << 2U | bits >> 2U);
}

/// Recursive descent with R's precedence: |, then &, then !, then comparisons.
class ExpressionParser {
 public:
  ExpressionParser(const IraceCode& code, const SourceSpace& space)
      : tokens_(code), place_(code.place()), space_(space) {}

  Expression parse() {
    Expression expression = parse_any();
    if (!tokens_.is_end()) tokens_.fail("an operator or the end");
    return expression;
  }

 private:
  Expression parse_any() {
    // A single part needs no node around it.
    Expression any{.kind = Expression::Kind::kAny};
    do {
      any.parts.push_back(parse_all());
    } while (tokens_.accept("|") || tokens_.accept("||"));
    return any.parts.size() == 1 ? Expression(std::move(any.parts.front())) : any;
  }

  Expression parse_all() {
    Expression all{.kind = Expression::Kind::kAll};
    do {
      all.parts.push_back(parse_not());
    } while (tokens_.accept("&") || tokens_.accept("&&"));
    return all.parts.size() == 1 ? Expression(std::move(all.parts.front())) : all;
  }

  // Parentheses hold a truth value or a calculation, which only a look ahead can tell.
  Expression parse_not() {
    tokens_.enter();
    Expression expression;
    if (tokens_.accept("!")) {
      expression.kind = Expression::Kind::kNot;
      expression.parts.push_back(parse_not());
    } else if (is_call("xor") || (tokens_.is_sign("(") && !calculates_in_parentheses())) {
      expression = tokens_.is_sign("(") ? parse_in_parentheses() : parse_xor();
      if (const auto comparison = comparison_of(tokens_.current())) {
        expression = compare_truths(expression, *comparison);
      }
    } else {
      expression = parse_comparison();
    }
    tokens_.leave();
    return expression;
  }

  Expression parse_in_parentheses() {
    tokens_.expect("(");
    Expression expression = parse_any();
    tokens_.expect(")");
    return expression;
  }

  /// xor(…, …): one of two truth values.
  Expression parse_xor() {
    tokens_.advance();
    tokens_.expect("(");
    const Expression left = parse_any();
    tokens_.expect(",");
    const Expression right = parse_any();
    tokens_.expect(")");
    return equality(left, right, false);
  }

  /// Whether two truth values are equal, or are not.
  static Expression equality(const Expression& left, const Expression& right, bool equal) {
    const auto without = [](const Expression& one) {
      return Expression{.kind = Expression::Kind::kNot, .parts = {one}};
    };
    const Expression other = equal ? right : without(right);
    const Expression opposite = equal ? without(right) : right;
    return {.kind = Expression::Kind::kAny,
            .parts = {{.kind = Expression::Kind::kAll, .parts = {left, other}},
                      {.kind = Expression::Kind::kAll, .parts = {without(left), opposite}}}};
  }

  /// Behind a truth value in parentheses: == or != and another one.
  Expression compare_truths(const Expression& left, Comparison comparison) {
    const bool equal = comparison == Comparison::kEqual && !tokens_.is_sign("%in%");
    if (!equal && comparison != Comparison::kNotEqual) throw ForeignR{"it compares truth values"};
    tokens_.advance();
    return equality(left, parse_not(), equal);
  }

  /// Whether the parentheses that open here hold no comparison and no truth value.
  bool calculates_in_parentheses() {
    // Tokens up to the matching parenthesis are looked at without being taken.
    IraceTokens ahead = tokens_;
    for (int open = 1; open > 0;) {
      ahead.advance();
      const IraceToken& token = ahead.current();
      if (token.kind == IraceToken::Kind::kEnd) return false;
      if (token.text == "TRUE" || token.text == "FALSE" || comparison_of(token)) return false;
      if (token.kind != IraceToken::Kind::kSign) continue;
      if (token.text == "(") ++open;
      if (token.text == ")") --open;
      if (token.text == "!" || token.text.starts_with('&') || token.text.starts_with('|')) {
        return false;
      }
    }
    return true;
  }

  Expression parse_comparison() {
    // TRUE is a conjunction without parts, and FALSE a disjunction without parts.
    // Beside a comparison they are values of a parameter.
    const IraceToken first = tokens_.current();
    IraceTokens ahead = tokens_;
    if (is_truth(first)) ahead.advance();
    if (is_truth(first) && !comparison_of(ahead.current())) {
      tokens_.advance();
      return {.kind = first.text == "TRUE" ? Expression::Kind::kAll : Expression::Kind::kAny};
    }
    const Operand left = parse_operand();
    const auto comparison = comparison_of(tokens_.current());
    if (!comparison) tokens_.fail("a comparison");
    const bool is_in = tokens_.current().text == "%in%";
    tokens_.advance();
    const Operand right = parse_operand();
    if (!is_in && std::max(left.literals.size(), right.literals.size()) > 1) {
      throw ForeignR{"it compares with a vector"};
    }
    // Where a side calculates, both become calculations; else values and parameters are compared.
    if (left.calculation || right.calculation) {
      if (is_in) throw ForeignR{"it calculates"};
      return {.kind = Expression::Kind::kCalculation,
              .comparison = *comparison,
              .sides = {calculation_of(left), calculation_of(right)}};
    }
    return compare(left, *comparison, right);
  }

  /// The operand as a calculation, so that both sides of a comparison are of one kind.
  static Calculation calculation_of(const Operand& operand) {
    if (operand.calculation) return *operand.calculation;
    if (!operand.parameter.empty()) {
      return {.kind = Calculation::Kind::kParameter, .text = operand.parameter};
    }
    const IraceLiteral& literal = operand.literals.front();
    const auto number = literal.quoted ? std::nullopt : parse_number(literal.text);
    if (!number) throw ForeignR{"it calculates with texts"};
    return {.text = literal.text, .number = value_number(*number)};
  }

  /// Compares a parameter with another one or with literals, whichever side it stands on.
  Expression compare(const Operand& left, Comparison comparison, const Operand& right) const {
    if (!left.parameter.empty() && !right.parameter.empty()) {
      return {.kind = Expression::Kind::kRelation,
              .parameter = left.parameter,
              .comparison = comparison,
              .other = right.parameter};
    }
    if (left.parameter.empty() && right.parameter.empty()) throw ForeignR{"it names no parameter"};
    // "5 < x" becomes "x > 5".
    const bool flipped = left.parameter.empty();
    const Operand& subject = flipped ? right : left;
    Expression test{.kind = Expression::Kind::kTest,
                    .parameter = subject.parameter,
                    .comparison = flipped ? mirrored(comparison) : comparison};
    for (const IraceLiteral& literal : (flipped ? left : right).literals) {
      test.values.push_back(meaning_of(space_.find(subject.parameter), literal.text, place_));
    }
    return test;
  }

  static bool is_truth(const IraceToken& token) {
    return token.kind == IraceToken::Kind::kName && (token.text == "TRUE" || token.text == "FALSE");
  }

  Operand parse_operand() {
    // As R compares the values of a parameter, which are texts.
    if (is_truth(tokens_.current())) {
      const std::string text = tokens_.current().text;
      tokens_.advance();
      return {.literals = {{.text = text, .quoted = true}}};
    }
    // "c" is a function only before a parenthesis, else it may be the name of a parameter.
    if (is_call("c")) {
      tokens_.advance();
      // Vectors can be listed, but not calculated with.
      Operand list = parse_vector();
      for (const std::string_view sign : {"+", "-", "*", "/", "^", "%%", ":"}) {
        if (tokens_.is_sign(sign)) throw ForeignR{"it calculates"};
      }
      return list;
    }
    Calculation calculation = parse_calculation(tokens_);
    if (tokens_.is_sign(":")) throw ForeignR{"it calculates"};
    // A calculation of a single leaf is no calculation.
    switch (calculation.kind) {
      case Calculation::Kind::kNumber:
        return {.literals = {{.text = calculation.text, .quoted = false}}};
      case Calculation::Kind::kText:
        return {.literals = {{.text = calculation.text, .quoted = true}}};
      case Calculation::Kind::kParameter:
        return {.parameter = calculation.text};
      case Calculation::Kind::kCall:
        break;
    }
    for_each_leaf(calculation, [](const Calculation& leaf) {
      if (leaf.kind == Calculation::Kind::kText) throw ForeignR{"it calculates with texts"};
    });
    return {.calculation = std::move(calculation)};
  }

  /// Whether a call of this function begins here.
  [[nodiscard]] bool is_call(std::string_view function) const {
    const IraceToken& name = tokens_.current();
    if (name.kind != IraceToken::Kind::kName || name.text != function) return false;
    IraceTokens ahead = tokens_;
    ahead.advance();
    return ahead.is_sign("(");
  }

  /// Reads the list of a vector, behind the name c.
  Operand parse_vector() {
    tokens_.enter();
    tokens_.expect("(");
    Operand all;
    do {
      const Operand element = parse_operand();
      if (element.calculation) throw ForeignR{"it calculates"};
      if (!element.parameter.empty()) throw ForeignR{"it lists parameters"};
      all.literals.insert(all.literals.end(), element.literals.begin(), element.literals.end());
      if (all.literals.size() > kMaxValues) tokens_.refuse("lists too many values");
    } while (tokens_.accept(","));
    tokens_.expect(")");
    tokens_.leave();
    return all;
  }

  IraceTokens tokens_;
  Place place_;
  const SourceSpace& space_;
};

}  // namespace

Expression parse_irace_expression(const IraceCode& code, const SourceSpace& space) {
  try {
    return ExpressionParser(code, space).parse();
    // What R knows and value lists do not is kept as opaque, and refused when it is translated.
  } catch (const ForeignR& foreign) {
    return {.kind = Expression::Kind::kOpaque, .reason = foreign.reason};
  }
}

}  // namespace ntune
