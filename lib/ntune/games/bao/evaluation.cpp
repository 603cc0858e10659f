#include "ntune/games/bao/evaluation.h"

#include <algorithm>

namespace ntune {

const std::vector<std::string>& bao_weight_names() {
  // The names are in the order of the weights.
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = {"material"};
    for (const char* row : {"back", "front", "capture"}) {
      for (int i = 1; i <= Bao::kRow; ++i) all.push_back(row + std::to_string(i));
    }
    all.insert(all.end(), {"house", "capture_house"});
    return all;
  }();
  return names;
}

BaoWeights bao_features(const Bao& at, int player) {
  BaoWeights features{};
  const std::uint64_t captures = at.captures(player);
  features[kBaoMaterial] = at.stones(player);
  for (int i = 0; i < Bao::kRow; ++i) {
    const auto pit = static_cast<std::size_t>(i);
    features[kBaoBack + pit] = at.back(player, i);
    features[kBaoFront + pit] = at.front(player, i);
    // The bytes of `captures` are the opponent's pits, which face the player's in reverse order.
    features[kBaoCapture + pit] = static_cast<int>(captures >> ((Bao::kRow - 1 - i) * 8) & 0xff);
  }
  features[kBaoHouse] = at.owns_house(player) ? 1 : 0;
  features[kBaoCaptureHouse] = BaoDefaultEvaluation::takes_house(captures) ? 1 : 0;
  return features;
}

BaoFeatures bao_features_of_both(const Bao& at, int player) {
  static_assert(kBaoFeatures == 2 * kBaoWeights);
  const BaoWeights player_features = bao_features(at, player);
  const BaoWeights opponent = bao_features(at, 1 - player);
  // The player's features come first, then those of the opponent.
  BaoFeatures both;
  std::copy(opponent.begin(), opponent.end(),
            std::copy(player_features.begin(), player_features.end(), both.begin()));
  return both;
}

BaoLinearEvaluation::BaoLinearEvaluation(const BaoWeights& own, const BaoWeights& opponent) {
  sides_[0].given = own;
  sides_[1].given = opponent;
  // The weight of all stones is added to that of each pit, which saves a product per evaluation.
  for (Side& side : sides_) {
    const BaoWeights& w = side.given;
    for (std::size_t i = 0; i < Bao::kRow; ++i) {
      const std::size_t mirrored = Bao::kRow - 1 - i;
      side.front[i] = w[kBaoFront + i] + w[kBaoMaterial];
      side.back[i] = w[kBaoBack + mirrored] + w[kBaoMaterial];
      side.capture[i] = w[kBaoCapture + mirrored];
      // Captures are costly to find, so an evaluation without their weights leaves them out.
      side.captures = side.captures || side.capture[i] != 0.0;
    }
    side.house = w[kBaoHouse];
    side.capture_house = w[kBaoCaptureHouse];
    side.captures = side.captures || side.capture_house != 0.0;
  }
}

double evaluate(const BaoEvaluation& evaluation, const Bao& at, int player) {
  return std::visit([&](const auto& e) { return static_cast<double>(e(at, player)); }, evaluation);
}

}  // namespace ntune
