#pragma once

namespace ntune {

class Options;
class YamlNode;

/// The most bodies that a state has room for. Let a large rock weigh 9, a middle one 3, a small one
/// 1. Splitting never adds weight, so a level of n large rocks has at most 9 n rocks at any time.
struct AsteroidsLimits {
  static constexpr int kMissiles = 8;
  /// Most large rocks of a level; later levels have as many. With the default rules the fourth
  /// level would have one more, but three levels cannot be cleared in less than 2880 ticks.
  static constexpr int kLargeRocks = 7;
  static constexpr int kRocks = 9 * kLargeRocks;
};

/// Rules of Asteroids; the defaults are those of the Java program of the 2018 and 2019 papers on
/// NTBEA, which plays 1000 ticks. Lengths are pixels, times ticks, speeds pixels a tick.
struct AsteroidsRules {
  int ticks = 1000;  ///< length of a game, waiting included
  int lives = 3;
  int rocks = 5;           ///< large rocks of the first level, one more in each level after
  int missiles = 5;        ///< most in flight; a shot beyond is lost
  int missile_ticks = 50;  ///< a missile moves one tick less than this
  int cooldown = 10;       ///< ticks between two shots, and from a new ship to its first
  int wait = 100;          ///< length of the pause after a lost life or a cleared level, less one
  int life_cost = 200;     ///< points
  int missile_cost = 10;   ///< points
  int large_score = 50;    ///< points for a rock
  int middle_score = 100;  ///< points for a rock
  int small_score = 200;   ///< points for a rock
  double missile_speed = 10;  ///< the ship's speed is not added
  double thrust = 0.3;        ///< gain of speed a tick
  double friction = 0.99;     ///< factor of the ship's speed a tick
  double rock_speed = 2;      ///< standard deviation of each component for the rocks of a new level
  double split_speed = 1;     ///< standard deviation of a splinter's speed relative to its rock
  double safe_distance = 100;  ///< rocks nearer to the centre make room for a new ship

  void visit(Options& options);
};

/// Reads rules from a map. Throws InputError.
AsteroidsRules read_rules(const YamlNode& map, const AsteroidsRules& defaults = {});

inline constexpr AsteroidsRules kDefaultAsteroidsRules;

}  // namespace ntune
