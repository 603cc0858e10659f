#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ntune/agents/combinatorial_game/tds_context.h"
#include "ntune/agents/combinatorial_game/tds_stack.h"
#include "ntune/agents/combinatorial_game/thermograph.h"
#include "ntune/core/rng.h"

namespace ntune {

/// A move of a principal variation: a coupon, or a move in the game.
template <CombinatorialGame Game>
struct TdsMove {
  Player player = Player::kLeft;
  bool is_coupon = true;
  Dyadic coupon;
  typename Game::Move move = {};
  friend bool operator==(const TdsMove&, const TdsMove&) = default;
};

/// What one search of G + C(c) with Left on turn found.
struct TdsFinding {
  CouponStack stack;
  int level = 0;        ///< of the largest coupon
  int score = 0;        ///< from Left's side
  int board_level = 0;  ///< of the coupon on top at the first board move; 0 also if there is none
  bool failed = false;  ///< t_max is too small: that board move is the first move, and better

  [[nodiscard]] Dyadic mean() const { return Dyadic::ratio(score - stack.alone(level), kTdsBits); }
  /// The last coupon before the first board move. An integer's moves are made at -1.
  [[nodiscard]] Dyadic prior() const {
    return board_level == 0 ? Dyadic(-1) : stack.coupon_value(std::min(board_level + 1, level));
  }
  [[nodiscard]] Dyadic top() const { return stack.coupon_value(board_level); }
};

/// How far a stopped search had come along the root's run of coupons, from the bottom up.
struct TdsProgress {
  CouponStack stack;
  int start = 0;           ///< level of the largest coupon
  int level = 0;           ///< of the coupon that was on top
  int board_level = -1;    ///< the last level with a board move that is better than its coupon
  int settled_level = -1;  ///< the last level with a value, -1: none
  int value = 0;           ///< that value, to the player who is on turn there
};

/// Alpha-beta over G + C (Zhang and Mueller 2015) in the relative form: values do not count the
/// coupons taken before. A run of coupons is a loop, a board move a recursion.
///   f(g, l, nu) = max(-f(g', l, 0) over board moves, coupon).
///   The coupon is c_l - f(g, l - 1, 0). At c = -1 it is -1 - f(g, 0, 1) for nu = 0.
///   For nu = 1 it is -1/2: play ends in a pseudo-terminal position.
///   An integer v is worth v and the stack alone.
template <CombinatorialGame Game>
class TdsStackSearch {
 public:
  using Node = TdsNode<Game>;

  explicit TdsStackSearch(TdsContext<Game>& context) : context_(context) {}

  /// Searches a position that is no easily seen integer, down to delta = 2^-exponent: with E1 by
  /// Algorithm 2, else by one search. Repeats a search with a larger t_max as long as that is too
  /// small, and calls `done(finding)` after each. None if the budget ends before.
  template <class Done>
  std::optional<TdsFinding> discover(const Game& game, int exponent, TdsTies ties, Dyadic t_max,
                                     Done&& done);
  /// The principal variation of the last search that ended, by more questions. Cut where the budget
  /// ends.
  std::vector<TdsMove<Game>> variation(const Game& game, const TdsFinding& finding, TdsTies ties,
                                       bool whole);
  [[nodiscard]] const TdsProgress& progress() const { return progress_; }

 private:
  /// What a value depends on besides the position.
  struct State {
    Player player = Player::kLeft;
    int level = 0;
    bool after_minus_one = false;  ///< nu
    int taken = 0;                 ///< Delta: Left's coupons so far less Right's
  };
  struct Window {
    int alpha = -kTdsInfinity;
    int beta = kTdsInfinity;
  };
  struct Rung {
    State state;
    Window window;
    std::uint64_t key = 0;  ///< in the table
    int best = -kTdsInfinity;
    int move = TdsTable::kNoMove;
  };
  /// A position during a run of coupons, with both players' options once they are needed.
  struct Run {
    const Node& node;
    int moves_left;
    std::optional<int> temperature = {};
    std::array<bool, 2> made{};
    std::array<std::size_t, 2> begin{};
    std::array<std::size_t, 2> end{};
  };
  /// The search that is under way; E4 has searches within it.
  struct Frame {
    CouponStack stack = {};
    std::uint64_t root = 0;
    int moves_left = 0;
    std::uint64_t number = 0;
    bool is_within = false;
  };

  std::optional<TdsFinding> search(const Game& game, const Node& node, int level, TdsTies ties);
  int first_board_level(const Game& game, const Node& node, const TdsFinding& finding,
                        TdsTies ties);
  bool coupon_is_best(const Node& node, const State& state, int value);
  std::optional<typename Game::Move> best_board_move(const Game& game, const State& state,
                                                     int value);

  int value(const Node& node, State state, Window window);
  int settle(Run& run, Rung rung, int coupon);
  void try_known_move(Run& run, Rung& rung);
  void try_options(Run& run, Rung& rung);
  void make_options(Run& run, Player player);
  bool try_option(std::size_t at, const Run& run, Rung& rung);
  bool probe_options(const Run& run, Rung& rung) const;
  bool allows_board_moves(Run& run, int level);
  bool is_possible_level(int level, int moves_left) const;
  std::optional<int> follower_temperature(const Node& node);

  bool is_kept(const State& state) const;
  bool look_up(Rung& rung) const;
  void store(const Rung& rung, int moves_left);
  [[nodiscard]] std::uint64_t hash(const Node& node, const State& state) const;
  [[nodiscard]] State after_coupon(const State& state) const;
  void note(const Run& run, const Rung& rung, bool is_settled);

  static constexpr int kHottest = 61;  ///< largest coupon

  static int side(Player player) { return player == Player::kLeft ? 1 : -1; }
  static std::size_t index(Player player) { return static_cast<std::size_t>(player); }

  TdsContext<Game>& context_;
  Frame frame_;
  std::uint64_t searches_ = 0;
  std::vector<Rung> rungs_;  ///< a stack
  TdsProgress progress_;
};

}  // namespace ntune

#include "ntune/agents/combinatorial_game/tds_stack_discovery_impl.h"
#include "ntune/agents/combinatorial_game/tds_stack_search_impl.h"
