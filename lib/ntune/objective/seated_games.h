#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "ntune/objective/capabilities.h"

namespace ntune {

/// Most players of a game.
inline constexpr int kMostPlayers = 8;

/// Who sits where in a game of several players: the players of two points share the seats.
struct Seating {
  const Point* first = nullptr;
  const Point* second = nullptr;
  std::vector<bool> seats;  ///< true where a player of the first sits

  [[nodiscard]] const Point& at(std::size_t seat) const { return seats[seat] ? *first : *second; }
  /// The two change seats.
  [[nodiscard]] Seating exchanged() const;
  /// Points of the first's side by a number for each seat, of which more is better. Each of its
  /// seats is compared with each of the other side's: 1 where most of these are ahead, 1/2 where
  /// half of them are, else 0. Level seats are half ahead.
  [[nodiscard]] double points(std::span<const double> by_seat) const;
};

/// One game of a match: who sits where, and its random numbers.
struct SeatedGame {
  Seating seating;
  Rng stream;
};

/// Half of the seats, rounded down, are drawn for the first.
Seating draw_seating(const Point& first, const Point& second, int players, Rng& rng);

/// The outcome of games that come in pairs, by the points of each.
Outcome outcome_of_pairs(std::span<const double> points);

/// Games of a number of players that the caller chooses.
class SeatedGames {
 public:
  virtual ~SeatedGames() = default;

  /// One game, counted as one of the first's side.
  [[nodiscard]] virtual Outcome play_seated(const Seating& seating, Rng& rng,
                                            const EvaluationId& id) const = 0;
  /// Of an outside program.
  [[nodiscard]] virtual Rehearsal rehearse_seated(const Seating& /*seating*/, Rng& /*rng*/,
                                                  const EvaluationId& /*id*/) const {
    return {};
  }
  /// Why it cannot seat so many players; empty: it can.
  [[nodiscard]] virtual std::string problem_with(int /*players*/) const { return {}; }
  /// Whether it cannot be evaluated without seats.
  [[nodiscard]] virtual bool needs_seats() const { return false; }
};

/// Whether it is to be evaluated by matches with seats alone.
inline bool needs_seats(const Objective& objective) {
  const SeatedGames* seated = objective.seated_games();
  return seated != nullptr && seated->needs_seats();
}

/// Why an objective has no games of so many players; empty: it has.
std::string problem_of_players(const Objective& objective, int players);

}  // namespace ntune
