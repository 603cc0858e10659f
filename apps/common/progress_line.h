#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ntune::cli {

/// How far a computation is, for people.
struct ProgressView {
  std::int64_t done = 0;
  std::int64_t total = 0;              ///< at most; 0: not known
  std::int64_t before = 0;             ///< of `done`, those that an earlier process carried out
  double seconds_limit = 0.0;          ///< of wall clock; 0: none
  double seconds_used = 0.0;           ///< of it, when the last evaluation had ended
  std::string unit = {};               ///< plural, such as "games"
  std::string more = {};               ///< what else there is to say; may be empty
  std::string last = {};               ///< the same, at the end of the line
  std::vector<std::string> rows = {};  ///< lines to be printed above, once, cut to the terminal
};

/// "50 %  5 of 10 games  2 of 4 runs  1.2/s  4 s left", after so many seconds of this process.
std::string progress_text(const ProgressView& view, double seconds);

/// The same after a bar and before `view.last`, within so many characters, with room for what will
/// grow, so that nothing moves. Where they do not suffice the bar is shorter, then the unit goes,
/// then `view.more`, the rate and the bar; the end of `last` is cut.
std::string progress_line(const ProgressView& view, double seconds, std::size_t characters);

}  // namespace ntune::cli
