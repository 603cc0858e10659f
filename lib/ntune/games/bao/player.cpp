#include "ntune/games/bao/player.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ntune {

std::unique_ptr<BaoSearch> make_bao_search(const BaoEvaluation& evaluation,
                                           const AlphaBetaOptions& options) {
  // Each evaluation has a search of its own type, so that it is inlined into the loop.
  return std::visit(
      [&]<class Evaluation>(const Evaluation& e) -> std::unique_ptr<BaoSearch> {
        return std::make_unique<AlphaBeta<Bao, Evaluation>>(e, options);
      },
      evaluation);
}

std::unique_ptr<BaoAgent> make_bao_agent(const BaoPlayer& player) {
  std::vector<SearchAgent<Bao>::Model> models;
  for (const BaoModel& model : player.models) {
    models.push_back({make_bao_search(model.evaluation, player.alpha_beta), model.weight});
  }
  return std::make_unique<SearchAgent<Bao>>(make_bao_search(player.evaluation, player.alpha_beta),
                                            std::move(models), player.agent, player.opponent_model);
}

namespace {

/// Keeps every evaluation below the value of a win.
constexpr Bounds kWeightBounds = {.low = -1e6, .high = 1e6};

/// What a weight may be: of a stone, of a stone that can be captured, of a house. A stone is worth
/// 4 on the whole, to which the weights of the pits add.
std::vector<Value> values_of(std::size_t weight) {
  if (weight == kBaoMaterial) return {4.0};
  if (weight < kBaoCapture) return {-4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 4.0, 6.0};
  if (weight < kBaoHouse) return {-2.0, 0.0, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0};
  return {0.0, 5.0, 10.0, 20.0, 40.0, 70.0, 120.0, 200.0};
}

}  // namespace

void BaoSearchOptions::visit(Options& options) {
  options.choice("search", search,
                 {{"alpha_beta", Kind::kAlphaBeta}, {"opponent_model", Kind::kOpponentModel}},
                 "alpha_beta, or opponent_model, which predicts the opponent's moves");
  agent.visit(options);
  opponent_model.visit(options);
  alpha_beta.visit(options);
}

BaoPlayer bao_player(const BaoEvaluation& evaluation, const BaoSearchOptions& search,
                     const BaoEvaluation& opponent) {
  BaoPlayer player = {.evaluation = evaluation,
                      .agent = search.agent,
                      .opponent_model = search.opponent_model,
                      .alpha_beta = search.alpha_beta};
  int deepest = search.agent.depth;
  if (search.search == BaoSearchOptions::Kind::kOpponentModel) {
    player.models = {{opponent}};
    // The table must suit the deepest search that the player makes.
    deepest = std::max(deepest, search.opponent_model.probe_depth);
  }
  player.alpha_beta = player.alpha_beta.for_depth(deepest);
  return player;
}

void BaoPlayerOptions::visit(Options& options) {
  static const std::vector<std::string> kHelp = [] {
    std::vector<std::string> all;
    for (const std::string& name : bao_weight_names()) {
      all.push_back("weight of " + name + "; a parameter of this name stands in for it");
    }
    return all;
  }();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    options.number(bao_weight_names()[i].c_str(), weights[i], kWeightBounds, kHelp[i].c_str());
  }
  search.visit(options);
}

SearchSpace default_bao_space() {
  std::vector<Parameter> parameters;
  for (std::size_t i = 0; i < kBaoWeights; ++i) {
    parameters.push_back(make_choices(bao_weight_names()[i], values_of(i)));
  }
  return SearchSpace(std::move(parameters));
}

}  // namespace ntune
