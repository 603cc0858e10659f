#include "ntune/agents/turn_game/turn_game.h"

#include <initializer_list>
#include <memory>
#include <vector>

#include "agents/toy_games.h"
#include "agents/turn_game_battery.h"
#include "catch.h"
#include "ntune/agents/turn_game/alpha_beta.h"
#include "ntune/agents/turn_game/turn_agent.h"

namespace ntune {

namespace {

/// Knows nothing: only the end of the game counts.
struct BlindJudge {
  int operator()(const TicTacToe&, int) const { return 0; }
};

TicTacToe after(std::initializer_list<int> squares) {
  TicTacToe at;
  for (const int square : squares) {
    TicTacToe::Successors list;
    at.successors(list);
    const auto* found = std::find_if(list.begin(), list.end(),
                                     [&](const auto& entry) { return entry.move == square; });
    REQUIRE(found != list.end());
    const TicTacToe next = found->next;
    at = next;
  }
  return at;
}

SearchAgent<TicTacToe> agent_of_depth(int depth) {
  return {std::make_unique<AlphaBeta<TicTacToe, BlindJudge>>(), SearchAgentOptions{.depth = depth}};
}

}  // namespace

TEST_CASE("turn game: an outcome is worth as much to one player as it costs the other") {
  for (const int player : {0, 1}) {
    CHECK(payoff_to(player, win_of(player)) == 1.0);
    CHECK(payoff_to(player, win_of(1 - player)) == -1.0);
    CHECK(payoff_to(player, GameOutcome::kDraw) == 0.0);
  }
}

TEST_CASE("turn game: random games of the toy games keep the rules of the concept") {
  const test::BatteryCounts tic_tac_toe = test::check_turn_game(TicTacToe(), 300, 4);
  CHECK(tic_tac_toe.won > 200);
  CHECK(tic_tac_toe.drawn > 20);
  CHECK(tic_tac_toe.stuck == 0);
  const test::BatteryCounts nim = test::check_turn_game(Nim{{3, 4, 5}, 0}, 30, 2);
  CHECK(nim.stuck == 30);
  test::BatteryCounts trees;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const test::BatteryCounts tree = test::check_turn_game(RandomTree{seed, 0, 0}, 10, 4);
    trees.won += tree.won;
    trees.drawn += tree.drawn;
    trees.stuck += tree.stuck;
  }
  CHECK((trees.won > 20 && trees.drawn > 20 && trees.stuck > 20));
}

TEST_CASE("turn game: tic-tac-toe has 255,168 games, and is a draw") {
  std::vector<std::uint64_t> counts;
  for (int depth = 0; depth <= 9; ++depth) counts.push_back(perft(TicTacToe(), depth));
  CHECK(counts ==
        std::vector<std::uint64_t>{1, 9, 72, 504, 3024, 15'120, 54'720, 148'176, 200'448, 127'872});
  AlphaBeta<TicTacToe, BlindJudge> search;
  const BestMoves best = search.best_moves(TicTacToe(), 9, Judge::kPlayer0);
  CHECK(best.value == kDrawScore);
  CHECK(best.indices.size() == 9);
}

TEST_CASE("turn game: a draw is better than a loss and worse than a win") {
  AlphaBeta<TicTacToe, BlindJudge> search;
  // A corner is answered by the centre alone.
  const BestMoves reply = search.best_moves(after({0}), 8, Judge::kPlayer1);
  CHECK(reply.value == kDrawScore);
  CHECK(reply.indices == std::vector<int>{3});  // the squares left are 1, 2, 3, 4, …
  // Elsewhere it loses: an edge beside the corner in seven plies at most.
  const double won = search.value(after({0, 1}), 7, Judge::kPlayer0);
  CHECK((is_win_or_loss(won) && won > 0.0));
  // The last square fills the board.
  CHECK(search.value(after({0, 4, 8, 1, 7, 6, 2, 5}), 1, Judge::kPlayer0) == kDrawScore);
}

TEST_CASE("turn game: games are recorded as won, drawn or broken off") {
  SearchAgent<TicTacToe> perfect = agent_of_depth(9);
  SearchAgent<TicTacToe> also_perfect = agent_of_depth(9);
  SearchAgent<TicTacToe> short_sighted = agent_of_depth(1);
  int lost = 0;
  for (int game = 0; game < 20; ++game) {
    const Rng rng = Rng(3).stream("game", game);
    const TurnGameResult drawn = play_turn_game(TicTacToe(), {&perfect, &also_perfect}, rng);
    CHECK(drawn.outcome == GameOutcome::kDraw);
    CHECK(drawn.plies == 9);
    CHECK_FALSE((drawn.is_won_by(0) || drawn.is_won_by(1)));
    const TurnGameResult uneven = play_turn_game(TicTacToe(), {&perfect, &short_sighted}, rng);
    CHECK_FALSE(uneven.is_won_by(1));
    lost += uneven.is_won_by(0) ? 1 : 0;
    const TurnGameResult broken = play_turn_game(TicTacToe(), {&perfect, &also_perfect}, rng, 4);
    CHECK_FALSE((broken.outcome.has_value() || broken.is_won_by(0) || broken.is_won_by(1)));
    CHECK(broken.plies == 4);
  }
  CHECK(lost > 10);
}

TEST_CASE("turn game: an opponent who is known to be short-sighted may be beaten in a drawn game") {
  AlphaBeta<TicTacToe, BlindJudge> ours;
  AlphaBeta<TicTacToe, BlindJudge> theirs;
  OpponentModelSearch<TicTacToe> fooled(ours, theirs,
                                        {.probe_depth = 1,
                                         .probe_horizon = ProbeHorizon::kProbe,
                                         .opponent_ties = OpponentTies::kFirst,
                                         .speculation = 4});
  OpponentModelSearch<TicTacToe> equal(ours, theirs, {.probe_depth = 9, .speculation = 4});
  Rng rng(4);
  CHECK(equal.best_moves(TicTacToe(), 9, rng).value == kDrawScore);
  CHECK(fooled.best_moves(TicTacToe(), 9, rng).value > kWinScore - kMostPlies);
}

}  // namespace ntune
