// What it is worth that a search ends programs that have lost: simulated solvers with log-normal
// times, whose medians differ by parameters. A racing search ends what racing says. NTBEA and a
// Gaussian process end what has taken several times the best mean, and are told the time at the end
// as it is, or the mean that a longer time has.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <memory>
#include <numbers>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/programs/experiment.h"
#include "ntune/core/statistics.h"
#include "ntune/core/yaml.h"
#include "ntune/optim/optimisers.h"
#include "ntune/space/search_space.h"

namespace ntune {
namespace {

constexpr int kParameters = 4;
constexpr int kValues = 6;

/// A solver whose median time is a sum of parabolas in the logarithm, about values drawn at random.
class Solver {
 public:
  Solver(double sd, double steepness, Rng rng) : space_(make_space()), sd_(sd) {
    for (int i = 0; i < kParameters; ++i) {
      best_.push_back(static_cast<int>(rng.below(kValues)));
      weights_.push_back(steepness * (0.1 + 0.3 * rng.uniform()));
    }
  }

  [[nodiscard]] const SearchSpace& space() const { return space_; }
  /// Logarithm of the mean time over that of the best point.
  [[nodiscard]] double log_ratio(const Point& point) const {
    double sum = 0.0;
    for (int i = 0; i < kParameters; ++i) {
      const auto place = static_cast<std::size_t>(i);
      sum += weights_[place] * std::pow(point[i] - best_[place], 2.0);
    }
    return sum;
  }
  [[nodiscard]] double time(const Point& point, Rng& rng) const {
    return std::exp(log_ratio(point) + sd_ * rng.normal());
  }

 private:
  static SearchSpace make_space() {
    std::vector<Parameter> parameters;
    for (int i = 0; i < kParameters; ++i) {
      parameters.push_back(make_integers(std::string(1, static_cast<char>('a' + i)), 1, kValues));
    }
    return SearchSpace(std::move(parameters));
  }

  SearchSpace space_;
  double sd_;
  std::vector<int> best_;
  std::vector<double> weights_;
};

enum class Told { kWhole, kRacing, kAsValue, kImputed };

struct Method {
  std::string name;
  std::string algorithm;
  Told told = Told::kWhole;
};

const std::vector<Method> kMethods = {
    {"racing", "racing", Told::kWhole},
    {"racing capped", "racing", Told::kRacing},
    {"ntbea", "ntbea", Told::kWhole},
    {"ntbea as value", "ntbea", Told::kAsValue},
    {"ntbea imputed", "ntbea", Told::kImputed},
    {"gaussian_process", "gaussian_process", Told::kWhole},
    {"gaussian_process as value", "gaussian_process", Told::kAsValue},
    {"gaussian_process imputed", "gaussian_process", Told::kImputed}};

struct Searched {
  double regret = 0.0;  ///< log ratio of what is recommended
  double seconds = 0.0;
  std::int64_t evaluations = 0;
  std::int64_t ended = 0;
};

/// Mean of a normal variable that is known to be above `bound`.
double mean_above(double mean, double sd, double bound) {
  const double z = (bound - mean) / sd;
  const double tail = 0.5 * std::erfc(z / std::numbers::sqrt2);
  if (tail < 1e-12) return bound;
  const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
  return mean + sd * density / tail;
}

/// Times that ran to their end, of all points.
class Course {
 public:
  /// The time at which a program is ended, with the best mean that the search knows.
  [[nodiscard]] double cap(const Optimiser& search) const {
    constexpr std::int64_t kFirst = 20;  // whole evaluations
    constexpr double kFactor = 5.0;
    if (evaluations_ < kFirst) return std::numeric_limits<double>::infinity();
    return kFactor * std::max(-search.recommend().estimate, shortest_);
  }
  void add(double time) {
    ++evaluations_;
    shortest_ = std::min(shortest_, time);
    logs_.add(std::log(time));
  }
  /// What a time above `bound` is on average, for times that scatter about the point's mean as all
  /// do about theirs (Schmee and Hahn 1979).
  [[nodiscard]] double imputed(const std::optional<Belief>& belief, double bound) const {
    const double mean = belief && belief->mean < 0.0 ? std::log(-belief->mean) : logs_.mean();
    const double sd = std::max(0.1, logs_.sd());
    return std::exp(mean_above(mean, sd, std::log(bound)));
  }

 private:
  std::int64_t evaluations_ = 0;
  double shortest_ = std::numeric_limits<double>::infinity();
  RunningStats logs_;
};

/// A search of `evaluations`, or fewer where `seconds` are used up.
Searched search(const Method& method, const Solver& solver, std::int64_t evaluations,
                double seconds, const Rng& rng) {
  const auto optimiser = plan_optimiser(parse_yaml(method.algorithm, "optimiser"), solver.space())
                             .make({.space = &solver.space(),
                                    .budget = evaluations,
                                    .ends_losers = method.told == Told::kRacing});
  Rng own = rng.stream("optimiser");
  Course course;
  Searched searched;
  while (searched.evaluations < evaluations && searched.seconds < seconds) {
    const Point point = optimiser->ask(own);
    Rng stream = rng.stream("evaluation", static_cast<std::uint64_t>(searched.evaluations++));
    const double time = solver.time(point, stream);
    double cap = std::numeric_limits<double>::infinity();
    if (method.told == Told::kRacing) {
      cap = -optimiser->losing_payoff();
    } else if (method.told != Told::kWhole) {
      cap = course.cap(*optimiser);
    }
    searched.seconds += std::min(time, cap);
    if (time <= cap) {
      course.add(time);
      optimiser->tell(point, -time);
      continue;
    }
    ++searched.ended;
    if (method.told == Told::kRacing) optimiser->tell_at_most(point, -cap);
    if (method.told == Told::kAsValue) optimiser->tell(point, -cap);
    if (method.told == Told::kImputed) {
      optimiser->tell(point, -course.imputed(optimiser->belief(point), cap));
    }
  }
  searched.regret = solver.log_ratio(optimiser->recommend().point);
  return searched;
}

struct Arguments {
  std::int64_t runs = 100;
  double steepness = 0.2;  ///< 1: the worst point may take e^40 times as long as the best
  std::string csv = {};
};

/// Its share of the seconds of the method that ends nothing, and its regret beside that one's.
struct Row {
  RunningStats regret = {};
  RunningStats difference = {};
  RunningStats share = {};
  RunningStats ended = {};
  RunningStats evaluations = {};
};

const Method& whole_of(const Method& method) {
  return *std::ranges::find_if(kMethods, [&](const Method& other) {
    return other.told == Told::kWhole && other.algorithm == method.algorithm;
  });
}

/// `stretch`: evaluations allowed per evaluation of the method that ends nothing, whose seconds are
/// then the limit; 0: as many evaluations, without a limit.
Row measure(const Method& method, double sd, std::int64_t evaluations, double stretch,
            const Arguments& arguments) {
  Row row;
  for (std::int64_t i = 0; i < arguments.runs; ++i) {
    const Rng rng = Rng(25).stream("run", static_cast<std::uint64_t>(i));
    const Solver solver(sd, arguments.steepness, rng.stream("solver"));
    constexpr double kNoLimit = std::numeric_limits<double>::infinity();
    const Searched whole = search(whole_of(method), solver, evaluations, kNoLimit, rng);
    const auto most = static_cast<std::int64_t>(
        std::lround(std::max(1.0, stretch) * static_cast<double>(evaluations)));
    const Searched searched =
        search(method, solver, most, stretch > 0.0 ? whole.seconds : kNoLimit, rng);
    row.regret.add(searched.regret);
    row.difference.add(searched.regret - whole.regret);
    row.share.add(searched.seconds / whole.seconds);
    row.ended.add(static_cast<double>(searched.ended) / static_cast<double>(searched.evaluations));
    row.evaluations.add(static_cast<double>(searched.evaluations));
  }
  return row;
}

std::string half_width(const RunningStats& sample) {
  const Interval interval = student_interval(sample);
  return fmt::format("{:.4f}", 0.5 * (interval.high - interval.low));
}

void run(const Arguments& arguments) {
  std::ofstream out;
  if (!arguments.csv.empty()) out.open(arguments.csv);
  const auto write = [&](const std::string& line) {
    std::fputs(line.c_str(), stdout);
    std::fflush(stdout);
    out << line << std::flush;
  };
  write(
      "method,sd_log,evaluations,equal,n,regret,regret_half,difference,difference_half,"
      "time_share,ended,made\n");
  for (const double sd : {0.5, 1.0, 2.0}) {
    for (const std::int64_t evaluations : {100, 300}) {
      for (const Method& method : kMethods) {
        double share = 1.0;
        for (const char* equal : {"evaluations", "time"}) {
          const bool time = std::string_view(equal) == "time";
          if (time && method.told == Told::kWhole) continue;
          const Row row = measure(method, sd, evaluations, time ? 1.0 / share : 0.0, arguments);
          if (!time) share = std::clamp(row.share.mean(), 0.05, 1.0);
          write(fmt::format("{},{},{},{},{},{:.4f},{},{:.4f},{},{:.3f},{:.3f},{:.0f}\n",
                            method.name, sd, evaluations, equal, arguments.runs, row.regret.mean(),
                            half_width(row.regret), row.difference.mean(),
                            half_width(row.difference), row.share.mean(), row.ended.mean(),
                            row.evaluations.mean()));
        }
      }
    }
  }
}

}  // namespace
}  // namespace ntune

int main(int argc, char** argv) {
  ntune::Arguments arguments;
  CLI::App program("What it is worth that a search ends programs that have lost");
  program.add_option("--runs", arguments.runs, "runs of each row");
  program.add_option("--steepness", arguments.steepness,
                     "1: the worst point may take e^40 times as long as the best");
  program.add_option("--csv", arguments.csv, "file for the rows that are printed");
  return ntune::run_experiment(program, argc, argv, [&] { ntune::run(arguments); });
}
