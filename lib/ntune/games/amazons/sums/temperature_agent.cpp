#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ntune/core/clock.h"
#include "ntune/games/amazons/sums/sum_player.h"

namespace ntune {

namespace {

/// Hotstrat and Sentestrat.
template <int kSide>
class TemperatureAgent final : public SumAgent<kSide> {
 public:
  using Sum = AmazonsSum<kSide>;

  TemperatureAgent(const SumPlayerOptions& options,
                   std::unique_ptr<AmazonsAppraiser<kSide>> appraiser)
      : options_(options), appraiser_(std::move(appraiser)), search_(options.search) {}

 private:
  /// What is known of a board, for the player for whom it was appraised.
  struct Known {
    typename Sum::Position board;
    Player player = Player::kLeft;
    BoardAppraisal appraisal;
    std::optional<int> integer;
    bool can_move = false;
  };

  void forget() override {
    known_ = {};
    seen_.reset();
    ambient_.reset();
  }

  AmazonsSumMove decide(const Sum& sum, Rng& rng, SumCounts& counts) override;
  void appraise(const Sum& sum, SumBudget& left);
  [[nodiscard]] std::size_t hottest(const Sum& sum) const;
  [[nodiscard]] std::optional<std::size_t> threatened(const Sum& sum) const;
  AmazonsMove local_move(const Sum& sum, std::size_t board, Dyadic temperature, SumBudget left,
                         SumCounts& counts);
  [[nodiscard]] std::int64_t nodes() const { return appraiser_->nodes() + search_.nodes(); }

  SumPlayerOptions options_;
  std::unique_ptr<AmazonsAppraiser<kSide>> appraiser_;
  AmazonsSumSearch<kSide> search_;
  std::array<Known, Sum::kMostBoards> known_{};
  std::optional<Sum> seen_;        ///< the sum after this player's last move
  std::optional<Dyadic> ambient_;  ///< lowest temperature of a sum with this player on turn
};

/// A budget that is used up: knows how much of it is left.
class Spending {
 public:
  Spending(const SumBudget& budget, std::int64_t nodes) : budget_(budget), nodes_(nodes) {}
  [[nodiscard]] SumBudget left(std::int64_t nodes) const {
    SumBudget left = budget_;
    if (left.nodes < std::numeric_limits<std::int64_t>::max()) {
      left.nodes = std::max<std::int64_t>(left.nodes - (nodes - nodes_), 1);
    }
    left.seconds = std::max(left.seconds - (thread_seconds() - begin_), 0.0);
    return left;
  }

 private:
  SumBudget budget_;
  std::int64_t nodes_;
  double begin_ = thread_seconds();
};

template <int kSide>
AmazonsSumMove TemperatureAgent<kSide>::decide(const Sum& sum, Rng& /*rng*/, SumCounts& counts) {
  const std::int64_t nodes_before = nodes();
  const Spending spending(options_.budget(), nodes_before);
  // 1. Temperatures.
  SumBudget for_temperatures = options_.budget().share(options_.temperature_share);
  appraise(sum, for_temperatures);
  // 2. The board.
  const std::size_t hot = hottest(sum);
  const Dyadic highest = known_[hot].appraisal.value.temperature;
  // Sentestrat (Berlekamp): a move of the opponent that raised a board above the ambient
  // temperature is answered there.
  const auto answer = threatened(sum);
  const std::size_t board = answer.value_or(hot);
  const Dyadic temperature = answer ? *ambient_ : highest;
  // The ambient temperature falls during a game, and never rises again.
  ambient_ = std::min(ambient_.value_or(highest), highest);
  // 3. The move there.
  counts.unknown += known_[board].appraisal.is_unknown ? 1 : 0;
  const AmazonsSumMove move = {static_cast<std::uint8_t>(board),
                               local_move(sum, board, temperature, spending.left(nodes()), counts)};
  counts.nodes += nodes() - nodes_before;
  seen_ = sum;
  seen_->apply(move);
  return move;
}

/// Appraises all boards that have changed or could be known better; they share the budget left.
template <int kSide>
void TemperatureAgent<kSide>::appraise(const Sum& sum, SumBudget& left) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    Known& known = known_[i];
    known.can_move = sum[i].can_move(sum.on_turn());
    // A board is appraised again if it has changed or the player on turn has.
    const bool is_same = known.board == sum[i] && known.player == sum.on_turn();
    if (is_same && known.appraisal.is_final) continue;
    known = {sum[i], sum.on_turn(), {}, sum[i].integer_value(), known.can_move};
    known.appraisal.is_final = true;
    // An integer has the temperature -1: a move there costs a point.
    if (known.integer) {
      known.appraisal.value = {Dyadic(*known.integer), Dyadic(-1)};
    } else {
      open.push_back(i);
    }
  }
  const Spending spending(left, nodes());
  // Each open board gets an equal share of what is left, so that what one saves serves the next
  // ones.
  for (std::size_t k = 0; k < open.size(); ++k) {
    left = spending.left(nodes()).share(1.0 / static_cast<double>(open.size() - k));
    known_[open[k]].appraisal = appraiser_->appraise(sum[open[k]], sum.on_turn(), left);
  }
}

/// The hottest board that the player can move on; of equally hot ones an integer, then the first.
template <int kSide>
std::size_t TemperatureAgent<kSide>::hottest(const Sum& sum) const {
  std::size_t best = sum.size();
  const auto rank = [&](std::size_t i) {
    // Integers count as the hottest among equally hot boards.
    return std::pair(known_[i].appraisal.value.temperature, known_[i].integer.has_value());
  };
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (known_[i].can_move && (best == sum.size() || rank(i) > rank(best))) best = i;
  }
  assert(best < sum.size());
  return best;
}

/// The board where, by Sentestrat, the opponent's last move must be answered.
template <int kSide>
std::optional<std::size_t> TemperatureAgent<kSide>::threatened(const Sum& sum) const {
  if (options_.strategy != SumStrategy::kSentestrat || !seen_ || !ambient_) return std::nullopt;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    // Only the board of the opponent's last move differs from what this player left.
    if (sum[i] == (*seen_)[i] || !known_[i].can_move) continue;
    if (known_[i].appraisal.value.temperature > *ambient_) return i;
  }
  return std::nullopt;
}

template <int kSide>
AmazonsMove TemperatureAgent<kSide>::local_move(const Sum& sum, std::size_t board,
                                                Dyadic temperature, SumBudget left,
                                                SumCounts& counts) {
  const Known& known = known_[board];
  // A move on an integer should give up one point only.
  if (known.integer) return amazons_filler(sum[board], sum.on_turn(), *known.integer);
  const Spending spending(left, nodes());
  if (const auto move = appraiser_->best_move(sum[board], sum.on_turn(), known.appraisal,
                                              temperature, left.share(0.5))) {
    return *move;
  }
  // No move is known by temperature, so the evaluation decides by a search of this board alone.
  ++counts.guesses;
  const Sum alone(std::span(&sum[board], 1), sum.on_turn());
  return search_.best_move(alone, spending.left(nodes())).move.move;
}

}  // namespace

template <int kSide>
std::unique_ptr<SumAgent<kSide>> make_temperature_agent(
    const SumPlayerOptions& options, std::unique_ptr<AmazonsAppraiser<kSide>> appraiser) {
  return std::make_unique<TemperatureAgent<kSide>>(options, std::move(appraiser));
}

#define NTUNE_TEMPERATURE_AGENT(SIDE)                              \
  template std::unique_ptr<SumAgent<SIDE>> make_temperature_agent( \
      const SumPlayerOptions&, std::unique_ptr<AmazonsAppraiser<SIDE>>);
NTUNE_TEMPERATURE_AGENT(4)
NTUNE_TEMPERATURE_AGENT(5)
NTUNE_TEMPERATURE_AGENT(6)
#undef NTUNE_TEMPERATURE_AGENT

}  // namespace ntune
