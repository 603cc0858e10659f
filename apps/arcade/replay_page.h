#pragma once

#include <string>
#include <string_view>

#include "ntune/core/json.h"

namespace ntune::arcade {

// Made by CMake from the files in assets/.
extern const std::string_view kPageStyle;
extern const std::string_view kPageBody;
extern const std::string_view kPlayerScript;
extern const std::string_view kControlsScript;
extern const std::string_view kAsteroidsStyle;
extern const std::string_view kAsteroidsScript;
extern const std::string_view kPlanetWarsStyle;
extern const std::string_view kPlanetWarsScript;

/// What a page needs beside the player that all have in common.
struct ReplayPage {
  std::string title;       ///< "Asteroids"
  std::string players;     ///< "rhea against 2020, seed 1"
  std::string end;         ///< how it ends: "Player 1 wins …"
  std::string view_box;    ///< of the board: "0 0 640 480"
  std::string legend;      ///< HTML below the board
  std::string_view style;  ///< CSS of the board
  /// Functions make(svg, data), which draws what does not change, show(data, tick), which draws the
  /// rest, info(data, tick), a line of text, and plan(board, data, tick), which draws what players
  /// mean to do; tick -1 takes that away.
  std::string_view script;
  Json data;  ///< with `scores`, a number for every tick; `ahead`, scores as planned at a tick
};

/// The page as HTML: all in one file, nothing loaded.
std::string page_text(const ReplayPage& page);

/// The text for HTML.
std::string html_text(const std::string& text);

/// A coordinate or amount in whole tenths.
int tenths(double value);

}  // namespace ntune::arcade
