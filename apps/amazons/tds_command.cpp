#include <fmt/format.h>

#include "apps/amazons/commands.h"
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

template <int kSide>
void print(const AmazonsPosition<kSide>& position, const TdsOptions& options, Format format,
           const Terminal& terminal) {
  const auto result = TemperatureDiscovery<AmazonsPosition<kSide>>(options).solve(position);
  const std::string delta = dyadic_text(Dyadic::power(result.delta_exponent));
  // The principal variation as a list and as a text with numbers.
  std::vector<std::string> moves;
  std::string variation;
  for (const auto& move : result.variation) {
    moves.push_back(move_text<kSide>(move));
    variation += fmt::format("{}{}. {}", variation.empty() ? "" : "  ", moves.size(), moves.back());
  }
  if (moves.empty())
    variation = options.enhancements.has(TdsEnhancement::kWalls) ? "none with E6" : "none";
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
      terminal.out, format, json, {row},
      fmt::format("mean         {}\ntemperature  {}\n{}\n\n"
                  "{}, delta {}, t_max {}: {} nodes; searches: {}, again with a larger t_max: {}\n"
                  "principal variation, Black first: {}\n",
                  dyadic_text(result.value.mean), dyadic_text(result.value.temperature),
                  state_text(result), tds_variant_text(options.enhancements), delta,
                  dyadic_text(result.t_max), count_text(result.nodes), result.searches,
                  result.re_searches, variation));
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
  cli::end_at_signals();
  visit_amazons(arguments.position, [&](const auto& position) {
    require_amazons_queens(position, false);
    print(position, options, arguments.format, terminal);
  });
  return cli::kDone;
}

}  // namespace ntune::amazons
