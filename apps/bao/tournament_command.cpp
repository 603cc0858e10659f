#include <cmath>
#include <ostream>

#include <fmt/format.h>

#include "apps/bao/commands.h"
#include "apps/bao/matches.h"
#include "apps/common/result_table.h"
#include "apps/common/rows.h"
#include "ntune/core/option_json.h"
#include "ntune/core/text.h"

namespace ntune::bao {

namespace {

/// Every player as South against every one as North, and what came of it, row by row.
struct Tournament {
  std::vector<Player> south;
  std::vector<Player> north;
  std::vector<MatchResult> results;

  [[nodiscard]] const MatchResult& at(std::size_t s, std::size_t n) const {
    return results[s * north.size() + n];
  }
  [[nodiscard]] MatchResult row(std::size_t s) const {
    MatchResult all;
    for (std::size_t n = 0; n < north.size(); ++n) all.merge(at(s, n));
    return all;
  }
};

std::vector<Player> players_of(const TournamentArguments& arguments, const char* option,
                               const std::string& settings) {
  const SearchSettings search = read_search(option, settings);
  std::vector<Player> players;
  for (const std::string& name : arguments.players) {
    players.push_back(make_player(option, evaluation_of("--players", name, arguments.folder),
                                  search, arguments.folder));
  }
  return players;
}

std::vector<Match> matches_of(const Tournament& tournament, std::int64_t seed) {
  std::vector<Match> matches;
  for (const Player& south : tournament.south) {
    for (const Player& north : tournament.north) {
      matches.push_back({against(south, north.evaluation), against(north, south.evaluation),
                         rng_of(seed).stream("tournament", matches.size())});
    }
  }
  return matches;
}

/// South's matches: a row each, and the games that he won in a line.
void add_matches(cli::ResultTable& table, const Tournament& tournament, std::size_t s) {
  const std::string& south = tournament.south[s].name;
  table.line().text("<S\\N", south);
  for (std::size_t n = 0; n < tournament.north.size(); ++n) {
    const std::string& north = tournament.north[n].name;
    table.entry()
        .data("south", south)
        .data("north", north)
        .data_of(result_json(tournament.at(s, n)))
        .text(north, std::to_string(tournament.at(s, n).south_wins));
  }
  table.text("Score", std::to_string(tournament.row(s).south_wins));
}

void add_share(cli::ResultTable& table, const Tournament& tournament, std::size_t s) {
  const MatchResult row = tournament.row(s);
  const auto moves = static_cast<double>(row.south.moves);
  const bool compared = tournament.south[s].settings.search.agent.compared_depth > 0;
  table.line()
      .text("<South", tournament.south[s].name)
      .text("<share of the score", percent_text(row.share(), row.interval()))
      .text("plies", fmt::format("{:.1f}", row.plies.mean()))
      .text("nodes a move", count_text(std::floor(static_cast<double>(row.south.nodes) / moves)))
      .text("ties a move", fmt::format("{:.3f}", static_cast<double>(row.south.ties) / moves))
      .text("<deviations a game",
            compared ? fmt::format("{:.2f} ± {:.2f}", row.deviations.mean(), row.deviations.sd())
                     : "-");
}

void print(const Tournament& tournament, const TournamentArguments& arguments, const Starts& starts,
           std::ostream& out) {
  cli::ResultTable matches;
  cli::ResultTable shares;
  for (std::size_t s = 0; s < tournament.south.size(); ++s) {
    add_matches(matches, tournament, s);
    add_share(shares, tournament, s);
  }
  const auto games = tournament.results.front().games;
  const Json json = {{"seed", arguments.seed},
                     {"starts", starts.json},
                     {"games_of_a_match", games},
                     {"south", options_json(tournament.south.front().settings)},
                     {"north", options_json(tournament.north.front().settings)},
                     {"matches", matches.rows()}};
  cli::print_result(
      out, arguments.output.format, json, matches.rows(),
      fmt::format("South: {}; North: {}\n{}, seed {}\n\nGames of {} that South won:\n{}\n{}",
                  arguments.south.empty() ? "depth=6" : printable(arguments.south),
                  arguments.north.empty() ? "depth=6" : printable(arguments.north), starts.text,
                  arguments.seed, games, matches.text(), shares.text()));
}

}  // namespace

int tournament_command(const TournamentArguments& arguments, const Terminal& terminal) {
  Tournament tournament = {.south = players_of(arguments, "--south", arguments.south),
                           .north = players_of(arguments, "--north", arguments.north),
                           .results = {}};
  const Starts starts = read_starts(arguments.starts, arguments.folder, arguments.seed);
  tournament.results = play_watched(matches_of(tournament, arguments.seed), starts,
                                    arguments.repeats, arguments.output, terminal);
  print(tournament, arguments, starts, terminal.out);
  return cli::kDone;
}

}  // namespace ntune::bao
