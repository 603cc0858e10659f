#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ntune/optim/models/landscape_model.h"

namespace ntune::test {

/// Slow twin of the landscape models: the N-tuple model of Goodman and Lucas (2020, section 2 and
/// eq. 2 to 6) over a map from (tuple, setting) to the statistics of its payoffs. Every score is
/// computed from the definition. The formulas of weightings and explorations are those of the
/// tables, which the tests of CountTable hold to values worked by hand.
class ReferenceModel {
 public:
  struct Statistics {
    std::int64_t count = 0;
    long double sum = 0.0L;
    long double sum_squares = 0.0L;

    void add(double payoff) {
      ++count;
      const auto value = static_cast<long double>(payoff);
      sum += value;
      sum_squares += value * value;
    }
    [[nodiscard]] double mean() const {
      return count == 0 ? 0.0 : static_cast<double>(sum / static_cast<long double>(count));
    }
    [[nodiscard]] double deviations() const {
      return static_cast<double>(sum_squares - sum * sum / static_cast<long double>(count));
    }
  };
  using Tuple = std::vector<int>;  ///< parameters, ascending
  using Setting = std::vector<int>;

  ReferenceModel(const SearchSpace& space, const ModelOptions& options) : options_(options) {
    Tuple free;
    for (int i = 0; i < space.dimensions(); ++i) {
      if (space[i].cardinality() > 1) free.push_back(i);
    }
    for (const int size : options.tuples.sizes) hold_subsets(free, size);
    for (const Tuple& named : options.tuples.named) {
      Tuple tuple;
      for (const int i : named) {
        if (space[i].cardinality() > 1) tuple.push_back(i);
      }
      if (!tuple.empty()) tuples_.push_back(tuple);
    }
    if (options.tuples.all || tuples_.empty()) tuples_.push_back(free);
    for (const Tuple& tuple : tuples_) below_.push_back(maximal_subsets(tuple));
    for (std::size_t t = 0; t < tuples_.size(); ++t) {
      const bool below_another = std::ranges::any_of(
          tuples_, [&](const Tuple& other) { return is_proper_subset(tuples_[t], other); });
      if (!below_another) top_.push_back(t);
    }
  }

  void add(const Point& point, double payoff) {
    ++total_;
    sum_ += static_cast<long double>(payoff);
    for (std::size_t t = 0; t < tuples_.size(); ++t) cells_[{t, setting(t, point)}].add(payoff);
    points_[point].add(payoff);
  }

  [[nodiscard]] Score score(const Point& point) const {
    return {.mean = mean(point), .exploration = exploration(point)};
  }

  void focus(const Point& point) { focus_ = point; }
  [[nodiscard]] Score score_neighbour(Changes changes) const {
    Point neighbour = focus_;
    for (const Change& change : changes) neighbour[change.parameter] = change.value;
    return score(neighbour);
  }

  [[nodiscard]] const std::map<Point, Statistics>& points() const { return points_; }
  [[nodiscard]] std::size_t tuples() const { return tuples_.size(); }

 private:
  void hold_subsets(const Tuple& free, int size) {
    Tuple tuple;
    const auto extend = [&](const auto& self, std::size_t from) -> void {
      if (static_cast<int>(tuple.size()) == size) {
        tuples_.push_back(tuple);
        return;
      }
      for (std::size_t i = from; i < free.size(); ++i) {
        tuple.push_back(free[i]);
        self(self, i + 1);
        tuple.pop_back();
      }
    };
    extend(extend, 0);
  }

  static bool is_proper_subset(const Tuple& small, const Tuple& large) {
    return small.size() < large.size() && std::ranges::includes(large, small);
  }

  /// The level below a tuple: the held proper subsets that lie in no other held proper subset.
  [[nodiscard]] std::vector<std::size_t> maximal_subsets(const Tuple& tuple) const {
    std::vector<std::size_t> maximal;
    for (std::size_t s = 0; s < tuples_.size(); ++s) {
      if (!is_proper_subset(tuples_[s], tuple)) continue;
      const bool covered = std::ranges::any_of(tuples_, [&](const Tuple& between) {
        return is_proper_subset(between, tuple) && is_proper_subset(tuples_[s], between);
      });
      if (!covered) maximal.push_back(s);
    }
    return maximal;
  }

  [[nodiscard]] Setting setting(std::size_t t, const Point& point) const {
    Setting values;
    for (const int i : tuples_[t]) values.push_back(point[i]);
    return values;
  }

  [[nodiscard]] Statistics cell(std::size_t t, const Point& point) const {
    const auto found = cells_.find({t, setting(t, point)});
    return found == cells_.end() ? Statistics() : found->second;
  }

  [[nodiscard]] double mean(const Point& point) const {
    double sum = 0.0;
    if (options_.weighted()) {
      for (const std::size_t t : top_) sum += weighted_value(t, point);
      return sum / static_cast<double>(top_.size());
    }
    int with_data = 0;
    for (std::size_t t = 0; t < tuples_.size(); ++t) {
      const Statistics statistics = cell(t, point);
      if (statistics.count == 0) continue;
      sum += statistics.mean();
      ++with_data;
    }
    return with_data == 0 ? unseen() : sum / with_data;
  }

  /// Eq. 6; at the lowest level the tuple's own mean.
  [[nodiscard]] double weighted_value(std::size_t t, const Point& point) const {
    const Statistics statistics = cell(t, point);
    if (below_[t].empty()) return statistics.count == 0 ? unseen() : statistics.mean();
    double below = 0.0;
    for (const std::size_t s : below_[t]) below += weighted_value(s, point);
    const double w =
        options_.weighting->weight(static_cast<double>(statistics.count), options_.horizon);
    return w * statistics.mean() + (1.0 - w) * below / static_cast<double>(below_[t].size());
  }

  /// What a tuple without payoffs is worth.
  [[nodiscard]] double unseen() const {
    if (options_.unseen_is_zero || total_ == 0) return 0.0;
    return static_cast<double>(sum_ / static_cast<long double>(total_));
  }

  [[nodiscard]] double exploration(const Point& point) const {
    double sum = 0.0;
    for (std::size_t t = 0; t < tuples_.size(); ++t) {
      sum += options_.exploration->term(static_cast<double>(cell(t, point).count),
                                        static_cast<double>(total_), options_.epsilon);
    }
    return sum / static_cast<double>(tuples_.size());
  }

  ModelOptions options_;
  std::vector<Tuple> tuples_;
  std::vector<std::vector<std::size_t>> below_;
  std::vector<std::size_t> top_;
  std::map<std::pair<std::size_t, Setting>, Statistics> cells_;
  std::map<Point, Statistics> points_;
  std::int64_t total_ = 0;
  long double sum_ = 0.0L;  ///< of all payoffs
  Point focus_;
};

}  // namespace ntune::test
