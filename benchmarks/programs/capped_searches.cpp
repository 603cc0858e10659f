// What it is worth that a search ends programs that have lost: simulated solvers with log-normal
// times, whose medians differ by parameters. A racing search ends what racing says. NTBEA and a
// Gaussian process end what has taken several times the best mean. They are told the time at the
// end as it is, or what a longer time is on average: once, or anew as they know more.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/programs/experiment.h"
#include "ntune/core/yaml.h"
#include "ntune/optim/base/capped_search.h"
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

enum class Told {
  kWhole,    ///< nothing is ended
  kSearch,   ///< as the search itself does
  kAsValue,  ///< the time at the end as if it were the whole
  kRounds    ///< expected times, which are estimated anew as the search knows more
};

struct Method {
  std::string name;
  std::string algorithm;
  Told told = Told::kWhole;
};

const std::vector<Method> kMethods = {
    {"racing", "racing", Told::kWhole},
    {"racing capped", "racing", Told::kSearch},
    {"ntbea", "ntbea", Told::kWhole},
    {"ntbea as value", "ntbea", Told::kAsValue},
    {"ntbea imputed", "ntbea", Told::kSearch},
    {"ntbea imputed anew", "ntbea", Told::kRounds},
    {"gaussian_process", "gaussian_process", Told::kWhole},
    {"gaussian_process as value", "gaussian_process", Told::kAsValue},
    {"gaussian_process imputed", "gaussian_process", Told::kSearch},
    {"gaussian_process imputed anew", "gaussian_process", Told::kRounds}};

/// A search of simulated programs, and what it has used.
class Course {
 public:
  Course(const Method& method, const Solver& solver, std::int64_t evaluations, const Rng& rng)
      : told_(method.told),
        plan_(plan_optimiser(parse_yaml(method.algorithm, "optimiser"), solver.space())),
        context_{.space = &solver.space(),
                 .budget = evaluations,
                 .ends_losers = method.told == Told::kSearch},
        search_(plan_.make(context_)),
        rng_(rng.stream("optimiser")) {}

  Point ask() {
    const Proposal asked = search_->ask(rng_);
    losing_payoff_ = asked.losing_payoff;
    return asked.point;
  }
  /// The time at which the program is ended that runs the point asked for last.
  [[nodiscard]] double cap() const {
    if (told_ == Told::kSearch) return -losing_payoff_;
    if (told_ == Told::kWhole || history_.empty()) return kNoCap;
    return costs_.losing(-search_->recommend().estimate);
  }
  void tell(const Point& point, double time, double cap) {
    seconds_ += std::min(time, cap);
    const bool is_ended = time > cap;
    ended_ += is_ended ? 1 : 0;
    history_.push_back({point, std::min(time, cap), is_ended});
    if (!is_ended) costs_.add(time);
    if (is_ended && told_ == Told::kSearch)
      return search_->tell({.point = point}, {.at_most = -cap});
    search_->tell(point, payoff_of(history_.back()));
    if (told_ == Told::kRounds && std::ssize(history_) >= next_round_) estimate_anew();
  }

  [[nodiscard]] Point recommended() const { return search_->recommend().point; }
  [[nodiscard]] double seconds() const { return seconds_; }
  [[nodiscard]] std::int64_t ended() const { return ended_; }

 private:
  static constexpr double kNoCap = std::numeric_limits<double>::infinity();

  struct Evaluated {
    Point point;
    double time = 0.0;
    bool is_ended = false;
  };

  [[nodiscard]] double payoff_of(const Evaluated& evaluated) const {
    if (!evaluated.is_ended || told_ != Told::kRounds) return -evaluated.time;
    const std::optional<Belief> belief = search_->belief(evaluated.point);
    return -costs_.imputed(belief ? std::optional(-belief->mean) : std::nullopt, evaluated.time);
  }
  /// Has a new search know all times, of those that were ended what this one expects.
  void estimate_anew() {
    constexpr double kGrowth = 1.25;
    constexpr int kRounds = 3;
    next_round_ = static_cast<std::int64_t>(kGrowth * static_cast<double>(next_round_));
    for (int round = 0; round < kRounds && ended_ > 0; ++round) {
      std::vector<Point> points;
      std::vector<double> payoffs;
      for (const Evaluated& evaluated : history_) {
        points.push_back(evaluated.point);
        payoffs.push_back(payoff_of(evaluated));
      }
      search_ = plan_.make(context_);
      for (const Point& point : points) search_->adopt(point, rng_);
      search_->tell_all(points, payoffs);
    }
  }

  Told told_;
  OptimiserPlan plan_;
  OptimiserContext context_;
  std::unique_ptr<Optimiser> search_;
  double losing_payoff_ = 0.0;  ///< of the point asked for last
  Rng rng_;
  CensoredCosts costs_;
  std::vector<Evaluated> history_;
  std::int64_t next_round_ = 25;
  double seconds_ = 0.0;
  std::int64_t ended_ = 0;
};

struct Arguments {
  std::int64_t runs = 100;
  double steepness = 0.2;  ///< 1: the worst point may take e^40 times as long as the best
  std::string csv = "capped_searches.csv";
};

/// Regret in the logarithm of the mean time, seconds, and how many programs were ended.
std::string searched(const Method& method, const Arguments& arguments, double sd,
                     std::int64_t evaluations, const Rng& rng) {
  const Solver solver(sd, arguments.steepness, rng.stream("solver"));
  Course course(method, solver, evaluations, rng);
  for (std::int64_t i = 0; i < evaluations; ++i) {
    const Point point = course.ask();
    Rng stream = rng.stream("evaluation", static_cast<std::uint64_t>(i));
    const double time = solver.time(point, stream);
    course.tell(point, time, course.cap());
  }
  return fmt::format("{:.4f},{:.5g},{}", solver.log_ratio(course.recommended()), course.seconds(),
                     course.ended());
}

void run_all(const Arguments& arguments) {
  ResultRows rows(arguments.csv, "steepness,sd_log,evaluations,method,run,regret,seconds,ended", 3);
  for (std::int64_t run = 0; run < arguments.runs; ++run) {
    const Rng rng = Rng(25).stream("run", static_cast<std::uint64_t>(run));
    for (const double sd : {0.5, 1.0, 2.0}) {
      for (const std::int64_t evaluations : {100, 300}) {
        for (const Method& method : kMethods) {
          rows.add(
              fmt::format("{},{},{},{},{}", arguments.steepness, sd, evaluations, method.name, run),
              [&] { return searched(method, arguments, sd, evaluations, rng); });
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
  ntune::add_row_options(program, arguments);
  program.add_option("--steepness", arguments.steepness,
                     "1: the worst point may take e^40 times as long as the best");
  return ntune::run_experiment(program, argc, argv, [&] { ntune::run_all(arguments); });
}
