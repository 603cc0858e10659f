#include "apps/amazons/tds_arguments.h"

#include <fmt/format.h>

#include "apps/common/options.h"
#include "ntune/agents/combinatorial_game/dyadic.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune::amazons {

namespace {

/// An optional choice among the names of an option of TdsOptions.
template <class Choice, class Names>
void add_named(CLI::App& command, const char* name, std::optional<Choice>& target, const char* help,
               const Names& names) {
  cli::add_choice<Choice>(command, name, [&target](const Choice& choice) { target = choice; }, help,
                          {names.begin(), names.end()});
}

}  // namespace

void add_tds_options(CLI::App& command, TdsArguments& arguments) {
  command
      .add_option("--delta", arguments.delta,
                  "distance of the coupons, 1, 1/2, 1/4 …; auto (default): exact, 2^-n for n empty "
                  "squares")
      ->type_name("D");
  command
      .add_option("--t-max", arguments.t_max,
                  "largest coupon; auto (default): the empty squares - 1 + delta")
      ->type_name("T");
  cli::add_number<int>(command, "--margin", arguments.margin,
                       "E1: the next t_max is N delta above the temperature found (default 2)", 0,
                       1000);
  add_named(command, "--ties", arguments.ties,
            "who is preferred among equally good moves: coupon (default) or board",
            tds_ties_names());
  add_named(command, "--reading", arguments.reading,
            "the temperature: prior (the coupon before the first board move), top (the one on top "
            "then), or rounded (default: prior, rounded up to a possible temperature)",
            tds_reading_names());
  add_named(command, "--no-board-move", arguments.no_board_move,
            "the temperature where a stopped search saw no board move: half_smallest (coupon; "
            "default), smallest, half_largest, largest, minus_one",
            tds_no_board_move_names());
  command.add_flag("--literal", arguments.literal,
                   "the paper's letter where it is unsound: all three below, and --reading prior");
  command.add_flag("--literal-e2", arguments.literal_e2,
                   "E2: only a position's own possible temperatures");
  command.add_flag("--literal-e4", arguments.literal_e4,
                   "E4: a follower's temperature as read, not rounded up");
  command.add_flag("--literal-key", arguments.literal_key,
                   "keys of the table without the -1 coupons taken");
  cli::add_number<int>(command, "--table", arguments.table_mb,
                       "transposition table in MiB, rounded down to a power of two (default 64)", 1,
                       65536);
}

void add_limits(CLI::App& command, std::optional<std::int64_t>& nodes,
                std::optional<double>& seconds) {
  cli::add_number<std::int64_t>(command, "--nodes", nodes, "limit of nodes (default none)", 1,
                                std::int64_t{1} << 53);
  cli::add_real(command, "--seconds", seconds, "limit of processor time (default none)", 1e-6, 1e9);
}

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

}  // namespace ntune::amazons
