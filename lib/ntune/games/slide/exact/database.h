#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "ntune/core/files.h"
#include "ntune/core/parallel.h"
#include "ntune/games/slide/codes.h"

namespace ntune {

/// Distance to win (DTW) is the fewest moves to Win. The database has it of every solvable position
/// of SlideK, K = 2 or 3, a byte each by slide_index (Heuser 2003, Section 3.3). 192 positions up
/// to DTW 12, or 11,612,160 up to DTW 26. In memory as in the file: a header of 32 bytes, then the
/// distances.
template <int K>
requires(K == 2 || K == 3) class SlideDatabase {
 public:
  /// Makes the database by retrograde analysis; the same bytes for any number of threads.
  static SlideDatabase build(Parallel& parallel);
  /// Maps the file into memory; it must not be cut meanwhile. Throws InputError "path: reason": not
  /// a database, of another version or game, cut short, damaged.
  static SlideDatabase load(const std::filesystem::path& file);
  /// Writes the file whole or not at all. Throws InputError "path: reason".
  void save(const std::filesystem::path& file) const;

  /// DTW of a position that can be solved.
  [[nodiscard]] int dtw(const SlidePosition<K>& position) const {
    return dtw_at(slide_index<K>(position));
  }
  /// DTW by slide_index, 0 … slide_position_count() - 1.
  [[nodiscard]] int dtw_at(std::uint64_t index) const { return distances()[index]; }
  /// DTW of all positions by slide_index.
  [[nodiscard]] std::span<const std::uint8_t> distances() const { return distances_; }

  /// Number of positions of every DTW from 0 to the largest. Reads all distances.
  [[nodiscard]] std::vector<std::uint64_t> counts() const;
  /// slide_index of the positions of this DTW, ascending; may be none. Reads all distances.
  [[nodiscard]] std::vector<std::uint32_t> positions_at(int dtw) const;

 private:
  SlideDatabase() = default;
  [[nodiscard]] std::string_view image() const;

  // The image of the file is in `built_` or in `mapped_`.
  std::vector<std::uint8_t> built_;
  std::unique_ptr<const MappedFile> mapped_;
  std::span<const std::uint8_t> distances_;
};

/// Retrograde analysis of SlideK, K = 2 or 3: fills `distances` (slide_position_count<K>() bytes)
/// with the fewest moves to Win, by slide_index. Needs no other memory to speak of, and gives the
/// same bytes whatever the number of threads.
template <int K>
requires(K == 2 || K == 3) void analyse_slide(std::span<std::uint8_t> distances,
                                              Parallel& parallel);

}  // namespace ntune
