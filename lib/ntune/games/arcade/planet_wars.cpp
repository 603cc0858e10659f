#include "ntune/games/arcade/planet_wars.h"

#include <string>

#include <fmt/format.h>

#include "ntune/core/option_reader.h"
#include "ntune/core/options.h"
#include "ntune/core/text.h"

namespace ntune {

void PlanetWarsRules::visit(Options& options) {
  constexpr double kMostTicks = 10'000;  // far below what since_ can hold, with rollouts beyond
  constexpr double kMostGrowth = 1000;
  options.integer("planets", planets, between(2, PlanetWars::kMostPlanets),
                  "planets in the ring; half of them each player's");
  options.integer("ticks", ticks, between(1, kMostTicks), "length of a game in ticks");
  options.number("growth_low", growth_low, between(0, kMostGrowth),
                 "least growth of a planet, ships a tick");
  options.number("growth_high", growth_high, between(0, kMostGrowth),
                 "most growth of a planet, ships a tick");
  options.flag("buffers_in_score", buffers_in_score, "whether ships in the buffers count");
}

PlanetWarsRules read_rules(const YamlNode& map, const PlanetWarsRules& defaults) {
  const PlanetWarsRules rules = read_options(map, defaults);
  if (rules.growth_low <= rules.growth_high) return rules;
  const std::string reason =
      fmt::format("is {}, more than growth_high, {}", number_text(rules.growth_low),
                  number_text(rules.growth_high));
  // The place of the key is named if the user wrote it.
  if (const YamlNode* low = map.find("growth_low")) low->fail(reason);
  map.fail_at("growth_low", reason);
}

PlanetWars::PlanetWars() {
  // The default game has planets of average growth, so that all default games are equal.
  const PlanetWarsRules rules;
  Rng rng(0);
  *this = PlanetWars(rules, rng);
  growth_.fill(0.0);
  for (int planet = 0; planet < planets_; ++planet) {
    set_planet(planet, ships(planet), 0.5 * (rules.growth_low + rules.growth_high));
  }
}

PlanetWars::PlanetWars(const PlanetWarsRules& rules, Rng& rng)
    : ticks_(rules.ticks), planets_(rules.planets), buffers_in_score_(rules.buffers_in_score) {
  const double range = rules.growth_high - rules.growth_low;
  for (int planet = 0; planet < planets_; ++planet) {
    // Planets belong to the players in turn, with one ship each.
    set_planet(planet, planet % 2 == 0 ? 1.0 : -1.0, rules.growth_low + range * rng.uniform());
  }
  // Player 2 begins at the other side of the ring, on a planet of its own: an odd number.
  set_player(1, (planets_ / 2) | 1, 0.0);
}

bool PlanetWars::is_over() const {
  if (tick_ >= ticks_) return true;
  int owned = 0;
  for (int planet = 0; planet < planets_; ++planet) {
    const double held = ships(planet);
    // The sign of the ships tells their owner.
    owned += held > 0.0 ? 1 : held < 0.0 ? -1 : 0;
  }
  return owned == planets_ || owned == -planets_;
}

void PlanetWars::set_planet(int planet, double ships, double growth) {
  const auto at = static_cast<std::size_t>(planet);
  ships_[at] = ships;
  growth_[at] = growth;
  since_[at] = static_cast<std::uint16_t>(tick_);
}

void PlanetWars::set_player(int player, int focus, double buffer) {
  focus_[static_cast<std::size_t>(player)] = static_cast<std::uint8_t>(focus);
  buffer_[static_cast<std::size_t>(player)] = buffer;
}

}  // namespace ntune
