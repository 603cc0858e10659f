#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

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

}  // namespace ntune
