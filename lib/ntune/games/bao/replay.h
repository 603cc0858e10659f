#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ntune/games/bao/position.h"

namespace ntune {

/// A move of a transcript.
struct BaoPly {
  int line;             ///< of the transcript, from 1
  std::string written;  ///< as the transcript has it
  BaoMove move;
  Bao next;  ///< the position after it
};

/// Replays a transcript (Appendix B, Notational system) from a position. A line is a head such as
/// "South: Ramadhan", or moves between spaces, which may follow their number and a colon. What
/// follows ';' or '#' is a comment. Throws InputError "name:line: ..." for a move that is not
/// legal, with the legal ones, and for numbers that do not rise by one. It is "name: ..." where
/// there is no move.
std::vector<BaoPly> replay_bao(std::string_view transcript, const std::string& name,
                               const Bao& start);

}  // namespace ntune
