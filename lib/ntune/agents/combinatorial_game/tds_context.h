#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "ntune/agents/combinatorial_game/combinatorial_game.h"
#include "ntune/agents/combinatorial_game/tds_options.h"
#include "ntune/agents/combinatorial_game/tds_table.h"
#include "ntune/core/clock.h"
#include "ntune/core/hash.h"
#include "ntune/core/rng.h"

namespace ntune {

/// Nodes and time of one problem.
class TdsBudget {
 public:
  void begin(const TdsOptions& options, const std::atomic<bool>* stop) {
    stop_ = stop;
    nodes_ = 0;
    stopped_ = false;
    node_limit_ =
        options.nodes.automatic ? std::numeric_limits<std::int64_t>::max() : options.nodes.value;
    begin_ = thread_seconds();
    seconds_ =
        options.seconds.automatic ? std::numeric_limits<double>::infinity() : options.seconds.value;
  }
  /// Counts a node; false when the search must stop.
  bool count() {
    if (nodes_ >= node_limit_ || (nodes_ % kClockEvery == 0 && is_late())) stopped_ = true;
    if (!stopped_) ++nodes_;
    return !stopped_;
  }
  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] std::int64_t nodes() const { return nodes_; }
  [[nodiscard]] double elapsed() const { return thread_seconds() - begin_; }

 private:
  [[nodiscard]] bool is_late() const {
    return elapsed() > seconds_ || (stop_ != nullptr && *stop_);
  }

  static constexpr std::int64_t kClockEvery = 256;

  const std::atomic<bool>* stop_ = nullptr;
  std::int64_t nodes_ = 0;
  std::int64_t node_limit_ = 0;
  double begin_ = 0.0;
  double seconds_ = 0.0;
  bool stopped_ = false;
};

/// A position as the searches know it.
template <CombinatorialGame Game>
struct TdsNode {
  Game game;
  std::uint64_t hash = 0;
};

/// A move of one player.
template <CombinatorialGame Game>
struct TdsOption {
  TdsNode<Game> node;
  std::uint32_t score = 0;
  std::uint16_t index = 0;  ///< in the game's order, up to TdsTable::kNoMove
  std::uint16_t slot = 0;   ///< of the history table
};

/// What the searches of one thread share: table, history, memory for moves, limits. A game may
/// have `Game tds_canonical(const Game&)` beside it, a position with the same value and key for all
/// that are alike (E8).
template <CombinatorialGame Game>
class TdsContext {
 public:
  using Node = TdsNode<Game>;
  using Option = TdsOption<Game>;

  explicit TdsContext(int table_mb) : table(table_mb), integers_(kIntegers) {}

  /// Forgets everything.
  void begin(const TdsOptions& given, const std::atomic<bool>* stop) {
    options = given;
    table.clear();
    for (auto& slots : history_) slots.fill(0);
    list.clear();
    budget.begin(options, stop);
  }
  [[nodiscard]] bool has(TdsEnhancement one) const { return options.enhancements.has(one); }

  [[nodiscard]] Node node(const Game& game) const {
    if constexpr (requires { tds_canonical(game); }) {
      if (has(TdsEnhancement::kCanonical)) return keyed(tds_canonical(game));
    }
    return keyed(game);
  }

  /// The integer that a position is easily seen to be.
  std::optional<int> integer(const Node& node) {
    Integer& known = integers_[node.hash % kIntegers];
    if (known.hash != node.hash) {
      const auto value =
          node.game.birthday_bound() == 0 ? std::optional(0) : node.game.integer_value();
      known = {node.hash, value.value_or(0), value.has_value()};
    }
    return known.is_integer ? std::optional(known.value) : std::nullopt;
  }

  /// The option with this number, which there is.
  Node option(const Node& node, Player player, int number) const {
    Game found;
    node.game.for_each_option(player, [&](const auto&, const Game& option) {
      found = option;
      return number-- > 0;
    });
    return this->node(found);
  }
  /// Adds the player's options to the list, all but the one with this number.
  void add_options(const Node& node, Player player, int but) {
    const auto& slots = history_[static_cast<std::size_t>(player)];
    int index = 0;
    node.game.for_each_option(player, [&](const auto& move, const Game& option) {
      if (index != but) {
        const std::uint16_t slot = slot_of(move);
        list.push_back({this->node(option), slots[slot],
                        static_cast<std::uint16_t>(std::min(index, TdsTable::kNoMove)), slot});
      }
      ++index;
      return true;
    });
  }
  /// Brings the best of list[at …] to the front of it.
  void select(std::size_t at, std::size_t end) {
    std::size_t best = at;
    for (std::size_t i = at + 1; i < end; ++i) {
      if (list[i].score > list[best].score) best = i;
    }
    if (best != at) std::swap(list[at], list[best]);
  }
  /// A move that cut off, of a position with so many moves left.
  void reward(Player player, std::uint16_t slot, int moves_left) {
    if (!has(TdsEnhancement::kHistory)) return;
    auto& slots = history_[static_cast<std::size_t>(player)];
    slots[slot] += 1U << std::min(moves_left, kMostReward);
    if (slots[slot] < kMostHistory) return;
    for (auto& all : history_) {
      for (std::uint32_t& score : all) score /= 2;
    }
  }

  TdsOptions options;
  TdsBudget budget;
  TdsTable table;
  std::vector<Option> list;  ///< a stack

 private:
  struct Integer {
    std::uint64_t hash = ~std::uint64_t{0};
    int value = 0;
    bool is_integer = false;
  };
  static constexpr std::size_t kIntegers = std::size_t{1} << 14;
  static constexpr int kSlotBits = 14;
  static constexpr int kMostReward = 12;
  static constexpr std::uint32_t kMostHistory = std::uint32_t{1} << 30;

  static Node keyed(const Game& game) { return {game, game.key()}; }
  static std::uint16_t slot_of(const typename Game::Move& move) {
    static_assert(std::is_trivially_copyable_v<typename Game::Move>);
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, &move, std::min(sizeof(move), sizeof(bytes)));
    return static_cast<std::uint16_t>(golden_slot(bytes, kSlotBits));
  }

  std::vector<Integer> integers_;
  std::array<std::array<std::uint32_t, std::size_t{1} << kSlotBits>, 2> history_{};
};

}  // namespace ntune
