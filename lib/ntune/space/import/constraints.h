#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ntune/space/constraints.h"
#include "ntune/space/import/source.h"

namespace ntune {

/// A constraint that value lists cannot say, and why.
class NotTranslated : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Most conjunctions that one constraint may take.
inline constexpr std::size_t kMostCombinations = 1'000;

using Mask = std::vector<bool>;           ///< of the values of one parameter
using Conjunction = std::map<int, Mask>;  ///< by parameter; without any: true

/// Counts values looked at, so that no file takes longer than about 0.3 s. Calls `fail` then.
class WorkMeter {
 public:
  explicit WorkMeter(std::function<void()> fail) : fail_(std::move(fail)) {}

  void add(std::size_t work);
  void add(const Conjunction& conjunction);

 private:
  std::function<void()> fail_;
  std::size_t work_ = 0;
};

/// Alternatives of which at least one holds: disjunctive normal form. None: false.
using Disjunction = std::vector<Conjunction>;

[[noreturn]] void fail_too_many();

/// Both hold. Throws NotTranslated beyond kMostCombinations.
Disjunction both(const Disjunction& a, const Disjunction& b, WorkMeter& meter);

/// Fewer alternatives with the same meaning: drops needless terms and alternatives, and unites
/// those that differ in the values of one parameter. A term with every value is needless where
/// `is_always_active` says so of its parameter.
void simplify(Disjunction& any, const std::function<bool(int)>& is_always_active, WorkMeter& meter);

/// Throws InputError: the constraint cannot be said as lists of values.
[[noreturn]] void refuse(const Constraint& constraint, const char* what, const std::string& reason);

/// Turns expressions into lists of allowed values, by disjunctive normal form over the discretised
/// values.
class ConstraintTranslator {
 public:
  /// `parameters` are those of `source` in the same order, without conditions, and `never` says
  /// which of them are never active. All must outlive the translator.
  ConstraintTranslator(const SourceSpace& source, const std::vector<Parameter>& parameters,
                       const std::vector<bool>& never);
  ConstraintTranslator(const ConstraintTranslator&) = delete;
  ConstraintTranslator& operator=(const ConstraintTranslator&) = delete;

  /// The combinations of which at least one holds: none where it never holds, one without terms
  /// where it always does. Throws InputError for what lists of values cannot say.
  /// `what` is the constraint in the message.
  std::vector<Clause> alternatives(const Constraint& constraint, const char* what);
  /// Values that tests name and their parameters lack, each once, with their places.
  [[nodiscard]] const std::vector<std::string>& foreign_values() const { return foreign_values_; }

 private:
  std::vector<Clause> translated(const Constraint& constraint);
  Disjunction expand(const Expression& expression, bool negated);
  Disjunction expand_test(const Expression& expression, bool negated);
  Disjunction expand_relation(const Expression& expression, bool negated);
  Disjunction expand_calculation(const Expression& expression, bool negated);
  Disjunction expand_combinations(
      const std::vector<int>& parameters, std::size_t work,
      const std::function<bool(const std::vector<std::size_t>& chosen)>& passes);
  [[nodiscard]] std::vector<int> calculated_with(const Expression& expression) const;

  void check_values(const Expression& test, int parameter);
  [[nodiscard]] bool is_never(int i) const { return never_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] int find(const std::string& name) const;
  [[nodiscard]] const Parameter& at(int i) const {
    return parameters_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] const SourceChoices* choices(int i) const;
  void shorten(Disjunction& any);
  std::vector<Term> terms(const Conjunction& conjunction);

  const SourceSpace& source_;
  const std::vector<Parameter>& parameters_;
  const std::vector<bool>& never_;
  const Constraint* constraint_ = nullptr;  ///< the one at work
  WorkMeter meter_;
  std::size_t listed_ = 0;  ///< values in results
  std::vector<std::string> foreign_values_;
};

/// Calls visit(parameter, values) for every test of equality in the expression.
void for_each_tested(
    const Expression& expression,
    const std::function<void(const std::string&, const std::vector<Value>&)>& visit);

}  // namespace ntune
