#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ntune/optim/duels/match_search.h"

namespace ntune {

class Options;
class YamlNode;

struct SpsaDuelsOptions {
  double c_end = 0.05;
  double r_end = 0.002;
  double stability = 0.1;
  double alpha = 0.602;
  double gamma = 0.101;
  bool average = false;
  /// c and r of single parameters, by name; c in the parameter's own unit.
  struct Gains {
    double c = 0.0;
    double r = 0.0;
  };
  std::map<std::string, Gains> gains = {};

  void visit(Options& options);
};

/// SPSA as fishtest and OpenBench run it. In iteration k = 1, 2, … of N the iterate plus c_k in a
/// random direction of every parameter meets the iterate minus c_k, each rounded at random to one
/// of the two nearest values. With R = wins - losses, the iterate then moves by r_k c_k R in that
/// direction, where
///   c_k = c_end (N / k)^gamma,  r_k = a_k / c_k^2,  a_k = r_end c_end^2 ((A + N) / (A + k))^alpha
/// and A = stability * N. c_end is the last distance, r_end the last rate. The iterate starts at
/// the default. Unordered parameters move along their values as written. Recommends the iterate, or
/// its mean over the second half of the search (`average`).
///
/// On coarse values both players may be rounded to the same point. They are then rounded again, and
/// the move is multiplied by the chance that they differ: its expectation stays, and no match is
/// spent on a point against itself. Where the iterate is forbidden, or likely to fail, the nearest
/// point that has played is recommended.
class SpsaDuels final : public MatchSearch {
 public:
  SpsaDuels(const SpsaDuelsOptions& options, const OptimiserContext& context);

  Proposal ask(Rng& rng) override;
  void adopt(const Point& point, Rng& rng) override;
  using MatchSearch::tell;
  void tell(const Proposal& asked, const Report& report) override;
  [[nodiscard]] Recommendation recommend() const override;

  /// The iterate, an index of a value for every parameter, not rounded.
  [[nodiscard]] const std::vector<double>& iterate() const { return iterate_; }

 private:
  /// An iteration in flight.
  struct Step {
    Point first;
    Point second;
    std::vector<double> moves;  ///< of each parameter, for a win more than a loss
  };

  [[nodiscard]] Point rounded(const std::vector<double>& indices, Rng* rng) const;
  [[nodiscard]] std::optional<Step> draw_step(double k, Rng& rng) const;
  [[nodiscard]] std::vector<double> chances_to_be_alike(const std::vector<double>& up,
                                                        const std::vector<double>& down) const;
  [[nodiscard]] bool is_playable(const Step& step, Rng& rng) const;
  [[nodiscard]] Point nearest_usable(const std::vector<double>& indices) const;
  void learn(const Point& point, const Point& opponent, const MatchResult& result) override;
  /// What was no match of two chosen players moves nothing.
  void learn_alone(const Point& point, double score) override { count(point, score); }
  /// Either player may be to blame: the default as well, as a rounded iterate.
  [[nodiscard]] bool is_trusted(const Point& /*point*/) const override { return false; }
  void take(const Point& point, const Point& opponent, double difference);

  SpsaDuelsOptions options_;
  double iterations_;
  std::vector<double> iterate_;
  std::vector<double> c_end_;  ///< in steps of the values
  std::vector<double> r_end_;
  std::vector<double> sums_;
  double summed_ = 0.0;
  std::int64_t told_ = 0;
  std::deque<Step> steps_;
};

}  // namespace ntune
