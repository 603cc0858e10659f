#include "ntune/objective/functions/goldstein_price.h"

#include <cassert>

namespace ntune {

namespace {

/// Goldstein and Price's function as a probability of a win.
class GoldsteinPrice final : public BenchmarkFunction {
 public:
  explicit GoldsteinPrice(const FloorOptions& options) : options_(options) {}

  /// f depends on s = x1 + x2 + 1 and t = 2 x1 - 3 x2 alone; its least value over the plane is 3.
  [[nodiscard]] double value(std::span<const double> x) const override {
    assert(x.size() == 2);
    const double s = x[0] + x[1] + 1.0;
    const double t = 2.0 * x[0] - 3.0 * x[1];
    // The long polynomials of the literature, collected in powers of s and t.
    const double first = 1.0 + s * s * (36.0 - 20.0 * s + 3.0 * s * s);
    const double second = 30.0 + t * t * (18.0 - 16.0 * t + 3.0 * t * t);
    return options_.apply((400.0 - first * second) / 500.0);
  }

  [[nodiscard]] std::vector<Parameter> parameters() const override {
    return half_open_parameters(2, -2.0, 2.0, 20);
  }
  [[nodiscard]] Bounds domain(int) const override { return between(-2.0, 2.0); }
  [[nodiscard]] Bounds range() const override { return options_.range(); }
  [[nodiscard]] std::string description() const override {
    return "goldstein_price " + options_.text();
  }

 private:
  FloorOptions options_;
};

}  // namespace

std::unique_ptr<BenchmarkFunction> make_goldstein_price(const FloorOptions& options) {
  return std::make_unique<GoldsteinPrice>(options);
}

}  // namespace ntune
