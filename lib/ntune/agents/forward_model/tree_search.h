#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "ntune/agents/forward_model/game_agent.h"

namespace ntune {

class Options;

/// Parameters of Monte Carlo Tree Search.
struct TreeSearchOptions {
  int tick_budget = 2000;    ///< simulated ticks per decision
  int horizon = 20;          ///< ticks per simulation
  double exploration = 1.4;  ///< constant of UCB1, for values scaled to [0, 1]
  OpponentModel opponent_model = OpponentModel::kFirst;

  void visit(Options& options);
};

/// Monte Carlo Tree Search with UCB1 (Kocsis and Szepesvari 2006), open loop. A node stands for the
/// actions that lead to it, and every simulation plays the game anew (Perez et al. 2015). Random
/// actions below the tree; the most visited action is played.
template <ForwardModel State>
class TreeSearch final : public GameAgent<State> {
 public:
  explicit TreeSearch(const TreeSearchOptions& options) : options_(options) {}

  int act(const State& state, int player, Rng& rng) override {
    nodes_.assign(1, Node());
    low_ = std::numeric_limits<double>::infinity();
    high_ = -low_;
    for (int ticks = 0; ticks < options_.tick_budget; ticks += options_.horizon) {
      simulate(state, player, rng);
    }
    const auto visits = [&](int child) { return child < 0 ? 0 : node(child).visits; };
    const auto& children = nodes_.front().children;
    return static_cast<int>(std::ranges::max_element(children, {}, visits) - children.begin());
  }

 private:
  static constexpr auto kActions = static_cast<std::size_t>(State::kActions);

  struct Node {
    Node() { children.fill(-1); }
    std::array<int, kActions> children;
    int visits = 0;
    double sum = 0.0;  ///< sum of the gains in score
  };

  Node& node(int i) { return nodes_[static_cast<std::size_t>(i)]; }

  void simulate(State state, int player, Rng& rng) {
    const double before = state.score(player);
    path_.assign(1, 0);
    bool in_tree = true;
    for (int tick = 0; tick < options_.horizon; ++tick) {
      int action = static_cast<int>(rng.below(static_cast<std::uint32_t>(State::kActions)));
      if (in_tree) {
        action = choose(path_.back(), action);
        int& child = node(path_.back()).children[static_cast<std::size_t>(action)];
        in_tree = child >= 0;
        if (!in_tree) child = static_cast<int>(nodes_.size());
        path_.push_back(child);
        if (!in_tree) nodes_.emplace_back();
      }
      state.step(rollout_actions<State>(player, action, options_.opponent_model, rng), rng);
    }
    const double gain = state.score(player) - before;
    low_ = std::min(low_, gain);
    high_ = std::max(high_, gain);
    for (const int i : path_) {
      ++node(i).visits;
      node(i).sum += gain;
    }
  }

  /// The first untried action from `first` on, or else the action of the largest upper bound.
  int choose(int at, int first) {
    const Node& parent = node(at);
    int best = first;
    double best_bound = -1.0;
    for (int i = 0; i < State::kActions; ++i) {
      const int action = (first + i) % State::kActions;
      const int child = parent.children[static_cast<std::size_t>(action)];
      if (child < 0) return action;
      const double visits = node(child).visits;
      const double range = high_ > low_ ? high_ - low_ : 1.0;
      const double bound = (node(child).sum / visits - low_) / range +
                           options_.exploration * std::sqrt(std::log(parent.visits) / visits);
      if (bound > best_bound) {
        best_bound = bound;
        best = action;
      }
    }
    return best;
  }

  TreeSearchOptions options_;
  std::vector<Node> nodes_;
  std::vector<int> path_;
  double low_ = 0.0, high_ = 0.0;  ///< least and largest gain in this decision
};

}  // namespace ntune
