#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ntune/agents/turn_game/opponent_model.h"
#include "ntune/agents/turn_game/turn_search.h"
#include "ntune/core/rng.h"

namespace ntune {

class Options;

/// Counts of an agent's decisions and searches.
struct SearchCounts {
  std::int64_t moves = 0;   ///< decisions
  std::int64_t nodes = 0;   ///< positions made by all searches of the decisions
  std::int64_t probes = 0;  ///< predictions of the opponent's move
  std::int64_t ties = 0;    ///< decisions with more than one best move
  std::int64_t deviations =
      0;  ///< decisions that the alpha-beta search for comparison disagrees with

  SearchCounts& operator+=(const SearchCounts& other) {
    moves += other.moves;
    nodes += other.nodes;
    probes += other.probes;
    ties += other.ties;
    deviations += other.deviations;
    return *this;
  }
};

/// A player of a turn game. There is one per side and thread. Its moves are a deterministic
/// function of the positions that it has seen and of the streams that it was given since
/// `begin_game`.
template <TurnGame Position>
class TurnAgent {
 public:
  virtual ~TurnAgent() = default;
  /// Forgets the last game.
  virtual void begin_game() {}
  /// The move from a position with at least one, as an index in the order of `successors`.
  virtual int choose(const Position& at, Rng& rng) = 0;
  /// Since `begin_game`.
  [[nodiscard]] virtual SearchCounts counts() const { return {}; }
};

/// The record of a game.
struct TurnGameResult {
  std::optional<GameOutcome> outcome;  ///< none: broken off
  int plies = 0;
  std::array<SearchCounts, 2> counts;  ///< by player

  [[nodiscard]] bool is_won_by(int player) const { return outcome == win_of(player); }
};

/// Plays from `at` to the end, or breaks off after `most_plies`. The agent gets the stream
/// ("agent", player, ply). `watch(position, index)` is called before every move.
template <TurnGame Position, class Watch>
TurnGameResult play_turn_game(Position at, const std::array<TurnAgent<Position>*, 2>& agents,
                              const Rng& rng, int most_plies, Watch watch) {
  for (TurnAgent<Position>* agent : agents) agent->begin_game();
  TurnGameResult result;
  typename Position::Successors successors;
  for (; result.plies < most_plies; ++result.plies) {
    successors.clear();
    at.successors(successors);
    const int player = at.to_move();
    if (at.is_over()) {
      result.outcome = at.outcome();
      break;
    }
    if (successors.size() == 0) {
      result.outcome = win_of(1 - player);
      break;
    }
    Rng draw = rng.stream("agent", player, result.plies);
    const int index = agents[static_cast<std::size_t>(player)]->choose(at, draw);
    watch(at, index);
    at = Position(successors[static_cast<std::size_t>(index)].next);
  }
  for (std::size_t p = 0; p < 2; ++p) result.counts[p] = agents[p]->counts();
  return result;
}

template <TurnGame Position>
TurnGameResult play_turn_game(const Position& at, const std::array<TurnAgent<Position>*, 2>& agents,
                              const Rng& rng, int most_plies = 10'000) {
  return play_turn_game(at, agents, rng, most_plies, [](const Position&, int) {});
}

/// Which of its equally good moves an agent makes.
enum class OwnTies {
  kRandom,
  kFirst,     ///< the first generated
  kCompared,  ///< one that the alpha-beta search for comparison picks, else a random one
};

/// When a move deviates from alpha-beta: it is none of alpha-beta's best moves, or it is not the
/// one of them that alpha-beta would have made.
enum class DeviationRule { kNotBest, kNotChosen };

/// Strict risk avoidance (Donkers et al. 2005, Section 8, eighth tournament). It plays the move of
/// opponent-model search only if it is among alpha-beta's best, else alpha-beta's. Or it plays, of
/// alpha-beta's best moves, the best by opponent-model search.
enum class RiskAvoidance { kNone, kAdvice, kBestTie };

/// How a searching agent turns values into moves.
struct SearchAgentOptions {
  int depth = 6;  ///< d of Table 9
  OwnTies own_ties = OwnTies::kRandom;
  RiskAvoidance risk_avoidance = RiskAvoidance::kNone;  ///< of opponent-model search
  int compared_depth = 0;  ///< of the alpha-beta search that deviations are counted from; 0: none
  DeviationRule deviation = DeviationRule::kNotBest;

  void visit(Options& options);
};

/// Alpha-beta with its own evaluation or, given models of the opponent, opponent-model search.
template <TurnGame Position>
class SearchAgent final : public TurnAgent<Position> {
 public:
  struct Model {
    std::unique_ptr<TurnSearch<Position>> search;
    double weight = 1.0;
  };

  SearchAgent(std::unique_ptr<TurnSearch<Position>> search, const SearchAgentOptions& options)
      : search_(std::move(search)), options_(options) {}
  SearchAgent(std::unique_ptr<TurnSearch<Position>> search, std::vector<Model> models,
              const SearchAgentOptions& options, const OpponentModelOptions& opponent)
      : search_(std::move(search)), models_(std::move(models)), options_(options) {
    std::vector<typename OpponentModelSearch<Position>::Model> views;
    for (const Model& model : models_) views.push_back({model.search.get(), model.weight});
    if (!views.empty()) opponent_model_.emplace(*search_, std::move(views), opponent);
  }

  void begin_game() override {
    search_->forget();
    for (const Model& model : models_) model.search->forget();
    counts_ = {};
  }

  int choose(const Position& at, Rng& rng) override {
    const std::int64_t nodes_before = nodes();
    const std::int64_t probes_before = probes();
    Rng opponent = rng.stream("opponent");
    Rng compared = rng.stream("compared");
    const BestMoves plain =
        options_.compared_depth > 0 ? alpha_beta(at, options_.compared_depth) : BestMoves();
    const int plain_choice = plain.indices.empty() ? -1 : pick(plain, -1, compared);
    const BestMoves best = candidates(at, plain_choice, opponent);
    const int choice = pick(best, plain_choice, rng);
    ++counts_.moves;
    counts_.nodes += nodes() - nodes_before;
    counts_.probes += probes() - probes_before;
    counts_.ties += best.indices.size() > 1 ? 1 : 0;
    counts_.deviations += deviates(choice, plain, plain_choice) ? 1 : 0;
    return choice;
  }

  [[nodiscard]] SearchCounts counts() const override { return counts_; }

 private:
  BestMoves alpha_beta(const Position& at, int depth) {
    return search_->best_moves(at, depth, judge_of(at.to_move()));
  }

  BestMoves candidates(const Position& at, int preferred, Rng& rng) {
    if (!opponent_model_) return alpha_beta(at, options_.depth);
    if (options_.risk_avoidance == RiskAvoidance::kNone) {
      return opponent_model_->best_moves(at, options_.depth, rng);
    }
    BestMoves safe = alpha_beta(at, options_.depth);
    if (options_.risk_avoidance == RiskAvoidance::kBestTie) {
      return opponent_model_->best_moves(at, options_.depth, rng, safe.indices);
    }
    BestMoves advised = opponent_model_->best_moves(at, options_.depth, rng);
    const int advice = pick(advised, preferred, rng);
    const bool agrees = std::binary_search(safe.indices.begin(), safe.indices.end(), advice);
    if (!agrees) return safe;
    return {advised.value, {advice}};
  }

  [[nodiscard]] int pick(const BestMoves& best, int preferred, Rng& rng) const {
    if (options_.own_ties == OwnTies::kFirst) return best.indices.front();
    const auto& all = best.indices;
    if (options_.own_ties == OwnTies::kCompared &&
        std::binary_search(all.begin(), all.end(), preferred)) {
      return preferred;
    }
    return choose_best(best, rng);
  }

  [[nodiscard]] bool deviates(int choice, const BestMoves& plain, int plain_choice) const {
    if (plain.indices.empty()) return false;
    if (options_.deviation == DeviationRule::kNotChosen) return choice != plain_choice;
    return !std::binary_search(plain.indices.begin(), plain.indices.end(), choice);
  }

  [[nodiscard]] std::int64_t nodes() const {
    std::int64_t sum = search_->nodes();
    for (const Model& model : models_) sum += model.search->nodes();
    return sum;
  }
  [[nodiscard]] std::int64_t probes() const {
    return opponent_model_ ? opponent_model_->probes() : 0;
  }

  std::unique_ptr<TurnSearch<Position>> search_;
  std::vector<Model> models_;
  SearchAgentOptions options_;
  std::optional<OpponentModelSearch<Position>> opponent_model_;
  SearchCounts counts_;
};

}  // namespace ntune
