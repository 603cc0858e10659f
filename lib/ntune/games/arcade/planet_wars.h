#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "ntune/agents/forward_model/game_agent.h"
#include "ntune/core/rng.h"

namespace ntune {

class Options;
class YamlNode;

/// Rules of Planet Wars; the defaults are those of the Java program of the 2018 and 2019 papers on
/// NTBEA ("Fast Planet Wars").
struct PlanetWarsRules {
  int planets = 10;           ///< in a ring; even numbers are fair
  int ticks = 200;            ///< length of a game
  double growth_low = 0.05;   ///< ships a tick; a planet's growth is uniform from low …
  double growth_high = 0.15;  ///< … to high
  bool buffers_in_score = true;

  void visit(Options& options);
};

/// Reads rules from a map; refuses growth bounds in the wrong order too. Throws InputError.
PlanetWarsRules read_rules(const YamlNode& map, const PlanetWarsRules& defaults = {});

enum class PlanetWarsAction { kNext, kPrevious, kLoad, kUnload, kNothing };

/// A game of Planet Wars. Each planet of a ring holds a real number of ships, positive for player
/// 0's, negative for player 1's. Each player has a buffer of ships and a planet in focus. In a tick
/// player 0 acts, then player 1 on the result. Each moves the focus to the next or previous planet,
/// loads half the ships of the planet in focus unless they are the other player's, or unloads the
/// whole buffer onto it, whoever owns it. Then all planets with ships grow. Nothing is drawn.
///
/// Between two actions on a planet its ships are a linear function of time. The state holds their
/// number at the last action, so that a tick costs the same for any number of planets. Equality
/// compares these numbers: it is certain after equal histories only.
class PlanetWars {
 public:
  static constexpr int kPlayers = 2;
  static constexpr int kActions = 5;
  /// The published agents take action 0 for "do nothing" in their models of the opponent. It moves
  /// the focus; what does nothing is PlanetWarsAction::kNothing.
  static constexpr int kIdle = 0;
  static constexpr int kMostPlanets = 24;

  /// A game of the default rules with the mean growth on all planets.
  PlanetWars();
  /// A new game; draws the growth of planets 0, 1, … with one uniform() each. One ship on each
  /// planet, player 0's on even planets. Player 0 starts in focus of planet 0, player 1 of the odd
  /// planet at or after the middle.
  PlanetWars(const PlanetWarsRules& rules, Rng& rng);

  void step(const std::array<int, 2>& actions, Rng& /*rng*/) {
    act<0>(static_cast<std::size_t>(actions[0]));
    act<1>(static_cast<std::size_t>(actions[1]));
    ++tick_;
  }

  /// Ten times the lead in ships, with those in the buffers if the rules say so, cut off towards 0.
  [[nodiscard]] int score(int player) const {
    double lead = buffers_in_score_ ? buffer_[0] - buffer_[1] : 0.0;
    for (int planet = 0; planet < planets_; ++planet) lead += ships(planet);
    const int tenths = static_cast<int>(10.0 * lead);
    return player == 0 ? tenths : -tenths;
  }
  /// After the last tick, or when one player owns all planets.
  [[nodiscard]] bool is_over() const;

  [[nodiscard]] int planets() const { return planets_; }
  [[nodiscard]] int tick() const { return tick_; }
  [[nodiscard]] double ships(int planet) const {
    return ships_at(static_cast<std::size_t>(planet));
  }
  [[nodiscard]] double growth(int planet) const {
    return growth_[static_cast<std::size_t>(planet)];
  }
  [[nodiscard]] int focus(int player) const { return focus_[static_cast<std::size_t>(player)]; }
  [[nodiscard]] double buffer(int player) const {
    return buffer_[static_cast<std::size_t>(player)];
  }

  /// Set up a position by hand. Growth and buffers are at least 0.
  void set_planet(int planet, double ships, double growth);
  void set_player(int player, int focus, double buffer);

  friend bool operator==(const PlanetWars&, const PlanetWars&) = default;

 private:
  static constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

  /// x with its sign changed if `flip` is kSign.
  static double flipped(double x, std::uint64_t flip) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ flip);
  }

  [[nodiscard]] double ships_at(std::size_t planet) const {
    const double ships = ships_[planet];
    const double grown = growth_[planet] * (tick_ - since_[planet]);
    const double change = flipped(grown, std::bit_cast<std::uint64_t>(ships) & kSign);
    return ships + (ships != 0.0 ? change : 0.0);
  }

  /// The effects of actions are looked up rather than branched to: plans look random to the
  /// processor, which would mispredict.
  template <std::size_t kPlayer>
  void act(std::size_t action) {
    static constexpr std::array<int, kActions> kMove = {1, -1, 0, 0, 0};
    static constexpr std::array<double, kActions> kLoaded = {0, 0, 0.5, 0, 0};
    static constexpr std::array<double, kActions> kUnloaded = {0, 0, 0, 1, 0};
    static constexpr std::array<double, kActions> kKept = {1, 1, 1, 0, 1};
    constexpr std::uint64_t kFlip = kPlayer == 0 ? 0 : kSign;
    const int focus = focus_[kPlayer];
    if ((action & 2U) != 0) {
      const auto planet = static_cast<std::size_t>(focus);
      const double ours = flipped(ships_at(planet), kFlip);
      const double buffer = buffer_[kPlayer];
      const double loaded = std::max(0.0, ours) * kLoaded[action];
      ships_[planet] = flipped(ours - loaded + buffer * kUnloaded[action], kFlip);
      since_[planet] = static_cast<std::uint16_t>(tick_);
      buffer_[kPlayer] = buffer * kKept[action] + loaded;
    }
    int moved = focus + kMove[action];
    moved = moved < 0 ? planets_ - 1 : moved;
    moved = moved == planets_ ? 0 : moved;
    focus_[kPlayer] = static_cast<std::uint8_t>(moved);
  }

  std::array<double, kMostPlanets> ships_{};  ///< when they were last acted upon, at tick since_
  std::array<double, kMostPlanets> growth_{};
  std::array<std::uint16_t, kMostPlanets> since_{};
  std::array<double, 2> buffer_{};
  int tick_ = 0;
  int ticks_;
  int planets_;
  std::array<std::uint8_t, 2> focus_{};
  bool buffers_in_score_;
};

static_assert(ForwardModel<PlanetWars>);

}  // namespace ntune
