// The N-tuple model with shared payoffs against its definition, summed over all payoffs.

#include "ntune/optim/models/smoothed_model.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "catch.h"
#include "support/spaces.h"

namespace ntune {

using test::grid_space;
using test::yaml_space;

namespace {

/// Slow twin: keeps what it was told, and works every tuple out anew.
class PlainSmoothedModel {
 public:
  PlainSmoothedModel(const SearchSpace& space, const ModelOptions& options)
      : space_(&space), options_(options) {}

  void add(const Point& point, double payoff) { told_.emplace_back(point, payoff); }
  void add_pending(const Point& point) { pending_.push_back(point); }
  void remove_pending(const Point& point) { pending_.erase(std::ranges::find(pending_, point)); }

  [[nodiscard]] Score score(const Point& point) const {
    std::vector<std::vector<int>> tuples;
    for (int i = 0; i < space_->dimensions(); ++i) {
      if ((*space_)[i].cardinality() < 2) continue;
      tuples.push_back({i});
      for (int j = 0; j < i; ++j) {
        if ((*space_)[j].cardinality() > 1) tuples.push_back({i, j});
      }
    }
    tuples.emplace_back();  // the d-tuple
    double value = 0.0;
    double seen = 0.0;
    double exploration = 0.0;
    for (const std::vector<int>& tuple : tuples) {
      double payoffs = 0.0;  // of the tuple's own values
      for (const auto& [other, payoff] : told_) {
        payoffs += weight(tuple, point, other) == 1.0 ? 1.0 : 0.0;
      }
      const double share = options_.horizon / (options_.horizon + payoffs);
      double count = 0.0;
      double sum = 0.0;
      for (const auto& [other, payoff] : told_) {
        const double w = weight(tuple, point, other);
        count += w == 1.0 ? 1.0 : share * w;
        sum += (w == 1.0 ? 1.0 : share * w) * payoff;
      }
      double visits = count;
      for (const Point& other : pending_) {
        const double w = weight(tuple, point, other);
        visits += w == 1.0 ? 1.0 : share * w;
      }
      if (count > 0.0) value += std::min(count, 1.0) * sum / count;
      seen += std::min(count, 1.0);
      exploration += options_.exploration->term(
          visits, static_cast<double>(told_.size() + pending_.size()), options_.epsilon);
    }
    double unseen = 0.0;  // the mean of all payoffs
    for (const auto& [other, payoff] : told_) unseen += payoff / static_cast<double>(told_.size());
    return {.mean = seen > 1e-6 ? value / seen : unseen,
            .exploration = exploration / static_cast<double>(tuples.size())};
  }

 private:
  [[nodiscard]] double weight(const std::vector<int>& tuple, const Point& a, const Point& b) const {
    if (tuple.empty()) return a == b ? 1.0 : 0.0;
    double product = 1.0;
    for (const int i : tuple) {
      if (a[i] == b[i]) continue;
      if (!(*space_)[i].ordered) return 0.0;
      const double distance = std::abs(a[i] - b[i]) / ((*space_)[i].cardinality() - 1.0);
      const double factor = std::exp(-0.5 * std::pow(distance / options_.bandwidth, 2.0));
      if (factor < 0.05) return 0.0;
      product *= factor;
    }
    return product < 0.05 ? 0.0 : product;
  }
  const SearchSpace* space_;
  ModelOptions options_;
  std::vector<std::pair<Point, double>> told_;
  std::vector<Point> pending_;
};

void expect_equal(const Score& score, const Score& wanted) {
  REQUIRE(score.mean == Approx(wanted.mean).epsilon(1e-9).margin(1e-9));
  REQUIRE(score.exploration == Approx(wanted.exploration).epsilon(1e-9).margin(1e-7));
}

void follow(const SearchSpace& space, const ModelOptions& options, std::uint64_t seed) {
  SmoothedModel model(space, options, 60);
  PlainSmoothedModel plain(space, options);
  Rng rng(seed);
  std::vector<Point> pending;
  for (int i = 0; i < 60; ++i) {
    const Point point = space.sample(rng);
    if (i > 0 && rng.bernoulli(0.3)) {
      model.add_pending(point);
      plain.add_pending(point);
      pending.push_back(point);
    } else if (!pending.empty() && rng.bernoulli(0.3)) {
      model.remove_pending(pending.back());
      plain.remove_pending(pending.back());
      pending.pop_back();
    }
    const double payoff = rng.normal();
    model.add(point, payoff);
    plain.add(point, payoff);
    const Point focus = rng.bernoulli(0.5) ? point : space.sample(rng);
    expect_equal(model.score(focus), plain.score(focus));
    model.focus(focus);
    const Point other = space.sample(rng);
    std::vector<Change> changes;
    for (int p = 0; p < space.dimensions(); ++p) {
      if (other[p] == focus[p] && rng.bernoulli(0.5)) continue;
      changes.push_back({static_cast<std::uint16_t>(p), other[p]});
    }
    expect_equal(model.score_neighbour(changes), plain.score(other));
  }
}

}  // namespace

TEST_CASE("the smoothed model equals its definition") {
  std::uint64_t seed = 0;
  for (const Exploration& exploration : kExplorations) {
    CAPTURE(exploration.name);
    for (const double bandwidth : {0.05, 0.2, 1.0}) {
      const ModelOptions options = {
          .horizon = 3.0, .exploration = &exploration, .epsilon = 0.5, .bandwidth = bandwidth};
      follow(grid_space({9, 5, 1, 2}), options, ++seed);
      follow(grid_space({12}), options, ++seed);
      follow(yaml_space("{a: [1, 2, 4, 8], b: [red, green, blue], c: {boolean: }}"), options,
             ++seed);
    }
  }
}

TEST_CASE("the smoothed model stands values in great number") {
  const SearchSpace space = grid_space({65'535, 3, 65'535});
  SmoothedModel model(space, {}, 10);
  Point point(3);
  model.add(point, 1.0);
  point[0] = 1;
  CHECK(model.score(point).mean == Approx(1.0));
  point[0] = 30'000;
  CHECK(model.score(point).exploration > 0.0);
}

TEST_CASE("the smoothed model forgets shared payoffs at the widest bandwidth, too") {
  // Beyond 1e6 the weight of a neighbouring value is rounded to 1.
  const SearchSpace space = grid_space({101, 101});
  const auto mean = [&](double bandwidth) {
    SmoothedModel model(space, {.bandwidth = bandwidth}, 1000);
    for (int i = 0; i < 300; ++i) {
      model.add(test::make_point({0, 0}), 0.0);
      model.add(test::make_point({1, 1}), 1.0);
    }
    return model.score(test::make_point({0, 0})).mean;
  };
  CHECK(mean(1e6) == Approx(mean(1e3)).epsilon(1e-3));
  CHECK(mean(1e6) < 0.1);
}

}  // namespace ntune
