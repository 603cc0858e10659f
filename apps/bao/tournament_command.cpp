#include <ostream>

#include <fmt/format.h>

#include "apps/bao/commands.h"
#include "apps/bao/matches.h"
#include "apps/common/rows.h"
#include "ntune/core/error.h"
#include "ntune/core/option_json.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"

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

std::string wins_table(const Tournament& tournament) {
  std::vector<std::string> titles = {"<S\\N"};
  for (const Player& north : tournament.north) titles.push_back(north.name);
  titles.emplace_back("Score");
  TextTable table(titles);
  for (std::size_t s = 0; s < tournament.south.size(); ++s) {
    std::vector<std::string> row = {tournament.south[s].name};
    for (std::size_t n = 0; n < tournament.north.size(); ++n) {
      row.push_back(std::to_string(tournament.at(s, n).south_wins));
    }
    row.push_back(std::to_string(tournament.row(s).south_wins));
    table.add_row(row);
  }
  return table.text();
}

std::string shares_table(const Tournament& tournament) {
  TextTable table({"<South", "<share of the score", "plies", "nodes a move", "ties a move",
                   "<deviations a game"});
  for (std::size_t s = 0; s < tournament.south.size(); ++s) {
    const MatchResult row = tournament.row(s);
    const auto moves = static_cast<double>(row.south.moves);
    const bool compared = tournament.south[s].settings.search.agent.compared_depth > 0;
    table.add_row(
        {tournament.south[s].name, percent_text(row.share(), row.interval()),
         fmt::format("{:.1f}", row.plies.mean()),
         count_text(static_cast<std::int64_t>(static_cast<double>(row.south.nodes) / moves)),
         fmt::format("{:.3f}", static_cast<double>(row.south.ties) / moves),
         compared ? fmt::format("{:.2f} ± {:.2f}", row.deviations.mean(), row.deviations.sd())
                  : "-"});
  }
  return table.text();
}

void print(const Tournament& tournament, const TournamentArguments& arguments, const Starts& starts,
           std::ostream& out) {
  std::vector<Json> rows;
  for (std::size_t s = 0; s < tournament.south.size(); ++s) {
    for (std::size_t n = 0; n < tournament.north.size(); ++n) {
      Json row = {{"south", tournament.south[s].name}, {"north", tournament.north[n].name}};
      row.update(result_json(tournament.at(s, n)));
      rows.push_back(std::move(row));
    }
  }
  const auto games = tournament.results.front().games;
  const Json json = {{"seed", arguments.seed},
                     {"starts", starts.json},
                     {"games_of_a_match", games},
                     {"south", options_json(tournament.south.front().settings)},
                     {"north", options_json(tournament.north.front().settings)},
                     {"matches", rows}};
  cli::print_result(
      out, arguments.output.format, json, rows,
      fmt::format("South: {}; North: {}\n{}, seed {}\n\nGames of {} that South won:\n{}\n{}",
                  arguments.south.empty() ? "depth=6" : printable(arguments.south),
                  arguments.north.empty() ? "depth=6" : printable(arguments.north), starts.text,
                  arguments.seed, games, wins_table(tournament), shares_table(tournament)));
}

}  // namespace

int tournament_command(const TournamentArguments& arguments, const Terminal& terminal) {
  Tournament tournament = {.south = players_of(arguments, "--south", arguments.south),
                           .north = players_of(arguments, "--north", arguments.north),
                           .results = {}};
  const Starts starts = read_starts(arguments.starts, arguments.folder, arguments.seed);
  const std::vector<Match> matches = matches_of(tournament, arguments.seed);
  const auto games =
      static_cast<std::int64_t>(matches.size() * starts.positions.size()) * arguments.repeats;
  const bool stopped = interrupted_while(
      games, arguments.output, terminal, [&](Progress& progress, Parallel& parallel) {
        tournament.results =
            play_matches(matches, starts.positions, arguments.repeats, parallel, progress);
      });
  if (stopped) return cli::kInterrupted;
  print(tournament, arguments, starts, terminal.out);
  return cli::kDone;
}

}  // namespace ntune::bao
