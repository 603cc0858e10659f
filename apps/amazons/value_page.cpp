// A position for a browser: its board and thermograph, and those after each option.

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/amazons/replay.h"
#include "apps/amazons/solved.h"
#include "ntune/core/text.h"
#include "ntune/games/amazons/notation.h"

namespace ntune::amazons {

namespace {

/// A move of one player, and what it leads to.
template <int kSide>
struct SeenOption {
  AmazonsMove move;
  AmazonsPosition<kSide> after;
  const Thermograph* thermograph;
  Dyadic worth;  ///< to the player, at the temperature of the position before
};

/// The options of a player, the best at the temperature first.
template <int kSide>
std::vector<SeenOption<kSide>> options_of(ThermographSolver<AmazonsPosition<kSide>>& solver,
                                          const std::string& board,
                                          const AmazonsPosition<kSide>& position, Player player,
                                          Dyadic temperature) {
  std::vector<SeenOption<kSide>> options;
  position.for_each_option(player, [&](const AmazonsMove& move, const auto& after) {
    const Thermograph& thermograph = solved(solver, board, after);
    const Dyadic worth =
        player == Player::kLeft ? thermograph.right(temperature) : -thermograph.left(temperature);
    options.push_back({move, after, &thermograph, worth});
    return true;
  });
  std::ranges::stable_sort(options, [](const auto& a, const auto& b) { return a.worth > b.worth; });
  return options;
}

/// A row of the table of options, whose button shows the board after it.
std::string option_row(const std::string& move, const char* player, const ThermographValue& value,
                       std::size_t step) {
  return fmt::format(
      "<tr><td><button type=\"button\" "
      "onclick=\"jump({});scrollTo(0,0)\">{}</button></td><td>{}</td><td>{}</td>"
      "<td>{}</td></tr>\n",
      step, move, player, dyadic_text(value.mean), dyadic_text(value.temperature));
}

template <int kSide>
cli::ReplayPage page_of(const std::string& board, const AmazonsPosition<kSide>& position) {
  constexpr std::ptrdiff_t kMostOptions = 40;
  ThermographSolver<AmazonsPosition<kSide>> solver(kMostPositions);
  const Thermograph& whole = solved(solver, board, position);
  const auto seen = [](const AmazonsPosition<kSide>& at, const Thermograph& thermograph) {
    return SeenBoard{amazons_text(at), {thermograph.value(), true}, thermograph};
  };
  std::vector<SeenSum> steps = {{.boards = {seen(position, whole)}}};
  std::string rows;
  std::string counts;
  for (const Player player : {Player::kLeft, Player::kRight}) {
    const char* const name = player == Player::kLeft ? "Black" : "White";
    const auto options = options_of<kSide>(solver, board, position, player, whole.temperature());
    const auto shown = std::min(kMostOptions, std::ssize(options));
    counts += fmt::format("; {} has {}", name, counted(std::ssize(options), "option"));
    if (shown < std::ssize(options)) counts += fmt::format(", the best {} shown", shown);
    for (std::ptrdiff_t i = 0; i < shown; ++i) {
      const SeenOption<kSide>& option = options[static_cast<std::size_t>(i)];
      const std::string move = amazons_move_text<kSide>(option.move);
      rows += option_row(move, name, option.thermograph->value(), steps.size());
      steps.push_back(
          {.boards = {seen(option.after, *option.thermograph)},
           .move = fmt::format("{}'s option {} of {}: {}", name, i + 1, std::ssize(options), move),
           .squares = {option.move.from, option.move.to, option.move.arrow}});
    }
  }
  const std::string value = fmt::format("Mean {}, temperature {}", dyadic_text(whole.mean()),
                                        dyadic_text(whole.temperature()));
  cli::ReplayPage page = replay_page(steps, kSide, value, board + counts);
  page.title = "Value of a position";
  page.step = "option";
  page.score = "Mean";
  page.data["still"] = true;
  if (rows.empty()) return page;
  page.legend += fmt::format(
      " Options of a player stand in order of their worth at temperature {}, the best first.</p>\n"
      "<table class=\"options\"><thead><tr><th>option</th><th>of</th><th>mean</th>"
      "<th>temperature</th></tr></thead><tbody>\n{}</tbody></table>\n<p class=\"soft\">",
      dyadic_text(whole.temperature()), rows);
  return page;
}

}  // namespace

cli::ReplayPage value_page(const std::string& board) {
  return visit_amazons(board, [&](const auto& position) { return page_of(board, position); });
}

}  // namespace ntune::amazons
