#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ntune {

/// The heuristic evaluations of SlideThree (Heuser 2003, Definition 4.2.1): estimates of the
/// distance to Win, 0 for Win alone.
enum class SlideFeature { kEu, kMan, kNb, kPerm, kInv, kL2 };
inline constexpr int kSlideFeatures = 6;

inline const char* slide_feature_name(SlideFeature feature) {
  constexpr std::array<const char*, kSlideFeatures> kNames = {"Eu",   "Man", "Nb",
                                                              "Perm", "Inv", "L2"};
  return kNames[static_cast<std::size_t>(feature)];
}

/// Evaluates leaves from tables over the lines of the board, some 150,000 table entries that fit
/// the second-level cache. Immutable; may be shared by threads.
class SlideTables {
 public:
  SlideTables();

  /// A feature as a whole number: Eu and L2 squared, Perm squared without its factor 0.5, Inv
  /// without its factor 0.5, the others as they are.
  [[nodiscard]] int whole(SlideFeature feature, std::uint64_t bits) const;
  /// The evaluation of a position other than Win.
  [[nodiscard]] float value(SlideFeature feature, std::uint64_t bits) const {
    return real_[static_cast<std::size_t>(feature)][static_cast<std::size_t>(whole(feature, bits))];
  }

 private:
  static constexpr std::size_t kLineContents = std::size_t{1} << 16;
  template <class T>
  using PerRow = std::array<std::vector<T>, 4>;

  [[nodiscard]] std::uint64_t order(std::uint64_t bits) const;

  PerRow<std::uint8_t> eu_, man_, nb_rows_;
  PerRow<std::uint16_t> l2_;
  std::vector<std::uint8_t> nb_columns_;
  std::vector<std::uint16_t> packed_;  ///< a row's tiles without its blanks
  std::vector<std::uint8_t> tiles_;    ///< the number of a row's tiles
  // By the tiles on three neighbouring places of the order, four bits each:
  std::array<std::vector<std::uint8_t>, 3> perm_;  ///< sum of squared distances, by place
  std::vector<std::uint8_t> inner_;                ///< inversions among the three
  std::vector<std::uint8_t> set_;                  ///< which of the 84 sets of three tiles
  std::vector<std::uint8_t> cross_;                ///< inversions between a first and a second set
  std::array<std::vector<float>, kSlideFeatures> real_;  ///< from the whole number to the value
};

/// The tables of the whole program, made at the first call.
const SlideTables& slide_tables();

}  // namespace ntune
