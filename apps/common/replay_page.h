#pragma once

#include <string>
#include <string_view>

#include "apps/common/terminal.h"
#include "ntune/core/json.h"

namespace ntune::cli {

/// What the page of a game needs beside the player that all have in common.
struct ReplayPage {
  std::string program;     ///< which makes it: "arcade"
  std::string title;       ///< "Asteroids"
  std::string players;     ///< "rhea against 2020, seed 1"
  std::string end;         ///< how it ends: "Player 1 wins …"
  std::string view_box;    ///< of the board: "0 0 640 480"
  std::string legend;      ///< HTML below the board
  std::string step;        ///< what the slider counts: "tick"
  std::string score;       ///< what the curve shows: "Score"
  std::string_view style;  ///< CSS of the board
  /// Functions of JavaScript. make(svg, data) draws what does not change, and show(data, tick) the
  /// rest. info(data, tick) is a line of text. With `ahead`, plan(board, data, tick) draws what
  /// players mean to do; tick -1 takes that away.
  std::string_view script;
  /// With `scores`, a number for every tick. May have `shown`, their texts; `rival`, the numbers of
  /// a second curve; `ahead`, scores as planned at a tick; `speeds` in ticks a second, the usual
  /// one first; and `still`: it does not begin to play by itself.
  Json data;
};

/// The page as HTML: all in one file, nothing loaded.
std::string page_text(const ReplayPage& page);

/// Throws InputError where no replay could be written; "" asks for none.
void check_replay(const std::string& file);
/// Writes the page and says where.
void write_replay(const std::string& file, const ReplayPage& page, const Terminal& terminal,
                  bool quiet = false);

}  // namespace ntune::cli
