#include "apps/amazons/tds_arguments.h"

#include <fmt/format.h>

#include "apps/common/options.h"
#include "ntune/agents/combinatorial_game/dyadic.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune::amazons {

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
