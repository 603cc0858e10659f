#include "ntune/objective/instanced_objective.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

namespace {

/// The wider of two bounds; none where either has none.
template <class Wider>
std::optional<double> wider_bound(std::optional<double> a, std::optional<double> b, Wider wider) {
  return a && b ? std::optional(wider(*a, *b)) : std::nullopt;
}

/// Bounds and traits that hold for the payoffs of both.
Payoffs common_payoffs(const Payoffs& a, const Payoffs& b) {
  const bool same_bounds = a.low == b.low && a.high == b.high;
  return {.low = wider_bound(a.low, b.low, [](double x, double y) { return std::min(x, y); }),
          .high = wider_bound(a.high, b.high, [](double x, double y) { return std::max(x, y); }),
          .two_valued = a.two_valued && b.two_valued && same_bounds,
          .noisy = a.noisy || b.noisy,
          .several = a.several || b.several,
          .games = a.games && b.games};
}

bool is_same_unit(const Unit& a, const Unit& b) { return a.zero == b.zero && a.slope == b.slope; }

}  // namespace

InstancedObjective::InstancedObjective(std::vector<Member> members)
    : members_(std::move(members)), payoffs_(first().payoffs()) {
  // Spaces are compared as JSON, which also covers conditions and defaults.
  const Json space = space_json(first().space());
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const auto& [name, objective] = members_[i];
    if (space_json(objective->space()) != space || !is_same_unit(objective->unit(), unit())) {
      throw InputError(fmt::format("the instance '{}' changes the search space or the unit",
                                   printable(name, 60)));
    }
    // Only what holds for all members may be said of their payoffs.
    payoffs_ = common_payoffs(payoffs_, objective->payoffs());
    have_matches_ = have_matches_ && objective->matches() != nullptr;
    by_name_.emplace(name, i);
  }
  // Without noise evaluations on one instance are exact, though those of different instances
  // differ.
  payoffs_.exact_on_instances = !payoffs_.noisy;
  payoffs_.noisy = true;  // instances differ
}

double InstancedObjective::evaluate_on(const Instance& instance, const Point& point,
                                       Rng& rng) const {
  return member(instance).evaluate(point, rng);
}

Outcome InstancedObjective::play(const Point& one, const Point& other, Rng& rng,
                                 const EvaluationId& id) const {
  const Objective& objective = id.instance == nullptr ? first() : member(*id.instance);
  return objective.matches()->play(one, other, rng, id);
}

const Objective& InstancedObjective::member(const Instance& instance) const {
  const auto found = by_name_.find(instance.name);
  if (found == by_name_.end()) {
    throw InputError(
        fmt::format("there is no instance '{}' of this objective", printable(instance.name, 60)));
  }
  return *members_[found->second].objective;
}

std::string InstancedObjective::description() const { return first().description(); }

}  // namespace ntune
