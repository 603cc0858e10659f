#include "ntune/space/import/constraints.h"

#include <algorithm>
#include <compare>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/space/value_checks.h"

namespace ntune {

namespace {

/// Whether the comparison needs no order of the values.
bool is_equality(Comparison comparison) {
  return comparison == Comparison::kEqual || comparison == Comparison::kNotEqual;
}

bool holds(std::weak_ordering order, Comparison comparison) {
  const unsigned bit = std::is_lt(order) ? 1U : std::is_eq(order) ? 2U : 4U;
  return (static_cast<unsigned>(comparison) & bit) != 0;
}

bool are_numbers(const std::vector<Value>& values) {
  return std::ranges::all_of(values, is_number);
}

}  // namespace

void for_each_tested(
    const Expression& expression,
    const std::function<void(const std::string&, const std::vector<Value>&)>& visit) {
  if (expression.kind == Expression::Kind::kTest && is_equality(expression.comparison)) {
    visit(expression.parameter, expression.values);
  }
  for (const Expression& part : expression.parts) for_each_tested(part, visit);
}

ConstraintTranslator::ConstraintTranslator(const SourceSpace& source,
                                           const std::vector<Parameter>& parameters,
                                           const std::vector<bool>& never)
    : source_(source), parameters_(parameters), never_(never), meter_([this] {
        // Work is limited for the whole file, and not for each constraint.
        fail_at(constraint_->place,
                "the conditions and forbidden combinations up to here take too much work to "
                "translate; fewer points for wide ranges may help");
      }) {}

// An unknown name is an error of the file and not of the translation, so it ends the import.
int ConstraintTranslator::find(const std::string& name) const {
  const auto found = std::ranges::find(parameters_, name, &Parameter::name);
  if (found != parameters_.end()) return static_cast<int>(found - parameters_.begin());
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters_) names.push_back(parameter.name);
  fail_at(constraint_->place,
          fmt::format("there is no parameter '{}'{}", printable(name), suggestion(name, names)));
}

const SourceChoices* ConstraintTranslator::choices(int i) const {
  return std::get_if<SourceChoices>(&source_.parameters[static_cast<std::size_t>(i)].domain);
}

void ConstraintTranslator::check_values(const Expression& test, int parameter) {
  // Only a list of choices can tell that a value is wrong; a range is only a sample of its values.
  if (!is_equality(test.comparison) || choices(parameter) == nullptr) return;
  for (const Value& value : test.values) {
    if (at(parameter).find(value) >= 0) continue;
    const std::string message = fmt::format("{} is no value of '{}'; allowed: {}", shown(value),
                                            printable(test.parameter), shown(at(parameter).values));
    if (!source_.tests_foreign_values) fail_at(constraint_->place, message);
    const std::string note = fmt::format("{}: {}; nothing equals it", constraint_->place, message);
    if (std::ranges::count(foreign_values_, note) == 0) foreign_values_.push_back(note);
  }
}

Disjunction ConstraintTranslator::expand_test(const Expression& test, bool negated) {
  const int parameter = find(test.parameter);
  const std::vector<Value>& values = at(parameter).values;
  meter_.add(values.size() * std::max<std::size_t>(1, test.values.size()));
  check_values(test, parameter);
  if (is_never(parameter)) return {};
  const SourceChoices* list = choices(parameter);
  const bool is_order = !is_equality(test.comparison);
  // An ordinal parameter is compared by the places of its values, if the limit is one of them.
  const int limit = is_order ? at(parameter).find(test.values.front()) : -1;
  const bool by_place = limit >= 0 && list != nullptr && list->by_place;
  if (is_order && !by_place && !(are_numbers(values) && are_numbers(test.values))) {
    throw NotTranslated(fmt::format("the values of '{}' have no order", printable(test.parameter)));
  }
  // An order is to one value; equality is to any of the values.
  const auto passes = [&](int i) {
    if (by_place) return holds(i <=> limit, test.comparison);
    const Value& value = values[static_cast<std::size_t>(i)];
    if (is_order) return holds(compare(value, test.values.front()), test.comparison);
    return (find_value(test.values, value) >= 0) == (test.comparison == Comparison::kEqual);
  };
  Mask mask;
  // A test that is negated keeps the other values. It never holds where the parameter is inactive,
  // negated or not.
  for (int i = 0; i < at(parameter).cardinality(); ++i) mask.push_back(passes(i) != negated);
  if (std::ranges::count(mask, true) == 0) return {};
  return {{{parameter, std::move(mask)}}};
}

Disjunction ConstraintTranslator::expand_relation(const Expression& relation, bool negated) {
  const int left = find(relation.parameter);
  const int right = find(relation.other);
  if (left == right) throw NotTranslated("it compares a parameter with itself");
  if (is_never(left) || is_never(right)) return {};
  const std::vector<Value>& others = at(right).values;
  if (!is_equality(relation.comparison) && !(are_numbers(at(left).values) && are_numbers(others))) {
    throw NotTranslated("it orders texts");
  }
  // Each value of the left side may need a conjunction of its own.
  if (at(left).values.size() > kMostCombinations) fail_too_many();
  const std::size_t work = others.size() + at(left).values.size();
  return expand_combinations({left, right}, work, [&](const std::vector<std::size_t>& chosen) {
    const std::weak_ordering order = compare(at(left).values[chosen[0]], others[chosen[1]]);
    return holds(order, relation.comparison) != negated;
  });
}

/// The parameters of a calculation, each once; that with the most values comes last.
std::vector<int> ConstraintTranslator::calculated_with(const Expression& expression) const {
  std::vector<int> parameters;
  for (const Calculation& side : expression.sides) {
    for_each_leaf(side, [&](const Calculation& leaf) {
      if (leaf.kind != Calculation::Kind::kParameter) return;
      const int parameter = find(leaf.text);
      if (std::ranges::find(parameters, parameter) == parameters.end()) {
        parameters.push_back(parameter);
      }
    });
  }
  if (parameters.empty()) throw NotTranslated("it names no parameter");
  for (const int parameter : parameters) {
    if (are_numbers(at(parameter).values)) continue;
    throw NotTranslated(fmt::format("it calculates with '{}', whose values are no numbers",
                                    printable(at(parameter).name)));
  }
  // The last parameter needs no combinations of its own, as its values form a mask. So the one with
  // most values comes last.
  std::ranges::stable_sort(parameters, {}, [this](int i) { return at(i).cardinality(); });
  return parameters;
}

Disjunction ConstraintTranslator::expand_calculation(const Expression& expression, bool negated) {
  const std::vector<int> parameters = calculated_with(expression);
  if (std::ranges::any_of(parameters, [this](int i) { return is_never(i); })) return {};
  // A calculation costs about as much as looking at 20 values.
  constexpr std::size_t kWorkOfOne = 20;
  const std::size_t work = kWorkOfOne * at(parameters.back()).values.size() * parameters.size();
  return expand_combinations(parameters, work, [&](const std::vector<std::size_t>& chosen) {
    const auto value = [&](const std::string& name) {
      const auto place = std::ranges::find(parameters, find(name)) - parameters.begin();
      const auto index = static_cast<std::size_t>(place);
      return value_number(at(parameters[index]).values[chosen[index]]);
    };
    const auto order =
        calculate(expression.sides[0], value) <=> calculate(expression.sides[1], value);
    if (order == std::partial_ordering::unordered) return false;  // R's NA, NaN
    const auto known = order < 0   ? std::weak_ordering::less
                       : order > 0 ? std::weak_ordering::greater
                                   : std::weak_ordering::equivalent;
    return holds(known, expression.comparison) != negated;
  });
}

/// Every combination of all parameters but the last, with the values that this one then may have.
/// `chosen` has an index into the values of each; looking at those of the last costs `work`.
Disjunction ConstraintTranslator::expand_combinations(
    const std::vector<int>& parameters, std::size_t work,
    const std::function<bool(const std::vector<std::size_t>& chosen)>& passes) {
  const int last = parameters.back();
  std::vector<std::size_t> chosen(parameters.size(), 0);
  Disjunction any;
  for (bool more = true; more;) {
    meter_.add(work);
    Conjunction conjunction;
    // All but the last parameter are fixed to one value each.
    for (std::size_t i = 0; i + 1 < parameters.size(); ++i) {
      Mask& single = conjunction[parameters[i]];
      single.assign(at(parameters[i]).values.size(), false);
      single[chosen[i]] = true;
    }
    Mask mask;
    // The mask has the values of the last parameter that pass with these.
    for (chosen.back() = 0; chosen.back() < at(last).values.size(); ++chosen.back()) {
      mask.push_back(passes(chosen));
    }
    if (std::ranges::count(mask, true) > 0) {
      conjunction[last] = std::move(mask);
      any.push_back(std::move(conjunction));
      if (any.size() > kMostCombinations) fail_too_many();
    }
    // Counts on to the next combination like an odometer.
    more = false;
    for (std::size_t i = 0; i + 1 < parameters.size() && !more; ++i) {
      more = ++chosen[i] < at(parameters[i]).values.size();
      if (!more) chosen[i] = 0;
    }
  }
  return any;
}

Disjunction ConstraintTranslator::expand(const Expression& expression, bool negated) {
  switch (expression.kind) {
    case Expression::Kind::kTest:
      return expand_test(expression, negated);
    case Expression::Kind::kRelation:
      return expand_relation(expression, negated);
    case Expression::Kind::kCalculation:
      return expand_calculation(expression, negated);
    case Expression::Kind::kNot:
      return expand(expression.parts.front(), !negated);
    case Expression::Kind::kOpaque:
      throw NotTranslated(expression.reason);
    case Expression::Kind::kAll:
    case Expression::Kind::kAny:
      break;
  }
  // De Morgan: a negated conjunction is a disjunction of negated parts, and the other way round.
  if ((expression.kind == Expression::Kind::kAll) != negated) {
    Disjunction all = {{}};
    for (const Expression& part : expression.parts) {
      // Shortening after each part keeps the intermediate forms small.
      all = both(all, expand(part, negated), meter_);
      shorten(all);
    }
    return all;
  }
  Disjunction any;
  for (const Expression& part : expression.parts) {
    Disjunction more = expand(part, negated);
    if (any.size() + more.size() > kMostCombinations) fail_too_many();
    std::ranges::move(more, std::back_inserter(any));
  }
  return any;
}

void ConstraintTranslator::shorten(Disjunction& any) {
  // A term with all values still says that its parameter is active, unless it always is.
  const auto is_always_active = [&](int i) {
    return !source_.parameters[static_cast<std::size_t>(i)].condition.has_value();
  };
  simplify(any, is_always_active, meter_);
}

std::vector<Term> ConstraintTranslator::terms(const Conjunction& conjunction) {
  constexpr std::size_t kMostListed = 50'000;
  std::vector<Term> list;
  for (const auto& [parameter, mask] : conjunction) {
    Term term{.parameter = parameter, .values = {}};
    for (std::size_t i = 0; i < mask.size(); ++i) {
      if (mask[i]) term.values.push_back(static_cast<std::uint16_t>(i));
    }
    listed_ += term.values.size();
    list.push_back(std::move(term));
  }
  if (listed_ > kMostListed) {
    fail_at(constraint_->place,
            fmt::format("the conditions and forbidden combinations up to here list more than the "
                        "{} values allowed",
                        kMostListed));
  }
  return list;
}

std::vector<Clause> ConstraintTranslator::translated(const Constraint& constraint) {
  constraint_ = &constraint;
  Disjunction any = expand(constraint.expression, false);
  shorten(any);
  std::vector<Clause> list;
  for (const Conjunction& conjunction : any) list.push_back(terms(conjunction));
  return list;
}

std::vector<Clause> ConstraintTranslator::alternatives(const Constraint& constraint,
                                                       const char* what) {
  try {
    return translated(constraint);
  } catch (const NotTranslated& reason) {
    refuse(constraint, what, reason.what());
  }
}

void refuse(const Constraint& constraint, const char* what, const std::string& reason) {
  fail_at(constraint.place,
          fmt::format("{} cannot be said as lists of values: {} ({}); write it as tests of "
                      "parameters against values, or take it out",
                      what, printable(constraint.text), reason));
}

}  // namespace ntune
