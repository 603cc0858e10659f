#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/games/slide/position.h"

namespace ntune {

/// A way to Win as a file holds it, tried out move by move. The file has `slide 4` (or 2, 3), then
/// `from` with a position that parse_slide_position reads, then moves such as R2> with spaces or
/// line ends between them. What follows a '#' on a line is a comment.
struct SlideSolution {
  int k = 0;
  std::string start;  ///< as slide_code_text writes it
  std::vector<std::string> moves;
};

/// Throws InputError "name:line: …": malformed, a move that is not possible, Win not reached, or
/// reached before the last move.
SlideSolution parse_slide_solution(std::string_view text, std::string_view name);
SlideSolution read_slide_solution(const std::filesystem::path& path);

/// The file's text for these lines slid from a position, below a comment of one or more lines.
template <int K>
std::string slide_solution_text(const SlidePosition<K>& start, std::span<const int> lines,
                                std::string_view comment);

}  // namespace ntune
