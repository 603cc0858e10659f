#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ntune/core/rng.h"
#include "ntune/games/slide/exact/database.h"

namespace ntune {

/// Draws `count` >= 0 different positions of this DTW (of every DTW if none is given) uniformly and
/// in random order, as makesample.exe makes them (Heuser 2003, G.1). Throws InputError: no such
/// DTW, more positions asked for than there are. Needs 4 bytes for each position that may be drawn.
std::vector<SlidePosition<3>> sample_positions(const SlideDatabase<3>& database,
                                               std::optional<int> dtw, std::int64_t count, Rng rng);

/// The text of a file of positions, two lines each: pattern code, order code (Heuser 2003, G.2).
std::string positions_text(std::span<const SlidePosition<3>> positions);
/// Writes a file of positions, whole or not at all. Throws InputError "path: reason".
void write_positions(const std::filesystem::path& file,
                     std::span<const SlidePosition<3>> positions);
/// Reads a file of positions. Throws InputError "path: reason" or "path:line: reason": malformed,
/// empty, or with a position that cannot be solved.
std::vector<SlidePosition<3>> read_positions(const std::filesystem::path& file);

/// The lines of one shortest way to Win from a position that can be solved: always the lowest line
/// that leads nearer. Empty for Win. Throws InputError if the database is not one of the game.
template <int K>
std::vector<int> shortest_solution(const SlideDatabase<K>& database, SlidePosition<K> position);

}  // namespace ntune
