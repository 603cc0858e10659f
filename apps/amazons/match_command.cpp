#include <ostream>

#include <fmt/format.h>

#include "apps/amazons/commands.h"
#include "apps/amazons/matches.h"
#include "apps/common/rows.h"
#include "apps/common/watched.h"

namespace ntune::amazons {

namespace {

void print(const SumMatchResult& result, const SumMatch& match, const MatchArguments& arguments,
           std::ostream& out) {
  Json json = {{"player", player_json(match.player)},
               {"opponent", player_json(match.opponent)},
               {"boards", match.sums.boards},
               {"size", match.sums.size},
               {"burnt", match.sums.burnt},
               {"sums", match.count},
               {"seed", arguments.seed}};
  json.update(result_json(result));
  Json row = {{"player", match.player.name},
              {"opponent", match.opponent.name},
              {"boards", match.sums.boards},
              {"size", match.sums.size},
              {"seed", arguments.seed}};
  row.update(result_json(result));
  cli::print_result(
      out, arguments.output.format, json, {row},
      fmt::format("{}\nagainst {}\n{} sums of {} boards of {}x{}, {} squares burnt, both colours, "
                  "seed {}\n\n{} of {} games won: {}\nscore {}, standard deviation of a game "
                  "{:.2f}\n\n{}",
                  player_text(match.player), player_text(match.opponent), match.count,
                  match.sums.boards, match.sums.size, match.sums.size, match.sums.burnt,
                  arguments.seed, result.wins, result.games, share_text(result), score_text(result),
                  result.score.sd(), counts_text(result, match)));
}

}  // namespace

int match_command(const MatchArguments& arguments, const Terminal& terminal) {
  check_sums(arguments.sums);
  SumMatch match = {.player = read_sum_player("player", arguments.player, arguments.limits),
                    .opponent = read_sum_player("opponent", arguments.opponent, arguments.limits),
                    .sums = arguments.sums,
                    .count = arguments.count,
                    .rng = cli::rng_of(arguments.seed),
                    .database = nullptr};
  Parallel parallel(arguments.output.threads);
  match.database =
      database_for({match.player, match.opponent}, match.sums.size, arguments.database, parallel);
  const SumMatchResult result =
      cli::watched(2 * match.count, "games", arguments.output, terminal,
                   [&](Progress& progress) { return play_match(match, parallel, progress); });
  print(result, match, arguments, terminal.out);
  return cli::kDone;
}

}  // namespace ntune::amazons
