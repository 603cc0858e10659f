#include <array>
#include <utility>

#include "apps/bao/training/td_leaf.h"

namespace ntune {
namespace {

/// Plays by alpha-beta and keeps what it foresaw.
class LearningAgent final : public BaoAgent {
 public:
  LearningAgent(const BaoPlayer& player, std::vector<BaoForesight>& moves)
      : search_(make_bao_search(player.evaluation, player.alpha_beta)),
        depth_(player.agent.depth),
        moves_(moves) {}

  int choose(const Bao& at, Rng& rng) override {
    const Judge judge = judge_of(at.to_move());
    const BestMoves best = search_->best_moves(at, depth_, judge);
    const int choice = choose_best(best, rng);
    BaoForesight foresight;
    if (is_win_or_loss(best.value)) {
      foresight.decided = best.value > 0.0 ? 1.0 : -1.0;
    } else {
      Bao::Successors successors;
      at.successors(successors);
      const Bao& next = successors[static_cast<std::size_t>(choice)].next;
      const Bao leaf = principal_leaf(*search_, next, depth_ - 1, judge);
      foresight.leaf = bao_features_of_both(leaf, at.to_move());
    }
    moves_.push_back(foresight);
    return choice;
  }

 private:
  std::unique_ptr<BaoSearch> search_;
  int depth_;
  std::vector<BaoForesight>& moves_;
};

}  // namespace

BaoTdGame play_bao_td_game(const BaoSparring& sparring, const BaoEvaluation& learner,
                           std::int64_t game, const Rng& rng) {
  BaoTdGame played;
  LearningAgent learning(sparring.player(learner), played.moves);
  const auto opponent = make_bao_agent(sparring.player(sparring.opponent()));
  const int side = BaoSparring::side(game);
  std::array<BaoAgent*, 2> agents = {&learning, opponent.get()};
  if (side == 1) std::swap(agents[0], agents[1]);
  const TurnGameResult result =
      play_turn_game(sparring.start(game, rng), agents, rng.stream("game", game));
  played.won = result.is_won_by(side);
  return played;
}

std::vector<double> td_errors(std::span<const double> predictions, double outcome, double lambda) {
  std::vector<double> errors(predictions.size());
  double later = 0.0;
  double next = outcome;
  for (std::size_t t = predictions.size(); t-- > 0;) {
    later = next - predictions[t] + lambda * later;
    next = predictions[t];
    errors[t] = later;
  }
  return errors;
}

void add_td_leaf_update(const BaoPredictor& predictor, const BaoTdGame& game, double outcome,
                        double lambda, std::span<double> update) {
  const std::size_t count = update.size();
  std::vector<double> predictions;
  std::vector<double> gradients(game.moves.size() * count);  // 0 where the end is seen
  for (std::size_t t = 0; t < game.moves.size(); ++t) {
    const BaoForesight& move = game.moves[t];
    const auto gradient = std::span(gradients).subspan(t * count, count);
    predictions.push_back(move.decided != 0.0 ? move.decided
                                              : predictor.predict(move.leaf, gradient));
  }
  const std::vector<double> errors = td_errors(predictions, outcome, lambda);
  for (std::size_t t = 0; t < errors.size(); ++t) {
    for (std::size_t i = 0; i < count; ++i) update[i] += errors[t] * gradients[t * count + i];
  }
}

}  // namespace ntune
