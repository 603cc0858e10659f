#include "ntune/games/bao/evaluation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "catch.h"
#include "games/bao/positions.h"
#include "ntune/games/bao/notation.h"

namespace ntune {

namespace {

/// The opponent's stones that the player's front pits could capture, pit by pit from his left.
std::array<int, 8> plain_captures(const Bao& at, int player) {
  std::array<int, 8> captures{};
  const auto try_pit = [&](int pit) {
    if (pit >= 8 || at.pit(player, pit) == 0) return;
    captures[static_cast<std::size_t>(pit)] = at.pit(1 - player, 7 - pit);
  };
  for (int pit = 0; pit < 16; ++pit) {
    if (at.store(player) > 0) {
      try_pit(pit);
      continue;
    }
    const int stones = at.pit(player, pit);
    if (stones < 2 || stones > 15) continue;
    try_pit((pit + stones) % 16);
    try_pit((pit - stones + 16) % 16);
  }
  return captures;
}

int plain_score(const Bao& at, int player) {
  int score = at.owns_house(player) ? 200 : 0;
  for (int i = 0; i < 8; ++i) score += 3 * at.front(player, i) + 5 * at.back(player, i);
  for (const int stones : plain_captures(at, player)) score += 5 * stones;
  return score;
}

bool plain_takes_house(const Bao& at, int player) { return plain_captures(at, player)[3] > 0; }

BaoWeights random_weights(Rng& rng) {
  BaoWeights weights;
  for (double& weight : weights) weight = rng.uniform() * 20 - 10;
  return weights;
}

double dot(const BaoWeights& a, const BaoWeights& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double exact_value(const std::vector<double>& parameters, const BaoFeatures& at) {
  std::vector<double> gradient(parameters.size());
  return BaoNetwork(parameters).value(at, gradient);
}

BaoNetwork random_network(std::size_t nuclei, Rng& rng) {
  std::vector<double> parameters(nuclei * BaoNetwork::kParametersPerNucleus);
  for (double& p : parameters) p = rng.uniform() * 4;
  for (std::size_t i = 0; i < nuclei; ++i) parameters[nuclei * kBaoFeatures + i] += 4;
  return BaoNetwork(std::move(parameters));
}

}  // namespace

TEST_CASE("bao evaluation: MATERIAL and DEFAULT of a position worked out by hand") {
  // South: 10 stones in front, 6 behind; A3 and A5 face stones (a6: 2, a4: 1) and can capture them.
  // North: 12 in front, 12 behind; a4 and a6 face A5 (6 with the owned house) and A3 (4).
  const Bao at = parse_bao_position(
      "0 0 0 2 2 2 3 3/0 4 2 0 1 5 0 0/0 0 4 0 6 0 0 0/6 0 0 0 0 0 0 0 st 12,12 h S- South tk -");
  CHECK(BaoMaterialEvaluation()(at, 0) == 16 - 24);
  CHECK(BaoMaterialEvaluation()(at, 1) == 24 - 16);
  const int south = 3 * 10 + 5 * 6 + 5 * (2 + 1) + 200;
  const int north = 3 * 12 + 5 * 12 + 5 * (6 + 4);
  CHECK(BaoDefaultEvaluation()(at, 0) == south - north - 50);
  CHECK(BaoDefaultEvaluation()(at, 1) == north - south + 100);
}

TEST_CASE("bao evaluation: DEFAULT counts a house that can be captured though it is lost already") {
  const std::string board =
      "0 0 0 2 2 2 3 3/0 4 2 0 1 5 0 0/0 0 4 0 6 0 0 0/6 0 0 0 0 0 0 0 st 12,12 h ";
  const Bao owned = parse_bao_position(board + "S- South tk -");
  const Bao lost = parse_bao_position(board + "-- South tk -");
  CHECK(BaoDefaultEvaluation()(lost, 0) == BaoDefaultEvaluation()(owned, 0) - 200);
  CHECK(BaoDefaultEvaluation()(lost, 1) == BaoDefaultEvaluation()(owned, 1) + 200);
}

TEST_CASE("bao evaluation: DEFAULT and the numbers of a player equal their definition") {
  for (const Bao& at : test::random_bao_positions(60, 1)) {
    for (const int player : {0, 1}) {
      const int expected = plain_score(at, player) - plain_score(at, 1 - player) +
                           (plain_takes_house(at, player) ? 100 : 0) -
                           (plain_takes_house(at, 1 - player) ? 50 : 0);
      REQUIRE(BaoDefaultEvaluation()(at, player) == expected);
      const BaoWeights features = bao_features(at, player);
      const auto captures = plain_captures(at, player);
      for (int i = 0; i < 8; ++i) {
        const auto pit = static_cast<std::size_t>(i);
        REQUIRE(features[kBaoFront + pit] == at.pit(player, i));
        REQUIRE(features[kBaoBack + pit] == at.pit(player, 15 - i));
        REQUIRE(features[kBaoCapture + pit] == captures[pit]);
      }
      REQUIRE(features[kBaoHouse] == (at.owns_house(player) ? 1 : 0));
      REQUIRE(features[kBaoCaptureHouse] == (plain_takes_house(at, player) ? 1 : 0));
      REQUIRE(features[kBaoMaterial] == at.stones(player));
    }
  }
}

TEST_CASE("bao evaluation: the linear forms equal weights times numbers, and contain DEFAULT") {
  BaoWeights own{};
  std::fill_n(own.begin() + kBaoFront, 8, 3.0);
  std::fill_n(own.begin() + kBaoBack, 8, 5.0);
  std::fill_n(own.begin() + kBaoCapture, 8, 5.0);
  own[kBaoHouse] = 200;
  BaoWeights opponent = own;
  own[kBaoCaptureHouse] = 100;
  opponent[kBaoCaptureHouse] = 50;
  const BaoLinearEvaluation as_default(own, opponent);
  Rng rng(2);
  for (const Bao& at : test::random_bao_positions(20, 3)) {
    const BaoWeights first = random_weights(rng);
    const BaoWeights second = random_weights(rng);
    const BaoWeights ours = bao_features(at, 1);
    const BaoWeights theirs = bao_features(at, 0);
    const double expected = dot(first, ours) - dot(second, theirs);
    REQUIRE(BaoLinearEvaluation(first, second)(at, 1) == Approx(expected).margin(1e-9));
    REQUIRE(BaoLinearEvaluation(first)(at, 1) ==
            Approx(dot(first, ours) - dot(first, theirs)).margin(1e-9));
    REQUIRE(BaoLinearEvaluation(first)(at, 0) == -BaoLinearEvaluation(first)(at, 1));
    REQUIRE(as_default(at, 0) == BaoDefaultEvaluation()(at, 0));
    REQUIRE(as_default(at, 1) == BaoDefaultEvaluation()(at, 1));
  }
}

TEST_CASE("bao network: equals its definition") {
  Rng rng(4);
  for (const std::size_t nuclei : {std::size_t{1}, std::size_t{7}, std::size_t{54}}) {
    const BaoNetwork network = random_network(nuclei, rng);
    const BaoNetworkEvaluation evaluation(network);
    for (const Bao& at : test::random_bao_positions(1, 5)) {
      const BaoFeatures x = bao_features_of_both(at, 0);
      double above = 0.0;
      double below = 0.0;
      for (std::size_t i = 0; i < nuclei; ++i) {
        double distance = 0.0;
        for (std::size_t k = 0; k < x.size(); ++k) {
          distance += std::pow(x[k] - network.centre(i)[k], 2);
        }
        const double g = std::exp(-distance / (2 * std::pow(network.width(i), 2)));
        above += g * network.value_of(i);
        below += g;
      }
      REQUIRE(evaluation(at, 0) == Approx(above / below).epsilon(1e-3));
      std::vector<double> gradient(network.parameters().size());
      REQUIRE(network.value(x, gradient) == Approx(above / below));
    }
  }
}

TEST_CASE("bao network: far from all nuclei the nearest one speaks, and nothing overflows") {
  std::vector<double> parameters(2 * BaoNetwork::kParametersPerNucleus);
  std::fill_n(parameters.begin(), kBaoFeatures, 1e5);
  std::fill_n(parameters.begin() + kBaoFeatures, kBaoFeatures, 1e6);
  const std::vector<double> rest = {0.1, 0.1, 7.0, 9.0};
  std::copy(rest.begin(), rest.end(), parameters.end() - 4);
  CHECK(BaoNetwork(parameters).value(BaoFeatures{}) == 7.0);
}

TEST_CASE("bao network: the gradient equals differences") {
  Rng rng(6);
  const BaoNetwork network = random_network(5, rng);
  const BaoFeatures x = bao_features_of_both(test::random_bao_positions(1, 7)[30], 0);
  const std::vector<double> parameters(network.parameters().begin(), network.parameters().end());
  std::vector<double> gradient(parameters.size());
  network.value(x, gradient);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    std::vector<double> moved = parameters;
    const double step = 1e-5;
    moved[i] += step;
    const double up = exact_value(moved, x);
    moved[i] -= 2 * step;
    const double down = exact_value(moved, x);
    REQUIRE(gradient[i] == Approx((up - down) / (2 * step)).margin(1e-7));
  }
}

}  // namespace ntune
