#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>

#include "ntune/games/slide/codes.h"
#include "ntune/games/slide/evaluation_tables.h"

namespace ntune::test {

namespace slide_features {

using Position = SlidePosition<3>;

/// What lies beyond the edge of the board.
inline constexpr int kOutside = -1;

/// What lies beside a square: a tile, 0 for a blank, or kOutside.
inline int neighbour(const Position& position, int square, int row_step, int column_step) {
  const int row = square / Position::kSide + row_step;
  const int column = square % Position::kSide + column_step;
  if (row < 0 || row >= Position::kSide || column < 0 || column >= Position::kSide) return kOutside;
  return position.at(row * Position::kSide + column);
}

/// Sum of f(rows, columns) from every tile to its goal.
template <class F>
inline int sum_of_displacements(const Position& position, F f) {
  int sum = 0;
  for (int s = 0; s < Position::kSquares; ++s) {
    const int tile = position.at(s);
    if (tile == 0) continue;
    const int goal = Position::goal(tile);
    sum += f(std::abs(s / Position::kSide - goal / Position::kSide),
             std::abs(s % Position::kSide - goal % Position::kSide));
  }
  return sum;
}

/// Wrong neighbours and wrong places of all tiles (Nb).
inline int neighbour_distance(const Position& position) {
  constexpr Position kWin = Position::win();
  constexpr std::array<std::array<int, 2>, 4> kSteps = {{{0, -1}, {0, 1}, {-1, 0}, {1, 0}}};
  int malus = 0;
  for (int s = 0; s < Position::kSquares; ++s) {
    const int tile = position.at(s);
    if (tile == 0) continue;
    const int goal = Position::goal(tile);
    malus += s != goal ? 1 : 0;
    for (const auto& [row, column] : kSteps) {
      malus += neighbour(position, s, row, column) != neighbour(kWin, goal, row, column) ? 1 : 0;
    }
  }
  return malus;
}

/// Distance of the order of tiles from that of Win, as permutations (Perm).
inline double permutation_distance(const Position& position) {
  const SlideOrder<3> order = slide_order<3>(position);
  int sum = 0;
  for (int i = 0; i < Position::kTiles; ++i) {
    const int distance = order[static_cast<std::size_t>(i)] - (i + 1);
    sum += distance * distance;
  }
  return std::sqrt(0.5 + sum);
}

/// Inversions of the order of tiles, plus 1/2, so that only Win has 0 (Inv).
inline double inversions_distance(const Position& position) {
  const SlideOrder<3> order = slide_order<3>(position);
  int inversions = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) inversions += order[i] > order[j] ? 1 : 0;
  }
  return 0.5 + inversions;
}

/// Euclidean distance of the boards as vectors of 16 numbers (L2).
inline double l2_metric(const Position& position) {
  int sum = 0;
  for (int s = 0; s < Position::kSquares; ++s) {
    const int difference = position.at(s) - Position::win().at(s);
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

}  // namespace slide_features

/// The feature of a position by its definition, square by square: the slow twin of SlideTables.
inline double slide_feature(SlideFeature feature, const SlidePosition<3>& position) {
  using namespace slide_features;
  // Win has the value 0 in every feature, though the formulas of Perm and Inv do not give it.
  if (position == Position::win()) return 0.0;
  switch (feature) {
    case SlideFeature::kEu:
      return std::sqrt(sum_of_displacements(position, [](int r, int c) { return r * r + c * c; }));
    case SlideFeature::kMan:
      return sum_of_displacements(position, [](int r, int c) { return r + c; });
    case SlideFeature::kNb:
      return neighbour_distance(position);
    case SlideFeature::kPerm:
      return permutation_distance(position);
    case SlideFeature::kInv:
      return inversions_distance(position);
    case SlideFeature::kL2:
      return l2_metric(position);
  }
  return 0.0;
}

}  // namespace ntune::test
