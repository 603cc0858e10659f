// Strengths over tuples: a filter without covariances, beside a slow twin.

#include "ntune/optim/duels/tuple_strengths.h"

#include <cmath>
#include <map>
#include <string>

#include "catch.h"
#include "ntune/core/rng.h"
#include "support/spaces.h"

namespace ntune {

using Catch::Matchers::WithinAbs;

namespace {

/// The same by names of tuples, for unordered parameters that are all active.
class SlowTwin {
 public:
  explicit SlowTwin(const SearchSpace& space) : space_(space) {}

  std::map<std::string, double> signs(const Point& first, const Point& second) const {
    std::map<std::string, double> signs;
    for (const std::string& name : names(first)) signs[name] += 1.0;
    for (const std::string& name : names(second)) signs[name] -= 1.0;
    std::erase_if(signs, [](const auto& entry) { return entry.second == 0.0; });
    return signs;
  }
  Belief difference(const Point& first, const Point& second) const {
    Belief belief{.sd = 0.0};
    for (const auto& [name, sign] : signs(first, second)) {
      belief.mean += sign * mean(name);
      *belief.sd += variance(name);
    }
    belief.sd = std::sqrt(*belief.sd);
    return belief;
  }
  void record(const Point& first, const Point& second, double score, double games,
              const DrawModel& draws) {
    const Belief before = difference(first, second);
    const double unit = draws.per_elo();
    const double information = unit * unit * games * draws.variance(unit * before.mean);
    const double surprise = unit * games * (score - 0.5 - draws.excess(unit * before.mean));
    const double all = 1.0 + information * *before.sd * *before.sd;
    for (const auto& [name, sign] : signs(first, second)) {
      const double before_it = variance(name);
      means_[name] += sign * before_it * surprise / all;
      variances_[name] = before_it - before_it * before_it * information / all;
    }
  }

 private:
  std::vector<std::string> names(const Point& point) const {
    std::vector<std::string> names;
    std::string whole = "whole";
    for (int i = 0; i < point.size(); ++i) {
      names.push_back(std::to_string(i) + "=" + std::to_string(point[i]));
      whole += " " + std::to_string(point[i]);
      for (int j = 0; j < i; ++j) {
        names.push_back("pair " + std::to_string(i) + "=" + std::to_string(point[i]) + " " +
                        std::to_string(j) + "=" + std::to_string(point[j]));
      }
    }
    names.push_back(whole);
    return names;
  }
  double mean(const std::string& name) const {
    const auto found = means_.find(name);
    return found == means_.end() ? 0.0 : found->second;
  }
  double variance(const std::string& name) const {
    const auto found = variances_.find(name);
    if (found != variances_.end()) return found->second;
    const double d = space_.dimensions();
    if (name.starts_with("pair")) return 0.5 * 3600.0 / (0.5 * d * (d - 1.0));
    return name.starts_with("whole") ? 0.05 * 3600.0 : 3600.0 / d;
  }

  const SearchSpace& space_;
  std::map<std::string, double> means_;
  std::map<std::string, double> variances_;
};

}  // namespace

TEST_CASE("tuples on differences: means and variances are those of the slow twin") {
  const SearchSpace space =
      test::yaml_space("{a: [x, y, z], b: [x, y], c: [p, q, r, s], d: [x, y]}");
  TupleStrengths strengths(space);
  SlowTwin twin(space);
  Rng rng(3);
  for (int i = 0; i < 200; ++i) {
    const Point first = space.sample(rng);
    const Point second = space.sample(rng);
    if (first == second) continue;
    const double score = rng.below(2) == 1 ? 1.0 : 0.0;
    twin.record(first, second, score, 1.0, strengths.draws());
    strengths.record(first, second, {.score = score});
    const Point one = space.sample(rng);
    const Point other = space.sample(rng);
    const Belief expected = twin.difference(one, other);
    const Belief found = strengths.difference(strengths.settings(one), strengths.settings(other));
    // The whole point counts as different from itself.
    if (one == other) continue;
    REQUIRE_THAT(found.mean, WithinAbs(expected.mean, 1e-9));
    REQUIRE_THAT(*found.sd, WithinAbs(*expected.sd, 1e-9));
  }
}

TEST_CASE(
    "tuples on differences: of two arms that met often, the strength is that of their games") {
  const SearchSpace space = test::yaml_space("{arm: [a, b]}");
  TupleStrengths strengths(space);
  Point first(1);
  Point second(1);
  second[0] = 1;
  Rng rng(1);
  for (int i = 0; i < 4000; ++i) {
    strengths.record(first, second, {.score = rng.bernoulli(0.6) ? 1.0 : 0.0});
  }
  const Belief lead = strengths.difference(strengths.settings(first), strengths.settings(second));
  const double score = 0.5 + strengths.draws().excess(strengths.draws().per_elo() * lead.mean);
  CHECK_THAT(score, WithinAbs(0.6, 0.03));
  CHECK(*lead.sd < 10.0);
}

TEST_CASE("tuples on differences: neighbours of an ordered parameter share") {
  const SearchSpace space = test::yaml_space("{x: {integers: [0, 31]}}");
  TupleStrengths strengths(space);
  const auto at = [](int value) {
    Point point(1);
    point[0] = static_cast<std::uint16_t>(value);
    return point;
  };
  for (int i = 0; i < 50; ++i) strengths.record(at(20), at(2), {.score = 1.0});
  const auto lead = [&](int one, int other) {
    return strengths.difference(strengths.settings(at(one)), strengths.settings(at(other))).mean;
  };
  CHECK(lead(20, 2) > lead(21, 3));
  CHECK(lead(21, 3) > lead(30, 10));
  CHECK(lead(30, 10) > 0.0);
}

}  // namespace ntune
