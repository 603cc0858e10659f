#include "ntune/objective/functions/simulated_games.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/game_statistics.h"
#include "ntune/core/hash.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/named_entry.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

namespace {

/// Values of the parameters of the landscapes, and their number in the mixed one.
constexpr int kBowlValues = 33;
constexpr int kSmoothValues = 21;
constexpr int kMixedParameters = 10;

/// Natural logarithm of the odds per Elo.
double score_per_elo() { return std::numbers::ln10 / 400.0; }

/// Place of a value within the range of its parameter.
double share(const SearchSpace& space, const Point& point, int i) {
  return static_cast<double>(point[i]) / (space[i].cardinality() - 1);
}

/// Real parameters p1, p2, … from 0 to 1.
std::vector<Parameter> ordered_parameters(int count, int values) {
  std::vector<Parameter> parameters;
  for (int i = 0; i < count; ++i) {
    parameters.push_back(make_range(fmt::format("p{}", i + 1), 0.0, 1.0, values));
  }
  return parameters;
}

/// Words as values of an unordered parameter.
std::vector<Value> words(std::initializer_list<const char*> list) {
  std::vector<Value> values;
  for (const char* word : list) values.emplace_back(std::string(word));
  return values;
}

/// The parameters of a space with the defaults of a point.
SearchSpace with_defaults(const SearchSpace& space, const Point& point) {
  std::vector<Parameter> parameters = space.parameters();
  for (int i = 0; i < point.size(); ++i) {
    parameters[static_cast<std::size_t>(i)].default_index = point[i];
  }
  return SearchSpace(std::move(parameters), space.forbidden());
}

}  // namespace

void SimulatedGamesOptions::visit(Options& options) {
  options.choice("landscape", landscape,
                 {{"bowl", StrengthLandscape::kBowl},
                  {"smooth", StrengthLandscape::kSmooth},
                  {"nk", StrengthLandscape::kNk},
                  {"mixed", StrengthLandscape::kMixed}},
                 "how strength depends on the parameters: quadratic, smooth and random, an NK "
                 "landscape of unordered values, or ten parameters of all kinds");
  options.integer("dimensions", dimensions, between(1, kMaxDimensions),
                  "parameters; mixed has ten");
  options.integer("interactions", interactions, between(0, 20),
                  "k of an NK landscape; below dimensions");
  options.number("elo", elo, above(0.0), "Elo of the best point above the default");
  options.number("draws", draws, between(0.0, 0.99), "probability of a draw between equals");
  options.number("openings", openings, between(0.0, 2000.0),
                 "standard deviation in Elo of what an opening does for one side");
  options.number("non_transitive", non_transitive, between(0.0, 2000.0),
                 "size in Elo of what no strengths explain in the difference of two points");
  options.integer("cliffs", cliffs, between(0, kMaxDimensions),
                  "parameters with values that lose nearly every game, as if they crashed");
  options.integer("landscape_seed", landscape_seed, at_least(0), "seed of the landscape");
}

std::optional<OptionProblem> SimulatedGamesOptions::problem() const {
  if (landscape != StrengthLandscape::kNk || interactions < dimensions) return std::nullopt;
  return OptionProblem{"interactions",
                       fmt::format("is {}, at most {} is allowed with {} dimensions", interactions,
                                   dimensions - 1, dimensions)};
}

SimulatedGames::SimulatedGames(const SimulatedGamesOptions& options)
    : options_(options), space_(ordered_parameters(1, 2)) {
  // The space is a placeholder until the landscape has made its own.
  refuse(options.problem());
  const Rng rng = Rng(static_cast<std::uint64_t>(options.landscape_seed)).stream("strengths");
  switch (options.landscape) {
    case StrengthLandscape::kBowl:
      make_bowl(rng);
      break;
    case StrengthLandscape::kSmooth:
      make_smooth(rng);
      break;
    case StrengthLandscape::kNk:
      make_nk(rng);
      break;
    case StrengthLandscape::kMixed:
      make_mixed(rng);
      break;
  }
  // Two random numbers for each parameter span the plane in which differences turn round.
  Rng twist = rng.stream("twist");
  for (int i = 0; i < 2 * space_.dimensions(); ++i) twist_.push_back(twist.normal());
  make_cliffs(rng.stream("cliffs"));
}

/// Puts cliffs into the parameters that come first and are always active.
void SimulatedGames::make_cliffs(Rng rng) {
  for (int i = 0; i < space_.dimensions() && std::ssize(cliffs_) < options_.cliffs; ++i) {
    if (!space_[i].when.empty()) continue;
    // Cliffs reach from one end of the range towards the default, but never up to it.
    const double way = 0.3 + 0.5 * rng.uniform();
    const int last = space_[i].cardinality() - 1;
    const bool low = rng.below(2) == 1;
    const int values = static_cast<int>(way * (low ? default_[i] : last - default_[i]));
    // A default at an end leaves no room on that side.
    if (values == 0) continue;
    cliffs_.push_back(
        {.parameter = i, .first = low ? 0 : last - values + 1, .last = low ? values - 1 : last});
  }
}

void SimulatedGames::make_bowl(Rng rng) {
  constexpr double kLeastDistance = 0.15;
  const int d = options_.dimensions;
  const auto count = static_cast<std::size_t>(d);
  space_ = SearchSpace(ordered_parameters(d, kBowlValues));
  std::vector<double> top(count);
  default_ = Point(d);
  double distance = 0.0;
  // Top and default are drawn until they are apart, since `elo` is the difference of their
  // strengths.
  while (distance < kLeastDistance) {
    distance = 0.0;
    for (int i = 0; i < d; ++i) {
      double& place = top[static_cast<std::size_t>(i)];
      place = 0.15 + 0.7 * rng.uniform();
      const double start = 0.25 + 0.5 * rng.uniform();
      default_[i] = static_cast<std::uint16_t>(std::lround(start * (kBowlValues - 1)));
      const double apart = place - share(space_, default_, i);
      distance += apart * apart / d;
    }
    distance = std::sqrt(distance);
  }
  // The steepness of directions differs by up to a factor of ten, from 10^-0.5 to 10^0.5.
  std::vector<double> steepness(count);
  for (double& each : steepness) each = std::pow(10.0, rng.uniform() - 0.5);
  // Directions: the axes, or random ones made orthonormal by Gram and Schmidt.
  std::vector<double> directions(count * count, 0.0);
  for (std::size_t i = 0; i < count; ++i) directions[i * count + i] = 1.0;
  if (rng.uniform() < 0.5) {
    for (double& each : directions) each = rng.normal();
    for (std::size_t i = 0; i < count; ++i) {
      double* row = directions.data() + i * count;
      for (std::size_t j = 0; j < i; ++j) {
        const double* other = directions.data() + j * count;
        double dot = 0.0;
        for (std::size_t k = 0; k < count; ++k) dot += row[k] * other[k];
        for (std::size_t k = 0; k < count; ++k) row[k] -= dot * other[k];
      }
      double norm = 0.0;
      for (std::size_t k = 0; k < count; ++k) norm += row[k] * row[k];
      for (std::size_t k = 0; k < count; ++k) row[k] /= std::sqrt(norm);
    }
  }
  height_ = [this, top, steepness, directions, count](const Point& point) {
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      double along = 0.0;
      for (std::size_t k = 0; k < count; ++k) {
        along += directions[i * count + k] * (share(space_, point, static_cast<int>(k)) - top[k]);
      }
      sum -= steepness[i] * along * along;
    }
    return sum;
  };
  // The point nearest to the top scales the heights, since the top itself lies between values.
  Point best(d);
  for (int i = 0; i < d; ++i) {
    best[i] = static_cast<std::uint16_t>(
        std::lround(top[static_cast<std::size_t>(i)] * (kBowlValues - 1)));
  }
  scale(height_(best));
}

void SimulatedGames::make_smooth(Rng rng) {
  constexpr int kCosines = 200;
  constexpr double kLength = 0.35;
  struct Cosine {
    std::vector<double> frequencies;
    double phase;
    double height;
  };
  const int d = options_.dimensions;
  space_ = SearchSpace(ordered_parameters(d, kSmoothValues));
  // The height is a sum of cosines with normal frequencies, as random Fourier features of a
  // Gaussian kernel (Rahimi and Recht 2007).
  std::vector<Cosine> cosines;
  for (int k = 0; k < kCosines; ++k) {
    Cosine& cosine = cosines.emplace_back();
    for (int i = 0; i < d; ++i) {
      cosine.frequencies.push_back(rng.normal() / (kLength * std::sqrt(d / 2.0)));
    }
    cosine.phase = 2.0 * std::numbers::pi * rng.uniform();
    cosine.height = rng.normal();
  }
  height_ = [this, cosines](const Point& point) {
    double sum = 0.0;
    for (const Cosine& cosine : cosines) {
      double angle = cosine.phase;
      for (int i = 0; i < point.size(); ++i) {
        angle += cosine.frequencies[static_cast<std::size_t>(i)] * share(space_, point, i);
      }
      sum += cosine.height * std::cos(angle);
    }
    return sum;
  };
  choose_default(rng);
}

void SimulatedGames::make_nk(Rng rng) {
  const int d = options_.dimensions;
  std::vector<Parameter> parameters;
  for (int i = 0; i < d; ++i) {
    parameters.push_back(make_choices(fmt::format("p{}", i + 1), words({"a", "b", "c", "d"})));
  }
  space_ = SearchSpace(std::move(parameters));
  // Contributions are hashes of a key and the values of the inputs, so that no table is needed.
  const std::uint64_t key = rng();
  std::vector<std::vector<int>> inputs(static_cast<std::size_t>(d));
  for (int i = 0; i < d; ++i) {
    std::vector<int>& own = inputs[static_cast<std::size_t>(i)];
    own.push_back(i);
    // Random neighbours are drawn until enough are different.
    while (std::ssize(own) < options_.interactions + 1) {
      const int other = static_cast<int>(rng.below(static_cast<std::uint32_t>(d)));
      if (std::ranges::find(own, other) == own.end()) own.push_back(other);
    }
  }
  height_ = [key, inputs](const Point& point) {
    double sum = 0.0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      std::uint64_t hash = mix64(key + i);
      // The hash goes on with each input, so its order counts, which is fixed for a locus.
      for (const int j : inputs[i]) hash = mix64(hash + point[j] + 1U);
      sum += static_cast<double>(hash >> 11) * 0x1p-53;
    }
    return sum;
  };
  choose_default(rng);
}

void SimulatedGames::make_mixed(Rng rng) {
  constexpr int kValues = 11;
  // A choice with a parameter of its own for each word, a flag with one, and four parameters for
  // all.
  std::vector<Parameter> parameters = {make_choices("algorithm", words({"a", "b", "c"})),
                                       make_boolean("extra")};
  for (std::uint16_t i = 0; i < 3; ++i) {
    Parameter own = make_range(fmt::format("of_{}", "abc"[i]), 0.0, 1.0, kValues);
    own.when = {{.parameter = 0, .values = {i}}};
    parameters.push_back(std::move(own));
  }
  Parameter extra = make_range("of_extra", 0.0, 1.0, kValues);
  extra.when = {{.parameter = 1, .values = {1}}};
  parameters.push_back(std::move(extra));
  for (int i = 0; i < 4; ++i) {
    parameters.push_back(make_range(fmt::format("p{}", i + 1), 0.0, 1.0, kValues));
  }
  space_ = SearchSpace(std::move(parameters));
  std::array<double, kMixedParameters> tops{};
  std::array<double, kMixedParameters> heights{};
  std::array<double, 3> algorithms{};
  for (double& top : tops) top = rng.uniform();
  for (double& height : heights) height = 0.3 + rng.uniform();
  for (double& height : algorithms) height = 0.4 * rng.uniform();
  // Switching the flag on may help or hurt, and the first two of the four depend on each other.
  const double extra_height = 0.4 * (rng.uniform() - 0.5);
  const double together = 0.5 * rng.normal();
  height_ = [this, tops, heights, algorithms, extra_height, together](const Point& point) {
    double sum = algorithms[point[0]] + (point[1] == 1 ? extra_height : 0.0);
    for (int i = 2; i < kMixedParameters; ++i) {
      if (!space_.is_active(point, i)) continue;
      const double apart = share(space_, point, i) - tops[static_cast<std::size_t>(i)];
      sum -= heights[static_cast<std::size_t>(i)] * apart * apart;
    }
    return sum + together * (share(space_, point, 6) - 0.5) * (share(space_, point, 7) - 0.5);
  };
  choose_default(rng);
}

/// Takes the 21st of 30 random points, counted from the weakest, as the default.
void SimulatedGames::choose_default(Rng& rng) {
  constexpr int kCandidates = 30;
  constexpr std::size_t kChosen = 20;
  std::vector<std::pair<double, Point>> candidates;
  for (int i = 0; i < kCandidates; ++i) {
    const Point point = space_.sample(rng);
    candidates.emplace_back(height_(point), point);
  }
  std::ranges::sort(candidates);
  default_ = candidates[kChosen].second;
  // Local maxima from 40 starts stand for the unknown top.
  double top = -std::numeric_limits<double>::infinity();
  constexpr int kClimbs = 40;
  for (int i = 0; i < kClimbs; ++i) top = std::max(top, climb(rng));
  scale(top);
}

void SimulatedGames::scale(double top) {
  zero_ = height_(default_);
  // A flat landscape would divide by 0.
  unit_ = options_.elo / std::max(1e-12, top - zero_);
  space_ = with_defaults(space_, default_);
}

/// Climbs to a local maximum from a random point; the height of it.
double SimulatedGames::climb(Rng& rng) const {
  Point point = space_.sample(rng);
  double best = height_(point);
  for (bool moved = true; moved;) {
    moved = false;
    for (int i = 0; i < space_.dimensions(); ++i) {
      for (int v = 0; v < space_[i].cardinality(); ++v) {
        // An inactive parameter has nothing to try.
        if (!space_.is_active(point, i)) break;
        Point next = point;
        next[i] = static_cast<std::uint16_t>(v);
        // Parameters that become active get random values.
        space_.settle(next, point, rng);
        const double height = height_(next);
        if (height <= best) continue;
        best = height;
        point = next;
        moved = true;
      }
    }
  }
  return best;
}

std::string SimulatedGames::description() const {
  static constexpr std::array<const char*, 4> kNames = {"bowl", "smooth", "nk", "mixed"};
  return fmt::format("simulated games ({}, d = {}, {} Elo, seed {})",
                     kNames[static_cast<std::size_t>(options_.landscape)], space_.dimensions(),
                     options_.elo, options_.landscape_seed);
}

double SimulatedGames::strength(const Point& point) const {
  constexpr double kFall = 1000.0;  // Elo
  const bool falls = std::ranges::any_of(cliffs_, [&](const Cliff& cliff) {
    return point[cliff.parameter] >= cliff.first && point[cliff.parameter] <= cliff.last;
  });
  return unit_ * (height_(point) - zero_) - (falls ? kFall : 0.0);
}

double SimulatedGames::lead(const Point& first, const Point& second) const {
  const double lead = strength(first) - strength(second);
  if (options_.non_transitive == 0.0) return lead;
  // Each player has two sums over its parameters. Their cross product changes sign with the
  // players, but is no difference of strengths.
  std::array<double, 4> sums{};
  for (int i = 0; i < space_.dimensions(); ++i) {
    for (std::size_t k = 0; k < 2; ++k) {
      const double twist = twist_[2 * static_cast<std::size_t>(i) + k];
      sums[k] += twist * (share(space_, first, i) - 0.5);
      sums[2 + k] += twist * (share(space_, second, i) - 0.5);
    }
  }
  // The factor 12 / d makes the product about 1 in size: a uniform share has the variance 1 / 12.
  const double scale = 12.0 / space_.dimensions();
  return lead + options_.non_transitive * scale * (sums[0] * sums[3] - sums[1] * sums[2]);
}

double SimulatedGames::expected_score(double lead) const {
  // Rao and Kupper 1967: a game is won only beyond a margin, chosen so that equals draw with the
  // probability `draws`.
  const double won = (1.0 - options_.draws) / 2.0;
  // The stretch makes the slope of the expected score at equal strength that of Elo's logistic
  // curve.
  const double stretch = 0.25 / (won * (1.0 - won));
  const double margin = elo_of_score(1.0 - won);
  return 0.5 +
         0.5 * (score_of_elo(stretch * lead - margin) - score_of_elo(-stretch * lead - margin));
}

double SimulatedGames::game(double lead, Rng& rng) const {
  // The constants are those of expected_score; one uniform number decides among win, draw and loss.
  const double won = (1.0 - options_.draws) / 2.0;
  const double stretch = 0.25 / (won * (1.0 - won));
  const double margin = elo_of_score(1.0 - won);
  const double u = rng.uniform();
  if (u < score_of_elo(stretch * lead - margin)) return 1.0;
  return u < 1.0 - score_of_elo(-stretch * lead - margin) ? 0.5 : 0.0;
}

Outcome SimulatedGames::play(const Point& first, const Point& second, Rng& rng,
                             const EvaluationId& /*id*/) const {
  const double lead = this->lead(first, second);
  // The opening helps the first player in one game of the pair and the second in the other.
  const double help = options_.openings > 0.0 ? options_.openings * rng.normal() : 0.0;
  const double one = game(lead + help, rng);
  return outcome_of(pair_of_games(one, game(lead - help, rng)));
}

Outcome SimulatedGames::play_seated(const Seating& seating, Rng& rng,
                                    const EvaluationId& /*id*/) const {
  const double lead = this->lead(*seating.first, *seating.second);
  // The order of so many strengths with Gumbel's noise is that of Plackett and Luce.
  // The second game of a pair has the same openings, and luck of its own.
  Rng luck = rng.stream("luck", seating.seats.front() ? 1 : 0);
  std::vector<double> reached;
  for (const bool is_first : seating.seats) {
    const double help = options_.openings > 0.0 ? options_.openings * rng.normal() : 0.0;
    const double noise = -std::log(-std::log(luck.uniform()));
    reached.push_back((is_first ? lead : 0.0) + help + noise / score_per_elo());
  }
  return outcome_of(single_game(seating.points(reached)));
}

double SimulatedGames::true_seated_value(const Point& point, int players) const {
  const double strength = std::exp(score_per_elo() * lead(point, default_));
  // The chances of each number of pairs of seats in which the point is ahead, where so many seats
  // of both are left to be ranked: whoever is next is ahead of all seats left of the other side.
  std::function<double(int, int, int)> points = [&](int own, int others, int ahead) -> double {
    if (own == 0 || others == 0) return ahead > 0 ? 1.0 : ahead == 0 ? 0.5 : 0.0;
    const double next = own * strength / (own * strength + others);
    return next * points(own - 1, others, ahead + others) +
           (1.0 - next) * points(own, others - 1, ahead - own);
  };
  const int fewer = players / 2;
  return 0.5 * (points(fewer, players - fewer, 0) + points(players - fewer, fewer, 0));
}

double SimulatedGames::evaluate(const Point& point, Rng& rng) const {
  const double help = options_.openings > 0.0 ? options_.openings * rng.normal() : 0.0;
  return 2.0 * game(lead(point, default_) + help, rng) - 1.0;
}

double SimulatedGames::true_value(const Point& point) const {
  const double lead = this->lead(point, default_);
  if (options_.openings == 0.0) return expected_score(lead);
  // The mean over openings is a sum over 41 points of the normal density.
  constexpr int kSteps = 20;  // of a fifth of a standard deviation to either side
  double sum = 0.0;
  double weights = 0.0;
  for (int i = -kSteps; i <= kSteps; ++i) {
    const double z = i / 5.0;
    const double weight = std::exp(-0.5 * z * z);
    sum += weight * expected_score(lead + z * options_.openings);
    weights += weight;
  }
  return sum / weights;
}

std::optional<double> SimulatedGames::optimum() const { return std::nullopt; }

ObjectiveEntry simulated_games_entry() {
  const NamedOptions<SimulatedGamesOptions> defaults{
      .kind = "game", .help = "the game", .name = "simulated"};
  const auto make = [](const SimulatedGamesOptions& options, const YamlNode* space,
                       const YamlNode&) -> std::unique_ptr<Objective> {
    auto games = std::make_unique<SimulatedGames>(options);
    if (space != nullptr && !space->is_null() &&
        space_json(read_space(*space, &games->space())) != space_json(games->space())) {
      space->fail("the simulated game has its own space, no other is allowed");
    }
    return games;
  };
  return named_entry(defaults, "results drawn from known strengths, to try tuning by matches on",
                     make);
}

}  // namespace ntune
