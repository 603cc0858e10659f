#pragma once

#include <span>
#include <vector>

#include "ntune/core/rng.h"
#include "ntune/games/bao/evaluation.h"

namespace ntune {

/// A function that TD-Leaf trains. From the numbers of a position it predicts how the game ends,
/// from 1 for won to -1 for lost.
class BaoPredictor {
 public:
  virtual ~BaoPredictor() = default;

  /// The prediction, and its derivatives by the parameters.
  virtual double predict(const BaoFeatures& at, std::span<double> gradient) const = 0;
  /// An evaluation that orders positions as the prediction does.
  [[nodiscard]] virtual BaoEvaluation evaluation() const = 0;
  [[nodiscard]] virtual std::span<const double> parameters() const = 0;
  virtual void set_parameters(std::span<const double> parameters) = 0;
  /// Learning rates of the parameters relative to one another; 0: the parameter is fixed. With them
  /// learning does not depend on the units of the numbers.
  [[nodiscard]] virtual std::span<const double> rates() const = 0;
};

/// tanh(scale u), u the linear evaluation of 54 parameters. scale: 1 / the standard deviation that
/// the initial evaluation has in the sample.
class BaoLinearPredictor final : public BaoPredictor {
 public:
  /// `sample`: at least one position.
  BaoLinearPredictor(const BaoLinearEvaluation& initial, std::span<const BaoFeatures> sample);

  double predict(const BaoFeatures& at, std::span<double> gradient) const override;
  [[nodiscard]] BaoEvaluation evaluation() const override;
  [[nodiscard]] std::span<const double> parameters() const override { return parameters_; }
  void set_parameters(std::span<const double> parameters) override;
  [[nodiscard]] std::span<const double> rates() const override { return rates_; }

 private:
  double scale_;
  // Weights of u: the player's, then the opponent's with their sign turned.
  std::vector<double> parameters_;
  std::vector<double> rates_;
};

/// The value of a normalised Gaussian network. Its widths stay as they are.
class BaoNetworkPredictor final : public BaoPredictor {
 public:
  BaoNetworkPredictor(BaoNetwork initial, std::span<const BaoFeatures> sample);

  double predict(const BaoFeatures& at, std::span<double> gradient) const override {
    return network_.value(at, gradient);
  }
  [[nodiscard]] BaoEvaluation evaluation() const override;
  [[nodiscard]] std::span<const double> parameters() const override {
    return network_.parameters();
  }
  void set_parameters(std::span<const double> parameters) override;
  [[nodiscard]] std::span<const double> rates() const override { return rates_; }

 private:
  BaoNetwork network_;
  std::vector<double> rates_;
};

/// A network of `nuclei` nuclei, an even number, whose value is tanh(u / sd(u)) everywhere; u is
/// the linear evaluation. Its nuclei are pairs m ± a of values ±1 and of one width. Here a is along
/// the weights of u, and m is a drawn position of the sample, moved along a to u(m) = 0. `width`:
/// in units of the median distance between the m.
BaoNetwork bao_network_like(const BaoLinearEvaluation& linear, std::span<const BaoFeatures> sample,
                            int nuclei, double width, Rng rng);

}  // namespace ntune
