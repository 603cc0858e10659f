#pragma once

#include <memory>

#include "ntune/games/slide/agent.h"
#include "ntune/games/slide/search.h"

namespace ntune {

/// Settings of the depth-t player.
struct DepthPlayer {
  SlideEvaluation evaluation = {};
  int depth = 5;  ///< 1 … kDeepestSlideSearch
  DepthSearchOptions search = {};
  /// Ties of a deterministic evaluation go to a successor with the most minimal leaves (Heuser
  /// 2003, Section 2.4), not to any of the least value.
  bool fat = false;
};
inline constexpr int kDeepestSlideSearch = 20;

/// The thesis's autoplay (Heuser 2003, Section 5.2.3). It moves to the successor of least value,
/// ties broken at random. Once Win has been seen, every search is a move shallower than the last
/// (never less than one move deep).
class DepthAgent final : public SlideAgent {
 public:
  /// With `count`, decisions say whether they are ties and fat moves; for that a randomised player
  /// searches again without chance. `search` may have been used by others before.
  explicit DepthAgent(const DepthPlayer& player, bool count = false,
                      std::shared_ptr<SlideSearch> search = std::make_shared<SlideSearch>());

  void begin_game() override { depth_ = player_.depth; }
  SlideDecision choose(const SlidePosition<3>& position, Rng& rng) override;
  [[nodiscard]] std::int64_t evaluations() const override { return search_->leaves(); }

 private:
  static SlideDecision count_minimal(std::span<const SlideSuccessor> plain, int line);

  DepthPlayer player_;
  bool count_;
  SlideEvaluator evaluator_;
  SlideEvaluator deterministic_;
  std::shared_ptr<SlideSearch> search_;
  int depth_;
};

}  // namespace ntune
