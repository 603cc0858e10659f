#include "apps/amazons/options.h"

#include "apps/common/options.h"

namespace ntune::amazons {

namespace {

/// A choice among the names of an option of TdsOptions.
template <class Choice, class Names>
void add_named(CLI::App& command, const char* name, std::optional<Choice>& target, const char* help,
               const Names& names) {
  cli::add_choice<Choice>(command, name, target, help, {names.begin(), names.end()});
}

}  // namespace

void add_database_option(CLI::App& command, std::string& file) {
  command.add_option("--database", file, "file of `amazons database --out` (default: computed)")
      ->type_name("FILE");
}

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
            "which of equally good moves is preferred: coupon (default) or board",
            tds_ties_names());
  add_named(command, "--reading", arguments.reading,
            "the temperature: prior (the coupon before the first board move), top (the one on top "
            "then), or rounded (default: prior, rounded up to a possible temperature)",
            tds_reading_names());
  add_named(command, "--no-board-move", arguments.no_board_move,
            "the temperature where a stopped search saw no board move: half_smallest (coupon; "
            "default), smallest, half_largest, largest, minus_one",
            tds_no_board_move_names());
  command.add_flag(
      "--literal", arguments.literal,
      "follow the paper literally where it is unsound: all three below, and --reading prior");
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

void add_limit_options(CLI::App& command, LimitArguments& limits, const std::string& what) {
  constexpr double kMostSeconds = 86'400;  // a day
  const std::string nodes = "nodes " + what;
  cli::add_number<std::int64_t>(command, "--nodes", limits.nodes, nodes.c_str(), 1,
                                std::int64_t{1} << 50);
  const std::string seconds = "processor time " + what;
  cli::add_real(command, "--seconds", limits.seconds, seconds.c_str(), 1e-6, kMostSeconds);
}

void add_sum_options(CLI::App& command, SumArguments& arguments) {
  cli::add_number<int>(command, "--boards", arguments.boards, "boards of a sum (default 2)", 1,
                       static_cast<int>(AmazonsSum<4>::kMostBoards));
  cli::add_number<int>(command, "--size", arguments.size, "side of a board, 4, 5 or 6 (default 4)",
                       4, 6);
  cli::add_number<int>(command, "--burnt", arguments.burnt,
                       "burnt squares of a board at random places (default 3)", 0, 34);
}

}  // namespace ntune::amazons
