#pragma once

#include <bitset>
#include <cstddef>
#include <optional>
#include <vector>

#include "ntune/space/parameter.h"
#include "ntune/space/point.h"

namespace ntune {

/// Some of the parameters of a space, by index.
class ParameterSet {
 public:
  static ParameterSet all() {
    ParameterSet set;
    set.bits_.set();
    return set;
  }

  void add(int parameter) { bits_.set(static_cast<std::size_t>(parameter)); }
  void remove(int parameter) { bits_.reset(static_cast<std::size_t>(parameter)); }
  [[nodiscard]] bool has(int parameter) const { return bits_[static_cast<std::size_t>(parameter)]; }
  [[nodiscard]] bool is_within(const ParameterSet& other) const {
    return (bits_ & ~other.bits_).none();
  }

 private:
  std::bitset<kMaxDimensions> bits_;
};

/// A forbidden combination: points where all terms hold (and their parameters are active).
using Clause = std::vector<Term>;

/// All terms match, and their parameters are active.
bool all_hold(const std::vector<Term>& terms, const Point& point, const ParameterSet& active);

/// Whether the parameter's condition holds, or it has none.
bool condition_holds(const Parameter& parameter, const Point& point, const ParameterSet& active);

/// Calls visit(terms) for `when` and for each alternative to it.
template <class AnyParameter, class Visit>
void for_each_condition(AnyParameter& parameter, const Visit& visit) {
  visit(parameter.when);
  for (auto& terms : parameter.or_when) visit(terms);
}

/// Parameters that conditions and clauses link, directly or by way of others.
struct LinkedGroup {
  std::vector<int> parameters;  ///< ascending
  std::vector<int> clauses;     ///< indices of the clauses on them
};

/// Every parameter in one group; all those that nothing constrains in the first.
std::vector<LinkedGroup> link(const std::vector<Parameter>& parameters,
                              const std::vector<Clause>& forbidden);

/// Allowed settings of a group's parameters.
struct GroupCount {
  double points = 0.0;
  Point example;  ///< one of them, if there are any; other parameters have their first value
};

/// Counts exactly (up to 2^53). Nothing if that takes more than `work` steps; those taken are
/// subtracted.
std::optional<GroupCount> count_points(const std::vector<Parameter>& parameters,
                                       const std::vector<Clause>& forbidden,
                                       const LinkedGroup& group, std::size_t& work);

}  // namespace ntune
