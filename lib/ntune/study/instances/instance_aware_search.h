#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ntune/core/rng.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/study/model/model_scale.h"

namespace ntune {

/// An optimiser that is told payoffs less the effects of their instances, so that hard and easy
/// instances are not noise. When the number of payoffs has grown by a quarter the effects are
/// estimated anew, from what the model leaves of the payoffs. Where they have changed a new
/// optimiser goes on, which has adopted everything so far with the new effects. Where no effects
/// are shown, it is the optimiser itself. Optimiser, effects and `context` are on the scale; what
/// comes in and goes out is in payoffs.
class InstanceAwareSearch final : public Optimiser {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// `weights`: of the instances. The stream is for what is adopted.
  InstanceAwareSearch(OptimiserMaker make, const OptimiserContext& context,
                      std::vector<double> weights, Rng stream, ModelScale scale = {});

  /// Takes what the evaluation of an ask or an adopted point has brought, in their order: payoffs
  /// on an instance, or without any its failure, or what its payoff is at most.
  void take(const Point& point, std::size_t instance, std::span<const double> payoffs, bool failed,
            std::optional<double> at_most = {});
  /// A payoff on an instance, of a point that was adopted just before.
  void tell_on(std::size_t instance, const Point& point, double payoff);
  /// Brings the model up to date with the effects of all payoffs. To be called at the end.
  void finish();
  /// What it would recommend after `finish`.
  [[nodiscard]] Recommendation recommend_now() const;
  [[nodiscard]] const std::vector<double>& effects() const { return effects_; }

  Point ask(Rng& rng) override;
  void adopt(const Point& point, Rng& rng) override;
  void add_pending(const Point& point) override;
  void remove_pending(const Point& point) override;
  /// Of what is taken or told next.
  void tell_cost(const Point& /*point*/, double cost) override { next_cost_ = cost; }
  /// A payoff of a point that was adopted just before, on no instance.
  void tell(const Point& point, double payoff) override;
  void fail(const Point& point) override;
  /// On an instance without an effect.
  [[nodiscard]] double losing_payoff() const override {
    return scale_.payoff_of(search_->losing_payoff());
  }
  [[nodiscard]] Recommendation recommend() const override { return in_payoffs(*search_); }
  /// Nothing on a logarithmic scale: its spread is none of payoffs.
  [[nodiscard]] std::optional<Certainty> certainty() const override {
    return scale_.is_logarithmic() ? std::nullopt : search_->certainty();
  }
  [[nodiscard]] PayoffsByPoint told() const override {
    return scale_.is_logarithmic() ? PayoffsByPoint() : search_->told();
  }
  [[nodiscard]] bool done() const override { return search_->done(); }
  [[nodiscard]] std::int64_t set_aside() const override { return search_->set_aside(); }
  [[nodiscard]] std::optional<Belief> belief(const Point& point) const override;

 private:
  struct Told {
    Point point;
    std::size_t instance = kNone;
    std::vector<double> payoffs = {};  ///< on the scale; none: one of the following
    bool failed = false;
    std::optional<double> at_most = {};
    std::optional<double> cost = {};
  };

  void add(Told told);
  [[nodiscard]] Recommendation in_payoffs(const Optimiser& search) const;
  void tell(Optimiser& search, const Told& told, const std::vector<double>& effects) const;
  void renew();
  [[nodiscard]] bool is_known() const { return payoffs_ >= 2 * std::ssize(weights_); }
  [[nodiscard]] std::unique_ptr<Optimiser> renewed(const std::vector<double>& effects,
                                                   Rng& stream) const;
  [[nodiscard]] std::vector<double> estimate() const;

  OptimiserMaker make_;
  OptimiserContext context_;
  std::vector<double> weights_;
  Rng stream_;
  ModelScale scale_;
  std::unique_ptr<Optimiser> search_;
  std::vector<double> effects_;  ///< by which search_ was told all payoffs
  std::vector<Told> told_;
  std::int64_t payoffs_ = 0;       ///< on instances
  std::int64_t next_renewal_ = 0;  ///< payoffs at which the effects are estimated anew
  std::int64_t searches_ = 0;
  std::deque<std::int64_t> in_flight_;  ///< by which search each was asked, oldest first
  std::vector<Point> pending_;
  std::optional<double> next_cost_;
};

}  // namespace ntune
