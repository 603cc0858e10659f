// How often intervals of skewed payoffs and of weighted instances hold the true mean, as CSV:
// skew_coverage
//
// `value`: payoffs of the mean 1. `difference`: such payoffs, twice as large where `factor` is 2,
// less those of `other`. `instances`: the weighted mean of so many instances, the last of which has
// the weight `factor`. Visits go by the weights, `n` in all; the others have so many times its
// noise as `other` says. `below`, `above`: the true mean lies there, so that costs are wrongly
// found to be better where it lies above.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/programs/coverage_cell.h"
#include "benchmarks/programs/experiment.h"

namespace ntune::coverage {

namespace {

struct Payoff {
  std::string name;
  std::function<double(Rng&)> draw;
};

Payoff lognormal(double sd) {
  return {fmt::format("lognormal {}", sd),
          [sd](Rng& rng) { return std::exp(sd * rng.normal() - 0.5 * sd * sd); }};
}

Payoff normal(double sd) {
  return {fmt::format("normal {}", sd), [sd](Rng& rng) { return 1.0 + sd * rng.normal(); }};
}

/// One in twenty costs tenfold, as what is cut off does.
double with_timeouts(Rng& rng) {
  constexpr double kMean = 0.95 * 1.1331484530668263 + 0.05 * 10.0;
  return (rng.uniform() < 0.05 ? 10.0 : std::exp(0.5 * rng.normal())) / kMean;
}

std::vector<Payoff> payoffs() {
  const auto exponential = [](Rng& rng) { return -std::log(1.0 - rng.uniform()); };
  return {normal(0.1),
          normal(0.3),
          lognormal(0.3),
          lognormal(1.0),
          lognormal(1.5),
          lognormal(2.0),
          {"exponential", exponential},
          {"gamma 0.5", [](Rng& rng) { return std::pow(rng.normal(), 2.0); }},
          {"rate", [](Rng& rng) { return 2.0 * rng.uniform(); }},
          {"timeouts", with_timeouts}};
}

/// Counts of where the truth lies.
struct Row {
  std::string family = {};
  std::string payoff = {};
  std::string other = {};
  double factor = 1.0;
  std::int64_t n = 0;
  double truth = 1.0;

  std::int64_t samples = 0;
  std::int64_t below = 0;
  std::int64_t above = 0;
  std::int64_t student = 0;
  double widths = 0.0;  ///< in Student's

  void add(const Interval& interval, const Interval& students) {
    ++samples;
    if (truth < interval.low) ++below;
    if (truth > interval.high) ++above;
    if (students.low <= truth && truth <= students.high) ++student;
    const double width = students.high - students.low;
    widths += std::log((interval.high - interval.low) / width);
  }
  void print() const {
    const auto share = [this](std::int64_t count) { return as_double(count) / as_double(samples); };
    fmt::print("{},{},{},{},{},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.2f}\n", family, payoff, other,
               factor, n, samples, share(samples - below - above), share(below), share(above),
               share(student), std::exp(widths / as_double(samples)));
  }

 private:
  static double as_double(std::int64_t count) { return static_cast<double>(count); }
};

std::int64_t samples_of(std::int64_t n) { return n < 1000 ? 2000 : 500; }

void values_of(const Payoff& payoff, std::int64_t n) {
  Row row{.family = "value", .payoff = payoff.name, .n = n};
  for (std::int64_t i = 0; i < samples_of(n); ++i) {
    Rng rng = Rng(1).stream(payoff.name.c_str(), static_cast<std::uint64_t>(i));
    RunningStats sample;
    for (std::int64_t k = 0; k < n; ++k) sample.add(payoff.draw(rng));
    row.add(*mean_interval(sample, {.skewed = true}), student_interval(sample));
  }
  row.print();
}

void differences_of(const Payoff& payoff, const Payoff& other, double factor, std::int64_t n) {
  Row row{.family = "difference",
          .payoff = payoff.name,
          .other = other.name,
          .factor = factor,
          .n = n,
          .truth = factor - 1.0};
  for (std::int64_t i = 0; i < samples_of(n); ++i) {
    Rng rng = Rng(2).stream(payoff.name.c_str(), static_cast<std::uint64_t>(i));
    RunningStats first;
    RunningStats second;
    RunningStats differences;
    for (std::int64_t k = 0; k < n; ++k) {
      const double ours = factor * payoff.draw(rng);
      const double theirs = other.draw(rng);
      first.add(ours);
      second.add(theirs);
      differences.add(ours - theirs);
    }
    constexpr double kConfidence = 0.95;
    PairedDifference found = paired_difference(differences, {}, kConfidence);
    allow_for_skew(differences, first, second, kConfidence, found);
    row.add(*found.interval, student_interval(differences));
  }
  row.print();
}

/// The values of instances with means of their own; the visits beyond whole rounds go to some.
std::vector<Stratum> visited(Rng& rng, int instances, double heavy, double noise, std::int64_t n,
                             double& truth) {
  std::vector<Stratum> strata(static_cast<std::size_t>(instances));
  strata.back().weight = heavy;
  const double weights = heavy + instances - 1;
  truth = 0.0;
  std::vector<double> means;
  for (Stratum& stratum : strata) {
    means.push_back(10.0 * rng.normal());
    truth += stratum.weight * means.back() / weights;
  }
  std::vector<std::size_t> round;
  for (std::int64_t k = 0; k < n; ++k) {
    const bool begins = round.empty();
    for (std::size_t i = 0; begins && i < strata.size(); ++i) {
      round.insert(round.end(), static_cast<std::size_t>(strata[i].weight), i);
    }
    const std::size_t place = rng.below(static_cast<std::uint32_t>(round.size()));
    const std::size_t at = round[place];
    round.erase(round.begin() + static_cast<std::ptrdiff_t>(place));
    const double sd = at + 1 == strata.size() ? 1.0 : noise;
    strata[at].values.add(means[at] + sd * rng.normal());
  }
  return strata;
}

void instances_of(int instances, double heavy, double noise, double rounds) {
  const double weights = heavy + instances - 1;
  Row row{.family = "instances",
          .payoff = std::to_string(instances),
          .other = fmt::format("{}", noise),
          .factor = heavy,
          .n = static_cast<std::int64_t>(std::ceil(rounds * weights))};
  for (std::int64_t i = 0; i < samples_of(1); ++i) {
    Rng rng = Rng(3).stream("instances", static_cast<std::uint64_t>(i));
    const std::vector<Stratum> strata = visited(rng, instances, heavy, noise, row.n, row.truth);
    const MeanSample sample = stratified(strata);
    // Where there is none, there is no wrong one.
    const auto interval = mean_interval(sample, {});
    if (interval) row.add(*interval, student_interval(sample.mean));
  }
  row.print();
}

}  // namespace

}  // namespace ntune::coverage

int main(int argc, char** argv) {
  CLI::App program("How often intervals of skewed payoffs and of weighted instances hold, as CSV");
  return ntune::run_experiment(program, argc, argv, [] {
    using namespace ntune::coverage;
    fmt::print("family,payoff,other,factor,n,samples,coverage,below,above,student,width\n");
    const Payoff steady{"steady", [](ntune::Rng&) { return 1.0; }};
    for (const Payoff& payoff : payoffs()) {
      for (const std::int64_t n : kSizes) {
        values_of(payoff, n);
        differences_of(payoff, steady, 1.0, n);
        for (const double factor : {1.0, 2.0}) differences_of(payoff, payoff, factor, n);
      }
    }
    for (const int instances : {3, 5, 12, 40}) {
      for (const double heavy : {1.0, 5.0, 20.0}) {
        for (const double noise : {0.2, 1.0, 5.0}) {
          for (const double rounds : {1.0, 1.5, 2.0, 3.0}) {
            instances_of(instances, heavy, noise, rounds);
          }
        }
      }
    }
  });
}
