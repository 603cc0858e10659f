#include "ntune/space/import/constraints.h"

#include <algorithm>
#include <compare>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/space/import/comparison.h"
#include "ntune/space/value_checks.h"

namespace ntune {

namespace {

/// Whether the comparison needs no order of the values.
bool is_equality(Comparison comparison) {
  return comparison == Comparison::kEqual || comparison == Comparison::kNotEqual;
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
    const bool equal = std::ranges::any_of(
        test.values, [&](const Value& other) { return std::is_eq(compare(value, other)); });
    return equal == (test.comparison == Comparison::kEqual);
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
  Disjunction any;
  // For each value on the left, the mask has the values on the right that satisfy the relation.
  for (std::size_t i = 0; i < at(left).values.size(); ++i) {
    meter_.add(others.size() + at(left).values.size());
    Mask mask;
    for (const Value& other : others) {
      mask.push_back(holds(compare(at(left).values[i], other), relation.comparison) != negated);
    }
    if (std::ranges::count(mask, true) == 0) continue;
    Mask single(at(left).values.size(), false);
    single[i] = true;
    any.push_back({{left, std::move(single)}, {right, std::move(mask)}});
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
