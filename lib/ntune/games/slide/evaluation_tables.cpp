#include "ntune/games/slide/evaluation_tables.h"

#include <bit>
#include <cmath>
#include <cstdlib>

#include "ntune/games/slide/position.h"

namespace ntune {

namespace {

using Position = SlidePosition<3>;

/// Contents of three places of four bits each.
constexpr std::size_t kThreePlaces = std::size_t{1} << 12;
constexpr int kSets = 84;  ///< sets of three tiles out of nine

/// The content of place i of a line, and the goals of tiles.
constexpr int cell(std::size_t line, int i) { return static_cast<int>(line >> (4 * i)) & 15; }
constexpr int goal_row(int tile) { return (tile - 1) / 3; }
constexpr int goal_column(int tile) { return (tile - 1) % 3; }
constexpr int square(int x) { return x * x; }

/// Penalty of a line's tiles for their neighbours in the line. `before` and `after` have the
/// neighbours of each tile in Win, -1 for the outside of the board.
template <class Before, class After>
int line_malus(std::size_t line, Before before, After after) {
  int malus = 0;
  for (int i = 0; i < 4; ++i) {
    const int tile = cell(line, i);
    if (tile == 0) continue;
    malus += (i == 0 ? -1 : cell(line, i - 1)) != before(tile) ? 1 : 0;
    malus += (i == 3 ? -1 : cell(line, i + 1)) != after(tile) ? 1 : 0;
  }
  return malus;
}

/// The neighbours of a tile in Win: -1 outside of the board, 0 for a blank.
int left_in_win(int tile) { return goal_column(tile) == 0 ? -1 : tile - 1; }
int right_in_win(int tile) { return goal_column(tile) == 2 ? 0 : tile + 1; }
int above_in_win(int tile) { return goal_row(tile) == 0 ? -1 : tile - 3; }
int below_in_win(int tile) { return goal_row(tile) == 2 ? 0 : tile + 3; }

/// Whether the sixteen bits hold tiles or blanks only.
bool is_line(std::size_t line) {
  for (int i = 0; i < 4; ++i) {
    if (cell(line, i) > 9) return false;
  }
  return true;
}

/// A table of f(i) for all i below a size.
template <class T, class F>
std::vector<T> table(std::size_t size, F f) {
  std::vector<T> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<T>(f(i));
  return values;
}

/// Sum of f(tile, column) over the squares of a row, blanks too.
template <class F>
int sum_of_row(std::size_t line, F f) {
  int sum = 0;
  for (int column = 0; column < 4; ++column) sum += f(cell(line, column), column);
  return sum;
}

/// The tiles on three places as bits.
std::uint32_t tiles_of_three(std::size_t places) {
  return 1U << cell(places, 0) | 1U << cell(places, 1) | 1U << cell(places, 2);
}

/// Pairs of a tile of the first set and a smaller one of the second.
int inversions_between(std::uint32_t first, std::uint32_t second) {
  int inversions = 0;
  for (; first != 0; first &= first - 1) {
    inversions += std::popcount(second & ((first & (0U - first)) - 1));
  }
  return inversions;
}

}  // namespace

SlideTables::SlideTables() {
  // Distances depend on the row only through the goals, so each row has tables for all contents of
  // a line.
  for (int row = 0; row < 4; ++row) {
    const auto r = static_cast<std::size_t>(row);
    const auto per_line = [&]<class T>(std::vector<T>& target, auto f) {
      target = table<T>(kLineContents,
                        [&](std::size_t line) { return is_line(line) ? sum_of_row(line, f) : 0; });
    };
    per_line(eu_[r], [row](int tile, int column) {
      return tile == 0 ? 0 : square(row - goal_row(tile)) + square(column - goal_column(tile));
    });
    per_line(man_[r], [row](int tile, int column) {
      return tile == 0 ? 0 : std::abs(row - goal_row(tile)) + std::abs(column - goal_column(tile));
    });
    per_line(l2_[r], [row](int tile, int column) {
      return square(tile - Position::win().at(row * 4 + column));
    });
    nb_rows_[r] = table<std::uint8_t>(kLineContents, [row](std::size_t line) {
      if (!is_line(line)) return 0;
      return line_malus(line, left_in_win, right_in_win) +
             sum_of_row(line, [row](int tile, int column) {
               return tile != 0 && row * 4 + column != Position::goal(tile) ? 1 : 0;
             });
    });
  }
  // Columns need one table, for the penalty of neighbours does not depend on the column.
  nb_columns_ = table<std::uint8_t>(kLineContents, [](std::size_t line) {
    return is_line(line) ? line_malus(line, above_in_win, below_in_win) : 0;
  });

  // Orders are put together from the tiles of rows, packed without blanks.
  tiles_ = table<std::uint8_t>(kLineContents, [](std::size_t line) {
    return sum_of_row(line, [](int tile, int) { return tile != 0 ? 1 : 0; });
  });
  packed_ = table<std::uint16_t>(kLineContents, [](std::size_t line) {
    unsigned packed = 0;
    int n = 0;
    for (int i = 0; i < 4; ++i) {
      if (cell(line, i) != 0) packed |= static_cast<unsigned>(cell(line, i)) << (4 * n++);
    }
    return packed;
  });

  // Features of the order work on its three parts of three tiles.
  for (int part = 0; part < 3; ++part) {
    perm_[static_cast<std::size_t>(part)] = table<std::uint8_t>(kThreePlaces, [&](std::size_t i) {
      int sum = 0;
      for (int j = 0; j < 3; ++j) sum += square(cell(i, j) - (3 * part + j + 1));
      return sum;
    });
  }
  inner_ = table<std::uint8_t>(kThreePlaces, [](std::size_t i) {
    return (cell(i, 0) > cell(i, 1)) + (cell(i, 0) > cell(i, 2)) + (cell(i, 1) > cell(i, 2));
  });
  // Inversions are those within each part, and those between the sets of tiles of two parts.
  std::vector<std::uint32_t> sets;
  set_ = table<std::uint8_t>(kThreePlaces, [&](std::size_t i) -> std::size_t {
    const std::uint32_t tiles = tiles_of_three(i);
    if (std::popcount(tiles & 0x3feU) != 3) return 0;
    for (std::size_t s = 0; s < sets.size(); ++s) {
      if (sets[s] == tiles) return s;
    }
    sets.push_back(tiles);
    return sets.size() - 1;
  });
  cross_ = table<std::uint8_t>(kSets * kSets, [&](std::size_t i) {
    return inversions_between(sets[i / kSets], sets[i % kSets]);
  });

  // Real values come from tables of the whole sums, by the formulas of Definition 4.2.1.
  const auto real = [&](SlideFeature feature, std::size_t size, auto f) {
    auto& values = real_[static_cast<std::size_t>(feature)];
    for (std::size_t i = 0; i < size; ++i) {
      values.push_back(static_cast<float>(f(static_cast<double>(i))));
    }
  };
  real(SlideFeature::kEu, 9 * 18 + 1, [](double x) { return std::sqrt(x); });
  real(SlideFeature::kMan, 9 * 6 + 1, [](double x) { return x; });
  real(SlideFeature::kNb, 9 * 5 + 1, [](double x) { return x; });
  real(SlideFeature::kPerm, 9 * 64 + 1, [](double x) { return std::sqrt(0.5 + x); });
  real(SlideFeature::kInv, 36 + 1, [](double x) { return 0.5 + x; });
  real(SlideFeature::kL2, 16 * 81 + 1, [](double x) { return std::sqrt(x); });
}

std::uint64_t SlideTables::order(std::uint64_t bits) const {
  const std::size_t first = bits & 0xffff;
  const int begin = 4 * tiles_[first];
  // Rows 2 and 3 hold three tiles each.
  return packed_[first] | std::uint64_t{packed_[bits >> 16 & 0xffff]} << begin |
         std::uint64_t{packed_[bits >> 32 & 0xffff]} << (begin + 12) |
         std::uint64_t{packed_[bits >> 48]} << (begin + 24);
}

int SlideTables::whole(SlideFeature feature, std::uint64_t bits) const {
  // Each row of the board is sixteen bits, which index the table of its row.
  const auto sum = [bits](const auto& rows) {
    return rows[0][bits & 0xffff] + rows[1][bits >> 16 & 0xffff] + rows[2][bits >> 32 & 0xffff] +
           rows[3][bits >> 48];
  };
  switch (feature) {
    case SlideFeature::kEu:
      return sum(eu_);
    case SlideFeature::kMan:
      return sum(man_);
    case SlideFeature::kL2:
      return sum(l2_);
    case SlideFeature::kNb: {
      int malus = sum(nb_rows_);
      for (int column = 0; column < 4; ++column) {
        // The product gathers the column's four cells in the highest 16 bits.
        const std::uint64_t cells = bits >> (4 * column) & 0x000f000f000f000fULL;
        malus += nb_columns_[cells * 0x0001001001001000ULL >> 48];
      }
      return malus;
    }
    case SlideFeature::kPerm: {
      const std::uint64_t places = order(bits);
      // Three tiles of the order index each of the three tables.
      return perm_[0][places & 0xfff] + perm_[1][places >> 12 & 0xfff] + perm_[2][places >> 24];
    }
    case SlideFeature::kInv: {
      const std::uint64_t places = order(bits);
      const std::size_t a = places & 0xfff;
      const std::size_t b = places >> 12 & 0xfff;
      const std::size_t c = places >> 24;
      const std::size_t from_a = std::size_t{set_[a]} * kSets;
      return inner_[a] + inner_[b] + inner_[c] + cross_[from_a + set_[b]] +
             cross_[from_a + set_[c]] + cross_[std::size_t{set_[b]} * kSets + set_[c]];
    }
  }
  return 0;
}

const SlideTables& slide_tables() {
  static const SlideTables kTables;
  return kTables;
}

}  // namespace ntune
