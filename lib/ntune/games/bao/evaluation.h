#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "ntune/agents/turn_game/turn_search.h"
#include "ntune/games/bao/network.h"
#include "ntune/games/bao/position.h"

namespace ntune {

/// Evaluations of Zanzibar Bao (Donkers et al. 2005, Section 6): functions of (position, player),
/// how good the position is for the player as MAX.

/// The numbers of one player that the 27 genes weigh. Rows go from the player's left to his right;
/// "own" is the player whose numbers they are.
constexpr std::size_t kBaoMaterial = 0;       ///< own stones on the board
constexpr std::size_t kBaoBack = 1;           ///< own stones in the pits B1 … B8
constexpr std::size_t kBaoFront = 9;          ///< own stones in the pits A1 … A8
constexpr std::size_t kBaoCapture = 17;       ///< stones that A1 … A8 could capture if on turn
constexpr std::size_t kBaoHouse = 25;         ///< 1 if the player owns his house
constexpr std::size_t kBaoCaptureHouse = 26;  ///< 1 if he could capture the pit of the other house
constexpr std::size_t kBaoWeights = 27;

using BaoWeights = std::array<double, kBaoWeights>;

/// "material", "back1" … "back8", "front1" …, "capture1" …, "house", "capture_house".
const std::vector<std::string>& bao_weight_names();

/// The numbers that the weights of `player` multiply.
BaoWeights bao_features(const Bao& at, int player);
/// The numbers of the player, then those of his opponent.
BaoFeatures bao_features_of_both(const Bao& at, int player);

/// MATERIAL: own stones on the board less the opponent's.
struct BaoMaterialEvaluation {
  int operator()(const Bao& at, int player) const {
    return at.stones(player) - at.stones(1 - player);
  }
};

/// DEFAULT counts the player's side less the opponent's: 3 for a stone in the front row, 5 in the
/// back row, 5 more for an opponent's stone that can be captured, 200 for an owned house. It adds
/// 100 if the opponent's house can be captured, and takes 50 off if the player's can, owned or not.
/// If only owned houses counted there, DEFAULT would win 57 % of its games against MATERIAL at
/// depth 6 (measured once), not 45 % as in the paper's first tournament.
struct BaoDefaultEvaluation {
  int operator()(const Bao& at, int player) const {
    const std::uint64_t ours = at.captures(player);
    const std::uint64_t theirs = at.captures(1 - player);
    return score(at, player, ours) - score(at, 1 - player, theirs) + (takes_house(ours) ? 100 : 0) -
           (takes_house(theirs) ? 50 : 0);
  }
  static int score(const Bao& at, int player, std::uint64_t captures) {
    return 3 * Bao::row_stones(at.front_row(player)) + 5 * Bao::row_stones(at.back_row(player)) +
           5 * Bao::row_stones(captures) + (at.owns_house(player) ? 200 : 0);
  }
  static bool takes_house(std::uint64_t captures) {
    return (captures >> (Bao::kHouse * 8) & 0xff) != 0;
  }
};

/// The linear form of 54 parameters: `own` times the player's numbers less `opponent` times his
/// opponent's. With `own` = `opponent` it is the form of 27 genes.
class BaoLinearEvaluation {
 public:
  BaoLinearEvaluation() = default;
  BaoLinearEvaluation(const BaoWeights& own, const BaoWeights& opponent);
  explicit BaoLinearEvaluation(const BaoWeights& both) : BaoLinearEvaluation(both, both) {}

  double operator()(const Bao& at, int player) const {
    return score(at, player, sides_[0]) - score(at, 1 - player, sides_[1]);
  }

  [[nodiscard]] const BaoWeights& own() const { return sides_[0].given; }
  [[nodiscard]] const BaoWeights& opponent() const { return sides_[1].given; }
  friend bool operator==(const BaoLinearEvaluation& a, const BaoLinearEvaluation& b) {
    return a.own() == b.own() && a.opponent() == b.opponent();
  }

 private:
  using Row = std::array<double, Bao::kRow>;
  /// Weights in the order of the words of a position, the material added to those of the rows.
  struct Side {
    BaoWeights given{};
    Row front{}, back{}, capture{};
    double house = 0.0, capture_house = 0.0;
    bool captures = false;  ///< whether any capture has a weight
  };

  static double sum(const Row& weights, std::uint64_t row) {
    double total = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      total += weights[i] * static_cast<int>(row >> (i * 8) & 0xff);
    }
    return total;
  }
  static double score(const Bao& at, int player, const Side& side) {
    double total = sum(side.front, at.front_row(player)) + sum(side.back, at.back_row(player));
    if (at.owns_house(player)) total += side.house;
    if (!side.captures) return total;
    const std::uint64_t captures = at.captures(player);
    if (captures == 0) return total;
    total += sum(side.capture, captures);
    return BaoDefaultEvaluation::takes_house(captures) ? total + side.capture_house : total;
  }

  std::array<Side, 2> sides_;
};

/// A normalised Gaussian network on the 54 numbers of both sides.
class BaoNetworkEvaluation {
 public:
  explicit BaoNetworkEvaluation(BaoNetwork network)
      : network_(std::make_shared<const BaoNetwork>(std::move(network))) {}
  double operator()(const Bao& at, int player) const {
    return network_->value(bao_features_of_both(at, player));
  }
  [[nodiscard]] const BaoNetwork& network() const { return *network_; }
  friend bool operator==(const BaoNetworkEvaluation& a, const BaoNetworkEvaluation& b) {
    return *a.network_ == *b.network_;
  }

 private:
  std::shared_ptr<const BaoNetwork> network_;
};

/// Any of them; a cheap value.
using BaoEvaluation = std::variant<BaoMaterialEvaluation, BaoDefaultEvaluation, BaoLinearEvaluation,
                                   BaoNetworkEvaluation>;

double evaluate(const BaoEvaluation& evaluation, const Bao& at, int player);

}  // namespace ntune
