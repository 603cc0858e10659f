#include "space/twin.h"

#include <algorithm>
#include <string>

namespace ntune {

namespace {

Parameter random_parameter(const std::string& name, Rng& rng) {
  static const std::vector<Value> kPool = {std::string("a"),
                                           std::string("true"),
                                           std::string("1"),
                                           std::string(" b: [c] #"),
                                           std::string("null"),
                                           std::string(""),
                                           true,
                                           false,
                                           std::int64_t{1},
                                           std::int64_t{-7},
                                           2.0,
                                           0.1,
                                           1e300,
                                           std::string("range"),
                                           std::string("\n\"\\é\x01")};
  const auto n = static_cast<int>(rng.below(5)) + 1;
  switch (rng.below(7)) {
    case 0:
      return make_boolean(name);
    case 1:
      return make_integers(name, -3, -3 + 4 * n, rng.below(3) + 1);
    case 2:
      return make_range(name, -0.5, 1.0 + rng.uniform(), n, {.high_included = false});
    case 3:
      return make_log_range(name, 1e-3, 7.0, n, {.low_included = false});
    case 4:
      return make_range_by_step(name, -1.0, -1.0 + 0.1 * n, 0.1);
    case 5:
      return make_fixed(name, kPool[rng.below(static_cast<std::uint32_t>(kPool.size()))]);
    default:
      break;
  }
  std::vector<Value> values = kPool;
  for (std::uint32_t i = 0; i < 5; ++i) {
    std::swap(values[i], values[i + rng.below(static_cast<std::uint32_t>(values.size()) - i)]);
  }
  values.resize(static_cast<std::size_t>(n));
  Parameter parameter = make_choices(name, values);
  if (rng.below(4) == 0) parameter.ordered = false;
  return parameter;
}

/// On up to three of the first `count` parameters.
std::vector<Term> random_terms(const std::vector<Parameter>& parameters, int count, Rng& rng) {
  std::vector<Term> terms;
  for (std::uint32_t left = rng.below(3) + 1; left > 0; --left) {
    Term term;
    term.parameter = static_cast<int>(rng.below(static_cast<std::uint32_t>(count)));
    if (std::ranges::count(terms, term.parameter, &Term::parameter) > 0) continue;
    const int values = parameters[static_cast<std::size_t>(term.parameter)].cardinality();
    for (int v = 0; v < values; ++v) {
      if (rng.below(2) == 0) term.values.push_back(static_cast<std::uint16_t>(v));
    }
    if (term.values.empty()) term.values.push_back(0);
    terms.push_back(term);
  }
  return terms;
}

bool slow_holds(const SpaceParts& parts, const Point& point, const std::vector<Term>& terms) {
  for (const Term& term : terms) {
    if (!slow_is_active(parts, point, term.parameter)) return false;
    if (std::ranges::count(term.values, point[term.parameter]) == 0) return false;
  }
  return true;
}

}  // namespace

SpaceParts random_parts(Rng& rng) {
  SpaceParts parts;
  const int d = static_cast<int>(rng.below(6)) + 1;
  for (int i = 0; i < d; ++i) {
    Parameter parameter = random_parameter("p" + std::to_string(i), rng);
    if (i > 0 && rng.below(3) == 0) parameter.when = random_terms(parts.parameters, i, rng);
    while (!parameter.when.empty() && rng.below(3) == 0) {
      parameter.or_when.push_back(random_terms(parts.parameters, i, rng));
    }
    if (parameter.ordered && rng.below(4) == 0) parameter.gains = {rng.uniform() + 1e-9, 0.002};
    parts.parameters.push_back(parameter);
  }
  for (std::uint32_t left = rng.below(6); left > 0; --left) {
    parts.forbidden.push_back(random_terms(parts.parameters, d, rng));
  }
  return parts;
}

bool slow_is_active(const SpaceParts& parts, const Point& point, int i) {
  const Parameter& parameter = parts.parameters[static_cast<std::size_t>(i)];
  return slow_holds(parts, point, parameter.when) ||
         std::ranges::any_of(parameter.or_when, [&](const std::vector<Term>& terms) {
           return slow_holds(parts, point, terms);
         });
}

bool slow_is_allowed(const SpaceParts& parts, const Point& point) {
  for (int i = 0; i < point.size(); ++i) {
    if (point[i] != 0 && !slow_is_active(parts, point, i)) return false;
  }
  for (const Clause& clause : parts.forbidden) {
    if (slow_holds(parts, point, clause)) return false;
  }
  return true;
}

std::vector<Point> slow_grid(const SpaceParts& parts) {
  std::vector<Point> points;
  const int d = static_cast<int>(parts.parameters.size());
  Point point(d);
  while (true) {
    points.push_back(point);
    int i = d - 1;
    while (i >= 0 && point[i] + 1 == parts.parameters[static_cast<std::size_t>(i)].cardinality()) {
      point[i--] = 0;
    }
    if (i < 0) return points;
    ++point[i];
  }
}

std::vector<Point> slow_allowed_points(const SpaceParts& parts) {
  std::vector<Point> points = slow_grid(parts);
  std::erase_if(points, [&](const Point& point) { return !slow_is_allowed(parts, point); });
  return points;
}

std::vector<Point> visited_points(const SearchSpace& space) {
  std::vector<Point> points;
  space.for_each_point([&](const Point& point) {
    points.push_back(point);
    return true;
  });
  return points;
}

}  // namespace ntune
