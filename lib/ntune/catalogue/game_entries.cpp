#include "ntune/catalogue/game_entries.h"

#ifdef NTUNE_GAMES
#include "ntune/games/amazons/objective/objective.h"
#include "ntune/games/arcade/objective.h"
#include "ntune/games/bao/objective.h"
#include "ntune/games/slide/objective/objective.h"
#endif

namespace ntune {

std::vector<ObjectiveEntry> game_entries() {
#ifdef NTUNE_GAMES
  return {slide_entry(), bao_entry(), amazons_tds_entry(), planet_wars_entry(), asteroids_entry()};
#else
  return {};
#endif
}

}  // namespace ntune
