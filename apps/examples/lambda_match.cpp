// Tunes a player of two by duels: Pig, a game of dice. A turn adds up throws until the player
// stops, but a 1 loses the points of the turn. Who first has 50 points wins.

#include <array>
#include <iostream>
#include <memory>

#include "ntune/facts/result_text.h"
#include "ntune/objective/match/lambda_game.h"
#include "ntune/objective/match/match_objective.h"
#include "ntune/space/parameter.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/run_study.h"

namespace {

constexpr int kGoal = 50;

/// When to stop: at so many points of the turn, and at more of them when behind.
int hold_at(const ntune::Settings& player, bool behind) {
  return static_cast<int>(player.integer("hold") + (behind ? player.integer("bolder") : 0));
}

int play_turn(int hold, int missing, ntune::Rng& rng) {
  constexpr int kFaces = 6;
  int turn = 0;
  while (turn < hold && turn < missing) {
    const int thrown = 1 + static_cast<int>(rng.below(kFaces));
    if (thrown == 1) return 0;
    turn += thrown;
  }
  return turn;
}

/// One game: 1 if the first player wins, who also begins.
double play(const ntune::Settings& first, const ntune::Settings& second, ntune::Rng& rng) {
  const std::array<const ntune::Settings*, 2> players = {&first, &second};
  std::array<int, 2> points = {0, 0};
  for (std::size_t player = 0;; player = 1 - player) {
    const bool behind = points[1 - player] > points[player];
    points[player] += play_turn(hold_at(*players[player], behind), kGoal - points[player], rng);
    if (points[player] >= kGoal) return player == 0 ? 1.0 : 0.0;
  }
}

}  // namespace

int main() {
  const auto game = std::make_shared<ntune::LambdaGame>(
      ntune::SearchSpace({ntune::with_default(ntune::make_integers("hold", 5, 30), 10L),
                          ntune::with_default(ntune::make_integers("bolder", 0, 10), 0L)}),
      play, "Pig");
  const auto matches = std::make_shared<ntune::MatchObjective>(game, ntune::MatchRules{});

  const ntune::Study study =
      ntune::read_study(ntune::parse_yaml("{budget: 2000, seed: 1}"), matches);
  ntune::StudyProgress progress;
  const ntune::StudyResult result = ntune::run_study(study, progress);
  std::cout << ntune::plan_text(study) << '\n'
            << ntune::result_text(study, result, ntune::summarise(study, result));
}
