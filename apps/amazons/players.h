#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "apps/common/arguments.h"
#include "apps/common/flags.h"
#include "apps/common/terminal.h"
#include "ntune/core/json.h"
#include "ntune/core/parallel.h"
#include "ntune/games/amazons/database/database.h"
#include "ntune/games/amazons/sums/sum_player.h"

namespace ntune::amazons {

using cli::Flags;
using cli::Format;
using cli::OutputArguments;
using cli::Terminal;

/// The database in the file, or built.
AmazonsDatabase database_of(const std::string& file, Parallel& parallel);

/// What a decision may cost, for the players that do not say it themselves.
struct LimitArguments {
  std::optional<std::int64_t> nodes;
  std::optional<double> seconds;

  /// --nodes and --seconds, with `what` they limit, such as "of a move".
  void visit(Flags& flags, const std::string& what);
};

/// Somebody who plays sums.
struct SumPlayer {
  std::string name;
  SumPlayerOptions options;
};
/// "NAME" or "NAME:option=value,option=value". Throws InputError that begins with the option.
SumPlayer read_sum_player(const std::string& option, const std::string& text,
                          const LimitArguments& limits);
/// "hotstrat-TDS+, 20000 nodes".
std::string player_text(const SumPlayer& player);
Json player_json(const SumPlayer& player);

/// Which sums are played.
struct SumArguments {
  int boards = 2;
  int size = 4;
  int burnt = 3;

  void visit(Flags& flags);
};
/// Throws InputError: more burnt squares than there are.
void check_sums(const SumArguments& arguments);

/// The database if one of the players asks for it. Throws InputError: boards are not 4x4, or as
/// database_of.
std::shared_ptr<const AmazonsDatabase> database_for(const std::vector<SumPlayer>& players, int size,
                                                    const std::string& file, Parallel& parallel);

/// act(std::integral_constant<int, side>()) for the side 4, 5 or 6.
template <class Act>
decltype(auto) with_side(int side, Act act) {
  if (side == 4) return act(std::integral_constant<int, 4>());
  if (side == 5) return act(std::integral_constant<int, 5>());
  return act(std::integral_constant<int, 6>());
}

}  // namespace ntune::amazons
