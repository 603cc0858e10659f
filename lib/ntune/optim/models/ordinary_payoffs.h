#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "ntune/space/point.h"

namespace ntune {

/// Which payoffs are so far from all others that a scale must not follow them. Such a payoff is set
/// aside: it counts as the highest ordinary one, or the lowest.
///
/// With a declared range those outside are set aside. Else the rule holds from the 16th payoff on.
/// The scale s is the larger distance from the median to a quartile. Where the smaller distance is
/// below a thousandth of it, s is the smaller; where that is 0, s is the larger distance to an
/// outer octile. Payoffs within 30 s of the median are ordinary. Set aside are those that lie
/// outside their range by more than five times its width. Above, they are at most a tenth of all
/// payoffs, or one: more are no accident.
///
/// As payoffs come in this may change for earlier ones, for those set aside until the 1,024th.
/// Beyond 2,048 payoffs the quartiles are those of a sample.
class OrdinaryPayoffs {
 public:
  /// What a payoff counts as.
  struct Counted {
    Point point;
    double payoff = 0.0;
  };
  /// Who keeps sums of payoffs hears of changes here.
  struct Changes {
    /// An earlier payoff of the point counts as another number.
    std::function<void(const Point& point, double before, double now)> amend;
    /// Takes in place of all payoffs so far: taken away from a sum, the numbers before would leave
    /// their rounding errors.
    std::function<void(std::span<const Counted> all)> relearn;
  };

  /// Payoffs beyond a declared range by up to `slack` are within it.
  OrdinaryPayoffs(std::optional<double> low, std::optional<double> high, double slack = 0.0);

  /// What the payoff of a point counts as.
  double add(const Point& point, double payoff, const Changes& changes) {
    if (declared_) return within_range(payoff);
    ++count_;
    hold(payoff);
    if (tolerated_) watch(point, payoff, changes);
    double counts_as = payoff;
    if (count_ <= kFirst || payoff < lowest_ || payoff > highest_) {
      counts_as = rate(point, payoff, changes);
    }
    if (count_ <= kLogged) log_.push_back({.point = point, .payoff = counts_as});
    return counts_as;
  }

  /// Ends of the payoffs as they count; infinite without any payoff.
  [[nodiscard]] double lowest() const { return lowest_; }
  [[nodiscard]] double highest() const { return highest_; }
  /// Payoffs set aside.
  [[nodiscard]] std::int64_t set_aside() const { return set_aside_ + for_good_; }

 private:
  static constexpr std::int64_t kFirst = 16;
  /// Payoffs that are remembered: until a review after the 1,024th has decided for good.
  static constexpr std::int64_t kLogged = 1300;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  /// A payoff that is extreme, or might come to be.
  struct Suspect {
    Point point;
    double payoff = 0.0;
    double counts_as = 0.0;
    std::size_t place = 0;  ///< in the log
  };

  void hold(double payoff) {
    if ((count_ & (stride_ - 1)) == 0) sample(payoff);
  }
  double within_range(double payoff) {
    const double counts_as = std::clamp(payoff, low_, high_);
    if (counts_as != payoff) ++set_aside_;
    widen(counts_as);
    return counts_as;
  }
  void sample(double payoff);
  void watch(const Point& point, double payoff, const Changes& changes);
  double rate(const Point& point, double payoff, const Changes& changes);
  void find_fences();
  void review(const Changes& changes);
  void recount_suspects(const Changes& changes);
  void widen(double payoff) {
    lowest_ = std::min(lowest_, payoff);
    highest_ = std::max(highest_, payoff);
  }

  bool declared_;
  double low_ = -kInfinity;  ///< the declared range
  double high_ = kInfinity;
  double lowest_ = kInfinity;
  double highest_ = -kInfinity;
  double fence_low_ = -kInfinity;  ///< payoffs below are extreme
  double fence_high_ = kInfinity;
  bool tolerated_ = false;  ///< those above are too many to be set aside
  bool accepted_ = false;   ///< they are tolerated for good
  std::int64_t count_ = 0;
  std::int64_t set_aside_ = 0;  ///< suspects that are set aside
  std::int64_t for_good_ = 0;   ///< those set aside after the last that may change
  std::int64_t next_review_ = kFirst;
  std::vector<Suspect> suspects_;
  std::vector<Counted> log_;    ///< the first kLogged payoffs
  std::vector<double> sample_;  ///< every `stride_`-th payoff
  std::int64_t stride_ = 1;     ///< a power of two
};

}  // namespace ntune
