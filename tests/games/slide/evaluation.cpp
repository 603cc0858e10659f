#include "ntune/games/slide/evaluation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "catch.h"
#include "games/slide/feature.h"
#include "ntune/games/slide/codes.h"

namespace ntune {

namespace {

using Position = SlidePosition<3>;

/// Position P of Althöfer and Heuser (2005), Figure 4.
constexpr std::array<std::uint8_t, 16> kP = {0, 8, 7, 0, 0, 9, 5, 4, 6, 2, 1, 0, 3, 0, 0, 0};
/// Position EP of Heuser (2003), Figure 4.2.
constexpr std::array<std::uint8_t, 16> kEp = {0, 8, 0, 0, 0, 5, 7, 1, 0, 2, 6, 4, 9, 0, 3, 0};

constexpr std::array<SlideFeature, kSlideFeatures> kAll = {SlideFeature::kEu,  SlideFeature::kMan,
                                                           SlideFeature::kNb,  SlideFeature::kPerm,
                                                           SlideFeature::kInv, SlideFeature::kL2};

Position random_position(Rng& rng) {
  Position position = Position::win();
  while (position == Position::win()) {
    const auto count = static_cast<std::uint32_t>(slide_position_count<3>());
    position = slide_position_at<3>(rng.below(count));
  }
  return position;
}

}  // namespace

TEST_CASE("slide evaluations: the paper's and the thesis's worked examples") {
  // The paper's L2 of P, 13.856, contradicts its own vectors; the definition gives 14.560.
  constexpr std::array<double, kSlideFeatures> kOfP = {7.348, 26, 44, 14.916, 30.5, 14.560};
  constexpr std::array<double, kSlideFeatures> kOfEp = {6.928, 22, 40, 11.769, 20.5, 16.248};
  const Position p = Position::of(kP);
  const Position ep = Position::of(kEp);
  for (const SlideFeature feature : kAll) {
    INFO(slide_feature_name(feature));
    CHECK(test::slide_feature(feature, p) ==
          Approx(kOfP[static_cast<std::size_t>(feature)]).margin(0.0005).epsilon(0));
    CHECK(test::slide_feature(feature, ep) ==
          Approx(kOfEp[static_cast<std::size_t>(feature)]).margin(0.0005).epsilon(0));
    CHECK(test::slide_feature(feature, Position::win()) == 0.0);
  }
}

TEST_CASE("slide evaluations: the tables give what the definitions give") {
  Rng rng(1);
  for (int i = 0; i < 20'000; ++i) {
    const Position position = random_position(rng);
    for (const SlideFeature feature : kAll) {
      const float expected = static_cast<float>(test::slide_feature(feature, position));
      REQUIRE(slide_tables().value(feature, position.bits()) == expected);
    }
  }
}

TEST_CASE("slide evaluations: only Win has the value 0") {
  Rng rng(2);
  for (int i = 0; i < 20'000; ++i) {
    const Position position = random_position(rng);
    for (const SlideFeature feature : kAll) REQUIRE(test::slide_feature(feature, position) > 0.0);
  }
}

TEST_CASE("slide evaluations: weighted sums, rounded and not") {
  SlideEvaluation evaluation = {.weights = {0.5, 2.0, 0.0, 0.0, 0.0, 0.25}};
  const Position p = Position::of(kP);
  Rng rng(3);
  const double sum = 0.5 * std::sqrt(54.0) + 2.0 * 26 + 0.25 * std::sqrt(212.0);
  CHECK(SlideEvaluator(evaluation, slide_tables())(p.bits(), rng) == Approx(sum));
  evaluation.rounded = true;
  CHECK(SlideEvaluator(evaluation, slide_tables())(p.bits(), rng) ==
        static_cast<float>(std::nearbyint(sum)));
}

TEST_CASE("slide evaluations: randomised values lie where they may, and reach both ends") {
  struct Case {
    Randomisation kind;
    double low, high;
  };
  const double v = std::sqrt(54.0);
  const double perm = std::sqrt(222.5);
  const std::array<Case, 5> cases = {{{Randomisation::kAdd, v - 0.5, v + 0.5},
                                      {Randomisation::kMult, v * 0.5, v * 1.5},
                                      {Randomisation::kNormPlus, 1.0, 1.0 + 0.5 / v},
                                      {Randomisation::kNormMinus, 1.0 - 0.5 / v, 1.0},
                                      {Randomisation::kComb, v, v + 0.5 * perm}}};
  for (const Case& c : cases) {
    const SlideEvaluator evaluator(SlideEvaluation::of(SlideFeature::kEu, c.kind, 0.5),
                                   slide_tables());
    Rng rng(4);
    double low = 1e9;
    double high = -1e9;
    for (int i = 0; i < 10'000; ++i) {
      const auto value = static_cast<double>(evaluator(Position::of(kP).bits(), rng));
      low = std::min(low, value);
      high = std::max(high, value);
    }
    INFO(evaluator.evaluation().text());
    const double width = c.high - c.low;
    CHECK(low >= c.low - 1e-5);
    CHECK(high <= c.high + 1e-5);
    // 10,000 draws miss the outer hundredth at one end with probability 2e-44.
    CHECK(low < c.low + 0.01 * width);
    CHECK(high > c.high - 0.01 * width);
  }
}

TEST_CASE("slide evaluations: TileTab sums a number per tile off its goal") {
  const SlideEvaluator evaluator({.randomisation = Randomisation::kTileTab}, slide_tables());
  // Distances of P's tiles: 4, 2, 3+2, … 26 in all; eight tiles are off their goals.
  int off = 0;
  for (int s = 0; s < Position::kSquares; ++s) {
    const int tile = Position::of(kP).at(s);
    off += tile != 0 && Position::goal(tile) != s ? 1 : 0;
  }
  const double low = 0.5 * (26 - off);
  Rng rng(5);
  double sum = 0.0;
  for (int i = 0; i < 10'000; ++i) {
    const auto value = static_cast<double>(evaluator(Position::of(kP).bits(), rng));
    REQUIRE(value > low);
    REQUIRE(value < low + off);
    sum += value;
  }
  // Six standard errors: a false alarm once in 5e8.
  CHECK(sum / 10'000 == Approx(low + 0.5 * off).margin(6 * std::sqrt(off / 12.0) / 100));
}

TEST_CASE("slide evaluations: texts") {
  CHECK(SlideEvaluation::of(SlideFeature::kEu).text() == "Eu");
  CHECK(SlideEvaluation::of(SlideFeature::kMan, Randomisation::kAdd, 2.5).text() ==
        "Man-Add [-2.5, 2.5]");
  CHECK(SlideEvaluation::of(SlideFeature::kNb, Randomisation::kNormMinus, 1).text() ==
        "Nb-Norm- [0, 1]");
  CHECK(SlideEvaluation{.weights = {0.5, 1}}.text() == "0.5 Eu + Man");
  CHECK(SlideEvaluation{}.text() == "Random Play");
  CHECK(SlideEvaluation{.randomisation = Randomisation::kRandom}.text() == "Random Evaluation");
}

}  // namespace ntune
