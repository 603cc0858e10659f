#include "ntune/optim/duels/losing_values.h"

#include <algorithm>
#include <cstddef>

namespace ntune {

namespace {

constexpr double kLittle = 0.05;  // points per game
constexpr double kFewestGames = 20.0;
constexpr double kFewestPairings = 5.0;
constexpr double kGamesAtEdge = 6.0;

}  // namespace

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

/// The widest cliff from one end of this parameter, of both ends that with more games; with no
/// games if there is none.
LosingValues::Cliff LosingValues::widest(int parameter, const std::vector<Duel>& duels,
                                         const std::vector<Point>& points) const {
  const int values = (*space_)[parameter].cardinality();
  const bool ordered = (*space_)[parameter].ordered;
  const auto count = static_cast<std::size_t>(values);
  // By value of the player on the cliff: games with players beyond it towards the far end, from
  // below and from above. Without an order both are games with any other value.
  Cliff best{.parameter = parameter};
  const bool known = space_->is_active(reference_, parameter);
  for (const bool from_below : {true, false}) {
    if (!ordered && !from_below) break;
    std::vector<Tally> up_to(count + 1);  // differences of sums over values up to this one
    std::vector<Tally> at(count);
    const auto add = [&](int own, int other, double games, double score) {
      if (from_below ? own >= other : own <= other) {
        if (ordered || own == other) return;
      }
      const auto place = [&](int value) {
        return static_cast<std::size_t>(!ordered || from_below ? value : values - 1 - value);
      };
      const auto put = [&](Tally& tally, double sign) {
        tally.pairings += sign;
        tally.games += sign * games;
        tally.points += sign * score;
      };
      put(at[place(own)], 1.0);
      put(up_to[place(own)], 1.0);
      put(up_to[ordered ? place(other) : place(own) + 1], -1.0);
    };
    for (const Duel& duel : duels) {
      const Point& one = points[duel.first];
      const Point& other = points[duel.second];
      if (contains(one) || contains(other)) continue;
      if (!space_->is_active(one, parameter) || !space_->is_active(other, parameter)) continue;
      const int a = std::min<int>(one[parameter], values - 1);
      const int b = std::min<int>(other[parameter], values - 1);
      add(a, b, duel.games, duel.points);
      add(b, a, duel.games, duel.games - duel.points);
    }
    const int own = std::min<int>(reference_[parameter], values - 1);
    const int place_of_reference = !ordered || from_below ? own : values - 1 - own;
    Cliff found{.parameter = parameter};
    Tally sum;
    for (int v = 0; v < values; ++v) {
      const auto index = static_cast<std::size_t>(v);
      sum.pairings += up_to[index].pairings;
      sum.games += up_to[index].games;
      sum.points += up_to[index].points;
      if (known && v == place_of_reference) {
        if (ordered) break;
        continue;
      }
      const bool loses = sum.games >= kFewestGames && sum.pairings >= kFewestPairings &&
                         sum.points <= kLittle * sum.games;
      if (!loses || at[index].games == 0.0) continue;
      Tally edge;
      for (int u = v; u >= 0 && edge.games < kGamesAtEdge; --u) {
        if (!ordered && u < v) break;
        edge.games += at[static_cast<std::size_t>(u)].games;
        edge.points += at[static_cast<std::size_t>(u)].points;
      }
      if (edge.games < kGamesAtEdge || edge.points > kLittle * edge.games) continue;
      const int last = !ordered || from_below ? v : values - 1 - v;
      if (!ordered && sum.games <= found.games) continue;
      found.first = !ordered ? last : from_below ? 0 : last;
      found.last = !ordered ? last : from_below ? last : values - 1;
      found.games = sum.games;
    }
    if (found.games > best.games) best = found;
  }
  return best;
}

bool LosingValues::find(const std::vector<Duel>& duels, const std::vector<Point>& points) {
  const std::size_t known = cliffs_.size();
  while (true) {
    Cliff best;
    for (int i = 0; i < space_->dimensions(); ++i) {
      if ((*space_)[i].cardinality() < 2) continue;
      const Cliff found = widest(i, duels, points);
      if (found.games > best.games) best = found;
    }
    if (best.games == 0.0) break;
    cliffs_.push_back(best);
  }
  return cliffs_.size() > known;
}

}  // namespace ntune
