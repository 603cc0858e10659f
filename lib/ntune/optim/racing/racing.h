#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/optim/base/point_search.h"
#include "ntune/optim/racing/race_statistics.h"

namespace ntune {

class Options;

enum class RaceTestKind { kFriedman, kPairedT };

struct RacingOptions {
  RaceTestKind test = RaceTestKind::kFriedman;
  double confidence = 0.95;
  int first_test = 5;
  bool capping = true;

  void visit(Options& options);
};

/// Iterated racing in irace's manner (López-Ibáñez et al. 2016, sections 2 and 3). Race j = 1, 2, …
/// has B_j = budget left / races left evaluations and B_j / (first_test + min(5, j)) candidates.
/// They are random at first, later the elites of the race before and points drawn about them. Every
/// block evaluates each candidate still in the race once; from block `first_test` on a test after
/// each block takes out those that are significantly worse than the best. A race ends when 2 + log2
/// d or fewer are left or its evaluations are spent; those left, best first, are the elites. There
/// are 2 + log2 d races, and more while budget is left.
///
/// A new point has a parent, the elite of rank r of n with probability (n - r + 1) / (n (n + 1) /
/// 2). An ordered parameter is normal about the parent's index, cut off at the ends. Its deviation
/// is half the range times the product over races of candidates^(-1 / d). An unordered one keeps
/// the parent's value with probability 1 - u and takes any else, where u is the product of 1 - (i -
/// 1) / races. Known points are drawn again, after ten tries from the whole space (for irace's soft
/// restart). Not of irace: elites race anew (its `elitist` keeps them in), but their payoffs of
/// earlier races count in their means.
///
/// Where payoffs are negative costs that grow while an evaluation lasts, it may be ended early (in
/// the manner of irace's adaptive capping: Pérez Cáceres et al. 2017). The limit is what all blocks
/// up to `first_test` would cost at the mean of the last elite so far, later twice as many blocks
/// as there are. The candidate is then out, and its points are not among the elites. Where payoffs
/// have a lowest one, that of a penalty, the last elite counts as if half a block more had brought
/// it. Once a penalty has been told, no candidate loses by ranks whose mean is the best.
///
/// Where the context has blocks, all candidates of a race meet the same instances and seeds, as in
/// irace, and every block of every race has new ones. Candidates are then ranked by what their
/// payoffs are beside others of the same blocks (fair_means).
///
/// Without noise and blocks there is nothing to test: a race evaluates as many new points as it has
/// evaluations, each once, and the best of all points are the elites.
///
/// A candidate that fails is out, and points that are likely to fail are drawn again. Recommends
/// the highest mean among the candidates left with `first_test` blocks or more; before there are
/// any, among the elites, then among all points.
class Racing final : public PointSearch {
 public:
  Racing(const RacingOptions& options, const OptimiserContext& context);

  Proposal ask(Rng& rng) override;
  /// The best of the points adopted before the first ask are the first elites; the races share the
  /// budget that is left.
  void adopt(const Point& point, Rng& rng) override;
  using PointSearch::tell;
  void tell(const Proposal& asked, const Report& report) override;
  [[nodiscard]] Recommendation recommend() const override;

 private:
  struct Candidate {
    Point point;
    std::vector<RunningStats> blocks = {};
  };
  /// One ask of the race under way.
  struct Slot {
    std::size_t candidate = 0;
    std::size_t block = 0;
  };
  /// One ask of all races, where there are blocks.
  struct Ask {
    Point point;
    std::int64_t block = 0;
    RunningStats payoffs = {};
  };
  /// Fair means of the points that were asked for, where there are blocks; else empty.
  using FairMeans = std::map<Point, double>;

  void add(const Point& point, double payoff);
  void settle();
  void take_out_losers();
  static void keep_best_means(const RaceTable& payoffs, std::vector<bool>& losers);
  void take_out_capped(const Slot& slot);
  [[nodiscard]] bool race_is_over() const;
  void start_race(Rng& rng);
  void enter(const Point& point);
  void add_new(Point (Racing::*draw)(Rng&) const, Rng& rng);
  [[nodiscard]] Point draw_child(Rng& rng) const;
  [[nodiscard]] Point draw_any(Rng& rng) const { return space_->sample(rng); }
  [[nodiscard]] std::size_t full_blocks() const;
  [[nodiscard]] double wanted_sum(std::size_t block) const;
  [[nodiscard]] double left_to_lose(const Slot& slot) const;
  [[nodiscard]] Slot next_slot() const;
  [[nodiscard]] bool reliable(const Point& point) const;
  [[nodiscard]] std::int64_t left() const { return std::ssize(left_); }
  [[nodiscard]] FairMeans fair_means_of_asks() const;
  [[nodiscard]] double mean(const Point& point, const FairMeans& fair) const;
  [[nodiscard]] std::vector<Point> ranked() const;
  [[nodiscard]] std::vector<Point> highest(std::vector<Point> points, const FairMeans& fair) const;
  [[nodiscard]] std::vector<Point> best_known() const;

  RacingOptions options_;
  std::int64_t budget_;
  int dimensions_ = 0;          ///< parameters with two values or more
  std::int64_t survivors_ = 0;  ///< elites a race may leave; also the races that are planned
  std::int64_t race_ = 0;       ///< j
  double spread_ = 0.5;         ///< deviation of ordered parameters, as a share of their range
  double doubt_ = 1.0;          ///< u, of unordered parameters
  std::vector<Point> elites_;   ///< best first
  std::vector<Candidate> candidates_;
  std::set<Point> entered_;     ///< points of candidates_
  std::set<std::size_t> left_;  ///< candidates still in the race
  std::vector<Slot> slots_;     ///< asks of this race
  std::int64_t first_ask_ = 0;  ///< asks before this race
  std::int64_t race_budget_ = 0;
  std::size_t settled_ = 0;  ///< slots that have come back
  std::size_t tested_ = 0;   ///< blocks at the last test
  Slot next_;
  std::set<Point> capped_;  ///< points that were out when their cost was seen to be too high
  std::optional<double> penalty_ = {};  ///< the payoff of what is cut off, where it may be
  bool cut_off_ = false;                ///< any evaluation was
  bool has_blocks_ = false;
  bool is_exact_ = false;         ///< one payoff tells what a point is worth
  std::int64_t first_block_ = 0;  ///< of the race under way
  std::int64_t next_block_ = 0;   ///< of the next race
  std::vector<Ask> asks_;         ///< where there are blocks
};

}  // namespace ntune
