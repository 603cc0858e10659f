#include "ntune/optim/duels/losing_values.h"

#include <algorithm>
#include <cstddef>

namespace ntune {

namespace {

// These are the limits that the class comment states.
constexpr double kLittle = 0.05;  // points per game
constexpr double kFewestGames = 20.0;
constexpr double kFewestPairings = 5.0;
constexpr double kGamesAtEdge = 6.0;

}  // namespace

/// Tells whether these players have lost nearly all of enough games. Pairings count too, as one
/// strong opponent that is met again and again could look like a cliff.
bool LosingValues::is_lost(const Tally& tally) {
  return tally.games >= kFewestGames && tally.pairings >= kFewestPairings &&
         tally.points <= kLittle * tally.games;
}

/// Tells whether players near the edge have lost too. It takes the fewest last places up to this
/// one that have enough games. Else a cliff would take in good values next to it.
bool LosingValues::is_lost_at_edge(const std::vector<Tally>& at, std::size_t last) {
  Tally edge;
  for (std::size_t place = last + 1; place-- > 0 && edge.games < kGamesAtEdge;) {
    edge.add(at[place]);
  }
  return edge.games >= kGamesAtEdge && edge.points <= kLittle * edge.games;
}

bool LosingValues::on(const Cliff& cliff, const Point& point) const {
  const int value = point[cliff.parameter];
  return value >= cliff.first && value <= cliff.last && space_->is_active(point, cliff.parameter);
}

bool LosingValues::contains(const Point& point) const {
  return std::ranges::any_of(cliffs_, [&](const Cliff& cliff) { return on(cliff, point); });
}

Point LosingValues::before(Point point) const {
  for (const Cliff& cliff : cliffs_) {
    if (!on(cliff, point)) continue;
    if (!(*space_)[cliff.parameter].ordered) {
      point[cliff.parameter] = reference_[cliff.parameter];
    } else {
      const int value = cliff.first == 0 ? cliff.last + 1 : cliff.first - 1;
      point[cliff.parameter] = static_cast<std::uint16_t>(value);
    }
  }
  return point;
}

/// Calls visit(value, other value, games, points) for both players of every pairing in which the
/// parameter is active and nobody stands on a cliff that is known.
template <class Visit>
void LosingValues::for_each_pairing(int parameter, const Matches& matches,
                                    const Visit& visit) const {
  const Parameter& axis = (*space_)[parameter];
  for (const Duel& duel : matches.duels) {
    const Point& one = matches.points[duel.first];
    const Point& other = matches.points[duel.second];
    if (contains(one) || contains(other)) continue;
    if (!space_->is_active(one, parameter) || !space_->is_active(other, parameter)) continue;
    const int a = axis.nearest_on_grid(one[parameter]);
    const int b = axis.nearest_on_grid(other[parameter]);
    visit(a, b, duel.games, duel.points);
    visit(b, a, duel.games, duel.games - duel.points);
  }
}

/// Returns the value of the reference, as near as the grid has it, or -1 if the reference does not
/// have the parameter active.
int LosingValues::reference_value(int parameter) const {
  if (!space_->is_active(reference_, parameter)) return -1;
  return (*space_)[parameter].nearest_on_grid(reference_[parameter]);
}

/// The value without an order that loses most games; with no games if none does.
LosingValues::Cliff LosingValues::losing_choice(int parameter, const Matches& matches) const {
  const int values = (*space_)[parameter].cardinality();
  std::vector<Tally> at(static_cast<std::size_t>(values));
  for_each_pairing(parameter, matches, [&](int own, int other, double games, double score) {
    // Players with one value in common say nothing of it.
    if (own != other) at[static_cast<std::size_t>(own)].add(games, score);
  });
  Cliff found{.parameter = parameter};
  for (int value = 0; value < values; ++value) {
    const Tally& tally = at[static_cast<std::size_t>(value)];
    if (value == reference_value(parameter) || !is_lost(tally)) continue;
    // The value with most games is taken, as it is the surest.
    if (tally.games <= found.games) continue;
    found.first = found.last = value;
    found.games = tally.games;
  }
  return found;
}

/// The widest cliff from one end of an ordered parameter, in games with players beyond it; with no
/// games if there is none. Places count from that end.
LosingValues::Cliff LosingValues::widest_from(bool low_end, int parameter,
                                              const Matches& matches) const {
  const int values = (*space_)[parameter].cardinality();
  const auto count = static_cast<std::size_t>(values);
  const auto place = [&](int value) {
    return static_cast<std::size_t>(low_end ? value : values - 1 - value);
  };
  std::vector<Tally> at(count);
  // A game counts for a cliff up to place e if the player stands on it and the other beyond:
  // place(own) <= e < place(other). So it is added at the one place and taken away at the other.
  std::vector<Tally> changes(count + 1);  // of the tally of all players up to a place
  for_each_pairing(parameter, matches, [&](int own, int other, double games, double score) {
    if (place(own) >= place(other)) return;
    at[place(own)].add(games, score);
    changes[place(own)].add(games, score);
    changes[place(other)].take_away(games, score);
  });
  const int reference = reference_value(parameter);
  // The reference itself never stands on a cliff.
  const std::size_t end = reference < 0 ? count : place(reference);
  Cliff found{.parameter = parameter};
  Tally sum;
  for (std::size_t last = 0; last < end; ++last) {
    sum.add(changes[last]);
    // The last hit is kept, which is the widest. Its edge must be a value that has played.
    if (!is_lost(sum) || at[last].games == 0.0 || !is_lost_at_edge(at, last)) continue;
    const int value = low_end ? static_cast<int>(last) : values - 1 - static_cast<int>(last);
    found.first = low_end ? 0 : value;
    found.last = low_end ? value : values - 1;
    found.games = sum.games;
  }
  return found;
}

LosingValues::Cliff LosingValues::widest(int parameter, const Matches& matches) const {
  if (!(*space_)[parameter].ordered) return losing_choice(parameter, matches);
  const Cliff low = widest_from(true, parameter, matches);
  const Cliff high = widest_from(false, parameter, matches);
  return high.games > low.games ? high : low;
}

bool LosingValues::find(const std::vector<Duel>& duels, const std::vector<Point>& points) {
  const std::size_t known = cliffs_.size();
  // Cliffs are taken one at a time, the surest first, as its games are then left out of the others'
  // tallies.
  while (true) {
    Cliff best;
    for (int i = 0; i < space_->dimensions(); ++i) {
      if ((*space_)[i].cardinality() < 2) continue;
      const Cliff found = widest(i, {duels, points});
      if (found.games > best.games) best = found;
    }
    if (best.games == 0.0) break;
    cliffs_.push_back(best);
  }
  return cliffs_.size() > known;
}

}  // namespace ntune
