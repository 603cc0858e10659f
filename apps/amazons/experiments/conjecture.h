#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ntune/agents/combinatorial_game/dyadic.h"
#include "ntune/agents/combinatorial_game/thermograph.h"
#include "ntune/core/parallel.h"
#include "ntune/games/amazons/notation.h"
#include "ntune/games/amazons/position.h"

namespace ntune {

/// All positions with one queen each on a board of up to 5x5 squares and with at most `most` empty
/// ones, with their options, means and temperatures. Positions that a symmetry of the board maps to
/// each other share an entry. So do a position and its negative with the colours exchanged.
class AmazonsRectangle {
 public:
  using Position = AmazonsPosition<5>;

  /// An entry, or its negative.
  struct Image {
    std::uint32_t entry;
    bool is_negative;
  };

  /// Files and ranks 1 … 5, two squares or more; 0 <= most <= squares - 2. Takes some 300 bytes and
  /// 10 us an entry.
  AmazonsRectangle(AmazonsSize size, int most);

  /// The number of entries that the constructor would make.
  static std::uint64_t entries_of(AmazonsSize size, int most);
  [[nodiscard]] AmazonsSize size() const { return size_; }
  [[nodiscard]] int most() const { return most_; }
  [[nodiscard]] std::size_t entries() const { return integers_.size(); }
  /// Entries with this number of empty squares, 0 … most().
  [[nodiscard]] const std::vector<std::uint32_t>& layer(int empties) const {
    return layers_[static_cast<std::size_t>(empties)];
  }
  /// The entry of a position of the board.
  [[nodiscard]] Image image(const Position& position) const;
  /// Mean and temperature of a position of the board.
  [[nodiscard]] ThermographValue value(const Position& position) const;

  /// The value of an entry that needs no search; its options are not kept.
  [[nodiscard]] std::optional<int> integer(std::uint32_t entry) const { return integers_[entry]; }
  /// The different options of a player, as entry * 2 + number of the opponent there.
  [[nodiscard]] std::span<const std::uint32_t> options(std::uint32_t entry, Player player) const {
    const std::size_t at = std::size_t{entry} * 2 + static_cast<std::size_t>(player);
    return std::span(options_).subspan(begins_[at], begins_[at + 1] - begins_[at]);
  }

  /// Calls visit(position) for every position with this number of empty squares, whatever its
  /// symmetry.
  template <class Visit>
  void for_each_position(int empties, const Visit& visit) const {
    for (int black = 0; black < squares(); ++black) {
      for (int white = 0; white < squares(); ++white) {
        if (black == white) continue;
        const auto layer = static_cast<std::size_t>(empties);
        for (std::uint32_t rank = first_ranks_[layer]; rank < first_ranks_[layer + 1]; ++rank) {
          visit(position(black, white, sets_[rank]));
        }
      }
    }
  }

 private:
  /// Where positions with certain squares of the queens are found.
  struct Placement {
    std::uint32_t number = 0;
    std::uint8_t symmetry = 0;  ///< that brings the queens to the entries' squares
    bool negative = false;      ///< in the entries the colours are exchanged
    std::uint8_t low = 0;       ///< the entries' queens' squares
    std::uint8_t high = 0;
  };
  static constexpr std::size_t kMostSquares = 25;

  void make_sets();
  void make_placements();
  void make_options();
  void make_values();
  void add_options(const Position& position, Player player);

  // Squares of this board count rank by rank without gaps.
  [[nodiscard]] int squares() const { return size_.files * size_.ranks; }
  [[nodiscard]] int board_square(int square) const {
    return square / size_.files * 5 + square % size_.files;
  }
  [[nodiscard]] int square_image(int symmetry, int square) const;
  [[nodiscard]] Position position(int black, int white, std::uint32_t set) const;
  [[nodiscard]] Position position(std::uint32_t entry) const;

  AmazonsSize size_;
  int most_;
  /// Sets of the squares without the queens', by size; where each size begins; and back.
  std::vector<std::uint32_t> sets_;
  std::vector<std::uint32_t> first_ranks_;
  std::vector<std::uint32_t> ranks_;
  std::array<std::array<Placement, kMostSquares>, kMostSquares> placements_{};
  std::vector<std::array<int, 2>> queens_;  ///< by placement
  std::vector<std::vector<std::uint32_t>> layers_;
  std::vector<std::optional<std::int8_t>> integers_;
  std::vector<std::uint32_t> begins_;
  std::vector<std::uint32_t> options_;
  std::vector<ThermographValue> values_;
};

/// Readings of "the temperature found with delta". They differ in what is preferred among equally
/// good moves, coupon or board, and in which coupon counts. That is the last one taken before the
/// first board move (prior) or the one on top at that moment. At the final stack both are -1.
enum class ConjectureReading {
  kCouponPrior,  ///< R1
  kBoardPrior,   ///< R2
  kBoardTop,     ///< R3
  kCouponTop     ///< R4
};
inline constexpr std::size_t kConjectureReadings = 4;

/// A position whose temperature is more than 2 delta above the one found.
struct ConjectureFailure {
  AmazonsRectangle::Position position;
  Player first = Player::kLeft;
  /// Whether Black is on turn where the level (c + 1) / delta of the top coupon c is even.
  bool black_at_even_levels = false;
  Dyadic temperature;
  Dyadic found;
};

/// Whether t <= t_delta + 2 delta (Zhang and Mueller 2015, 2-delta conjecture).
struct ConjectureCount {
  std::int64_t violations = 0;
  Dyadic worst;  ///< largest t - t_delta, 0 if none is positive
  std::vector<ConjectureFailure> failures;
};

/// Minimax over G + C of positions and players who begin, against exact values.
struct ConjectureReport {
  std::int64_t cases = 0;
  std::array<ConjectureCount, kConjectureReadings> readings;
  std::int64_t prior_exact = 0;    ///< cases where R1's coupon is the temperature
  std::int64_t prior_below = 0;    ///< cases where it is delta below the temperature
  std::int64_t rounded_wrong = 0;  ///< cases where R1 rounded up to a possible temperature is wrong
  std::int64_t top_exact = 0;      ///< cases where R3's coupon is the temperature
  std::int64_t top_above = 0;      ///< cases where it is above the temperature
  std::int64_t mean_exact = 0;
  Dyadic worst_mean;  ///< largest error of the mean
};

/// All positions with `least` to `most` empty squares, 0 <= least <= most <= positions.most(), by
/// dynamic programming over the levels of the stack. delta = 2^-exponent, 0 <= exponent <= 15, and
/// t_max is above every temperature. Keeps the first `failures` of each reading by number of empty
/// squares. 1, 1/2, 1/4 … double the time: 2^exponent * most levels.
ConjectureReport check_two_delta_conjecture(const AmazonsRectangle& positions, int exponent,
                                            int least, int most, std::size_t failures,
                                            Parallel& parallel);

}  // namespace ntune
