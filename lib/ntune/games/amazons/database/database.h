#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "ntune/agents/combinatorial_game/thermograph.h"
#include "ntune/core/files.h"
#include "ntune/core/parallel.h"
#include "ntune/games/amazons/database/retrograde_analysis.h"
#include "ntune/games/amazons/position.h"

namespace ntune {

/// The thermographs of all 3,932,160 positions of Amazons on 4x4 squares with one queen each, with
/// their means and temperatures, exactly. Positions that a symmetry of the board maps to each other
/// share an entry. So do a position and its negative with the colours exchanged. There are 21
/// placements of the queens with 2^14 sets of empty squares each. In memory as in the file: 2.2 MB.
class AmazonsDatabase {
 public:
  using Position = AmazonsPosition<4>;

  /// Makes the database, from the positions without empty squares to those with fourteen; the same
  /// bytes for any number of threads.
  static AmazonsDatabase build(Parallel& parallel);
  /// Maps the file into memory; it must not be cut meanwhile. Throws InputError "path: reason": not
  /// a database, of another version, cut short, damaged.
  static AmazonsDatabase load(const std::filesystem::path& file);
  /// Writes the file whole or not at all. Throws InputError "path: reason".
  void save(const std::filesystem::path& file) const;

  /// Positions have one queen each: see require_amazons_queens (games/amazons/notation.h).
  static bool contains(const Position& position) {
    return Position::Board::count(position.queens(Player::kLeft)) == 1 &&
           Position::Board::count(position.queens(Player::kRight)) == 1;
  }
  static constexpr std::uint32_t kPositions = 240U << 14;
  /// All positions of the database, 0 <= index < kPositions: by the queens, then by the set of
  /// empty squares.
  static Position position_at(std::uint32_t index);

  /// Mean and temperature of a position that it contains, in constant time.
  [[nodiscard]] ThermographValue value(const Position& position) const;
  /// The whole thermograph of a position that it contains.
  [[nodiscard]] Thermograph thermograph(const Position& position) const;
  /// The number of different thermographs.
  [[nodiscard]] std::size_t thermographs() const { return thermographs_.size(); }

 private:
  AmazonsDatabase() = default;
  [[nodiscard]] std::string_view image() const;
  void use_image();
  [[nodiscard]] const AmazonsAnalysis::Record& find(const Position& position, bool& negative) const;
  [[nodiscard]] WallView wall(std::uint32_t number) const;

  // The image of the file is in `built_` or in `mapped_`.
  std::vector<std::uint64_t> built_;
  std::unique_ptr<const MappedFile> mapped_;
  std::span<const std::uint16_t> entries_;
  std::span<const AmazonsAnalysis::Record> thermographs_;
  std::span<const WallStore::Record> walls_;
  std::span<const Dyadic> turns_;
};

}  // namespace ntune
