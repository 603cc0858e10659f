#include "ntune/objective/functions/trap.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "ntune/space/point.h"

namespace ntune {

namespace {

class Trap final : public BenchmarkFunction {
 public:
  explicit Trap(const TrapOptions& options)
      : options_(options), blocks_(options.dimensions / options.block) {}

  [[nodiscard]] double value(std::span<const double> x) const override {
    assert(x.size() == static_cast<std::size_t>(options_.dimensions));
    const auto block = static_cast<std::size_t>(options_.block);
    double sum = 0.0;
    for (std::size_t begin = 0; begin < x.size(); begin += block) {
      const auto ones =
          std::ranges::count_if(x.subspan(begin, block), [](double xi) { return xi >= 0.5; });
      const auto u = static_cast<int>(ones);
      sum +=
          u == options_.block ? 1.0 : static_cast<double>(options_.block - 1 - u) / options_.block;
    }
    return sum / blocks_;
  }

  [[nodiscard]] std::vector<Parameter> parameters() const override {
    return integer_parameters(options_.dimensions, 2);
  }
  [[nodiscard]] Bounds domain(int) const override { return between(0.0, 1.0); }
  [[nodiscard]] std::optional<double> optimum() const override { return 1.0; }
  [[nodiscard]] std::string description() const override {
    return fmt::format("trap (d = {}, blocks of {})", options_.dimensions, options_.block);
  }

 private:
  TrapOptions options_;
  int blocks_;
};

}  // namespace

void TrapOptions::visit(Options& options) {
  options.integer("dimensions", dimensions, between(1, kMaxDimensions), "number of parameters");
  options.integer("block", block, between(1, kMaxDimensions),
                  "parameters per trap; divides dimensions");
}

std::optional<OptionProblem> TrapOptions::problem() const {
  if (dimensions % block == 0) return std::nullopt;
  return OptionProblem{
      "block", fmt::format("is {}, a divisor of the {} dimensions is allowed", block, dimensions)};
}

std::unique_ptr<BenchmarkFunction> make_trap(const TrapOptions& options) {
  refuse(options.problem());
  return std::make_unique<Trap>(options);
}

}  // namespace ntune
