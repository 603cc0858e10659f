// The commands of players of sums.

#include "apps/amazons/options.h"
#include "apps/amazons/sum_commands.h"
#include "apps/common/options.h"
#include "apps/common/program.h"

namespace ntune::amazons {

namespace {

constexpr const char* kPlayerHelp =
    "hotstrat-SOURCE or sentestrat-SOURCE (TDS, TDS_13, TDS+, all or database), arrow or random, "
    "then :option=value,option=value";

constexpr const char* kMoveLimits = "limit for each move (default 20000 nodes)";

void add_match(cli::Program& program) {
  const auto [command, match] = program.add<MatchArguments>(
      "match", "let two players play random sums with both colours", match_command);
  command.add_option("player", match.player, kPlayerHelp)->required()->type_name("PLAYER");
  command.add_option("opponent", match.opponent, "against whom")->required()->type_name("PLAYER");
  add_sum_options(command, match.sums);
  cli::add_number<std::int64_t>(command, "--sums", match.count,
                                "random sums, two games each (default 100)", 1, 1'000'000);
  add_limit_options(command, match.limits, kMoveLimits);
  add_database_option(command, match.database);
  cli::add_seed_option(command, match.seed);
  cli::add_output_options(command, match.output);
}

void add_play(cli::Program& program) {
  const auto [command, play] =
      program.add<PlayArguments>("play", "play a sum yourself, or watch two players", play_command);
  command.add_option("--black", play.black, "person (default) or a player")->type_name("PLAYER");
  command.add_option("--white", play.white, "a player (default hotstrat-all) or person")
      ->type_name("PLAYER");
  command.add_option("--position", play.positions, "a board; once for each (default random ones)")
      ->type_name("POSITION");
  add_sum_options(command, play.sums);
  add_limit_options(command, play.limits, kMoveLimits);
  add_database_option(command, play.database);
  cli::add_seed_option(command, play.seed);
}

void add_compare(cli::Program& program) {
  const auto [command, compare] = program.add<CompareArguments>(
      "compare", "errors of two settings of TDS on the same random positions", compare_command);
  command
      .add_option("settings", compare.settings,
                  "variant such as TDS_13, then :option=value,option=value")
      ->required()
      ->type_name("SETTINGS");
  command.add_option("--baseline", compare.baseline, "the other settings (default TDS+)")
      ->type_name("SETTINGS");
  cli::add_number<std::int64_t>(command, "--positions", compare.positions,
                                "random positions of the 4x4 database (default 1000)", 1,
                                100'000'000);
  cli::add_number<int>(command, "--least-empties", compare.least_empties,
                       "empty squares, at least (default 6)", 2, 14);
  cli::add_number<int>(command, "--most-empties", compare.most_empties,
                       "empty squares, at most (default 14)", 2, 14);
  add_limit_options(command, compare.limits, "limit for each position (default 3000 nodes)");
  add_database_option(command, compare.database);
  cli::add_seed_option(command, compare.seed);
  cli::add_output_options(command, compare.output);
}

}  // namespace

void add_sum_commands(cli::Program& program) {
  add_match(program);
  add_play(program);
  add_compare(program);
}

void add_match_table_options(CLI::App& command, MatchTableArguments& matches) {
  command
      .add_option("--player", matches.player,
                  "the player of experiments 3 and 4 (default hotstrat-TDS+)")
      ->type_name("PLAYER");
  command
      .add_option("--opponent", matches.opponent,
                  "the opponent in experiments 3 and 4 (default the table's)")
      ->type_name("PLAYER");
  command
      .add_option("--boards", matches.boards,
                  "boards of a sum in experiments 3 and 4, with commas (default 2,4,6)")
      ->delimiter(',')
      ->type_name("N");
  command
      .add_option("--sizes", matches.sizes,
                  "sides of the boards in experiments 3 and 4, with commas (default 4,5,6)")
      ->delimiter(',')
      ->type_name("N");
  cli::add_number<std::int64_t>(
      command, "--nodes", matches.nodes,
      "limit of nodes for each move in experiments 3 and 4, instead of time", 1,
      std::int64_t{1} << 50);
  cli::add_number<std::int64_t>(
      command, "--games", matches.games,
      "games of each cell of experiments 3 and 4, an even number (default 20)", 2, 1'000'000);
  cli::add_seed_option(command, matches.seed);
}

}  // namespace ntune::amazons
