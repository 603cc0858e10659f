#include "ntune/optim/racing/racing.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>

#include "ntune/core/options.h"

namespace ntune {

void RacingOptions::visit(Options& options) {
  options.choice("test", test,
                 {{"friedman", RaceTestKind::kFriedman}, {"t", RaceTestKind::kPairedT}},
                 "Friedman's test by ranks within a block, or paired t-tests without correction");
  options.number("confidence", confidence, between(0.5, 0.999999), "confidence of the test");
  options.integer("first_test", first_test, between(2, 1e6), "blocks before the first test");
  options.flag("capping", capping,
               "where the result is a time: end a program when its candidate costs too much");
}

Racing::Racing(const RacingOptions& options, const OptimiserContext& context)
    : PointSearch(context),
      options_(options),
      budget_(context.budget),
      has_blocks_(context.blocks),
      is_exact_(!context.noisy && !context.blocks) {
  options_.capping = options_.capping && context.ends_losers;
  if (context.ends_losers && !context.ends_leaders) penalty_ = context.payoff_low;
  for (const Parameter& parameter : space_->parameters()) {
    dimensions_ += parameter.cardinality() > 1 ? 1 : 0;
  }
  dimensions_ = std::max(dimensions_, 1);
  survivors_ = 1 + std::bit_width(static_cast<unsigned>(dimensions_));  // floor(2 + log2 d)
}

void Racing::adopt(const Point&, Rng&) {
  budget_ = std::max<std::int64_t>(1, budget_ - 1);
  ++next_block_;  // what was evaluated before had no more blocks than points
}

/// Returns the points with the highest means that were known before the first race. Where any has
/// `first_test` payoffs or more, only such points are compared.
std::vector<Point> Racing::best_known() const {
  std::vector<Point> sure;
  std::vector<Point> all;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_.cell(i).count == 0 || capped_.contains(points_.point(i))) continue;
    all.push_back(points_.point(i));
    if (points_.cell(i).count >= static_cast<std::uint32_t>(options_.first_test)) {
      sure.push_back(points_.point(i));
    }
  }
  return highest(sure.empty() ? all : sure, {});
}

/// Settles what has come back, tests, and starts a race if the last one is over. Candidates that
/// are out by their cost already are passed over.
Proposal Racing::ask(Rng& rng) {
  settle();
  take_out_losers();
  if (race_is_over()) start_race(rng);
  Slot slot = next_slot();
  for (; left_to_lose(slot) >= 0.0; slot = next_slot()) take_out_capped(slot);
  // The next ask begins its search after this candidate.
  slots_.push_back(slot);
  next_ = {.candidate = slot.candidate + 1, .block = slot.block};
  ++asked_;
  Proposal proposal{.point = candidates_[slot.candidate].point,
                    .losing_payoff = left_to_lose(slot)};
  if (has_blocks_) {
    proposal.block = first_block_ + static_cast<std::int64_t>(slot.block);
    asks_.push_back({proposal.point, *proposal.block});
    next_block_ = std::max(next_block_, *proposal.block + 1);
  }
  return proposal;
}

/// The next candidate in the race, in this block or the one after.
Racing::Slot Racing::next_slot() const {
  // The set of candidates is ordered, so that every block goes through them in the order of their
  // numbers.
  const auto next = left_.lower_bound(next_.candidate);
  if (next != left_.end()) return {.candidate = *next, .block = next_.block};
  return {.candidate = *left_.begin(), .block = next_.block + 1};
}

void Racing::tell(const Proposal& asked, const Report& report) {
  for (const double payoff : report.payoffs) add(asked.point, payoff);
  cut_off_ = cut_off_ || (penalty_ && report.cut_off);
  if (report.failed) failures_.fail(asked.point);
  // An evaluation that was ended is no failure of the point, which was merely too slow.
  if (!report.at_most) return;
  failures_.succeed(asked.point);
  capped_.insert(asked.point);
}

/// Counts a payoff for its point, and for the block of the race's ask that has just come back.
/// Points adopted before any ask have neither.
void Racing::add(const Point& point, double payoff) {
  const double counts_as = count(point, payoff);
  if (has_blocks_ && returned() > 0) {
    Ask& answered = asks_[static_cast<std::size_t>(returned() - 1)];
    if (answered.point == point) answered.payoffs.add(counts_as);
  }
  const std::int64_t ask = returned() - 1 - first_ask_;
  if (ask < 0) return;  // of the race before
  const Slot& slot = slots_[static_cast<std::size_t>(ask)];
  auto& blocks = candidates_[slot.candidate].blocks;
  if (blocks.size() <= slot.block) blocks.resize(slot.block + 1);
  blocks[slot.block].add(counts_as);
}

/// The sum of payoffs at which a candidate is out in this block. It is that of the last elite as
/// the means of the blocks so far are, over the blocks that it would have to do; -infinity while
/// there are too few to compare with.
double Racing::wanted_sum(std::size_t block) const {
  std::vector<double> means;
  for (const std::size_t i : left_) {
    const auto& blocks = candidates_[i].blocks;
    if (blocks.size() <= block) continue;
    double sum = 0.0;
    for (std::size_t b = 0; b <= block; ++b) sum += blocks[b].mean();
    // Only candidates that have done this block are compared, over equal blocks.
    means.push_back(sum / static_cast<double>(block + 1));
  }
  const auto last = static_cast<std::size_t>(survivors_) - 1;
  if (means.size() <= last) return -std::numeric_limits<double>::infinity();
  std::ranges::nth_element(means, means.begin() + static_cast<std::ptrdiff_t>(last),
                           std::ranges::greater());
  // The limit is that of more blocks than these, so that a candidate is out only when it is far
  // behind.
  const std::size_t horizon =
      std::max(static_cast<std::size_t>(options_.first_test), 2 * (block + 1));
  const auto blocks = static_cast<double>(block + 1);
  const double worth =
      penalty_ ? (means[last] * blocks + 0.5 * *penalty_) / (blocks + 0.5) : means[last];
  return worth * static_cast<double>(horizon);
}

/// The payoff of this slot at which its candidate is out; 0 or more: it is out already.
double Racing::left_to_lose(const Slot& slot) const {
  if (!options_.capping) return Proposal().losing_payoff;
  double sum = 0.0;
  for (const RunningStats& block : candidates_[slot.candidate].blocks) sum += block.mean();
  return wanted_sum(slot.block) - sum;
}

/// Takes out a candidate that has cost too much, for this race and those to come.
void Racing::take_out_capped(const Slot& slot) {
  left_.erase(slot.candidate);
  capped_.insert(candidates_[slot.candidate].point);
}

/// Takes candidates out whose evaluation has failed or was ended early.
void Racing::settle() {
  for (; first_ask_ + static_cast<std::int64_t>(settled_) < returned(); ++settled_) {
    const Slot& slot = slots_[settled_];
    if (candidates_[slot.candidate].blocks.size() <= slot.block) {
      left_.erase(slot.candidate);
    }
  }
}

/// Ranks do not see how bad a penalty is: a candidate whose mean is above those of all winners
/// stays.
void Racing::keep_best_means(const RaceTable& payoffs, std::vector<bool>& losers) {
  const auto mean = [&](std::size_t i) { return stats_of(payoffs[i]).mean(); };
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < losers.size(); ++i) {
    if (!losers[i]) best = std::max(best, mean(i));
  }
  for (std::size_t i = 0; i < losers.size(); ++i) losers[i] = losers[i] && mean(i) <= best;
}

/// Tests the candidates left over all full blocks, once for each number of them from `first_test`
/// on.
void Racing::take_out_losers() {
  const std::size_t blocks = full_blocks();
  if (blocks <= tested_ || blocks < static_cast<std::size_t>(options_.first_test)) return;
  tested_ = blocks;
  RaceTable payoffs;
  const std::vector<std::size_t> tested(left_.begin(), left_.end());
  for (const std::size_t candidate : tested) {
    auto& row = payoffs.emplace_back();
    for (std::size_t i = 0; i < blocks; ++i) {
      row.push_back(candidates_[candidate].blocks[i].mean());
    }
  }
  if (tested.size() < 2) return;
  std::vector<bool> losers = options_.test == RaceTestKind::kFriedman
                                 ? friedman_losers(payoffs, options_.confidence)
                                 : paired_t_losers(payoffs, options_.confidence);
  if (cut_off_) keep_best_means(payoffs, losers);
  for (std::size_t i = 0; i < tested.size(); ++i) {
    if (losers[i]) left_.erase(tested[i]);
  }
}

/// A race with few candidates must not end before a first test, or nothing would have been
/// compared.
bool Racing::race_is_over() const {
  if (left() == 0 || asked_ - first_ask_ >= race_budget_) return true;
  if (is_exact_) return next_slot().block > 0;
  return tested_ > 0 && left() <= survivors_;
}

/// Starts race j. Its budget, its number of candidates and the distributions of new points are as
/// the class comment has them (López-Ibáñez et al. 2016, section 2).
void Racing::start_race(Rng& rng) {
  if (race_ == 0) elites_ = best_known();
  // If no candidate was left with payoffs, the elites before stay.
  if (std::vector<Point> best = is_exact_ ? best_known() : ranked(); !best.empty()) {
    elites_ = std::move(best);
  }
  ++race_;
  // After the planned races one more race at a time takes all that is left.
  const std::int64_t left = std::max<std::int64_t>(1, budget_ - asked_);
  race_budget_ =
      std::max<std::int64_t>(1, left / std::max<std::int64_t>(1, survivors_ - race_ + 1));
  const std::int64_t of_each =
      is_exact_ ? 1 : options_.first_test + std::min<std::int64_t>(5, race_);
  const std::int64_t wanted =
      std::max<std::int64_t>(race_budget_ / of_each, std::ssize(elites_) + 1);
  // The distributions of new points narrow with each race. `fresh` is at least 1, as one more
  // candidate than elites is wanted.
  if (race_ > 1) {
    const auto races = static_cast<double>(std::max(survivors_, race_));
    doubt_ *= 1.0 - static_cast<double>(race_ - 1) / races;
    const auto fresh = static_cast<double>(wanted - std::ssize(elites_));
    spread_ *= std::pow(fresh, -1.0 / dimensions_);
  }
  candidates_.clear();
  entered_.clear();
  left_.clear();
  // Elites enter first, then children of them. If ten tries find no new child, a point from
  // anywhere enters instead.
  if (!is_exact_) {
    for (const Point& elite : elites_) enter(elite);
  }
  while (std::ssize(candidates_) < wanted) {
    const auto before = candidates_.size();
    if (!elites_.empty()) add_new(&Racing::draw_child, rng);
    if (candidates_.size() == before) add_new(&Racing::draw_any, rng);
    if (candidates_.size() == before) break;  // hardly any point is left
  }
  slots_.clear();
  first_ask_ = asked_;
  first_block_ = next_block_;
  settled_ = 0;
  tested_ = 0;
  next_ = {};
}

void Racing::enter(const Point& point) {
  left_.insert(candidates_.size());
  entered_.insert(point);
  candidates_.push_back({.point = point});
}

/// Adds a point that is no candidate yet, if one is found within some tries; any point where there
/// is no candidate at all.
void Racing::add_new(Point (Racing::*draw)(Rng&) const, Rng& rng) {
  // An exact race begins without elites: most points of a small space may be known.
  const int tries = is_exact_ ? 100 : 10;
  for (int i = 0; i < tries; ++i) {
    const Point point = failures_.draw(rng, [&] { return (this->*draw)(rng); });
    if (entered_.contains(point)) continue;
    const bool refused = failures_.refused(point) || capped_.contains(point) ||
                         (is_exact_ && points_.at(point).count > 0);
    if (refused && (!candidates_.empty() || (is_exact_ && i + 1 < tries))) continue;
    enter(point);
    return;
  }
}

Point Racing::draw_child(Rng& rng) const {
  const auto n = static_cast<std::uint32_t>(elites_.size());
  // Rank 0 has n tickets of n (n + 1) / 2, rank 1 has n - 1, and so on.
  std::uint32_t place = rng.below(n * (n + 1) / 2);
  std::uint32_t rank = 0;
  for (; place >= n - rank; ++rank) place -= n - rank;
  const Point& parent = elites_[rank];
  return draw_allowed(rng, [&] {
    Point child = parent;
    for (int i = 0; i < child.size(); ++i) {
      const Parameter& parameter = (*space_)[i];
      const auto values = static_cast<std::uint32_t>(parameter.cardinality());
      if (!parameter.ordered) {
        // The new value may be the parent's own.
        if (rng.bernoulli(doubt_)) child[i] = static_cast<std::uint16_t>(rng.below(values));
        continue;
      }
      // The truncated normal is drawn by rejection. The parent lies in the range, so nearly half of
      // the draws or more do too.
      double index = 0.0;
      do {
        index = std::round(parent[i] + spread_ * (values - 1) * rng.normal());
      } while (index < 0.0 || index >= values);
      child[i] = static_cast<std::uint16_t>(index);
    }
    return child;
  });
}

/// Blocks that every candidate left has been evaluated in: all before that of the first ask of a
/// candidate left that has not come back.
std::size_t Racing::full_blocks() const {
  if (left_.empty()) return slots_.size();
  // The first ask in flight of a candidate left is in the first block that is not full.
  for (std::size_t i = settled_; i < slots_.size(); ++i) {
    if (left_.contains(slots_[i].candidate)) return slots_[i].block;
  }
  return next_slot().block;
}

/// Returns the means of points as if all had met a block like all together (fair_means). Races have
/// different blocks, which may be harder or easier.
Racing::FairMeans Racing::fair_means_of_asks() const {
  std::map<Point, std::size_t> places;
  std::vector<BlockPayoffs> payoffs;
  for (const Ask& ask : asks_) {
    if (ask.payoffs.count() == 0) continue;
    const std::size_t place = places.try_emplace(ask.point, places.size()).first->second;
    payoffs.push_back({.candidate = place,
                       .block = static_cast<std::size_t>(ask.block),
                       .count = ask.payoffs.count(),
                       .mean = ask.payoffs.mean()});
  }
  const std::vector<double> means = fair_means(payoffs);
  FairMeans fair;
  for (const auto& [point, place] : places) fair.emplace(point, means[place]);
  return fair;
}

/// Returns the fair mean of a point, or its plain mean where there is none.
double Racing::mean(const Point& point, const FairMeans& fair) const {
  const auto found = fair.find(point);
  return found != fair.end() ? found->second : points_.at(point).mean();
}

/// The candidates left that have payoffs and are unlikely to fail, best first, at most as many as
/// survive a race.
std::vector<Point> Racing::ranked() const {
  std::vector<Point> best;
  for (const std::size_t i : left_) {
    if (!candidates_[i].blocks.empty() && reliable(candidates_[i].point)) {
      best.push_back(candidates_[i].point);
    }
  }
  return highest(std::move(best), fair_means_of_asks());
}

/// Returns the points with the highest means, best first, at most as many as survive a race.
std::vector<Point> Racing::highest(std::vector<Point> points, const FairMeans& fair) const {
  std::ranges::stable_sort(points, std::greater(),
                           [&](const Point& point) { return mean(point, fair); });
  if (std::ssize(points) > survivors_) points.resize(static_cast<std::size_t>(survivors_));
  return points;
}

/// Tells whether a point is unlikely to fail and was never out by its cost.
bool Racing::reliable(const Point& point) const {
  return !capped_.contains(point) && failures_.reliable(point);
}

Recommendation Racing::recommend() const {
  std::vector<Point> finalists;
  for (const std::size_t i : left_) {
    const bool raced = std::ssize(candidates_[i].blocks) >= options_.first_test;
    if (raced && reliable(candidates_[i].point)) finalists.push_back(candidates_[i].point);
  }
  if (finalists.empty() && !is_exact_) {
    std::ranges::copy_if(elites_, std::back_inserter(finalists),
                         [this](const Point& elite) { return reliable(elite); });
  }
  // Without finalists or reliable elites, all reliable points are compared, and at last all points.
  for (const bool any : {false, true}) {
    if (!finalists.empty()) break;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (any || reliable(points_.point(i))) finalists.push_back(points_.point(i));
    }
  }
  const FairMeans fair = fair_means_of_asks();
  const Point best = *std::ranges::max_element(
      finalists, [&](const Point& a, const Point& b) { return mean(a, fair) < mean(b, fair); });
  return {.point = best, .estimate = mean(best, fair), .evaluations = points_.at(best).count};
}

}  // namespace ntune
