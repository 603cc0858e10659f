#include "ntune/games/slide/agent.h"

namespace ntune {

SlideGame play_slide_game(SlideAgent& agent, SlidePosition<3> start, int most_moves, Rng& rng) {
  agent.begin_game();
  SlideGame game;
  SlidePosition<3> position = start;
  while (position != SlidePosition<3>::win()) {
    if (game.moves == most_moves) return game;
    const SlideDecision decision = agent.choose(position, rng);
    game.ties += decision.tie ? 1 : 0;
    game.fat_moves += decision.fat ? 1 : 0;
    position.slide(decision.line);
    ++game.moves;
  }
  game.won = true;
  return game;
}

}  // namespace ntune
