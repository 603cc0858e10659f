#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "ntune/agents/combinatorial_game/combinatorial_game.h"
#include "ntune/agents/combinatorial_game/dyadic.h"
#include "ntune/core/hash.h"
#include "ntune/core/rng.h"

namespace ntune::test {

/// A combinatorial game that is written down option by option; it is never said to be an integer.
class TreeGame {
 public:
  using Move = std::size_t;
  using Options = std::vector<TreeGame>;

  /// Zero.
  TreeGame() : node_(zero()) {}
  TreeGame(int integer) : TreeGame(Dyadic(integer)) {}
  /// A number in its simplest form.
  TreeGame(Dyadic number) : TreeGame() {
    if (number.is_integer()) {
      if (number > 0) *this = TreeGame({number - 1}, {});
      if (number < 0) *this = TreeGame({}, {number + 1});
    } else {
      const Dyadic step = Dyadic::power(number.exponent());
      *this = TreeGame({number - step}, {number + step});
    }
  }
  /// Nodes live as long as the program.
  TreeGame(Options left, Options right) {
    static std::deque<Node> nodes;
    nodes.push_back({{std::move(left), std::move(right)}, nodes.size() + 1, 0});
    Node& node = nodes.back();
    for (const Options& options : node.options) {
      for (const TreeGame& option : options) {
        node.birthday = std::max(node.birthday, option.birthday_bound() + 1);
      }
    }
    node_ = &node;
  }

  [[nodiscard]] const Options& options(Player player) const {
    return node_->options[static_cast<std::size_t>(player)];
  }
  [[nodiscard]] TreeGame after(Player player, Move move) const { return options(player)[move]; }
  template <class Visit>
  bool for_each_option(Player player, Visit&& visit) const {
    for (Move move = 0; move < options(player).size(); ++move) {
      if (!visit(move, options(player)[move])) return false;
    }
    return true;
  }
  [[nodiscard]] int birthday_bound() const { return node_->birthday; }
  [[nodiscard]] std::optional<int> integer_value() const { return std::nullopt; }
  [[nodiscard]] std::uint64_t key() const { return mix64(node_->number); }
  friend bool operator==(const TreeGame&, const TreeGame&) = default;

 private:
  struct Node {
    std::array<Options, 2> options;
    std::uint64_t number = 0;
    int birthday = 0;
  };
  static const Node* zero() {
    static const Node node;
    return &node;
  }

  const Node* node_;
};

/// {left | right} of one option each, -G, and G + H.
inline TreeGame tree(TreeGame left, TreeGame right) { return TreeGame({left}, {right}); }
inline TreeGame operator-(const TreeGame& game) {
  std::array<TreeGame::Options, 2> options;
  for (const Player player : {Player::kLeft, Player::kRight}) {
    for (const TreeGame& option : game.options(opponent(player))) {
      options[static_cast<std::size_t>(player)].push_back(-option);
    }
  }
  return TreeGame(options[0], options[1]);
}
inline TreeGame operator+(const TreeGame& a, const TreeGame& b) {
  std::array<TreeGame::Options, 2> options;
  for (const Player player : {Player::kLeft, Player::kRight}) {
    auto& sums = options[static_cast<std::size_t>(player)];
    for (const TreeGame& option : a.options(player)) sums.push_back(option + b);
    for (const TreeGame& option : b.options(player)) sums.push_back(a + option);
  }
  return TreeGame(options[0], options[1]);
}

}  // namespace ntune::test
