#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "ntune/core/rng.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/study/model/instances.h"

namespace ntune {

/// An optimiser that is told payoffs less the effects of their instances, so that hard and easy
/// instances are not noise. When the number of payoffs has grown by a quarter the effects are
/// estimated anew, from what the model leaves of the payoffs. Where they have changed a new
/// optimiser goes on, which has adopted everything so far with the new effects. Where no effects
/// are shown, it is the optimiser itself. Optimiser, effects and `context` are on the scale; what
/// comes in and goes out is in payoffs.
class InstanceAwareSearch final : public Optimiser {
 public:
  /// `weights`: of the instances. The stream is for what is adopted.
  InstanceAwareSearch(OptimiserMaker make, const OptimiserContext& context,
                      std::vector<double> weights, Rng stream, ModelScale scale = {});

  /// Brings the model up to date with the effects of all payoffs. To be called at the end.
  void finish();
  /// What it would recommend after `finish`.
  [[nodiscard]] Recommendation recommend_now() const;
  [[nodiscard]] const std::vector<double>& effects() const { return effects_; }

  /// The losing payoff is that on an instance without an effect.
  Proposal ask(Rng& rng) override;
  void adopt(const Point& point, Rng& rng) override;
  void pending(const Point& point, bool is_in_flight) override;
  using Optimiser::tell;
  /// Effects are learned from the reports that name an instance.
  void tell(const Proposal& asked, const Report& report) override;
  [[nodiscard]] Recommendation recommend() const override { return in_payoffs(*search_); }
  /// There is none on a logarithmic scale: its spread is none of payoffs.
  [[nodiscard]] std::optional<Certainty> certainty() const override {
    return scale_.is_logarithmic() ? std::nullopt : search_->certainty();
  }
  [[nodiscard]] PayoffsByPoint told() const override {
    const PayoffsByPoint told = search_->told();
    return scale_.is_logarithmic() ? PayoffsByPoint{.set_aside = told.set_aside} : told;
  }
  [[nodiscard]] bool done() const override { return search_->done(); }
  [[nodiscard]] std::optional<Belief> belief(const Point& point) const override;

 private:
  [[nodiscard]] Recommendation in_payoffs(const Optimiser& search) const;
  void tell(Optimiser& search, const KeptReport& told, const std::vector<double>& effects) const;
  [[nodiscard]] KeptReport on_scale(const Proposal& asked, const Report& report) const;
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
  std::vector<double> effects_;    ///< by which search_ was told all payoffs
  std::vector<KeptReport> told_;   ///< on the scale
  std::int64_t payoffs_ = 0;       ///< on instances
  std::int64_t next_renewal_ = 0;  ///< payoffs at which the effects are estimated anew
  std::int64_t searches_ = 0;
  std::deque<std::int64_t> in_flight_;  ///< by which search each was asked, oldest first
  bool adopted_ = false;                ///< the last of them was adopted, and nothing told since
  std::vector<Point> pending_;
};

}  // namespace ntune
