#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ntune/agents/turn_game/turn_search.h"

namespace ntune {

class Options;

/// Where the depth of a probe is counted from. From the root of the whole search a probe at ply 1
/// looks one ply less far; or the count begins at the probe.
enum class ProbeHorizon { kRoot, kProbe };

/// The player whose evaluation judges the leaves of a probe.
enum class ProbeRoles {
  kSwitched,  ///< the opponent's: he is MAX, and the root of the probe is a max node
  kKept,      ///< ours as MAX, with the sign turned
  kOnTurn     ///< that of the player on turn at the leaf, so that the parity of the depth decides
};

/// Which of the opponent's equally good moves counts: the worst for us, the first in the order of
/// generation, or one at random.
enum class OpponentTies { kLowest, kFirst, kRandom };

/// Readings of opponent-model search where the paper leaves a choice. Defaults are what it says
/// most plainly: its third tournament ("OM plain").
struct OpponentModelOptions {
  int probe_depth = 6;  ///< p of Table 9
  ProbeHorizon probe_horizon = ProbeHorizon::kRoot;
  ProbeRoles probe_roles = ProbeRoles::kSwitched;
  OpponentTies opponent_ties = OpponentTies::kLowest;
  int speculation = 1;  ///< plies of the opponent that are predicted; 0: plain alpha-beta
  /// Plies that our search goes deeper below the first predicted move; negative: less deep.
  int own_extension = 0;
  bool window_reduction = true;  ///< probes use the value of the probe two plies above

  void visit(Options& options);
};

/// Opponent-model search with alpha-beta probes (Donkers, van den Herik and Uiterwijk 2005, Section
/// 2, Figures 1 and 2). At min nodes the opponent makes the move that a search with his evaluation
/// finds. Elsewhere we maximise our evaluation. Several models with weights give probabilistic
/// opponent-model search (Donkers, Uiterwijk and van den Herik 2001). The value of a min node then
/// is the weighted mean over the models' moves. Below the last predicted move, and where a probe
/// would have no ply left, both sides are taken to play by our evaluation.
template <TurnGame Position>
class OpponentModelSearch {
 public:
  using Search = TurnSearch<Position>;
  /// A search with an evaluation that the opponent may have, and how probable that is; weights need
  /// not sum to 1. All searches must outlive this one.
  struct Model {
    Search* search = nullptr;
    double weight = 1.0;
  };

  OpponentModelSearch(Search& search, std::vector<Model> models,
                      const OpponentModelOptions& options)
      : search_(search), models_(std::move(models)), options_(options) {
    // The weights become probabilities of the models.
    assert(!models_.empty());
    double total = 0.0;
    for (const Model& model : models_) total += model.weight;
    for (Model& model : models_) model.weight /= total;
  }
  OpponentModelSearch(Search& search, Search& model, const OpponentModelOptions& options)
      : OpponentModelSearch(search, std::vector<Model>{{&model, 1.0}}, options) {}

  /// The value of a position that is not over to the player on turn, and his best moves; depth >= 1
  /// plies of our own search. `rng` decides the opponent's ties where the option says so. With
  /// `among`, rising indices, no other moves are considered.
  BestMoves best_moves(const Position& root, int depth, Rng& rng, std::span<const int> among = {}) {
    assert(depth >= 1 && !root.is_over());
    us_ = root.to_move();
    rng_ = &rng;
    Successors successors;
    generate(root, successors);
    BestMoves best;
    if (successors.size() == 0) best.value = -kWinScore;
    for (std::size_t i = 0; i < successors.size(); ++i) {
      const int index = static_cast<int>(i);
      if (!among.empty() && !std::binary_search(among.begin(), among.end(), index)) continue;
      // The window begins just below the best value, so that moves of equal value are told from
      // worse ones.
      const double floor = std::nextafter(best.value, -kInfiniteScore);
      const Node next = {successors[i].next, depth - 1, 1};
      const double value = min_node(next, {floor, kInfiniteScore}, no_values());
      if (value < best.value) continue;
      if (value > best.value) best.indices.clear();
      best.value = value;
      best.indices.push_back(index);
    }
    return best;
  }

  /// Probes made so far. Nodes are counted by the searches.
  [[nodiscard]] std::int64_t probes() const { return probes_; }

 private:
  using Successors = typename Position::Successors;
  /// The value to the opponent of the probe two plies above, for each model.
  using ProbeValues = std::vector<double>;

  struct Node {
    const Position& at;
    int depth;  ///< plies of our search that remain
    int ply;
  };
  struct Window {
    double alpha, beta;
  };

  static void generate(const Position& at, Successors& list) {
    list.clear();
    at.successors(list);
  }

  [[nodiscard]] ProbeValues no_values() const {
    return ProbeValues(models_.size(), -kInfiniteScore);
  }
  [[nodiscard]] int plies_of_probe(int ply) const {
    return options_.probe_depth - (options_.probe_horizon == ProbeHorizon::kRoot ? ply : 0);
  }
  /// Whether the opponent's move is predicted at a min node of this ply.
  [[nodiscard]] bool speculates(int ply, int depth) const {
    return ply <= 2 * options_.speculation && depth > 0 && plies_of_probe(ply) > 0;
  }

  /// Our alpha-beta value of a node.
  double alpha_beta_value(const Node& node, Window window) {
    const Judge judge = judge_of(us_);
    if (node.at.to_move() == us_) {
      return search_.value(node.at, node.depth, judge, node.ply, window.alpha, window.beta);
    }
    return -search_.value(node.at, node.depth, judge, node.ply, -window.beta, -window.alpha);
  }

  double max_node(const Node& node, Window window, const ProbeValues& above) {
    if (node.at.is_over() || !speculates(node.ply + 1, node.depth - 1)) {
      return alpha_beta_value(node, window);
    }
    Successors successors;
    generate(node.at, successors);
    double best = node.ply - kWinScore;
    for (std::size_t i = 0; i < successors.size() && best < window.beta; ++i) {
      const Node next = {successors[i].next, node.depth - 1, node.ply + 1};
      const double value = min_node(next, {std::max(best, window.alpha), window.beta}, above);
      best = std::max(best, value);
    }
    return best;
  }

  double min_node(const Node& node, Window window, const ProbeValues& above) {
    if (node.at.is_over() || !speculates(node.ply, node.depth))
      return alpha_beta_value(node, window);
    Successors successors;
    generate(node.at, successors);
    if (successors.size() == 0) return kWinScore - node.ply;
    // 1. Each model's probe says which moves the opponent thinks best.
    std::vector<std::vector<int>> predictions;
    ProbeValues values;
    for (std::size_t m = 0; m < models_.size(); ++m) {
      BestMoves best = probe(*models_[m].search, node, above[m]);
      values.push_back(best.value);
      predictions.push_back(chosen(std::move(best.indices)));
    }
    // 2. Our own search values these moves, at the first predicted ply perhaps with another depth.
    const int extension = node.ply == 1 ? options_.own_extension : 0;
    const auto value_of = [&](int i, Window w) {
      const int depth = std::max(0, node.depth - 1 + extension);
      const Node next = {successors[static_cast<std::size_t>(i)].next, depth, node.ply + 1};
      return max_node(next, w, values);
    };
    // 3. Of the moves that a model thinks equal, the worst one for us counts. Several models give a
    // mean over their predictions, for which no window holds.
    if (predictions.size() == 1) return lowest(predictions.front(), window, value_of);
    double mean = 0.0;
    for (std::size_t m = 0; m < models_.size(); ++m) {
      mean +=
          models_[m].weight * lowest(predictions[m], {-kInfiniteScore, kInfiniteScore}, value_of);
    }
    return mean;
  }

  /// The opponent's best moves by one model. Where probes share their horizon, v_op(P) >= v_op(Q)
  /// for a min node Q two plies below P along the predicted move (Section 2.1).
  BestMoves probe(Search& model, const Node& node, double above) {
    ++probes_;
    const Judge judge = options_.probe_roles == ProbeRoles::kOnTurn ? Judge::kOnTurn
                        : options_.probe_roles == ProbeRoles::kKept ? judge_of(us_)
                                                                    : judge_of(1 - us_);
    const double expected = options_.window_reduction ? above : -kInfiniteScore;
    return model.best_moves(node.at, plies_of_probe(node.ply), judge, node.ply, expected);
  }

  std::vector<int> chosen(std::vector<int> ties) {
    if (options_.opponent_ties == OpponentTies::kLowest || ties.size() == 1) return ties;
    if (options_.opponent_ties == OpponentTies::kFirst) return {ties.front()};
    return {ties[rng_->below(static_cast<std::uint32_t>(ties.size()))]};
  }

  template <class ValueOf>
  static double lowest(const std::vector<int>& moves, Window window, const ValueOf& value_of) {
    double least = kInfiniteScore;
    for (const int i : moves) {
      least = std::min(least, value_of(i, {window.alpha, std::min(window.beta, least)}));
      if (least <= window.alpha) break;
    }
    return least;
  }

  Search& search_;  ///< ours
  std::vector<Model> models_;
  OpponentModelOptions options_;
  int us_ = 0;
  Rng* rng_ = nullptr;
  std::int64_t probes_ = 0;
};

}  // namespace ntune
