#pragma once

#include <cstddef>
#include <vector>

#include "ntune/optim/duels/duel_process.h"

namespace ntune {

/// Values of single parameters whose players lose nearly every game, as engines do that crash and
/// lose by it. Such a cliff says nothing of strengths before it, but a smooth model of strengths
/// takes it for a slope. So games of these players are left out of the model, and they are not
/// asked for again.
///
/// A cliff is all values from one end of an ordered parameter to some value, or a single value of
/// an unordered one. Its players have made at most 5 % of the points (about 500 Elo below) in at
/// least 20 games and 5 pairings with others, and likewise in the last 6 games before its edge. The
/// reference stands on none. Pairings of players on cliffs that are known do not count.
class LosingValues {
 public:
  LosingValues(const SearchSpace& space, const Point& reference)
      : space_(&space), reference_(reference) {}

  /// Looks for more cliffs among the pairings. True if there are any.
  bool find(const std::vector<Duel>& duels, const std::vector<Point>& points);
  [[nodiscard]] bool any() const { return !cliffs_.empty(); }
  [[nodiscard]] bool contains(const Point& point) const;
  /// The point with each value on a cliff moved to the nearest one before it.
  [[nodiscard]] Point before(Point point) const;

 private:
  struct Cliff {
    int parameter = 0;
    int first = 0;
    int last = 0;
    double games = 0.0;
  };
  /// What the players with one value, or up to one value, have made of their games.
  struct Tally {
    double pairings = 0.0;
    double games = 0.0;
    double points = 0.0;

    void add(double of_games, double of_points) { add({1.0, of_games, of_points}); }
    void take_away(double of_games, double of_points) { add({-1.0, -of_games, -of_points}); }
    void add(const Tally& other) {
      pairings += other.pairings;
      games += other.games;
      points += other.points;
    }
  };
  /// The duels of a process, and the points that their indices are of.
  struct Matches {
    const std::vector<Duel>& duels;
    const std::vector<Point>& points;
  };

  static bool is_lost(const Tally& tally);
  static bool is_lost_at_edge(const std::vector<Tally>& at, std::size_t last);
  [[nodiscard]] bool on(const Cliff& cliff, const Point& point) const;
  [[nodiscard]] int reference_value(int parameter) const;
  template <class Visit>
  void for_each_pairing(int parameter, const Matches& matches, const Visit& visit) const;
  [[nodiscard]] Cliff losing_choice(int parameter, const Matches& matches) const;
  [[nodiscard]] Cliff widest_from(bool low_end, int parameter, const Matches& matches) const;
  [[nodiscard]] Cliff widest(int parameter, const Matches& matches) const;

  const SearchSpace* space_;
  Point reference_;
  std::vector<Cliff> cliffs_;
};

}  // namespace ntune
