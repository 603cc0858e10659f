#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/bao/commands.h"
#include "apps/bao/matches.h"
#include "apps/common/result_table.h"
#include "apps/common/rows.h"
#include "apps/common/watched.h"
#include "ntune/core/text.h"

namespace ntune::bao {

namespace {

/// The games of a match, and how many are to be played yet.
struct Games {
  std::vector<TurnGameResult> results;
  std::atomic<std::size_t> left;
};

TurnGameResult play(const Match& match, const Bao& start, const Rng& rng) {
  const auto south = make_bao_agent(match.south);
  const auto north = make_bao_agent(match.north);
  const std::array<BaoAgent*, 2> agents = {south.get(), north.get()};
  return play_turn_game(start, agents, rng);
}

}  // namespace

void MatchResult::add(const TurnGameResult& game) {
  ++games;
  south_wins += game.is_won_by(0) ? 1 : 0;
  plies.add(game.plies);
  deviations.add(static_cast<double>(game.counts[0].deviations));
  south += game.counts[0];
  north += game.counts[1];
}

void MatchResult::merge(const MatchResult& other) {
  games += other.games;
  south_wins += other.south_wins;
  plies.merge(other.plies);
  deviations.merge(other.deviations);
  south += other.south;
  north += other.north;
}

Json result_json(const MatchResult& result) {
  const Interval interval = result.interval();
  return {{"games", result.games},
          {"south_wins", result.south_wins},
          {"share", result.share()},
          {"share_low", interval.low},
          {"share_high", interval.high},
          {"plies", result.plies.mean()},
          {"plies_sd", result.plies.sd()},
          {"deviations", result.deviations.mean()},
          {"deviations_sd", result.deviations.sd()},
          {"south_moves", result.south.moves},
          {"south_ties", result.south.ties},
          {"south_nodes", result.south.nodes},
          {"south_probes", result.south.probes},
          {"north_nodes", result.north.nodes}};
}

std::vector<MatchResult> play_matches(
    std::span<const Match> matches, std::span<const Bao> starts, std::int64_t repeats,
    Parallel& parallel, Progress& progress,
    const std::function<void(std::size_t, const MatchResult&)>& finished) {
  const std::size_t games = starts.size() * static_cast<std::size_t>(repeats);
  std::vector<Games> played(matches.size());
  for (Games& match : played) {
    match.results.resize(games);
    match.left = games;
  }
  std::vector<MatchResult> results(matches.size());
  std::mutex mutex;
  parallel.for_each(matches.size() * games, [&](std::size_t task) {
    if (progress.stop) return;
    const std::size_t i = task / games;
    const std::size_t game = task % games;
    const std::size_t start = game / static_cast<std::size_t>(repeats);
    const std::size_t repeat = game % static_cast<std::size_t>(repeats);
    played[i].results[game] =
        play(matches[i], starts[start], matches[i].rng.stream("game", start, repeat));
    ++progress.done;
    if (--played[i].left > 0) return;
    for (const TurnGameResult& result : played[i].results) results[i].add(result);
    if (!finished) return;
    const std::lock_guard lock(mutex);
    finished(i, results[i]);
  });
  return results;
}

std::vector<MatchResult> play_watched(const std::vector<Match>& matches, const Starts& starts,
                                      std::int64_t repeats, const cli::OutputArguments& output,
                                      const cli::Terminal& terminal) {
  Parallel parallel(output.threads);
  const auto games = static_cast<std::int64_t>(matches.size() * starts.positions.size()) * repeats;
  return cli::watched(games, "games", output, terminal, [&](Progress& progress) {
    return play_matches(matches, starts.positions, repeats, parallel, progress);
  });
}

std::string percent_text(double share, const Interval& interval) {
  return fmt::format("{:.1f} % [{:.1f}, {:.1f}]", 100.0 * share, 100.0 * interval.low,
                     100.0 * interval.high);
}

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

/// The games of one side: its row, and its line as the player had them.
void add_row(cli::ResultTable& table, const MatchResult& result, const Player& south,
             const Player& north, bool is_south) {
  const std::int64_t won = is_south ? result.south_wins : result.games - result.south_wins;
  const auto games = static_cast<double>(result.games);
  const std::int64_t nodes = is_south ? result.south.nodes : result.north.nodes;
  const std::int64_t others = is_south ? result.north.nodes : result.south.nodes;
  table.row()
      .data("south", south.name)
      .data("north", north.name)
      .data_of(result_json(result))
      .text("<the player as", is_south ? "South" : "North")
      .text("games", std::to_string(result.games))
      .text("won", std::to_string(won))
      .text("<share, 95 % interval", percent_text(static_cast<double>(won) / games,
                                                  wilson_interval(static_cast<double>(won), games)))
      .text("plies", fmt::format("{:.1f}", result.plies.mean()))
      .text("nodes", count_text(nodes))
      .text("opponent's", count_text(others))
      .text("<deviations", is_south ? fmt::format("{:.2f} ± {:.2f}", result.deviations.mean(),
                                                  result.deviations.sd())
                                    : "-");
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
  cli::ResultTable table;
  add_row(table, sides.as_south, player, opponent, true);
  if (sides.as_north.games > 0) {
    json["as_north"] = result_json(sides.as_north);
    add_row(table, sides.as_north, opponent, player, false);
  }
  cli::print_result(
      out, arguments.output.format, json, table.rows(),
      fmt::format("{} against {}\n{}, seed {}\n\n{} of {} games won: {}\n\n{}", player_text(player),
                  player_text(opponent), starts.text, arguments.seed, count_text(sides.wins()),
                  count_text(sides.games()), percent_text(sides.share(), interval), table.text()));
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
  const std::vector<MatchResult> results =
      play_watched(matches, starts, arguments.repeats, arguments.output, terminal);
  Sides sides = {results[0], {}};
  if (results.size() > 1) sides.as_north = results[1];
  print(sides, arguments, player, opponent, starts, terminal.out);
  return cli::kDone;
}

}  // namespace ntune::bao
