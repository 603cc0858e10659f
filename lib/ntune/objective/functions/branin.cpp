#include "ntune/objective/functions/branin.h"

#include <cassert>
#include <cmath>
#include <numbers>

namespace ntune {

namespace {

/// Branin's function as a probability of a win.
class Branin final : public BenchmarkFunction {
 public:
  explicit Branin(const FloorOptions& options) : options_(options) {}

  [[nodiscard]] double value(std::span<const double> x) const override {
    assert(x.size() == 2);
    // The function is (x2 - 5.1 / (4 pi^2) x1^2 + 5 / pi x1 - 6)^2 + 10 (1 - 1 / (8 pi)) cos x1 +
    // 10 (Dixon and Szegö 1978).
    constexpr double kPi = std::numbers::pi;
    const double valley = x[1] - 5.1 / (4.0 * kPi * kPi) * x[0] * x[0] + 5.0 / kPi * x[0] - 6.0;
    const double f = valley * valley + 10.0 * (1.0 - 1.0 / (8.0 * kPi)) * std::cos(x[0]) + 10.0;
    return options_.apply((10.0 - f) / 12.0);
  }

  [[nodiscard]] std::vector<Parameter> parameters() const override {
    constexpr Ends kEnds = {.low_included = true, .high_included = false};
    return {make_range("x1", -5.0, 10.0, 20, kEnds), make_range("x2", 0.0, 15.0, 20, kEnds)};
  }
  [[nodiscard]] Bounds domain(int i) const override {
    return i == 0 ? between(-5.0, 10.0) : between(0.0, 15.0);
  }
  [[nodiscard]] Bounds range() const override { return options_.range(); }
  [[nodiscard]] std::string description() const override { return "branin " + options_.text(); }

 private:
  FloorOptions options_;
};

}  // namespace

std::unique_ptr<BenchmarkFunction> make_branin(const FloorOptions& options) {
  return std::make_unique<Branin>(options);
}

}  // namespace ntune
