// An optimiser that has been told what another was told, and takes its place without being asked.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "catch.h"
#include "optim/contract.h"

namespace ntune {

namespace {

using test::height;

constexpr int kPlaceBudget = 12;

struct Step {
  Point point;
  std::optional<double> payoff = {};  ///< nothing: the evaluation failed
  SearchPlace place = {};
  Rng::State stream = {};
};

void tell(Optimiser& optimiser, const Step& step) {
  if (step.payoff) return optimiser.tell(step.point, *step.payoff);
  optimiser.tell({.point = step.point}, {.failed = true});
}

/// The steps from `first` on; the random numbers of payoffs are named by the step.
std::vector<Step> run(Optimiser& optimiser, const SearchSpace& space, Rng& rng, int first,
                      double failures) {
  std::vector<Step> steps;
  for (int i = first; i < kPlaceBudget; ++i) {
    Step step{.point = optimiser.ask(rng).point};
    Rng noise = Rng(5).stream("noise", static_cast<std::uint64_t>(i));
    if (!noise.bernoulli(failures)) step.payoff = height(space, step.point) + noise.normal();
    tell(optimiser, step);
    if (const SearchPlace* place = optimiser.place()) step.place = *place;
    step.stream = rng.state();
    steps.push_back(step);
  }
  return steps;
}

/// False if the optimiser cannot be replaced.
bool check_cuts(const std::string& name, const SearchSpace& space, double failures) {
  const OptimiserPlan plan = test::make_plan(name, space);
  const auto whole = plan.make(test::make_context(space, kPlaceBudget));
  Rng rng = Rng(3).stream("optimiser");
  if (whole->place() == nullptr) return false;
  const std::vector<Step> steps = run(*whole, space, rng, 0, failures);
  for (std::size_t cut = 1; cut < steps.size(); cut += 1 + cut) {
    const Step& last = steps[cut - 1];
    const auto other = plan.make(test::make_context(space, kPlaceBudget));
    for (std::size_t i = 0; i < cut; ++i) tell(*other, steps[i]);
    *other->place() = {.last = last.point, .asks = last.place.asks};
    Rng stream = Rng(3).stream("optimiser");
    stream.set_state(last.stream);
    const auto rest = run(*other, space, stream, static_cast<int>(cut), failures);
    bool same = true;
    for (std::size_t i = cut; i < steps.size(); ++i) {
      same = same && rest[i - cut].point == steps[i].point;
    }
    CAPTURE(name, space.dimensions(), space.grid_size(), failures, cut);
    CHECK(same);
    const bool told =
        std::ranges::any_of(steps, [](const Step& s) { return s.payoff.has_value(); });
    if (!told) continue;
    CHECK(other->recommend().point == whole->recommend().point);
    CHECK(other->recommend().estimate == whole->recommend().estimate);
  }
  return true;
}

}  // namespace

TEST_CASE("whoever takes an optimiser's place goes on as it would have") {
  int replaced = 0;
  for (const std::string& name : test::optimisers()) {
    for (const SearchSpace& space : test::spaces()) {
      for (const double failures : {0.0, 0.2}) {
        const bool can_be_replaced = check_cuts(name, space, failures);
        if (name == "ntbea") CHECK(can_be_replaced);
        if (can_be_replaced) ++replaced;
      }
    }
  }
  CHECK(replaced > 0);
}

}  // namespace ntune
