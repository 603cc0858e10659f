// A sum for a browser: its boards with their thermographs.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/amazons/replay.h"

namespace ntune::amazons {

// Made by CMake from the files in assets/.
extern const std::string_view kBoardStyle;
extern const std::string_view kBoardScript;

namespace {

std::string dyadic_about(Dyadic value, bool is_exact) {
  return (is_exact ? "" : "~") + dyadic_text(value);
}

/// [value, temperature] of a wall's corners.
Json wall_json(const Thermograph& thermograph, Player player) {
  Json wall = Json::array();
  for (const ThermographCorner& corner : thermograph_wall(thermograph, player)) {
    wall.push_back({corner.value.to_double(), corner.temperature.to_double()});
  }
  return wall;
}

Json board_json(const SeenBoard& board) {
  const ThermographValue& value = board.worth.value;
  Json json = {{"squares", board.squares},
               {"mean", dyadic_about(value.mean, board.worth.is_exact)},
               {"temperature", dyadic_about(value.temperature, board.worth.is_exact)},
               {"mast", {value.mean.to_double(), value.temperature.to_double()}}};
  if (board.thermograph) {
    json["walls"] = {wall_json(*board.thermograph, Player::kLeft),
                     wall_json(*board.thermograph, Player::kRight)};
  }
  return json;
}

/// Whether the move was on a hottest board of the sum before it.
std::string heat_text(const SeenSum& before, std::size_t played) {
  if (before.boards.size() == 1) return {};
  const auto temperature = [](const SeenBoard& board) { return board.worth.value.temperature; };
  const auto hottest = std::ranges::max_element(before.boards, {}, temperature);
  const SeenBoard& board = before.boards[played];
  if (temperature(board) == temperature(*hottest)) {
    return fmt::format(", on the hottest board ({})",
                       dyadic_about(temperature(board), board.worth.is_exact));
  }
  return fmt::format(", on a board of temperature {}; board {} had {}",
                     dyadic_about(temperature(board), board.worth.is_exact),
                     hottest - before.boards.begin() + 1,
                     dyadic_about(temperature(*hottest), hottest->worth.is_exact));
}

/// What is drawn, in words: nothing that this game has not.
std::string legend_of(const std::vector<SeenSum>& game) {
  const bool is_sum = game[0].boards.size() > 1;
  const bool has_moves =
      std::ranges::any_of(game, [](const SeenSum& sum) { return !sum.squares.empty(); });
  const auto has_board = [&](const auto& is_such) {
    return std::ranges::any_of(
        game, [&](const SeenSum& sum) { return std::ranges::any_of(sum.boards, is_such); });
  };
  // An integer has a mast alone.
  const bool has_walls = has_board([](const SeenBoard& board) {
    return board.thermograph && board.worth.value.temperature > -1;
  });
  std::string text = fmt::format(
      "Beside {} board its thermograph: values increase to the left, temperatures upwards. {}",
      is_sum ? "each" : "the",
      has_walls ? "<span class=\"key1\">Black's wall</span> on the left, <span "
                  "class=\"key2\">White's wall</span> on the right and the <b>mast</b> at the mean "
                  "meet at the temperature."
                : "The <b>mast</b> stands at the mean.");
  if (has_moves) {
    text += fmt::format(
        " {} queen went from the dashed square to the framed one, and the cross is its "
        "arrow.",
        is_sum ? "A framed board was played last: its" : "The");
  }
  if (has_board([](const SeenBoard& board) { return !board.worth.is_exact; }))
    text += " ~ stands before what is not exact, without a thermograph.";
  return text + (is_sum ? " The curve is the sum of the means." : " The curve is the mean.");
}

}  // namespace

cli::ReplayPage replay_page(const std::vector<SeenSum>& game, int side, const std::string& end,
                            const std::string& players) {
  Json data = {{"speeds", {1, 0.5, 2, 4, 8}}, {"side", side}};
  for (std::size_t t = 0; t < game.size(); ++t) {
    Dyadic total;
    bool is_exact = true;
    Json boards = Json::array();
    for (const SeenBoard& board : game[t].boards) {
      total += board.worth.value.mean;
      is_exact = is_exact && board.worth.is_exact;
      boards.push_back(board_json(board));
    }
    data["boards"].push_back(std::move(boards));
    data["scores"].push_back(total.to_double());
    data["shown"].push_back(dyadic_about(total, is_exact));
    data["played"].push_back(game[t].played);
    data["squares"].push_back(game[t].squares);
    data["texts"].push_back(t == 0 ? "The start"
                                   : game[t].move + heat_text(game[t - 1], game[t].played));
  }
  return {.program = "amazons",
          .title = "Amazons",
          .players = players,
          .end = end,
          .view_box = "0 0 440 220",
          .legend = legend_of(game),
          .step = "move",
          .score = "Sum of means",
          .style = kBoardStyle,
          .script = kBoardScript,
          .data = std::move(data)};
}

}  // namespace ntune::amazons
