#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/core/statistics.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// Sums of squares between groups of payoffs and within them.
class GroupedPayoffs {
 public:
  /// A group without payoffs counts for nothing.
  void add(const Moments& group);
  [[nodiscard]] double between() const { return means_.squares; }
  [[nodiscard]] double total() const { return means_.squares + inner_; }
  /// One less than the groups with payoffs.
  [[nodiscard]] double freedom() const { return freedom_; }
  /// Mean square within the groups.
  [[nodiscard]] double within() const;
  /// The share of the variance that goes with the groups.
  [[nodiscard]] double share() const;

 private:
  Moments means_ = {};  ///< of all payoffs as if each were the mean of its group
  double inner_ = 0.0;
  double freedom_ = 0.0;
};

/// Omega squared (Hays 1963): the share of a sum of squares beyond what chance gives.
double omega_squared(double squares, double freedom, double within, double total);

/// Values of a parameter stand in at most so many groups of neighbours.
inline constexpr std::size_t kMostValueGroups = 24;
/// The group of a value among so many: in their order they are spread evenly over the groups.
constexpr std::size_t group_of_value(std::size_t value, std::size_t values) {
  return value * (values < kMostValueGroups ? values : kMostValueGroups) / values;
}

/// Payoffs of searches by the values of each parameter.
class PayoffsByValue {
 public:
  PayoffsByValue() = default;  ///< nothing is known
  explicit PayoffsByValue(const SearchSpace& space);

  [[nodiscard]] bool is_known() const { return !groups_.empty(); }
  /// A payoff counts at the values of the parameters that are active in its point.
  void add(const SearchSpace& space, const Point& point, double payoff);
  /// Adds those of another search of the same space; nothing is known if nothing is of that.
  void merge(const PayoffsByValue& other);
  /// The share of the variance that goes with a parameter, for each; nothing where it has one value
  /// alone. Searches sample what they like: what moved together counts for both.
  [[nodiscard]] std::vector<std::optional<double>> importance() const;

  /// As lists of [n, mean, squares], by parameter and group; empty of an unknown one.
  [[nodiscard]] Json to_json() const;
  /// Those of such lists; of another form nothing is known.
  static PayoffsByValue of_json(const Json& json);

 private:
  std::vector<std::vector<Moments>> groups_;
};

}  // namespace ntune
