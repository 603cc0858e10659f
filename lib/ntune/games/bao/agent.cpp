#include "ntune/games/bao/agent.h"

#include <utility>
#include <variant>

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

}  // namespace ntune
