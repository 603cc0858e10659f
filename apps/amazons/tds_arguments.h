#pragma once

#include <optional>
#include <string>

#include "ntune/agents/combinatorial_game/tds_options.h"

namespace ntune::amazons {

/// The settings of a temperature discovery search as the command line says them.
struct TdsArguments {
  std::string variant = "all";
  std::string delta = "auto";
  std::string t_max = "auto";
  std::optional<int> margin;
  std::optional<TdsTies> ties;
  std::optional<TdsReading> reading;
  std::optional<TdsNoBoardMove> no_board_move;
  bool literal = false;
  bool literal_e2 = false;
  bool literal_e4 = false;
  bool literal_key = false;
  int table_mb = 64;
};

/// The options of TDS with `variant` instead of that of the arguments, without limits. Throws
/// InputError.
TdsOptions tds_options_of(const TdsArguments& arguments, const std::string& variant);

inline constexpr const char* kVariantHelp =
    "TDS, TDS_13 or 13 (E1 and E3; 0 is E10), TDS+ (E1 to E5) or all (E1 to E10)";

}  // namespace ntune::amazons
