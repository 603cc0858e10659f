#include "ntune/optim/rivals/spsa_duels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/json.h"
#include "ntune/core/options.h"
#include "ntune/core/yaml.h"
#include "ntune/space/parameter.h"

namespace ntune {

namespace {

constexpr int kRoundings = 100;  // of two players, until they differ

/// Values per unit of a parameter: steps of its grid for a difference of 1.
double steps_per_unit(const Parameter& parameter) {
  const double low = value_number(parameter.values.front());
  const double high = value_number(parameter.values.back());
  const double width = std::abs(high - low);
  return std::isfinite(width) && width > 0.0 ? (parameter.cardinality() - 1) / width : 1.0;
}

/// Reads the gains of single parameters from a map of lists [c, r]. It does not know the names of
/// the parameters.
std::map<std::string, SpsaDuelsOptions::Gains> read_gains(const YamlNode& node) {
  if (!node.is_map()) node.fail("must be a map of parameters, such as {depth: [2, 0.002]}");
  std::map<std::string, SpsaDuelsOptions::Gains> gains;
  for (const YamlNode& child : node.children()) {
    if (!child.is_list() || child.children().size() != 2) {
      child.fail(fmt::format("is {}, a list [c, r] is allowed", child.describe()));
    }
    const auto c = child.children()[0].number();
    const auto r = child.children()[1].number();
    if (!c || !r || !(*c > 0.0) || !(*r > 0.0)) child.fail("must be two numbers above 0");
    gains[child.key()] = {.c = *c, .r = *r};
  }
  return gains;
}

}  // namespace

void SpsaDuelsOptions::visit(Options& options) {
  options.number("c_end", c_end, between(0.0, 1.0),
                 "last distance of the two players from the iterate, as a share of each range");
  options.number("r_end", r_end, between(0.0, 100.0), "last rate of learning");
  options.number("stability", stability, between(0.0, 100.0),
                 "A of the sequence of moves, as a share of the number of matches");
  options.number("alpha", alpha, between(0.0, 10.0), "exponent by which the moves shrink");
  options.number("gamma", gamma, between(0.0, 10.0), "exponent by which the distances shrink");
  options.flag("average", average,
               "recommend the mean iterate of the second half, not the last iterate");
  options.custom(
      "gains",
      {.read = [this](const YamlNode& node) { gains = read_gains(node); },
       .write =
           [this] {
             Json json = Json::object();
             for (const auto& [name, pair] : gains) json[name] = {pair.c, pair.r};
             return json;
           },
       .schema =
           [] {
             return Json{{"type", "object"},
                         {"additionalProperties",
                          {{"type", "array"},
                           {"items", {{"type", "number"}}},
                           {"minItems", 2},
                           {"maxItems", 2}}}};
           }},
      "c_end, in the parameter's own unit, and r_end of single parameters: {name: [c, r]}; "
      "they count before `gains` in the space");
}

SpsaDuels::SpsaDuels(const SpsaDuelsOptions& options, const OptimiserContext& context)
    : MatchSearch(context),
      options_(options),
      iterations_(static_cast<double>(std::max<std::int64_t>(1, context.budget))),
      sums_(static_cast<std::size_t>(context.space->dimensions()), 0.0) {
  for (int i = 0; i < space_->dimensions(); ++i) {
    const Parameter& parameter = (*space_)[i];
    const int last = parameter.cardinality() - 1;
    iterate_.push_back(context.incumbent ? place_of(parameter, (*context.incumbent)[i]) : last / 2);
    // Distances are held in steps of the grid, from a parameter's own unit or a share of its range.
    auto own = parameter.gains;
    const auto given = options_.gains.find(parameter.name);
    if (given != options_.gains.end()) own = {given->second.c, given->second.r};
    c_end_.push_back(own ? own->first * steps_per_unit(parameter) : options_.c_end * last);
    r_end_.push_back(own ? own->second : options_.r_end);
  }
}

/// Rounds real-valued indices to a point. With a generator each is rounded up with the probability
/// of its fraction, so that its expectation stays. Without one it goes to the nearest.
Point SpsaDuels::rounded(const std::vector<double>& indices, Rng* rng) const {
  Point point(space_->dimensions());
  for (int i = 0; i < point.size(); ++i) {
    const double last = (*space_)[i].cardinality() - 1;
    const double index = std::clamp(indices[static_cast<std::size_t>(i)], 0.0, last);
    const double whole = rng != nullptr ? std::floor(index + rng->uniform()) : std::round(index);
    point[i] = static_cast<std::uint16_t>(std::min(whole, last));
  }
  space_->canonicalise(point);
  return point;
}

/// Returns the two players of iteration k and the moves of a win, by the formulas in the class
/// comment. There is no step if the players cannot differ, are forbidden, or are too risky.
std::optional<SpsaDuels::Step> SpsaDuels::draw_step(double k, Rng& rng) const {
  const double stability = options_.stability * iterations_;
  // `fading` is a_k over its last value and `widening` c_k over its last value.
  const double fading = std::pow((stability + iterations_) / (stability + k), options_.alpha);
  const double widening = std::pow(iterations_ / k, options_.gamma);
  std::vector<double> up = iterate_;
  std::vector<double> down = iterate_;
  Step step;
  for (std::size_t i = 0; i < iterate_.size(); ++i) {
    const double c = c_end_[i] * widening;
    const double a = r_end_[i] * c_end_[i] * c_end_[i] * fading;
    const double direction = rng.below(2) == 0 ? 1.0 : -1.0;
    up[i] += direction * c;
    down[i] -= direction * c;
    // A win moves by r_k c_k, which is a_k / c_k.
    step.moves.push_back(c > 0.0 ? direction * a / c : 0.0);
  }
  // Players are rounded until they differ. The move counts by the chance that one rounding would
  // have made them differ in a parameter that is active in either of them.
  const std::vector<double> alike = chances_to_be_alike(up, down);
  if (std::ranges::all_of(alike, [](double chance) { return chance == 1.0; })) return std::nullopt;
  for (int tries = 0; tries < kRoundings; ++tries) {
    step.first = rounded(up, &rng);
    step.second = rounded(down, &rng);
    if (step.first == step.second) continue;
    if (!is_playable(step, rng)) return std::nullopt;
    double all_alike = 1.0;
    for (int i = 0; i < space_->dimensions(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      // The result says nothing of a parameter that is inactive in both players.
      const bool counts = space_->is_active(step.first, i) || space_->is_active(step.second, i);
      if (counts) all_alike *= alike[at];
      if (!counts) step.moves[at] = 0.0;
    }
    for (double& move : step.moves) move *= 1.0 - all_alike;
    return step;
  }
  return std::nullopt;
}

/// Returns for each parameter the probability that two players at these indices are rounded to the
/// same value of it.
std::vector<double> SpsaDuels::chances_to_be_alike(const std::vector<double>& up,
                                                   const std::vector<double>& down) const {
  std::vector<double> alike;
  for (std::size_t i = 0; i < up.size(); ++i) {
    const double last = (*space_)[static_cast<int>(i)].cardinality() - 1;
    const double low = std::clamp(std::min(up[i], down[i]), 0.0, last);
    const double high = std::clamp(std::max(up[i], down[i]), 0.0, last);
    // Both round independently, up with probabilities a and b. Within one step of the grid they are
    // alike if both go the same way. With one whole value between, low must go up and high down.
    const double apart = std::floor(high) - std::floor(low);
    const double a = low - std::floor(low);
    const double b = high - std::floor(high);
    alike.push_back(apart == 0.0   ? a * b + (1.0 - a) * (1.0 - b)
                    : apart == 1.0 ? a * (1.0 - b)
                                   : 0.0);
  }
  return alike;
}

/// Tells whether both players are allowed and pass a draw with the square of their joint chance to
/// succeed.
bool SpsaDuels::is_playable(const Step& step, Rng& rng) const {
  if (!space_->is_allowed(step.first) || !space_->is_allowed(step.second)) return false;
  if (!failures_.any()) return true;
  const double success = (1.0 - failures_.risk(step.first)) * (1.0 - failures_.risk(step.second));
  return rng.uniform() < success * success;
}

Proposal SpsaDuels::ask(Rng& rng) {
  constexpr int kTries = 100;
  const double k = std::min(iterations_, static_cast<double>(++asked_));
  std::optional<Step> step;
  for (int tries = 0; tries < kTries && !step; ++tries) step = draw_step(k, rng);
  // If no step can be played, two random points meet, whose result does not move the iterate.
  if (!step) {
    step = Step{.first = failures_.draw(rng), .second = failures_.draw(rng), .moves = {}};
    for (int tries = 0; tries < kTries && step->first == step->second; ++tries) {
      step->second = space_->sample(rng);
    }
  }
  Proposal proposal{.point = step->first, .opponent = step->second};
  steps_.push_back(*std::move(step));
  return proposal;
}

void SpsaDuels::adopt(const Point& /*point*/, Rng& /*rng*/) { ++asked_; }

/// Moves the iterate by the result of a match and forgets its step. Of equal steps in flight the
/// oldest is meant, as results come in the order of the asks.
void SpsaDuels::take(const Point& point, const Point& opponent, double difference) {
  ++told_;
  const auto found = std::ranges::find_if(
      steps_, [&](const Step& step) { return step.first == point && step.second == opponent; });
  if (found != steps_.end()) {
    for (std::size_t i = 0; i < found->moves.size(); ++i) {
      const double last = (*space_)[static_cast<int>(i)].cardinality() - 1;
      iterate_[i] = std::clamp(iterate_[i] + difference * found->moves[i], 0.0, last);
    }
    steps_.erase(found);
  }
  // From the second half on, the iterate after each match enters the mean (Polyak and Juditsky
  // 1992).
  if (2.0 * static_cast<double>(told_) <= iterations_) return;
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += iterate_[i];
  ++summed_;
}

void SpsaDuels::learn(const Point& point, const Point& opponent, const MatchResult& result) {
  // Results that were not counted stand for a pair of games, as fishtest plays them.
  constexpr double kPair = 2.0;
  count_match(point, opponent, result.score);
  take(point, opponent,
       (result.games.empty() ? kPair : result.weight()) * (2.0 * result.score - 1.0));
}

void SpsaDuels::tell(const Proposal& asked, const Report& report) {
  MatchSearch::tell(asked, report);
  // A failed match moves nothing, but its step must go and the iteration counts.
  if (report.failed && asked.opponent) take(asked.point, *asked.opponent, 0.0);
}

/// The point at these indices, or where that is forbidden or likely to fail the nearest of those
/// that have played.
Point SpsaDuels::nearest_usable(const std::vector<double>& indices) const {
  const Point here = rounded(indices, nullptr);
  if (usable(here)) return here;
  Point nearest = space_->is_allowed(here) ? here : start_;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t p = 0; p < points_.size(); ++p) {
    const Point point = points_.point(p);
    double distance = 0.0;
    for (int i = 0; i < point.size(); ++i) {
      const double range = std::max(1, (*space_)[i].cardinality() - 1);
      const double apart = (point[i] - indices[static_cast<std::size_t>(i)]) / range;
      distance += apart * apart;
    }
    if (distance >= least || !usable(point)) continue;
    least = distance;
    nearest = point;
  }
  return nearest;
}

Recommendation SpsaDuels::recommend() const {
  std::vector<double> answer = iterate_;
  if (options_.average && summed_ > 0.0) {
    answer = sums_;
    for (double& index : answer) index /= summed_;
  }
  Recommendation best{.point = nearest_usable(answer), .estimate = 0.5};
  const Cell& cell = points_.at(best.point);
  if (cell.count > 0) best.estimate = cell.mean();
  best.evaluations = cell.count;
  return best;
}

}  // namespace ntune
