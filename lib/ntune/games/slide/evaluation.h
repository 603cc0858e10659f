#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ntune/core/rng.h"
#include "ntune/games/slide/evaluation_tables.h"

namespace ntune {

/// How chance enters the value v of a leaf (Heuser 2003, Section 4.3), r uniform in an interval.
enum class Randomisation {
  kNone,
  kAdd,        ///< v + r
  kMult,       ///< v * (1 + r)
  kNormPlus,   ///< (v + r) / v
  kNormMinus,  ///< (v - r) / v
  kComb,       ///< v + r * Perm
  kTileTab,    ///< in place of v: a sum over the tiles, d > 0 squares from their goals, of numbers
               ///< uniform in [(d - 1) / 2, (d + 1) / 2] (Heuser 2003, Figure 4.4)
  kRandom      ///< in place of v: a number uniform in (0, 1), Random Evaluation
};

/// Names as in study files and on command lines: "none", "add", … "tile_tab", "random".
const std::vector<std::pair<std::string, Randomisation>>& randomisation_names();

/// A weighted sum of the evaluations, and how it is randomised. Without weights and randomisation
/// all leaves are alike: Random Play.
struct SlideEvaluation {
  std::array<double, kSlideFeatures> weights = {};  ///< in the order of SlideFeature
  bool rounded = false;  ///< whether the sum is rounded before chance enters (Appendix F)
  Randomisation randomisation = Randomisation::kNone;
  double intensity = 0.0;  ///< a >= 0
  /// r is drawn from [-a, a] or [0, a]; by default from the first for add and mult, from the second
  /// for the others, as in the published tables.
  std::optional<bool> both_sides = {};

  static SlideEvaluation of(SlideFeature feature, Randomisation randomisation = {},
                            double intensity = 0.0);
  /// The interval of r.
  [[nodiscard]] double low() const;
  [[nodiscard]] double high() const { return intensity; }
  /// "Eu-Add [-0.1, 0.1]", "0.5 Eu + 1 Man".
  [[nodiscard]] std::string text() const;
  /// This evaluation without chance. That of TileTab, which replaces the sum, is Man.
  [[nodiscard]] SlideEvaluation deterministic() const;
};

/// An evaluation prepared for a search. Copies share no state that changes.
class SlideEvaluator {
 public:
  /// The tables must outlive it.
  SlideEvaluator(const SlideEvaluation& evaluation, const SlideTables& tables);

  /// The value of a leaf other than Win. Only a randomised evaluation draws numbers.
  [[nodiscard]] float operator()(std::uint64_t bits, Rng& rng) const;
  /// The value before chance enters.
  [[nodiscard]] float sum(std::uint64_t bits) const;

  [[nodiscard]] bool random() const { return evaluation_.randomisation != Randomisation::kNone; }
  [[nodiscard]] const SlideEvaluation& evaluation() const { return evaluation_; }

 private:
  struct Term {
    SlideFeature feature;
    float weight;
  };

  [[nodiscard]] float tile_tab(std::uint64_t bits, Rng& rng) const;

  SlideEvaluation evaluation_;
  const SlideTables* tables_;
  std::array<Term, kSlideFeatures> terms_{};  ///< the features with a weight
  int count_ = 0;
  bool single_ = false;  ///< whether the sum is one term of weight 1
  float low_, width_;    ///< the interval of r
};

}  // namespace ntune
