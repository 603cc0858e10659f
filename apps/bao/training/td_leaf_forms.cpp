#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "apps/bao/training/td_leaf.h"
#include "ntune/core/statistics.h"

namespace ntune {

namespace {

/// Numbers that vary little, as captures do, would learn so fast that a network diverges: with 0.02
/// in place of 1 it did.
constexpr double kLeastVariance = 1.0;

BaoFeatures weights_of(const BaoLinearEvaluation& linear) {
  BaoFeatures weights;
  for (std::size_t k = 0; k < kBaoWeights; ++k) {
    weights[k] = linear.own()[k];
    weights[kBaoWeights + k] = -linear.opponent()[k];
  }
  return weights;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

double scale_of(const BaoFeatures& weights, std::span<const BaoFeatures> sample) {
  RunningStats values;
  for (const BaoFeatures& at : sample) values.add(dot(weights, at));
  return values.sd() > 0.0 ? 1.0 / values.sd() : 1.0;
}

BaoFeatures variances_of(std::span<const BaoFeatures> sample) {
  BaoFeatures variances;
  for (std::size_t k = 0; k < kBaoFeatures; ++k) {
    RunningStats numbers;
    for (const BaoFeatures& at : sample) numbers.add(at[k]);
    variances[k] = std::max(kLeastVariance, numbers.variance());
  }
  return variances;
}

double squared_distance(const BaoFeatures& a, const BaoFeatures& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < kBaoFeatures; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

double median_distance(std::span<const BaoFeatures> points) {
  std::vector<double> distances;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      distances.push_back(std::sqrt(squared_distance(points[i], points[j])));
    }
  }
  if (distances.empty()) return 1.0;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle > 0.0 ? *middle : 1.0;
}

}  // namespace

BaoLinearPredictor::BaoLinearPredictor(const BaoLinearEvaluation& initial,
                                       std::span<const BaoFeatures> sample) {
  const BaoFeatures weights = weights_of(initial);
  scale_ = scale_of(weights, sample);
  parameters_.assign(weights.begin(), weights.end());
  for (const double variance : variances_of(sample)) {
    rates_.push_back(1.0 / (scale_ * scale_ * variance));
  }
}

double BaoLinearPredictor::predict(const BaoFeatures& at, std::span<double> gradient) const {
  const double prediction = std::tanh(scale_ * dot(parameters_, at));
  const double slope = scale_ * (1.0 - prediction * prediction);
  for (std::size_t k = 0; k < kBaoFeatures; ++k) gradient[k] = slope * at[k];
  return prediction;
}

BaoEvaluation BaoLinearPredictor::evaluation() const {
  BaoWeights own, opponent;
  for (std::size_t k = 0; k < kBaoWeights; ++k) {
    own[k] = parameters_[k];
    opponent[k] = -parameters_[kBaoWeights + k];
  }
  return BaoLinearEvaluation(own, opponent);
}

void BaoLinearPredictor::set_parameters(std::span<const double> parameters) {
  parameters_.assign(parameters.begin(), parameters.end());
}

BaoNetworkPredictor::BaoNetworkPredictor(BaoNetwork initial, std::span<const BaoFeatures> sample)
    : network_(std::move(initial)) {
  const BaoFeatures variances = variances_of(sample);
  for (std::size_t i = 0; i < network_.nuclei(); ++i) {
    const double square = network_.width(i) * network_.width(i);
    for (const double variance : variances) rates_.push_back(square * square / variance);
  }
  rates_.insert(rates_.end(), network_.nuclei(), 0.0);
  rates_.insert(rates_.end(), network_.nuclei(), 1.0);
}

BaoEvaluation BaoNetworkPredictor::evaluation() const { return BaoNetworkEvaluation(network_); }

void BaoNetworkPredictor::set_parameters(std::span<const double> parameters) {
  network_ = BaoNetwork(std::vector<double>(parameters.begin(), parameters.end()));
}

BaoNetwork bao_network_like(const BaoLinearEvaluation& linear, std::span<const BaoFeatures> sample,
                            int nuclei, double width, Rng rng) {
  assert(nuclei >= 2 && nuclei % 2 == 0 && !sample.empty());
  const BaoFeatures weights = weights_of(linear);
  const double scale = scale_of(weights, sample);
  const double square = dot(weights, weights);
  std::vector<BaoFeatures> middles;
  for (int i = 0; i < nuclei / 2; ++i) {
    BaoFeatures middle = sample[rng.below(static_cast<std::uint32_t>(sample.size()))];
    const double shift = square > 0.0 ? dot(weights, middle) / square : 0.0;
    for (std::size_t k = 0; k < kBaoFeatures; ++k) middle[k] -= shift * weights[k];
    middles.push_back(middle);
  }
  const double sigma = width * median_distance(middles);
  std::vector<double> parameters;
  for (const double sign : {1.0, -1.0}) {
    for (const BaoFeatures& middle : middles) {
      for (std::size_t k = 0; k < kBaoFeatures; ++k) {
        parameters.push_back(middle[k] + sign * sigma * sigma * scale * weights[k]);
      }
    }
  }
  parameters.insert(parameters.end(), 2 * middles.size(), sigma);
  parameters.insert(parameters.end(), middles.size(), 1.0);
  parameters.insert(parameters.end(), middles.size(), -1.0);
  return BaoNetwork(std::move(parameters));
}

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
