#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/amazons/commands.h"
#include "apps/amazons/replay.h"
#include "apps/common/rows.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/games/amazons/notation.h"
#include "ntune/games/amazons/tds.h"

namespace ntune::amazons {

namespace {

template <int kSide>
std::string move_text(const TdsMove<AmazonsPosition<kSide>>& move) {
  return move.is_coupon ? fmt::format("C({})", dyadic_text(move.coupon))
                        : amazons_move_text<kSide>(move.move);
}

/// What is known of the answer.
template <class Result>
const char* state_text(const Result& result) {
  if (result.is_exact) return "exact";
  return result.is_finished ? "approximate: delta or the reading is not exact in general"
                            : "approximate: stopped by the limit";
}

/// The numbered moves in lines of a terminal; no move is broken.
std::string variation_text(const std::vector<std::string>& moves) {
  constexpr std::size_t kColumns = 80;
  std::string text;
  std::size_t used = kColumns;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const std::string move = fmt::format("  {}. {}", i + 1, moves[i]);
    if (used + move.size() > kColumns) {
      text += '\n';
      used = 0;
    }
    text += move;
    used += move.size();
  }
  return text;
}

/// Boards of a variation, each with what it is worth: exact where it is small, else by a short
/// search.
template <int kSide>
class SeenBoards {
 public:
  using Position = AmazonsPosition<kSide>;

  explicit SeenBoards(TdsOptions options) : options_(std::move(options)) {
    constexpr std::int64_t kMostNodes = 20'000;
    options_.variation = false;
    options_.nodes = {false, kMostNodes};
  }

  /// A board of which a search has found this.
  SeenBoard found(const Position& board, const BoardWorth& worth) {
    SeenBoard seen{.squares = amazons_text(board), .worth = worth};
    if (!worth.is_exact) return seen;
    if (const Thermograph* whole = solver_.solve(board)) seen.thermograph = *whole;
    return seen;
  }
  SeenBoard after_move(const Position& board) {
    if (const Thermograph* whole = solver_.solve(board))
      return found(board, {whole->value(), true});
    const auto result = TemperatureDiscovery<Position>(options_).solve(board);
    return found(board, {result.value, result.is_exact});
  }

 private:
  static constexpr std::size_t kMostPositions = 100'000;

  TdsOptions options_;
  ThermographSolver<Position> solver_{kMostPositions};
};

/// The principal variation as a page, the board with its thermograph beside it.
template <int kSide, class Result>
cli::ReplayPage variation_page(const AmazonsPosition<kSide>& position, const TdsOptions& options,
                               const Result& result) {
  SeenBoards<kSide> boards(options);
  AmazonsPosition<kSide> at = position;
  std::vector<SeenSum> game = {{.boards = {boards.found(at, {result.value, result.is_exact})}}};
  Dyadic coupons;
  for (const auto& move : result.variation) {
    const bool is_left = move.player == Player::kLeft;
    SeenSum seen{.boards = game.back().boards};
    if (move.is_coupon) {
      coupons += is_left ? move.coupon : -move.coupon;
    } else {
      at.apply(move.player, move.move);
      seen.boards = {boards.after_move(at)};
      seen.squares = {move.move.from, move.move.to, move.move.arrow};
    }
    seen.move =
        fmt::format("{}. {}: {}\nCoupons, Black's less White's: {}", game.size(),
                    is_left ? "Black" : "White", move_text<kSide>(move), dyadic_text(coupons));
    game.push_back(std::move(seen));
  }
  cli::ReplayPage page = replay_page(
      game, kSide,
      fmt::format("Mean {}, temperature {}, {}", dyadic_text(result.value.mean),
                  dyadic_text(result.value.temperature), state_text(result)),
      fmt::format("{}, delta {}, t_max {}, {} nodes", tds_variant_text(options.enhancements),
                  dyadic_text(Dyadic::power(result.delta_exponent)), dyadic_text(result.t_max),
                  count_text(result.nodes)));
  page.title = "Temperature discovery search";
  page.score = "Mean";
  page.legend += " C(1) takes the coupon of 1, the largest that is left, instead of a move.";
  return page;
}

template <int kSide>
void print(const AmazonsPosition<kSide>& position, const TdsOptions& options,
           const TdsCommandArguments& arguments, const Terminal& terminal) {
  const auto result = TemperatureDiscovery<AmazonsPosition<kSide>>(options).solve(position);
  const std::string delta = dyadic_text(Dyadic::power(result.delta_exponent));
  // The principal variation as a list and as a text with numbers.
  std::vector<std::string> moves;
  for (const auto& move : result.variation) moves.push_back(move_text<kSide>(move));
  std::string variation = variation_text(moves);
  if (moves.empty())
    variation = options.enhancements.has(TdsEnhancement::kWalls) ? " none with E6" : " none";
  Json row = {{"mean", dyadic_text(result.value.mean)},
              {"temperature", dyadic_text(result.value.temperature)},
              {"exact", result.is_exact},
              {"finished", result.is_finished},
              {"delta", delta},
              {"t_max", dyadic_text(result.t_max)},
              {"nodes", result.nodes},
              {"searches", result.searches},
              {"re_searches", result.re_searches}};
  Json json = row;
  json["variation"] = moves;
  row["variation"] = fmt::format("{}", fmt::join(moves, " "));
  cli::print_result(
      terminal.out, arguments.format, json, {row},
      fmt::format("mean         {}\ntemperature  {}\n{}\n\n"
                  "{}, delta {}, t_max {}: {} nodes\nsearches: {}, again with a larger t_max: {}\n"
                  "principal variation, Black first:{}\n",
                  dyadic_text(result.value.mean), dyadic_text(result.value.temperature),
                  state_text(result), tds_variant_text(options.enhancements), delta,
                  dyadic_text(result.t_max), count_text(result.nodes), result.searches,
                  result.re_searches, variation));
  if (arguments.replay.empty()) return;
  cli::write_replay(arguments.replay, variation_page<kSide>(position, options, result), terminal);
}

}  // namespace

TdsOptions tds_options_of(const TdsArguments& arguments, const std::string& variant) {
  TdsOptions options;
  options.enhancements = parse_tds_variant(variant);
  if (arguments.delta != "auto") {
    options.delta_exponent = {false, parse_tds_delta("--delta", arguments.delta)};
  }
  if (arguments.t_max != "auto") {
    const Dyadic t_max = parse_dyadic("--t-max", arguments.t_max);
    if (t_max < -1 || t_max > 60 || t_max.exponent() > kTdsExponents) {
      throw InputError(fmt::format("--t-max '{}': a multiple of 1/{} from -1 to 60 is allowed",
                                   printable(arguments.t_max, 40), 1 << kTdsExponents));
    }
    options.t_max = {false, t_max.to_double()};
  }
  if (arguments.literal) options.set_literal();
  options.margin = arguments.margin.value_or(options.margin);
  options.ties = arguments.ties.value_or(options.ties);
  options.reading = arguments.reading.value_or(options.reading);
  options.no_board_move = arguments.no_board_move.value_or(options.no_board_move);
  options.literal_e2 = options.literal_e2 || arguments.literal_e2;
  options.literal_e4 = options.literal_e4 || arguments.literal_e4;
  options.literal_key = options.literal_key || arguments.literal_key;
  options.table_mb = arguments.table_mb;
  options.check();
  return options;
}

int tds_command(const TdsCommandArguments& arguments, const Terminal& terminal) {
  TdsOptions options = tds_options_of(arguments.tds, arguments.variant);
  options.variation = true;
  if (arguments.nodes) options.nodes = {false, *arguments.nodes};
  if (arguments.seconds) options.seconds = {false, *arguments.seconds};
  cli::check_replay(arguments.replay);
  cli::end_at_signals();
  visit_amazons(arguments.position, [&](const auto& position) {
    require_amazons_queens(position, false);
    print(position, options, arguments, terminal);
  });
  return cli::kDone;
}

}  // namespace ntune::amazons
