#include "ntune/optim/goals/goal_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "ntune/core/normal.h"

namespace ntune {

namespace {

constexpr std::size_t kParents = 3;
/// A model of tuples from so many evaluations on: a process costs the third power of its points.
constexpr std::int64_t kManyEvaluations = 1500;

/// max of the weighted losses and a small part of their sum, so that what is dominated loses
/// (Knowles 2006, equation 2).
double chebyshev(std::span<const double> weights, std::span<const double> losses) {
  constexpr double kAugmentation = 0.05;
  double most = 0.0;
  double sum = 0.0;
  for (std::size_t g = 0; g < weights.size(); ++g) {
    most = std::max(most, weights[g] * losses[g]);
    sum += weights[g] * losses[g];
  }
  return most + kAugmentation * sum;
}

/// How far a number lies below the high end, in ranges.
double loss_of(double value, double low, double high) {
  return high > low ? (high - value) / (high - low) : 0.0;
}

/// Standard deviations within which a point is level with the best.
constexpr double kLevel = 1.96;

double square(double x) { return x * x; }

}  // namespace

void GoalSearchOptions::visit(Options& options) {
  options.choice<Model>(
      "model", model,
      {{"auto", Model::kAuto}, {"gaussian_process", Model::kGaussian}, {"n_tuple", Model::kNTuple}},
      "of each goal; auto: n_tuple, which is fast, from 1,500 evaluations on");
  options.number("k", k, between(0, 1e3), "standard deviations that a candidate may gain");
  options.integer("candidates", candidates, between(4, 1e6),
                  "mutants that are looked at for every evaluation");
}

GoalSearch::GoalSearch(const GoalSearchOptions& options, const OptimiserContext& context)
    : PointSearch(context),
      options_(options),
      goals_(context.goals.empty() ? std::vector{SearchedGoal{.noisy = context.noisy}}
                                   : context.goals),
      neighbourhood_(*context.space,
                     {.size = std::max(1, options.candidates / static_cast<int>(kParents + 1))}),
      random_asks_(std::max<std::int64_t>(4, 1 + context.space->dimensions())) {
  const bool tuples =
      options.model == GoalSearchOptions::Model::kNTuple ||
      (options.model == GoalSearchOptions::Model::kAuto && context.budget >= kManyEvaluations);
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    if (goals_[g].order > 0) order_.push_back(g);
  }
  std::ranges::stable_sort(order_, {}, [&](std::size_t g) { return goals_[g].order; });
  for (const SearchedGoal& goal : goals_) {
    models_.push_back(tuples ? make_n_tuple_goal(context) : make_gaussian_goal(context, goal));
  }
}

void GoalSearch::pending(const Point& point, bool is_in_flight) {
  PointSearch::pending(point, is_in_flight);
  for (const auto& model : models_) model->pending(point, is_in_flight);
}

void GoalSearch::tell(const Proposal& asked, const Report& report) {
  PointSearch::tell(asked, report);
  if (current_.size() == 0) current_ = asked.point;
  for (std::size_t g = 0; g < report.goals.size(); ++g) {
    models_[g]->tell(asked.point, goals_[g].on_scale(report.goals[g]));
  }
  if (!report.goals.empty()) return;
  for (const double payoff : report.payoffs) models_.front()->tell(asked.point, payoff);
}

Proposal GoalSearch::ask(Rng& rng) {
  ++asked_;
  const bool ready = std::ranges::all_of(models_, [](const auto& m) { return m->is_ready(); });
  if (!ready || asked_ <= random_asks_) return {.point = current_ = new_point(rng)};
  for (const auto& model : models_) model->update();
  const Sampled known = sampled();
  const Wish wish = draw_wish(known, rng);
  const std::vector<Point> looked_at = candidates(known, wish, rng);
  if (looked_at.empty()) return {.point = current_ = new_point(rng)};
  return {.point = current_ = looked_at[choose(looked_at, known, wish)]};
}

Point GoalSearch::new_point(Rng& rng) const {
  const SampledPoints& known = models_.front()->points();
  const auto is_known = [&](const Point& point) { return !noisy_ && known.at(point).visits() > 0; };
  const std::optional<Point> point = failures_.draw_new(rng, is_known);
  return point ? *point : failures_.draw(rng);
}

GoalSearch::Sampled GoalSearch::sampled() const {
  Sampled known;
  const SampledPoints& points = models_.front()->points();
  std::vector<std::size_t> told;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points.cell(i).count == 0) continue;
    told.push_back(i);
    known.points.push_back(points.point(i));
  }
  for (const auto& model : models_) {
    const std::vector<double> all = model->means();
    std::vector<double>& means = known.means.emplace_back();
    for (const std::size_t i : told) means.push_back(all[i]);
    const auto [low, high] = std::ranges::minmax(means);
    known.low.push_back(low);
    known.high.push_back(high);
  }
  return known;
}

/// Uniform on the simplex of the goals without a limit, or one of an order.
GoalSearch::Wish GoalSearch::draw_wish(const Sampled& known, Rng& rng) const {
  if (!order_.empty()) {
    return wish_of_order(known, rng.below(static_cast<std::uint32_t>(order_.size())));
  }
  Wish wish;
  for (const SearchedGoal& goal : goals_) {
    wish.weights.push_back(goal.least ? 0.0 : -std::log1p(-rng.uniform()));
  }
  const double sum = std::accumulate(wish.weights.begin(), wish.weights.end(), 0.0);
  for (double& weight : wish.weights) weight /= sum;
  return wish;
}

/// The goal at a place of the order, among what is level with the best in each before it.
GoalSearch::Wish GoalSearch::wish_of_order(const Sampled& known, std::size_t place) const {
  constexpr double kRounding = 1e-9;  // of the range
  Wish wish;
  for (std::size_t at = 0;; ++at) {
    const std::size_t g = order_[at];
    wish.weights.assign(goals_.size(), 0.0);
    wish.weights[g] = 1.0;
    if (at == place) return wish;
    const std::size_t best = best_of(known, wish, 1).front();
    const Belief belief = models_[g]->beliefs(std::span(&known.points[best], 1)).front();
    const double least = kRounding * (known.high[g] - known.low[g]) + 1e-300;
    wish.levels.push_back(
        {.goal = g, .mean = known.means[g][best], .sd = std::max(belief.sd.value_or(0.0), least)});
  }
}

GoalSearch::Wish GoalSearch::final_wish(const Sampled& known) const {
  if (!order_.empty()) return wish_of_order(known, order_.size() - 1);
  Wish wish;
  for (const SearchedGoal& goal : goals_) wish.weights.push_back(goal.least ? 0.0 : 1.0);
  return wish;
}

/// How far a point's means miss the limits, and being level, in ranges; 0: they do not. A point is
/// taken to be as unsure as the best.
double GoalSearch::violation(const Sampled& known, const Wish& wish, std::size_t point) const {
  double sum = 0.0;
  for (const Level& level : wish.levels) {
    const double least = level.mean - kLevel * std::numbers::sqrt2 * level.sd;
    const double missing = least - known.means[level.goal][point];
    if (missing > 0.0) sum += missing / (known.high[level.goal] - known.low[level.goal]);
  }
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    if (!goals_[g].least) continue;
    const double missing = goals_[g].on_scale(*goals_[g].least) - known.means[g][point];
    const double range = known.high[g] - known.low[g];
    if (missing > 0.0) sum += range > 0.0 ? missing / range : 1.0;
  }
  return sum;
}

/// The points that are best under these weights, those that keep the limits and are level first.
std::vector<std::size_t> GoalSearch::best_of(const Sampled& known, const Wish& wish,
                                             std::size_t count) const {
  std::vector<std::pair<double, double>> rank(known.points.size());
  std::vector<double> losses(goals_.size());
  for (std::size_t i = 0; i < rank.size(); ++i) {
    for (std::size_t g = 0; g < losses.size(); ++g) {
      losses[g] = loss_of(known.means[g][i], known.low[g], known.high[g]);
    }
    const double unreliable = failures_.reliable(known.points[i]) ? 0.0 : 1.0;
    rank[i] = {unreliable + violation(known, wish, i), chebyshev(wish.weights, losses)};
  }
  std::vector<std::size_t> order(rank.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rank[i]; });
  order.resize(std::min(count, order.size()));
  return order;
}

/// Without noise no point is worth a second evaluation.
std::vector<Point> GoalSearch::candidates(const Sampled& known, const Wish& wish, Rng& rng) {
  std::vector<Point> found;
  const auto add = [&](const Point& point) {
    const bool known_or_asked = models_.front()->points().at(point).visits() > 0;
    if (failures_.refused(point) || (!noisy_ && known_or_asked)) return;
    if (std::ranges::find(found, point) == found.end()) found.push_back(point);
  };
  std::vector<Point> parents;
  for (const std::size_t i : best_of(known, wish, kParents)) parents.push_back(known.points[i]);
  parents.push_back(current_);
  for (const Point& parent : parents) {
    if (points_.at(parent).count > 0) add(parent);
    neighbourhood_.draw(parent, rng);
    for (std::size_t i = 0; i < neighbourhood_.size(); ++i) add(neighbourhood_.mutant(parent, i));
  }
  return found;
}

std::size_t GoalSearch::choose(std::span<const Point> candidates, const Sampled& known,
                               const Wish& wish) const {
  const std::size_t count = candidates.size();
  std::vector<std::vector<double>> bounds;
  std::vector<double> kept(count, 1.0);  // probability that the limits are kept, and it is level
  const auto keep = [&kept](std::size_t i, double z) {
    kept[i] *= normal_below(std::clamp(z, -30.0, 30.0));
  };
  std::vector<double> high = known.high;
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    std::vector<double>& highest = bounds.emplace_back();
    const std::vector<Belief> beliefs = models_[g]->beliefs(candidates);
    for (std::size_t i = 0; i < count; ++i) {
      const double sd = std::max(beliefs[i].sd.value_or(0.0), 1e-12);
      highest.push_back(beliefs[i].mean + options_.k * sd);
      high[g] = std::max(high[g], highest.back());
      if (goals_[g].least) keep(i, (beliefs[i].mean - goals_[g].on_scale(*goals_[g].least)) / sd);
      for (const Level& level : wish.levels) {
        if (level.goal != g) continue;
        keep(i, kLevel + (beliefs[i].mean - level.mean) / std::hypot(sd, level.sd));
      }
    }
  }
  std::vector<double> losses(goals_.size());
  std::vector<double> distance(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t g = 0; g < goals_.size(); ++g) {
      losses[g] = loss_of(bounds[g][i], known.low[g], high[g]);
    }
    distance[i] = chebyshev(wish.weights, losses);
  }
  // What the farthest one promises is little, but more than nothing: limits and failures decide
  // between candidates that are alike in all else.
  const double farthest = 1.01 * std::ranges::max(distance) + 1e-9;
  std::size_t best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < count; ++i) {
    const double risk = failures_.any() ? failures_.risk(candidates[i]) : 0.0;
    const double worth = (farthest - distance[i]) * kept[i] * square(1.0 - risk);
    if (worth <= most) continue;
    most = worth;
    best = i;
  }
  return best;
}

Recommendation GoalSearch::recommend() const {
  const bool ready = std::ranges::all_of(models_, [](const auto& m) { return m->is_ready(); });
  if (!ready) {
    return failures_.highest([&](std::size_t i, const Point&) {
      const double mean = points_.cell(i).mean();
      return Failures::Rated{{mean, 0.0}, mean};
    });
  }
  const Sampled known = sampled();
  const Point& best = known.points[best_of(known, final_wish(known), 1).front()];
  const Cell& cell = points_.at(best);
  return {.point = best, .estimate = cell.mean(), .evaluations = cell.count};
}

std::optional<Belief> GoalSearch::belief(const Point& point) const {
  if (goals_.front().logarithmic || !models_.front()->is_ready()) return std::nullopt;
  return models_.front()->beliefs(std::span(&point, 1)).front();
}

/// Indices of points that keep the limits, or miss them least, and that no such point beats in all
/// goals.
std::vector<std::size_t> GoalSearch::undominated(const Sampled& known) const {
  std::vector<std::size_t> kept;
  double least = std::numeric_limits<double>::infinity();
  const auto miss = [&](std::size_t i) {
    return violation(known, {}, i) + (failures_.reliable(known.points[i]) ? 0.0 : 1.0);
  };
  for (std::size_t i = 0; i < known.points.size(); ++i) least = std::min(least, miss(i));
  for (std::size_t i = 0; i < known.points.size(); ++i) {
    if (miss(i) <= least) kept.push_back(i);
  }
  const auto beats = [&](std::size_t one, std::size_t other) {
    bool better = false;
    for (const std::vector<double>& means : known.means) {
      if (means[one] < means[other]) return false;
      better = better || means[one] > means[other];
    }
    return better;
  };
  std::vector<std::size_t> front;
  for (const std::size_t i : kept) {
    if (std::ranges::none_of(kept, [&](std::size_t other) { return beats(other, i); })) {
      front.push_back(i);
    }
  }
  return front;
}

namespace {

/// Which of so many places in the box of the front's means, and a tenth beyond, each point of the
/// front is better than in all goals. The places are a Kronecker sequence.
std::vector<std::vector<bool>> covered_places(std::span<const std::vector<double>> means) {
  constexpr std::size_t kPlaces = 16384;
  constexpr double kBeyond = 0.1;
  constexpr std::array kSteps = {0.41421356237, 0.73205080757, 0.23606797750,
                                 0.64575131106, 0.31662479036, 0.60555127546};
  const std::size_t count = means.front().size();
  std::vector<std::vector<bool>> covered(count, std::vector<bool>(kPlaces, true));
  for (std::size_t g = 0; g < means.size(); ++g) {
    const auto [low, high] = std::ranges::minmax(means[g]);
    const double from = low - kBeyond * (high - low);
    for (std::size_t place = 0; place < kPlaces; ++place) {
      const double turns = static_cast<double>(place + 1) * kSteps[g % kSteps.size()];
      const double at = from + (turns - std::floor(turns)) * (high - from);
      for (std::size_t i = 0; i < count; ++i) {
        if (means[g][i] < at) covered[i][place] = false;
      }
    }
  }
  return covered;
}

/// The point whose mean in a goal is the best, and in the others where that hardly differs.
std::size_t end_of(std::span<const std::vector<double>> means, std::size_t goal) {
  constexpr double kOthers = 0.05;
  std::vector<double> loss(means.front().size(), 0.0);
  for (std::size_t g = 0; g < means.size(); ++g) {
    const auto [low, high] = std::ranges::minmax(means[g]);
    for (std::size_t i = 0; i < loss.size(); ++i) {
      loss[i] += (g == goal ? 1.0 + kOthers : kOthers) * loss_of(means[g][i], low, high);
    }
  }
  return static_cast<std::size_t>(std::ranges::min_element(loss) - loss.begin());
}

}  // namespace

/// The ends of the front first. Then again and again the point that adds most to the hypervolume,
/// until none adds anything: one that is better in a goal by a hair alone adds nothing.
std::vector<Point> GoalSearch::front(std::size_t most) const {
  const bool ready = std::ranges::all_of(models_, [](const auto& m) { return m->is_ready(); });
  if (!ready) return {};
  const Sampled known = sampled();
  if (!order_.empty()) return best_in_order(known, most);
  const std::vector<std::size_t> front = undominated(known);
  std::vector<std::vector<double>> means(goals_.size());
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    for (const std::size_t i : front) means[g].push_back(known.means[g][i]);
  }
  const std::vector<std::vector<bool>> covers = covered_places(means);
  std::vector<bool> covered(covers.front().size(), false);
  std::vector<std::size_t> taken;
  const auto take = [&](std::size_t i) {
    if (taken.size() == most || std::ranges::find(taken, i) != taken.end()) return;
    taken.push_back(i);
    for (std::size_t place = 0; place < covered.size(); ++place) {
      if (covers[i][place]) covered[place] = true;
    }
  };
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    if (!goals_[g].least) take(end_of(means, g));
  }
  // Within limits half of the places are for what is the best there, on the front or not.
  const bool limited =
      std::ranges::any_of(goals_, [](const auto& g) { return g.least.has_value(); });
  const std::size_t of_front = limited ? (most + 1) / 2 : most;
  while (taken.size() < std::min(of_front, front.size())) {
    std::size_t best = 0;
    std::int64_t gain = 0;
    for (std::size_t i = 0; i < front.size(); ++i) {
      std::int64_t adds = 0;
      for (std::size_t place = 0; place < covered.size(); ++place) {
        adds += covers[i][place] && !covered[place] ? 1 : 0;
      }
      if (adds > gain) best = i;
      gain = std::max(gain, adds);
    }
    if (gain == 0) break;
    take(best);
  }
  std::vector<Point> points;
  for (const std::size_t i : taken) points.push_back(known.points[front[i]]);
  if (limited) add_best(known, final_wish(known), most, points);
  return points;
}

/// The best of every goal of the order, then what is level in all but the last, by the last.
std::vector<Point> GoalSearch::best_in_order(const Sampled& known, std::size_t most) const {
  std::vector<Point> points;
  for (std::size_t place = 0; place < order_.size(); ++place) {
    const Point& best = known.points[best_of(known, wish_of_order(known, place), 1).front()];
    if (points.size() < most && std::ranges::find(points, best) == points.end()) {
      points.push_back(best);
    }
  }
  add_best(known, final_wish(known), most, points);
  return points;
}

/// Adds the best points as long as they keep the limits and are level.
void GoalSearch::add_best(const Sampled& known, const Wish& wish, std::size_t most,
                          std::vector<Point>& points) const {
  for (const std::size_t i : best_of(known, wish, known.points.size())) {
    if (points.size() >= most || violation(known, wish, i) > 0.0) break;
    if (std::ranges::find(points, known.points[i]) == points.end()) {
      points.push_back(known.points[i]);
    }
  }
}

}  // namespace ntune
