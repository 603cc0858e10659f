#include "ntune/report/data/posterior.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ntune/core/rng.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/capabilities.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/evaluation.h"

namespace ntune {

namespace {

/// Gamma(shape, 1), shape >= 1 (Marsaglia and Tsang 2000).
double draw_gamma(Rng& rng, double shape) {
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = rng.normal();
    const double v = std::pow(1.0 + c * x, 3.0);
    if (v <= 0.0) continue;
    const double u = 1.0 - rng.uniform();
    if (std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

double draw_beta(Rng& rng, double a, double b) {
  const double x = draw_gamma(rng, a);
  return x / (x + draw_gamma(rng, b));
}

bool has_two_values(const Objective& objective) {
  const Payoffs payoffs = objective.payoffs();
  return payoffs.two_valued && payoffs.low && payoffs.high;
}

double pooled_sd(const std::vector<Rival>& rivals) {
  double squares = 0.0;
  double freedom = 0.0;
  for (const Rival& rival : rivals) {
    if (rival.n < 2) continue;
    squares += rival.sd * rival.sd * static_cast<double>(rival.n - 1);
    freedom += static_cast<double>(rival.n - 1);
  }
  return freedom > 0.0 ? std::sqrt(squares / freedom) : 0.0;
}

/// Draws values of rivals in the reported unit.
class Posterior {
 public:
  Posterior(const std::vector<Rival>& rivals, const Objective& objective)
      : two_valued_(has_two_values(objective)), sd_(pooled_sd(rivals)) {
    if (!two_valued_) return;
    low_ = objective.unit().value_of(*objective.payoffs().low);
    high_ = objective.unit().value_of(*objective.payoffs().high);
  }

  double draw(const Rival& rival, Rng& rng) const {
    const auto n = static_cast<double>(rival.n);
    if (!two_valued_) return rival.mean + rng.normal() * sd_ / std::sqrt(n);
    const double wins = std::clamp(n * (rival.mean - low_) / (high_ - low_), 0.0, n);
    return low_ + (high_ - low_) * draw_beta(rng, 1.0 + wins, 1.0 + n - wins);
  }

 private:
  bool two_valued_;
  double sd_;
  double low_ = 0.0;
  double high_ = 1.0;
};

/// Adds a sample that result.json describes by n, mean and sd.
void add_sample(Rival& rival, const Json& sample) {
  if (!sample.is_object()) return;
  const std::int64_t n = sample.value("n", std::int64_t{0});
  if (n < 1) return;
  const double sd = sample.value("sd", 0.0);
  const double mean = sample.value("mean", 0.0);
  const auto state = [](std::int64_t count, double m, double s) {
    const double squares = s * s * static_cast<double>(count - 1);
    return RunningStats(
        RunningStats::State{.count = count, .mean = m, .squares = squares, .min = m, .max = m});
  };
  RunningStats both = rival.n > 0 ? state(rival.n, rival.mean, rival.sd) : RunningStats();
  both.merge(state(n, mean, sd));
  rival.n = both.count();
  rival.mean = both.mean();
  rival.sd = both.sd();
}

}  // namespace

std::vector<Rival> rivals_of(const StudyFolder& study) {
  std::vector<Rival> rivals;
  const Json& result = study.result;
  if (!result.is_object() || study.study.is_comparison()) return rivals;
  const Objective& objective = study.objective(0);
  const auto point_of = [&](const Json& parameters) {
    return read_point(parse_yaml(to_yaml(parameters), "result.json"), objective.space());
  };
  const Json recommendation = result.value("recommendation", Json());
  Json rows = result.value("recommended_by_runs", Json());
  if (!rows.is_array() || rows.empty()) {
    if (!recommendation.is_object()) return rivals;
    rows = Json::array({recommendation});  // of merged studies
  }
  for (const Json& row : rows) {
    Rival rival{.point = point_of(row["parameters"]), .runs = row.value("runs", std::int64_t{0})};
    rival.recommended = recommendation.is_object() &&
                        recommendation.value("parameters", Json()) == row["parameters"];
    if (row.contains("re_evaluation")) add_sample(rival, row["re_evaluation"]);
    if (rival.recommended) {
      if (rival.n == 0) add_sample(rival, recommendation.value("re_evaluation", Json()));
      add_sample(rival, recommendation.value("hold_out", Json()));
    }
    rival.true_value = true_value_of(objective, rival.point);
    rivals.push_back(std::move(rival));
  }
  judge(rivals, objective);
  const double sign = objective.unit().direction();
  std::ranges::stable_sort(rivals, [&](const Rival& a, const Rival& b) {
    if (a.recommended != b.recommended) return a.recommended;
    if ((a.n > 0) != (b.n > 0)) return a.n > 0;
    return sign * a.mean > sign * b.mean;
  });
  return rivals;
}

void judge(std::vector<Rival>& rivals, const Objective& objective) {
  constexpr double kMostDraws = 20'000;
  constexpr double kMostWork = 2e6;
  std::vector<std::size_t> known;
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    if (rivals[i].n > 0) known.push_back(i);
  }
  if (known.empty()) return;
  const Posterior posterior(rivals, objective);
  const double sign = objective.unit().direction();
  const int draws = static_cast<int>(
      std::clamp(kMostWork / static_cast<double>(known.size()), 1000.0, kMostDraws));
  Rng rng = Rng(1).stream("posterior");
  std::vector<double> values(known.size());
  for (int draw = 0; draw < draws; ++draw) {
    for (std::size_t k = 0; k < known.size(); ++k) {
      values[k] = sign * posterior.draw(rivals[known[k]], rng);
    }
    const auto best = std::ranges::max_element(values);
    rivals[known[static_cast<std::size_t>(best - values.begin())]].best_probability += 1.0 / draws;
    for (std::size_t k = 0; k < known.size(); ++k) {
      rivals[known[k]].regret += (*best - values[k]) / draws;
    }
  }
}

std::string judging_rule(const Objective& objective) {
  return has_two_values(objective)
             ? "Each value has the posterior Beta(1 + wins, 1 + losses) of its fresh evaluations "
               "(comparison and hold-out), independent of the others."
             : "Each value has a normal posterior: the mean of its fresh evaluations (comparison "
               "and hold-out), the pooled standard deviation over the root of n, independent of "
               "the others.";
}

}  // namespace ntune
