#include "ntune/optim/goals/goal_model.h"

#include <algorithm>

#include "ntune/optim/bayesian/bayesian_search.h"
#include "ntune/optim/models/n_tuple_model.h"

namespace ntune {

namespace {

class GaussianGoal final : public GoalModel {
 public:
  explicit GaussianGoal(const OptimiserContext& context) : search_(options(), context) {}

  void tell(const Point& point, double payoff) override { search_.tell(point, payoff); }
  void pending(const Point& point, bool is_in_flight) override {
    search_.pending(point, is_in_flight);
  }
  [[nodiscard]] bool is_ready() const override { return search_.is_fitted(); }
  void update() override { search_.update(); }
  [[nodiscard]] const SampledPoints& points() const override { return *search_.told().points; }
  [[nodiscard]] std::vector<double> means() const override { return search_.means(); }
  [[nodiscard]] std::vector<Belief> beliefs(std::span<const Point> points) const override {
    return search_.beliefs(points);
  }

 private:
  /// A goal's scale is declared.
  static BayesianSearchOptions options() {
    BayesianSearchOptions options;
    options.scale = PayoffScaling::kLinear;
    return options;
  }

  BayesianSearch search_;  ///< never asked: it is the model that counts
};

class NTupleGoal final : public GoalModel {
 public:
  explicit NTupleGoal(const OptimiserContext& context)
      : model_(*context.space, ModelOptions(), context.budget) {}

  void tell(const Point& point, double payoff) override {
    low_ = told_ ? std::min(low_, payoff) : payoff;
    high_ = told_ ? std::max(high_, payoff) : payoff;
    told_ = true;
    model_.add(point, payoff);
  }
  void pending(const Point& point, bool is_in_flight) override {
    is_in_flight ? model_.add_pending(point) : model_.remove_pending(point);
  }
  [[nodiscard]] bool is_ready() const override { return told_; }
  void update() override {}
  [[nodiscard]] const SampledPoints& points() const override { return model_.points(); }
  [[nodiscard]] std::vector<double> means() const override {
    std::vector<double> means;
    for (std::size_t i = 0; i < points().size(); ++i) {
      means.push_back(model_.score(points().point(i)).mean);
    }
    return means;
  }
  /// The exploration term stands for the uncertainty, in half ranges of the payoffs as in NTBEA. It
  /// is a tenth of that: two goals leave less to explore for (benchmarks/results/goals.md).
  [[nodiscard]] std::vector<Belief> beliefs(std::span<const Point> points) const override {
    std::vector<Belief> beliefs;
    for (const Point& point : points) {
      const Score score = model_.score(point);
      beliefs.push_back(
          {.mean = score.mean, .sd = kShare * (high_ - low_) / 2.0 * score.exploration});
    }
    return beliefs;
  }

 private:
  static constexpr double kShare = 0.1;

  NTupleModel model_;
  double low_ = 0.0;
  double high_ = 0.0;
  bool told_ = false;
};

}  // namespace

std::unique_ptr<GoalModel> make_gaussian_goal(const OptimiserContext& context,
                                              const SearchedGoal& goal) {
  OptimiserContext alone{.space = context.space, .budget = context.budget, .noisy = goal.noisy};
  if (goal.low && goal.high && !goal.logarithmic) {
    alone.payoff_low = goal.low;
    alone.payoff_high = goal.high;
  }
  return std::make_unique<GaussianGoal>(alone);
}

std::unique_ptr<GoalModel> make_n_tuple_goal(const OptimiserContext& context) {
  return std::make_unique<NTupleGoal>(context);
}

}  // namespace ntune
