#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/optim/base/neighbourhood.h"
#include "ntune/optim/base/point_search.h"
#include "ntune/optim/goals/goal_model.h"

namespace ntune {

struct GoalSearchOptions {
  enum class Model { kAuto, kGaussian, kNTuple } model = Model::kAuto;
  double k = 3.0;
  int candidates = 60;

  void visit(Options& options);
};

/// Several goals at once, or one: a model for each, and a random scalarisation for every ask, as
/// ParEGO has it (Knowles 2006). Weights are uniform on the simplex. A candidate is worth its
/// augmented Chebyshev distance from the best of every goal, at its upper bounds mean + k sd
/// (Paria, Kandasamy and Poczos 2019). Goals are scaled to the range of what was sampled. One with
/// a limit has no weight: candidates count as far as they are likely to keep it (Gardner et al.
/// 2014). Where goals stand in an order, an ask is for one of them, drawn by lot: candidates count
/// as far as they are likely to be level with the best in each before it. Candidates are the three
/// best points under the weights, and NTBEA's mutants of each of them and of the point asked for
/// last.
class GoalSearch final : public PointSearch {
 public:
  GoalSearch(const GoalSearchOptions& options, const OptimiserContext& context);

  Proposal ask(Rng& rng) override;
  void pending(const Point& point, bool is_in_flight) override;
  using Optimiser::tell;
  void tell(const Proposal& asked, const Report& report) override;
  /// The best point under equal weights, or in the order; its estimate is a payoff of the first
  /// goal.
  [[nodiscard]] Recommendation recommend() const override;
  [[nodiscard]] std::optional<Belief> belief(const Point& point) const override;
  /// Without noise all points are known.
  [[nodiscard]] bool done() const override { return all_known(); }
  /// Points that none with payoffs beats in all goals by the models' means, and that keep the
  /// limits, spread over the front. With an order: those that may be the best in it.
  [[nodiscard]] std::vector<Point> front(std::size_t most) const override;

 private:
  /// What is known of points that were told, by goal and point.
  struct Sampled {
    std::vector<Point> points = {};
    std::vector<std::vector<double>> means = {};  ///< by goal
    std::vector<double> low = {};                 ///< by goal, of these means
    std::vector<double> high = {};
  };
  /// The best in a goal, on the scale of the goal: whoever is level with it is sought in the next.
  struct Level {
    std::size_t goal = 0;
    double mean = 0.0;
    double sd = 0.0;  ///< above 0
  };
  /// What an ask is for.
  struct Wish {
    std::vector<double> weights = {};  ///< by goal
    std::vector<Level> levels = {};
  };

  [[nodiscard]] Sampled sampled() const;
  /// A random point; without noise one that is not known, if there is one.
  [[nodiscard]] Point new_point(Rng& rng) const;
  [[nodiscard]] Wish draw_wish(const Sampled& known, Rng& rng) const;
  [[nodiscard]] Wish wish_of_order(const Sampled& known, std::size_t place) const;
  [[nodiscard]] Wish final_wish(const Sampled& known) const;
  [[nodiscard]] std::vector<std::size_t> best_of(const Sampled& known, const Wish& wish,
                                                 std::size_t count) const;
  [[nodiscard]] std::vector<Point> candidates(const Sampled& known, const Wish& wish, Rng& rng);
  [[nodiscard]] std::size_t choose(std::span<const Point> candidates, const Sampled& known,
                                   const Wish& wish) const;
  [[nodiscard]] double violation(const Sampled& known, const Wish& wish, std::size_t point) const;
  [[nodiscard]] std::vector<std::size_t> undominated(const Sampled& known) const;
  [[nodiscard]] std::vector<Point> best_in_order(const Sampled& known, std::size_t most) const;
  void add_best(const Sampled& known, const Wish& wish, std::size_t most,
                std::vector<Point>& points) const;

  GoalSearchOptions options_;
  std::vector<SearchedGoal> goals_;
  std::vector<std::size_t> order_ = {};             ///< goals that are sought one by one
  std::vector<std::unique_ptr<GoalModel>> models_;  ///< by goal
  Neighbourhood neighbourhood_;
  std::int64_t random_asks_;  ///< points asked for at random first
  Point current_ = {};        ///< asked for last
};

}  // namespace ntune
