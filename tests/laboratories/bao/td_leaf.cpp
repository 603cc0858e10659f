#include "apps/bao/training/td_leaf.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/games/bao/start_positions.h"
#include "ntune/games/bao/weights.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace {

using Catch::Matchers::ContainsSubstring;

BaoLinearEvaluation random_linear(Rng& rng) {
  BaoWeights own, opponent;
  for (std::size_t k = 0; k < kBaoWeights; ++k) {
    own[k] = 5.0 + 3.0 * rng.normal();
    opponent[k] = 5.0 + 3.0 * rng.normal();
  }
  return {own, opponent};
}

std::vector<BaoFeatures> random_sample(int count, Rng& rng) {
  std::vector<BaoFeatures> sample;
  for (int i = 0; i < count; ++i) {
    const Bao start = random_bao_start(rng.stream("sample", i));
    sample.push_back(bao_features_of_both(start, i % 2));
  }
  return sample;
}

/// Compares the derivatives that a predictor gives with differences of its predictions.
void check_gradient(BaoPredictor& predictor, const BaoFeatures& at) {
  const std::vector<double> parameters(predictor.parameters().begin(),
                                       predictor.parameters().end());
  std::vector<double> gradient(parameters.size());
  std::vector<double> unused(parameters.size());
  predictor.predict(at, gradient);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const double step = 1e-5 * std::max(1.0, std::abs(parameters[i]));
    std::vector<double> moved = parameters;
    moved[i] = parameters[i] + step;
    predictor.set_parameters(moved);
    const double above = predictor.predict(at, unused);
    moved[i] = parameters[i] - step;
    predictor.set_parameters(moved);
    const double below = predictor.predict(at, unused);
    const double slope = (above - below) / (2.0 * step);
    CHECK(std::abs(gradient[i] - slope) < 1e-7 + 1e-4 * std::abs(slope));
  }
  predictor.set_parameters(parameters);
}

BaoTdLeafOptions small_options(const test::TemporaryFolder& folder) {
  BaoTdLeafOptions options;
  options.seed = 5;
  options.games = {.depth = 2, .opponent = "material", .starts = "random"};
  options.initial = folder.file("poor.yaml", "{evaluation: linear, front: 1}");
  options.learning_rate = 0.01;
  options.batches = 6;
  options.batch_games = 6;
  options.update_games = 3;
  options.calibration_games = 6;
  options.validate_every = 2;
  options.validation_games = 20;
  return options;
}

std::string text_of(const BaoEvaluation& evaluation) { return bao_weights_text({evaluation, ""}); }

/// The result of a training that stops after every step, and of one that does not.
template <class Train>
void check_resumed(const Train& train, const test::TemporaryFolder& folder) {
  Parallel parallel(2);
  Parallel one(1);
  Progress whole;
  const auto expected = train(BaoTrainingRun{parallel, whole});
  REQUIRE(expected.has_value());
  Progress again;
  CHECK(text_of(*train(BaoTrainingRun{one, again})) == text_of(*expected));
  std::optional<BaoEvaluation> result;
  for (int parts = 0; !result; ++parts) {
    REQUIRE(parts < 20);
    Progress progress;
    BaoTrainingRun run{parallel, progress, folder / "state.json", true};
    run.report = [&](const BaoTrainingStep&) { progress.stop = true; };
    result = train(run);
  }
  CHECK(text_of(*result) == text_of(*expected));
}

}  // namespace

TEST_CASE("the derivatives of the linear prediction are those of its differences") {
  Rng rng(1);
  const auto sample = random_sample(30, rng);
  BaoLinearPredictor predictor(random_linear(rng), sample);
  for (int i = 0; i < 5; ++i) check_gradient(predictor, sample[static_cast<std::size_t>(i)]);
}

TEST_CASE("the derivatives of the network's prediction are those of its differences") {
  Rng rng(2);
  const auto sample = random_sample(30, rng);
  const BaoLinearEvaluation linear = random_linear(rng);
  const BaoNetwork like = bao_network_like(linear, sample, 6, 0.5, rng);
  std::vector<double> parameters(like.parameters().begin(), like.parameters().end());
  for (double& parameter : parameters) parameter *= 1.0 + 0.1 * rng.uniform();
  BaoNetworkPredictor predictor(BaoNetwork(parameters), sample);
  for (int i = 0; i < 5; ++i) check_gradient(predictor, sample[static_cast<std::size_t>(i)]);
}

TEST_CASE("predictions and their evaluations put positions in the same order") {
  Rng rng(3);
  const auto sample = random_sample(60, rng);
  const BaoLinearEvaluation linear = random_linear(rng);
  const BaoLinearPredictor predictor(linear, sample);
  std::vector<double> gradient(predictor.parameters().size());
  const BaoEvaluation evaluation = predictor.evaluation();
  for (int i = 0; i < 20; ++i) {
    const Bao at = random_bao_start(rng.stream("at", i));
    const BaoFeatures features = bao_features_of_both(at, 1);
    CHECK(evaluate(evaluation, at, 1) == Approx(linear(at, 1)).epsilon(1e-12));
    const double u = std::atanh(predictor.predict(features, gradient));
    const double ratio = u / linear(at, 1);
    static double first = ratio;
    CHECK(ratio == Approx(first).epsilon(1e-6));
  }
}

TEST_CASE("the initial network is the tanh of the linear evaluation, whatever its size") {
  Rng rng(4);
  const auto sample = random_sample(60, rng);
  const BaoLinearEvaluation linear = random_linear(rng);
  const BaoLinearPredictor predictor(linear, sample);
  std::vector<double> gradient(predictor.parameters().size());
  for (const int nuclei : {2, 8, 54}) {
    const BaoNetwork network = bao_network_like(linear, sample, nuclei, 0.7, rng);
    for (const BaoFeatures& at : sample) {
      const double expected = predictor.predict(at, gradient);
      std::vector<double> slopes(network.parameters().size());
      CHECK(network.value(at, slopes) == Approx(expected).margin(1e-9));
      CHECK(network.value(at) == Approx(expected).margin(1e-4));
    }
  }
}

TEST_CASE("the errors of TD(lambda) are the discounted sums of the differences to come") {
  Rng rng(5);
  for (const double lambda : {0.0, 0.8, 0.99, 1.0}) {
    std::vector<double> p;
    for (int i = 0; i < 12; ++i) p.push_back(2.0 * rng.uniform() - 1.0);
    const std::vector<double> errors = td_errors(p, -1.0, lambda);
    std::vector<double> next = p;
    next.push_back(-1.0);
    for (std::size_t t = 0; t < p.size(); ++t) {
      double expected = 0.0;
      for (std::size_t j = t; j < p.size(); ++j) {
        expected += std::pow(lambda, static_cast<double>(j - t)) * (next[j + 1] - next[j]);
      }
      CHECK(errors[t] == Approx(expected).margin(1e-12));
    }
    if (lambda == 1.0) CHECK(errors[3] == Approx(-1.0 - p[3]));
  }
  CHECK(td_errors({}, 1.0, 0.5).empty());
}

TEST_CASE("an update is the sum over moves and later differences of discounted derivatives") {
  Rng rng(6);
  const auto sample = random_sample(10, rng);
  const BaoLinearPredictor predictor(random_linear(rng), sample);
  BaoTdGame game;
  for (std::size_t t = 0; t < 8; ++t) game.moves.push_back({sample[t], 0.0});
  game.moves.push_back({{}, 1.0});  // sees the win
  constexpr double kLambda = 0.9;
  std::vector<double> update(kBaoFeatures, 1.0);
  add_td_leaf_update(predictor, game, -1.0, kLambda, update);

  std::vector<double> expected(kBaoFeatures, 1.0);
  std::vector<double> p, gradient(kBaoFeatures);
  for (std::size_t t = 0; t < 8; ++t) p.push_back(predictor.predict(sample[t], gradient));
  p.insert(p.end(), {1.0, -1.0});
  for (std::size_t t = 0; t < 8; ++t) {
    predictor.predict(sample[t], gradient);
    for (std::size_t j = t; j < 9; ++j) {
      const double weight = std::pow(kLambda, static_cast<double>(j - t)) * (p[j + 1] - p[j]);
      for (std::size_t k = 0; k < kBaoFeatures; ++k) expected[k] += weight * gradient[k];
    }
  }
  for (std::size_t k = 0; k < kBaoFeatures; ++k)
    CHECK(update[k] == Approx(expected[k]).margin(1e-12));
}

TEST_CASE("the learner's leaves have the values of its searches") {
  Rng rng(7);
  const BaoLinearEvaluation linear = random_linear(rng);
  const BaoSparring sparring({.depth = 3, .opponent = "", .starts = "random"},
                             BaoDefaultEvaluation());
  for (const int number : {0, 1}) {
    const BaoTdGame game = play_bao_td_game(sparring, linear, number, rng);
    // The same game by ordinary agents.
    const auto learner = make_bao_agent(sparring.player(linear));
    const auto opponent = make_bao_agent(sparring.player(sparring.opponent()));
    std::array<BaoAgent*, 2> agents = {learner.get(), opponent.get()};
    if (number == 1) std::swap(agents[0], agents[1]);
    std::size_t t = 0;
    const auto watch = [&](const Bao& at, int) {
      if (at.to_move() != number) return;
      REQUIRE(t < game.moves.size());
      const BaoForesight& move = game.moves[t++];
      const double value = make_bao_search(linear)->best_moves(at, 3, judge_of(number)).value;
      CHECK(is_win_or_loss(value) == (move.decided != 0.0));
      if (is_win_or_loss(value)) return;
      double sum = 0.0;
      for (std::size_t k = 0; k < kBaoWeights; ++k) {
        sum += linear.own()[k] * move.leaf[k] - linear.opponent()[k] * move.leaf[kBaoWeights + k];
      }
      CHECK(sum == Approx(value));
    };
    const TurnGameResult result = play_turn_game(sparring.start(number, rng), agents,
                                                 rng.stream("game", number), 1000, watch);
    CHECK(t == game.moves.size());
    CHECK(result.is_won_by(number) == game.won);
  }
}

TEST_CASE("TD-Leaf that was stopped anywhere goes on as if it had not been, for any threads") {
  const test::TemporaryFolder folder;
  BaoTdLeafOptions options = small_options(folder);
  options.outcome = TdOutcome::kBatch;
  check_resumed([&](const BaoTrainingRun& run) { return train_bao_td_leaf(options, run); }, folder);
}

TEST_CASE("a network's training goes on as if it had not been stopped, for any threads") {
  const test::TemporaryFolder folder;
  BaoNetworkOptions options;
  options.td_leaf = small_options(folder);
  options.td_leaf.batches = 3;
  options.nuclei = 8;
  check_resumed([&](const BaoTrainingRun& run) { return train_bao_network(options, run); }, folder);
}

TEST_CASE("a little TD-Leaf beats the poor weights that it began with") {
  const test::TemporaryFolder folder;
  Parallel parallel(2);
  Progress progress;
  BaoTdLeafOptions options = small_options(folder);
  options.batches = 20;
  options.batch_games = options.update_games = 25;
  options.calibration_games = 20;
  options.validate_every = 5;
  options.validation_games = 60;
  const auto last = train_bao_td_leaf(options, {parallel, progress});
  REQUIRE(last.has_value());
  const BaoSparring sparring(options.games, find_bao_evaluation(options.initial).evaluation);
  // Of equal players 1 in a million would win so many.
  CHECK(sparring.wins({&*last, 1}, 400, Rng(9), parallel, progress)[0] >= 248);
}

TEST_CASE("TD-Leaf refuses what it cannot begin with") {
  const test::TemporaryFolder folder;
  Parallel parallel(1);
  Progress progress;
  BaoTdLeafOptions options = small_options(folder);
  options.initial = "default";
  CHECK_THAT(test::input_error([&] {
               train_bao_td_leaf(options, {parallel, progress});
             }),
             ContainsSubstring("initial: weights of a linear evaluation needed, not 'default'"));
  BaoNetworkOptions network;
  network.td_leaf = small_options(folder);
  network.nuclei = 7;
  CHECK_THAT(test::input_error([&] {
               train_bao_network(network, {parallel, progress});
             }),
             ContainsSubstring("nuclei: must be even, not 7"));
}

}  // namespace ntune
