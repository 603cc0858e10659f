#include "ntune/games/arcade/asteroids_rules.h"

#include "ntune/core/option_reader.h"
#include "ntune/core/options.h"

namespace ntune {

void AsteroidsRules::visit(Options& options) {
  constexpr double kMostPoints = 1e6;
  constexpr double kFastest = 100;
  options.integer("ticks", ticks, between(1, 100'000),
                  "length of a game in ticks, waiting included");
  options.integer("lives", lives, between(1, 100), "ships, of which one is lost by a collision");
  options.integer("rocks", rocks, between(1, AsteroidsLimits::kLargeRocks),
                  "large rocks of the first level; each level after has one more, up to 7");
  options.integer("missiles", missiles, between(1, AsteroidsLimits::kMissiles),
                  "most missiles in flight");
  options.integer("missile_ticks", missile_ticks, between(1, 1000),
                  "life of a missile; it moves one tick less");
  options.integer("cooldown", cooldown, between(0, 1000), "ticks between two shots");
  options.integer("wait", wait, between(0, 1000), "pause after a lost life or a cleared level");
  options.integer("life_cost", life_cost, between(0, kMostPoints), "points that a lost life costs");
  options.integer("missile_cost", missile_cost, between(0, kMostPoints),
                  "points that a missile costs");
  options.integer("large_score", large_score, between(0, kMostPoints), "points for a large rock");
  options.integer("middle_score", middle_score, between(0, kMostPoints),
                  "points for a middle rock");
  options.integer("small_score", small_score, between(0, kMostPoints), "points for a small rock");
  options.number("missile_speed", missile_speed, between(0, kFastest), "pixels a tick");
  options.number("thrust", thrust, between(0, 2), "gain of speed, pixels a tick each tick");
  options.number("friction", friction, between(0, 0.99), "factor of the ship's speed each tick");
  options.number("rock_speed", rock_speed, between(0, 10),
                 "standard deviation of a new level's velocities, each component, pixels a tick");
  options.number("split_speed", split_speed, between(0, 10),
                 "standard deviation of a splinter's velocity beyond its rock's");
  options.number("safe_distance", safe_distance, between(42, 200),
                 "pixels around the centre that rocks leave for a new ship");
}

AsteroidsRules read_rules(const YamlNode& map, const AsteroidsRules& defaults) {
  return read_options(map, defaults);
}

}  // namespace ntune
