#include "ntune/objective/functions/one_max.h"

#include <cassert>

#include <fmt/format.h>

#include "ntune/space/point.h"

namespace ntune {

namespace {

/// The mean of all parameters, each as a share of its largest value.
class OneMax final : public BenchmarkFunction {
 public:
  explicit OneMax(const OneMaxOptions& options) : options_(options), highest_(options.values - 1) {}

  [[nodiscard]] double value(std::span<const double> x) const override {
    assert(x.size() == static_cast<std::size_t>(options_.dimensions));
    double sum = 0.0;
    for (const double xi : x) sum += xi / highest_;
    return sum / options_.dimensions;
  }

  [[nodiscard]] std::vector<Parameter> parameters() const override {
    return integer_parameters(options_.dimensions, options_.values);
  }
  [[nodiscard]] Bounds domain(int) const override { return between(0.0, highest_); }
  [[nodiscard]] std::optional<double> optimum() const override { return 1.0; }
  [[nodiscard]] std::string description() const override {
    return fmt::format("one_max (d = {}, {} values)", options_.dimensions, options_.values);
  }

 private:
  OneMaxOptions options_;
  double highest_;
};

}  // namespace

void OneMaxOptions::visit(Options& options) {
  options.integer("dimensions", dimensions, between(1, kMaxDimensions), "number of parameters");
  options.integer("values", values, between(2, 1000), "values per parameter");
}

std::unique_ptr<BenchmarkFunction> make_one_max(const OneMaxOptions& options) {
  return std::make_unique<OneMax>(options);
}

}  // namespace ntune
