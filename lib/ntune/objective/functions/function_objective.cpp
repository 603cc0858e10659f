#include "ntune/objective/functions/function_objective.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/functions/function_entry.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

namespace {

/// Most points whose true values are kept in a table, and most that are enumerated for the optimum.
constexpr double kLargestTable = 0x1p16;
constexpr double kLargestEnumeration = 0x1p20;

/// Payoffs stay finite.
constexpr Bounds kSigmas = {.low = 0.0, .high = 1e100, .low_excluded = true};

/// Reads win_loss, none or {gaussian: sigma}.
void read_noise(const YamlNode& node, Noise& noise) {
  static const std::vector<std::string> kAllowed = {"win_loss", "none", "{gaussian: sigma}"};
  if (node.is_scalar() && node.text() == "win_loss") {
    noise = {.kind = Noise::Kind::kWinLoss};
  } else if (node.is_scalar() && node.text() == "none") {
    noise = {.kind = Noise::Kind::kNone};
  } else if (node.is_map()) {
    noise = {.kind = Noise::Kind::kGaussian};
    OptionReader reader(node);
    reader.number("gaussian", noise.sigma, kSigmas, "");
    reader.finish();
    if (noise.sigma == 0.0)
      node.fail_at("gaussian", "is missing: the standard deviation of the noise");
  } else {
    const std::string near = node.is_scalar() ? suggestion(node.text(), kAllowed) : "";
    node.fail(fmt::format("is {}{}; allowed: {}", node.describe(), near, list_text(kAllowed)));
  }
}

/// The noise as it is read.
Json write_noise(const Noise& noise) {
  if (noise.kind == Noise::Kind::kWinLoss) return "win_loss";
  if (noise.kind == Noise::Kind::kNone) return "none";
  Json map = Json::object();
  map["gaussian"] = noise.sigma;
  return map;
}

/// Schema of the noise; the standard deviation has no default, as it depends on the function.
Json noise_schema(const Noise& noise) {
  OptionSchema gaussian;
  double sigma = 1.0;
  gaussian.number("gaussian", sigma, kSigmas, "standard deviation");
  Json properties = gaussian.properties();
  properties["gaussian"].erase("default");
  const Json words = {{"enum", Json::array({"win_loss", "none"})}};
  const Json map = {{"type", "object"},
                    {"properties", properties},
                    {"required", Json::array({"gaussian"})},
                    {"additionalProperties", false}};
  return {{"anyOf", Json::array({words, map})}, {"default", write_noise(noise)}};
}

}  // namespace

void Noise::visit(Options& options) {
  options.custom("noise",
                 {.read = [this](const YamlNode& node) { read_noise(node, *this); },
                  .write = [this] { return write_noise(*this); },
                  .schema = [this] { return noise_schema(*this); }},
                 "win_loss: +1 with the probability of the true value, else -1; {gaussian: sigma}: "
                 "the true value plus a normal deviate; none: the true value");
}

std::string Noise::text() const {
  switch (kind) {
    case Kind::kGaussian:
      return "gaussian noise of " + number_text(sigma);
    case Kind::kNone:
      return "no noise";
    case Kind::kWinLoss:
      break;
  }
  return "win or loss";
}

std::string domain_problem(const BenchmarkFunction& function, int i, const Parameter& parameter) {
  const Bounds domain = function.domains[static_cast<std::size_t>(i)];
  const bool bounded = std::isfinite(domain.low) || std::isfinite(domain.high);
  // A default off the grid is evaluated too, so it must lie in the domain.
  for (int index = 0; index < parameter.known_values(); ++index) {
    const Value& value = parameter.value(index);
    if (domain.contain(value_number(value))) continue;
    return fmt::format("has the value '{}', {}{} is allowed", value_text(value),
                       bounded ? "a number " : "", domain.text());
  }
  return {};
}

FunctionObjective::FunctionObjective(BenchmarkFunction function, Noise noise,
                                     std::optional<SearchSpace> space)
    : function_(std::move(function)),
      noise_(noise),
      space_(space ? *std::move(space) : SearchSpace(function_.parameters)) {
  check();
  for (const Parameter& parameter : space_.parameters()) {
    // Values are turned into numbers once, because evaluations are many.
    auto& numbers = numbers_.emplace_back();
    for (int i = 0; i < parameter.known_values(); ++i) {
      numbers.push_back(value_number(parameter.value(i)));
    }
  }
  is_small_ = space_.grid_size() <= kLargestTable;
  // The table is in row-major order: the last parameter has the stride 1.
  std::size_t size = 1;
  strides_.resize(numbers_.size());
  for (std::size_t i = numbers_.size(); is_small_ && i-- > 0;) {
    strides_[i] = size;
    size *= numbers_[i].size();
  }
}

void FunctionObjective::check() const {
  const std::size_t dimensions = function_.parameters.size();
  if (static_cast<std::size_t>(space_.dimensions()) != dimensions) {
    throw InputError(fmt::format("{} has {} parameters, the space has {}", function_.description,
                                 dimensions, space_.dimensions()));
  }
  for (int i = 0; i < space_.dimensions(); ++i) {
    const std::string problem = domain_problem(function_, i, space_[i]);
    if (!problem.empty()) throw InputError(space_[i].name + ": " + problem);
  }
  if (noise_.kind == Noise::Kind::kGaussian && !kSigmas.contain(noise_.sigma)) {
    throw InputError(
        fmt::format("noise.gaussian: is {}, a number {} is allowed", noise_.sigma, kSigmas.text()));
  }
}

/// The table is made when the first value is asked for: a study that is only checked asks for none.
const std::vector<double>& FunctionObjective::table() const {
  // The flag spares the lock of call_once after the first time.
  if (!tabulated_.load(std::memory_order_acquire)) {
    std::call_once(table_once_, [this] {
      table_ = tabulate();
      tabulated_.store(true, std::memory_order_release);
    });
  }
  return table_;
}

/// The true values in order of their index, the last parameter fastest.
std::vector<double> FunctionObjective::tabulate() const {
  std::vector<double> x(numbers_.size());
  std::vector<double> values;
  const std::size_t size = strides_.empty() ? 1 : strides_[0] * numbers_[0].size();
  values.reserve(size);
  for (std::size_t place = 0; place < size; ++place) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      // The index of each parameter is the digit of the place in mixed radix.
      x[i] = numbers_[i][place / strides_[i] % numbers_[i].size()];
    }
    values.push_back(function_.value(x));
  }
  return values;
}

double FunctionObjective::truth(const Point& point) const {
  assert(point.size() == space_.dimensions());
  if (!is_small_) return compute(point);
  std::size_t place = 0;
  const auto indices = point.indices();
  for (std::size_t i = 0; i < indices.size(); ++i) place += indices[i] * strides_[i];
  return table()[place];
}

double FunctionObjective::compute(const Point& point) const {
  // An array on the stack spares an allocation in each evaluation.
  std::array<double, kMaxDimensions> x;
  const auto indices = point.indices();
  for (std::size_t i = 0; i < indices.size(); ++i) x[i] = numbers_[i][indices[i]];
  return function_.value(std::span(x).first(indices.size()));
}

double FunctionObjective::evaluate(const Point& point, Rng& rng) const {
  const double p = truth(point);
  switch (noise_.kind) {
    case Noise::Kind::kGaussian:
      return p + noise_.sigma * rng.normal();
    case Noise::Kind::kNone:
      return p;
    case Noise::Kind::kWinLoss:
      break;
  }
  // bernoulli() holds p within 0 and 1, as uniform numbers lie there.
  return rng.bernoulli(p) ? 1.0 : -1.0;
}

std::string FunctionObjective::description() const {
  return function_.description + ", " + noise_.text();
}

Payoffs FunctionObjective::payoffs() const {
  // A win or a loss is one of two payoffs, and a normal deviate has no bounds.
  if (noise_.kind == Noise::Kind::kWinLoss) return {.low = -1.0, .high = 1.0, .two_valued = true};
  if (noise_.kind == Noise::Kind::kGaussian) return {};
  const Bounds range = function_.range;
  Payoffs payoffs;
  payoffs.noisy = false;
  if (std::isfinite(range.low)) payoffs.low = range.low;
  if (std::isfinite(range.high)) payoffs.high = range.high;
  return payoffs;
}

Unit FunctionObjective::unit() const {
  return noise_.kind == Noise::Kind::kWinLoss ? Unit::win_probability() : Unit{};
}

std::optional<double> FunctionObjective::optimum() const {
  std::call_once(optimum_once_, [this] { optimum_ = find_optimum(); });
  return optimum_;
}

std::optional<double> FunctionObjective::find_optimum() const {
  // A space too large to enumerate has a known optimum only from the function itself, on its own
  // grid.
  if (space_.grid_size() > kLargestEnumeration) {
    const bool is_default = space_ == SearchSpace(function_.parameters);
    return is_default ? function_.optimum() : std::nullopt;
  }
  double best = -std::numeric_limits<double>::infinity();
  space_.for_each_point([&](const Point& point) {
    best = std::max(best, truth(point));
    return true;
  });
  return best;
}

std::unique_ptr<Objective> make_function_objective(BenchmarkFunction function, const Noise& noise,
                                                   const YamlNode* space) {
  std::optional<SearchSpace> grid;
  // A grid over the default parameters may be finer or coarser, but only within the function's
  // domain.
  if (space != nullptr && !space->is_null()) {
    const SearchSpace defaults(function.parameters);
    grid = read_space(*space, &defaults);
    for (int i = 0; i < grid->dimensions(); ++i) {
      const Parameter& parameter = (*grid)[i];
      const std::string problem = domain_problem(function, i, parameter);
      if (problem.empty()) continue;
      if (const YamlNode* place = space->find(parameter.name)) place->fail(problem);
      space->fail_at(parameter.name, problem);
    }
  }
  return std::make_unique<FunctionObjective>(std::move(function), noise, std::move(grid));
}

}  // namespace ntune
