#include "ntune/games/slide/player.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

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

}  // namespace ntune
