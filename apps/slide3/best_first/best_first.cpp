#include "apps/slide3/best_first/best_first.h"

#include <cmath>

#include <fmt/format.h>

#include "apps/slide3/best_first/searches.h"
#include "ntune/core/error.h"

namespace ntune {

namespace {

void check(const BestFirstPlayer& player) {
  if (player.evaluations < BestFirstPlayer::kFewestEvaluations ||
      player.evaluations > BestFirstPlayer::kMostEvaluations) {
    throw InputError(fmt::format("evaluations: is {}, a whole number from {} to {} is allowed",
                                 player.evaluations, BestFirstPlayer::kFewestEvaluations,
                                 BestFirstPlayer::kMostEvaluations));
  }
  if (!(player.weight >= 0.0) || !std::isfinite(player.weight)) {
    throw InputError(
        fmt::format("weight: is {}, a finite number of at least 0 is allowed", player.weight));
  }
}

/// Follows the ways that a search finds.
template <class Search>
class BestFirstAgent final : public SlideAgent {
 public:
  explicit BestFirstAgent(const BestFirstPlayer& player) : search_(player) {}

  void begin_game() override { way_.clear(); }

  SlideDecision choose(const SlidePosition<3>& position, Rng& rng) override {
    if (way_.empty() || position != expected_) search_.find(position, rng, way_);
    const int line = way_.back();
    way_.pop_back();
    expected_ = position.after(line);
    return {.line = line};
  }

  [[nodiscard]] std::int64_t evaluations() const override { return search_.evaluations(); }

 private:
  Search search_;
  std::vector<int> way_;  ///< lines to slide, the next one last
  SlidePosition<3> expected_;
};

}  // namespace

const std::vector<std::pair<std::string, BestFirstKind>>& best_first_names() {
  static const std::vector<std::pair<std::string, BestFirstKind>> kNames = {
      {"astar", BestFirstKind::kAStar}, {"idastar", BestFirstKind::kIdaStar}};
  return kNames;
}

const std::vector<std::pair<std::string, BestFirstTarget>>& best_first_target_names() {
  static const std::vector<std::pair<std::string, BestFirstTarget>> kNames = {
      {"total", BestFirstTarget::kTotal}, {"value", BestFirstTarget::kValue}};
  return kNames;
}

std::unique_ptr<SlideAgent> make_best_first_agent(const BestFirstPlayer& player) {
  check(player);
  if (player.kind == BestFirstKind::kAStar) {
    return std::make_unique<BestFirstAgent<SlideAStar>>(player);
  }
  return std::make_unique<BestFirstAgent<SlideIdaStar>>(player);
}

}  // namespace ntune
