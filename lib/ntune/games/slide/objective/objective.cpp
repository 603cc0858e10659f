#include "ntune/games/slide/objective/objective.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/parallel.h"
#include "ntune/core/yaml.h"
#include "ntune/games/slide/codes.h"
#include "ntune/games/slide/exact/database.h"
#include "ntune/objective/game_entry.h"

namespace ntune {

namespace {

constexpr Bounds kNumbers = {.low = 0.0, .high = 1e6};  ///< weights and intensities
constexpr Bounds kDepths = {.low = 1.0, .high = 8.0};

/// Key and help text of a weight's option.
struct Weight {
  const char* key;
  const char* help;
};
/// In the order of SlideFeature.
constexpr std::array<Weight, kSlideFeatures> kWeights = {
    {{"eu", "weight of Eu, the Euclidean distance; a parameter of this name stands in for it"},
     {"man", "weight of Man, the Manhattan distance; likewise"},
     {"nb", "weight of Nb, wrong neighbours; likewise"},
     {"perm", "weight of Perm, distance of the permutations; likewise"},
     {"inv", "weight of Inv, inversions; likewise"},
     {"l2", "weight of L2, distance of the boards; likewise"}}};

/// The values' places among those of a parameter, ascending.
Term where(const std::vector<Parameter>& parameters, int parameter,
           const std::vector<Value>& values) {
  Term term{.parameter = parameter, .values = {}};
  for (const Value& value : values) {
    const int place = parameters[static_cast<std::size_t>(parameter)].find(value);
    term.values.push_back(static_cast<std::uint16_t>(place));
  }
  std::ranges::sort(term.values);
  return term;
}

}  // namespace

void SlidePlayer::visit(Options& options) {
  SlideEvaluation& evaluation = depth_player.evaluation;
  for (std::size_t i = 0; i < kWeights.size(); ++i) {
    options.number(kWeights[i].key, evaluation.weights[i], kNumbers, kWeights[i].help);
  }
  options.choice("randomisation", evaluation.randomisation, randomisation_names(),
                 "how chance enters the value of a leaf; likewise");
  options.number("intensity", evaluation.intensity, kNumbers, "largest random number; likewise");
  options.flag("rounded", evaluation.rounded, "values to whole numbers before chance; likewise");
  options.choice("table", depth_player.search.table, table_mode_names(),
                 "what the transposition table holds: leaves too, expanded positions alone, or "
                 "nothing; likewise");
  options.integer("depth", depth_player.depth, kDepths, "moves to look ahead; likewise");
}

DepthPlayer effective_player(DepthPlayer player) {
  SlideEvaluation& evaluation = player.evaluation;
  // Dividing by a sum of 0, or without chance, is no evaluation; the agent then plays at random.
  const bool divides = evaluation.randomisation == Randomisation::kNormPlus ||
                       evaluation.randomisation == Randomisation::kNormMinus;
  const bool weightless =
      std::ranges::all_of(evaluation.weights, [](double w) { return w == 0.0; });
  if (divides && (weightless || evaluation.intensity == 0.0)) evaluation = {};
  return player;
}

SearchSpace default_slide_space() {
  std::vector<Parameter> parameters;
  for (const Weight& weight : kWeights) {
    parameters.push_back(make_choices(weight.key, {0.0, 0.01, 0.03, 0.1, 0.3, 1.0}));
  }
  std::vector<Clause> forbidden(1);  // no weight at all
  for (int i = 0; i < kSlideFeatures; ++i) forbidden[0].push_back(where(parameters, i, {0.0}));
  const std::vector<Value> random = {std::string("add"), std::string("mult"),
                                     std::string("norm_minus"), std::string("comb")};
  std::vector<Value> kinds = {std::string("none")};
  kinds.insert(kinds.end(), random.begin(), random.end());
  parameters.push_back(make_choices("randomisation", kinds));
  parameters.push_back(
      make_choices("intensity", {0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0}));
  parameters.back().when = {where(parameters, kSlideFeatures, random)};
  parameters.push_back(make_choices("table", {std::string("expanded"), std::string("all")}));
  return SearchSpace(std::move(parameters), std::move(forbidden));
}

namespace {

/// Indices of all positions with the wanted distance to Win.
std::vector<std::uint32_t> starts_of(const SlideOptions& options,
                                     const std::filesystem::path& folder) {
  Parallel parallel;
  const auto database = options.database.empty()
                            ? SlideDatabase<3>::build(parallel)
                            : SlideDatabase<3>::load(folder / options.database);
  std::vector<std::uint32_t> starts = database.positions_at(options.dtw);
  if (starts.empty()) {
    throw InputError(fmt::format("{}: has no position of DTW {}", options.database, options.dtw));
  }
  return starts;
}

/// The objective of the node; the only fault left is that of the database.
std::unique_ptr<Objective> make(const SlideOptions& options,
                                const std::optional<SearchSpace>& space, const YamlNode& node) {
  try {
    return std::make_unique<SlideObjective>(options, space,
                                            std::filesystem::path(node.file()).parent_path());
  } catch (const InputError& error) {
    // All else has been checked.
    if (const YamlNode* place = node.find("database")) place->fail(error.what());
    node.fail_at("database", error.what());
  }
}

}  // namespace

void SlideOptions::visit(Options& visitor) {
  visitor.integer("dtw", dtw, between(1, 26), "moves from the start of a game to Win");
  visitor.integer("moves", moves, between(1, 1'000'000), "a game is lost after so many");
  visitor.choice<Observation>(
      "observation", observation, {{"win", Observation::kWin}, {"moves", Observation::kMoves}},
      "win: +1 for a game won, else -1; moves: as few as possible, all of them in a lost game");
  visitor.text("database", database,
               "file of all distances, seen from the study file's folder; empty: made anew in "
               "about a second");
  player.visit(visitor);
}

SlideObjective::SlideObjective(const SlideOptions& options, const std::optional<SearchSpace>& space,
                               const std::filesystem::path& folder)
    : options_(options),
      player_(options.player, space ? *space : default_slide_space()),
      starts_(starts_of(options_, folder)) {}

double SlideObjective::evaluate(const Point& point, Rng& rng) const {
  const SlidePlayer player = player_.at(point);
  DepthAgent agent(effective_player(player.depth_player), false, searches_.borrow());
  const std::uint32_t start = starts_[rng.below(static_cast<std::uint32_t>(starts_.size()))];
  const SlideGame game = play_slide_game(agent, slide_position_at<3>(start), options_.moves, rng);
  if (options_.observation == SlideOptions::Observation::kMoves) return -game.moves;
  return game.won ? 1.0 : -1.0;
}

// Where leaves are not randomised their intensity has no meaning. A condition on the randomisation
// then switches the parameter off, and 0 need not be one of its values.
Json SlideObjective::defaults() const {
  Json defaults = player_.defaults();
  const int i = space().find("intensity");
  if (i >= 0 && !space()[i].when.empty() && defaults["randomisation"] == "none") {
    defaults.erase("intensity");
  }
  return defaults;
}

std::string SlideObjective::description() const {
  const bool win = options_.observation == SlideOptions::Observation::kWin;
  return fmt::format("slide3 (DTW {}, {} moves), {}", options_.dtw, options_.moves,
                     win ? "win or loss" : "moves of a game");
}

Payoffs SlideObjective::payoffs() const {
  if (options_.observation == SlideOptions::Observation::kWin) {
    return {.low = -1.0, .high = 1.0, .two_valued = true};
  }
  // A won game takes at least as many moves as the distance says.
  const double most = options_.moves;
  return {.low = -most, .high = -std::min<double>(most, options_.dtw)};
}

Unit SlideObjective::unit() const {
  return options_.observation == SlideOptions::Observation::kWin ? Unit::win_probability()
                                                                 : Unit::cost();
}

ObjectiveEntry slide_entry() {
  return game_entry<SlideOptions>(
      "slide3", "a sliding puzzle played by a depth-t search; its evaluation is tuned",
      [](const SlideOptions& options) { return options.player; }, make, {"database"});
}

}  // namespace ntune
