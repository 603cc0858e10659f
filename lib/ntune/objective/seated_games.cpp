#include "ntune/objective/seated_games.h"

namespace ntune {

std::vector<SeatedGame> Matches::seats_of(const Point&, const Point&, const Rng&,
                                          const Instance*) const {
  return {};
}

Seating Seating::exchanged() const {
  Seating other = *this;
  other.seats.flip();
  return other;
}

/// This is the sign of Mann and Whitney's statistic about its middle.
double Seating::points(std::span<const double> by_seat) const {
  int ahead = 0;  // pairs of seats in which the first is ahead, less those in which it is behind
  for (std::size_t i = 0; i < seats.size(); ++i) {
    for (std::size_t j = 0; j < seats.size(); ++j) {
      if (!seats[i] || seats[j]) continue;
      ahead += (by_seat[i] > by_seat[j] ? 1 : 0) - (by_seat[i] < by_seat[j] ? 1 : 0);
    }
  }
  return ahead > 0 ? 1.0 : ahead == 0 ? 0.5 : 0.0;
}

Seating draw_seating(const Point& first, const Point& second, int players, Rng& rng) {
  Seating seating{.first = &first, .second = &second, .seats = {}};
  seating.seats.resize(static_cast<std::size_t>(players));
  for (int left = players / 2; left > 0;) {
    const std::size_t seat = rng.below(static_cast<std::uint32_t>(players));
    if (seating.seats[seat]) continue;
    seating.seats[seat] = true;
    --left;
  }
  return seating;
}

Outcome outcome_of_pairs(std::span<const double> points) {
  GameCounts games;
  for (std::size_t i = 0; i + 1 < points.size(); i += 2) {
    games.add(pair_of_games(points[i], points[i + 1]));
  }
  return outcome_of(games);
}

std::string problem_of_players(const Objective& objective, int players) {
  if (const SeatedGames* seated = objective.seated_games()) return seated->problem_with(players);
  return "the game is for two players without seats";
}

}  // namespace ntune
