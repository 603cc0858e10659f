#include <ostream>

#include <fmt/format.h>

#include "apps/bao/commands.h"
#include "apps/bao/matches.h"
#include "apps/common/rows.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"

namespace ntune::bao {

namespace {

/// The games of the player on both sides, his as South first.
struct Sides {
  MatchResult as_south;
  MatchResult as_north;

  [[nodiscard]] std::int64_t games() const { return as_south.games + as_north.games; }
  [[nodiscard]] std::int64_t wins() const {
    return as_south.south_wins + as_north.games - as_north.south_wins;
  }
  [[nodiscard]] double share() const {
    return static_cast<double>(wins()) / static_cast<double>(games());
  }
  [[nodiscard]] Interval interval() const {
    return wilson_interval(static_cast<double>(wins()), static_cast<double>(games()));
  }
};

std::string deviations_text(const RunningStats& deviations) {
  return fmt::format("{:.2f} ± {:.2f}", deviations.mean(), deviations.sd());
}

std::string table_of(const Sides& sides) {
  TextTable table({"<the player as", "games", "won", "<share, 95 % interval", "plies", "nodes",
                   "opponent's", "<deviations"});
  const auto add = [&](const char* name, const MatchResult& result, bool south) {
    if (result.games == 0) return;
    const std::int64_t won = south ? result.south_wins : result.games - result.south_wins;
    const auto games = static_cast<double>(result.games);
    const double share = static_cast<double>(won) / games;
    const std::int64_t nodes = south ? result.south.nodes : result.north.nodes;
    const std::int64_t others = south ? result.north.nodes : result.south.nodes;
    table.add_row({name, std::to_string(result.games), std::to_string(won),
                   percent_text(share, wilson_interval(static_cast<double>(won), games)),
                   fmt::format("{:.1f}", result.plies.mean()),
                   count_text(static_cast<double>(nodes)), count_text(static_cast<double>(others)),
                   south ? deviations_text(result.deviations) : "-"});
  };
  add("South", sides.as_south, true);
  add("North", sides.as_north, false);
  return table.text();
}

void print(const Sides& sides, const MatchArguments& arguments, const Player& player,
           const Player& opponent, const Starts& starts, std::ostream& out) {
  const Interval interval = sides.interval();
  Json json = {{"player", player_json(player)}, {"opponent", player_json(opponent)},
               {"starts", starts.json},         {"seed", arguments.seed},
               {"repeats", arguments.repeats},  {"games", sides.games()},
               {"wins", sides.wins()},          {"share", sides.share()},
               {"share_low", interval.low},     {"share_high", interval.high}};
  json["as_south"] = result_json(sides.as_south);
  std::vector<Json> rows = {{{"south", player.name}, {"north", opponent.name}}};
  rows[0].update(result_json(sides.as_south));
  if (sides.as_north.games > 0) {
    json["as_north"] = result_json(sides.as_north);
    rows.push_back({{"south", opponent.name}, {"north", player.name}});
    rows[1].update(result_json(sides.as_north));
  }
  cli::print_result(out, arguments.output.format, json, rows,
                    fmt::format("{} against {}\n{}, seed {}\n\n{} of {} games won: {}\n\n{}",
                                player_text(player), player_text(opponent), starts.text,
                                arguments.seed, count_text(static_cast<double>(sides.wins())),
                                count_text(static_cast<double>(sides.games())),
                                percent_text(sides.share(), interval), table_of(sides)));
}

}  // namespace

int match_command(const MatchArguments& arguments, const Terminal& terminal) {
  const Player player = read_player("player", arguments.player, arguments.folder);
  const Player opponent = read_player("opponent", arguments.opponent, arguments.folder);
  const Starts starts = read_starts(arguments.starts, arguments.folder, arguments.seed);
  const BaoPlayer first = against(player, opponent.evaluation);
  const BaoPlayer second = against(opponent, player.evaluation);
  const Rng rng = rng_of(arguments.seed);
  std::vector<Match> matches = {{first, second, rng.stream("match", 0)},
                                {second, first, rng.stream("match", 1)}};
  if (arguments.one_side) matches.resize(1, matches.front());
  const auto games =
      static_cast<std::int64_t>(matches.size() * starts.positions.size()) * arguments.repeats;
  std::vector<MatchResult> results;
  const bool stopped = interrupted_while(
      games, arguments.output, terminal, [&](Progress& progress, Parallel& parallel) {
        results = play_matches(matches, starts.positions, arguments.repeats, parallel, progress);
      });
  if (stopped) return cli::kInterrupted;
  Sides sides = {results[0], {}};
  if (results.size() > 1) sides.as_north = results[1];
  print(sides, arguments, player, opponent, starts, terminal.out);
  return cli::kDone;
}

}  // namespace ntune::bao
