#include "ntune/games/slide/evaluation.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/games/slide/position.h"

namespace ntune {

namespace {

using Position = SlidePosition<3>;

/// Manhattan distance of every tile (second index) on every square to its goal.
constexpr auto kDistances = [] {
  std::array<std::array<std::uint8_t, 16>, Position::kSquares> distances{};
  for (int s = 0; s < Position::kSquares; ++s) {
    for (int tile = 1; tile <= Position::kTiles; ++tile) {
      const int goal = Position::goal(tile);
      const int rows = s / 4 - goal / 4;
      const int columns = s % 4 - goal % 4;
      distances[static_cast<std::size_t>(s)][static_cast<std::size_t>(tile)] =
          static_cast<std::uint8_t>((rows < 0 ? -rows : rows) + (columns < 0 ? -columns : columns));
    }
  }
  return distances;
}();

/// Uniform in (0, 1), in the middle of one of 2^23 equal parts.
float open_uniform(Rng& rng) { return (static_cast<float>(rng() >> 41) + 0.5F) * 0x1p-23F; }

}  // namespace

const std::vector<std::pair<std::string, Randomisation>>& randomisation_names() {
  static const std::vector<std::pair<std::string, Randomisation>> kNames = {
      {"none", Randomisation::kNone},
      {"add", Randomisation::kAdd},
      {"mult", Randomisation::kMult},
      {"norm_plus", Randomisation::kNormPlus},
      {"norm_minus", Randomisation::kNormMinus},
      {"comb", Randomisation::kComb},
      {"tile_tab", Randomisation::kTileTab},
      {"random", Randomisation::kRandom}};
  return kNames;
}

SlideEvaluation SlideEvaluation::of(SlideFeature feature, Randomisation randomisation,
                                    double intensity) {
  SlideEvaluation evaluation{.randomisation = randomisation, .intensity = intensity};
  evaluation.weights[static_cast<std::size_t>(feature)] = 1.0;
  return evaluation;
}

double SlideEvaluation::low() const {
  // Additive and multiplicative chance is around 0 unless it is said otherwise.
  const bool symmetric =
      randomisation == Randomisation::kAdd || randomisation == Randomisation::kMult;
  return both_sides.value_or(symmetric) ? -intensity : 0.0;
}

SlideEvaluation SlideEvaluation::deterministic() const {
  if (randomisation == Randomisation::kTileTab) return of(SlideFeature::kMan);
  SlideEvaluation without = *this;
  without.randomisation = Randomisation::kNone;
  without.intensity = 0.0;
  return without;
}

std::string SlideEvaluation::text() const {
  constexpr std::array<const char*, 6> kKinds = {"", "-Add", "-Mult", "-Norm+", "-Norm-", "-Comb"};
  if (randomisation == Randomisation::kTileTab) return "TileTab";
  if (randomisation == Randomisation::kRandom) return "Random Evaluation";
  std::string sum;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0.0) continue;
    if (!sum.empty()) sum += " + ";
    if (weights[i] != 1.0) sum += number_text(weights[i]) + " ";
    sum += slide_feature_name(static_cast<SlideFeature>(i));
  }
  // An evaluation without terms draws its moves at random.
  if (sum.empty()) sum = randomisation == Randomisation::kNone ? "Random Play" : "0";
  if (rounded) sum = fmt::format("round({})", sum);
  if (randomisation == Randomisation::kNone) return sum;
  if (sum.find(' ') != std::string::npos) sum = fmt::format("({})", sum);
  return fmt::format("{}{} [{}, {}]", sum, kKinds[static_cast<std::size_t>(randomisation)],
                     number_text(low()), number_text(high()));
}

SlideEvaluator::SlideEvaluator(const SlideEvaluation& evaluation, const SlideTables& tables)
    : evaluation_(evaluation),
      tables_(&tables),
      low_(static_cast<float>(evaluation.low())),
      width_(static_cast<float>(evaluation.high() - evaluation.low())) {
  for (std::size_t i = 0; i < evaluation.weights.size(); ++i) {
    if (evaluation.weights[i] == 0.0) continue;
    terms_[static_cast<std::size_t>(count_++)] = {static_cast<SlideFeature>(i),
                                                  static_cast<float>(evaluation.weights[i])};
  }
  // The common case of a single feature needs no sum.
  single_ = count_ == 1 && terms_[0].weight == 1.0F && !evaluation.rounded;
}

float SlideEvaluator::sum(std::uint64_t bits) const {
  if (single_) return tables_->value(terms_[0].feature, bits);
  float sum = 0.0F;
  for (int i = 0; i < count_; ++i) {
    const Term& term = terms_[static_cast<std::size_t>(i)];
    sum += term.weight * tables_->value(term.feature, bits);
  }
  return evaluation_.rounded ? std::nearbyint(sum) : sum;
}

float SlideEvaluator::operator()(std::uint64_t bits, Rng& rng) const {
  const auto draw = [&] { return low_ + width_ * open_uniform(rng); };
  switch (evaluation_.randomisation) {
    case Randomisation::kNone:
      return sum(bits);
    case Randomisation::kAdd:
      return sum(bits) + draw();
    case Randomisation::kMult:
      return sum(bits) * (1.0F + draw());
    case Randomisation::kNormPlus:
      return 1.0F + draw() / sum(bits);
    case Randomisation::kNormMinus:
      return 1.0F - draw() / sum(bits);
    case Randomisation::kComb:
      return sum(bits) + draw() * tables_->value(SlideFeature::kPerm, bits);
    case Randomisation::kTileTab:
      return tile_tab(bits, rng);
    case Randomisation::kRandom:
      return open_uniform(rng);
  }
  return 0.0F;
}

float SlideEvaluator::tile_tab(std::uint64_t bits, Rng& rng) const {
  float total = 0.0F;
  for (const auto& distances : kDistances) {
    const int distance = distances[bits & 15];
    bits >>= 4;
    // A tile at distance d draws a number between (d - 1) / 2 and (d + 1) / 2.
    if (distance != 0) total += 0.5F * static_cast<float>(distance - 1) + open_uniform(rng);
  }
  return total;
}

}  // namespace ntune
