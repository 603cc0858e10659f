#include <cmath>
#include <map>
#include <utility>

#include "ntune/space/import/irace_tokens.h"
#include "ntune/space/import/source.h"

namespace ntune {

namespace {

using OfOne = double (*)(double);
using OfTwo = double (*)(double, double);

/// Functions of one argument, by their names in R.
const std::map<std::string, OfOne>& functions_of_one() {
  static const std::map<std::string, OfOne> table = {
      {"-", [](double x) { return -x; }},
      {"sqrt", [](double x) { return std::sqrt(x); }},
      {"abs", [](double x) { return std::abs(x); }},
      {"exp", [](double x) { return std::exp(x); }},
      {"log", [](double x) { return std::log(x); }},
      {"floor", [](double x) { return std::floor(x); }},
      {"trunc", [](double x) { return std::trunc(x); }},
      {"round", [](double x) { return std::nearbyint(x); }},  // halves to the even number, as R
      {"ceiling", [](double x) { return std::ceil(x); }}};
  return table;
}

/// The functions of two arguments. Those with a name, min and max, fold any number of them; where
/// one of these is no number, neither is the result.
const std::map<std::string, OfTwo>& functions_of_two() {
  static const std::map<std::string, OfTwo> table = {
      {"+", [](double x, double y) { return x + y; }},
      {"-", [](double x, double y) { return x - y; }},
      {"*", [](double x, double y) { return x * y; }},
      {"/", [](double x, double y) { return x / y; }},
      {"^", [](double x, double y) { return std::pow(x, y); }},
      {"%%", [](double x, double y) { return x - y * std::floor(x / y); }},
      {"min", [](double x, double y) { return std::isnan(x) || x < y ? x : y; }},
      {"max", [](double x, double y) { return std::isnan(x) || x > y ? x : y; }}};
  return table;
}

bool is_known_function(const std::string& name, std::size_t arguments) {
  if (name == "min" || name == "max") return arguments > 0;
  return arguments == 1 && functions_of_one().contains(name);
}

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
    } else if (tokens_.accept("+")) {
      calculation = parse_signed();
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

double calculate(const Calculation& calculation,
                 const std::function<double(const std::string&)>& value) {
  switch (calculation.kind) {
    case Calculation::Kind::kNumber:
      return calculation.number;
    case Calculation::Kind::kText:
      return std::nan("");
    case Calculation::Kind::kParameter:
      return value(calculation.text);
    case Calculation::Kind::kCall:
      break;
  }
  // A minus with one part is the sign, with two parts the difference.
  const double first = calculate(calculation.parts.front(), value);
  const auto single = functions_of_one().find(calculation.text);
  if (calculation.parts.size() == 1 && single != functions_of_one().end()) {
    return single->second(first);
  }
  // R's operators take two parts; min and max fold all of them.
  const OfTwo fold = functions_of_two().at(calculation.text);
  double result = first;
  for (std::size_t i = 1; i < calculation.parts.size(); ++i) {
    result = fold(result, calculate(calculation.parts[i], value));
  }
  return result;
}

void for_each_leaf(const Calculation& calculation,
                   const std::function<void(const Calculation&)>& visit) {
  if (calculation.kind != Calculation::Kind::kCall) visit(calculation);
  for (const Calculation& part : calculation.parts) for_each_leaf(part, visit);
}

Calculation parse_calculation(IraceTokens& tokens) { return CalculationParser(tokens).parse_sum(); }

}  // namespace ntune
