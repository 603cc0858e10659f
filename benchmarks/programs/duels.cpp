// Tuning by duels beside SPSA and fixed opponents, on simulated games whose strengths are known.
// Landscape l of a case and the games of run l have the same streams for every method.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/programs/experiment.h"
#include "ntune/core/game_statistics.h"
#include "ntune/core/statistics.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/functions/simulated_games.h"
#include "ntune/objective/match/match_objective.h"
#include "ntune/optim/optimisers.h"

namespace ntune {
namespace {

/// What a run has come to.
struct Result {
  double won = 0.0;   ///< Elo of the recommendation above the default
  double best = 0.0;  ///< the same as the expected score says
  std::optional<Claim> claim = {};
};

Point nearest(const SearchSpace& space, const Point& point) {
  return space.nearest_on_grid(point).value_or(point);
}

/// So many matches of two games each; with players games with so many seats.
Result run(const std::shared_ptr<const SimulatedGames>& simulated, int players,
           const OptimiserPlan& plan, std::int64_t matches, const Rng& rng) {
  const SimulatedGames& games = *simulated;
  const MatchObjective seated(simulated, {.players = players});
  const Matches& playing = players > 0 ? *seated.matches() : *games.matches();
  const Point& incumbent = games.default_point();
  const auto optimiser = plan.make({.space = &games.space(),
                                    .budget = matches,
                                    .payoff_low = 0.0,
                                    .payoff_high = 1.0,
                                    .matches = plan.needs_matches,
                                    .incumbent = incumbent});
  Rng asking = rng.stream("optimiser");
  for (std::int64_t i = 0; i < matches; ++i) {
    const Proposal asked = optimiser->ask(asking);
    Rng stream = rng.stream("match", static_cast<std::uint64_t>(i));
    const Outcome outcome =
        playing.play(asked.point, asked.opponent.value_or(incumbent), stream, {});
    optimiser->tell(asked, {.payoffs = std::span(&outcome.payoff, 1), .games = outcome.games});
  }
  const Point best = nearest(games.space(), optimiser->recommend().point);
  Result result{
      .won = games.strength(best),
      .best = players > 0 ? games.true_seated_value(best, players) : games.true_value(best)};
  if (const auto certainty = optimiser->certainty()) result.claim = certainty->claim;
  return result;
}

struct Arguments {
  std::string file = "duels.csv";
  std::string method = "duels";
  std::string landscape = "bowl";
  int dimensions = 4;
  int interactions = 2;
  double elo = 60.0;
  double draws = 0.4;
  double openings = 0.0;
  double non_transitive = 0.0;
  int cliffs = 0;
  int players = 0;
  std::int64_t games = 1000;
  int landscapes = 12;
  int first = 1;
  std::string each;
  bool serve = false;
};

/// The methods by name: those of the optimisers' table, and the settings of SPSA that are compared.
std::vector<std::pair<std::string, std::string>> methods_of(const std::string& name) {
  if (name != "spsa") return {{name, name.starts_with('{') ? name : "{algorithm: " + name + "}"}};
  std::vector<std::pair<std::string, std::string>> methods;
  for (const double c : {0.05, 0.1, 0.2, 0.35}) {
    for (const double r : {0.002, 0.007, 0.02, 0.07, 0.2}) {
      for (const bool average : {false, true}) {
        methods.emplace_back(
            fmt::format("spsa c={} r={}{}", c, r, average ? " mean" : ""),
            fmt::format("{{algorithm: spsa_duels, c_end: {}, r_end: {}, average: {}}}", c, r,
                        average));
      }
    }
  }
  return methods;
}

SimulatedGamesOptions options_of(const Arguments& arguments, int landscape) {
  SimulatedGamesOptions options{.dimensions = arguments.dimensions,
                                .interactions = arguments.interactions,
                                .elo = arguments.elo,
                                .draws = arguments.draws,
                                .openings = arguments.openings,
                                .non_transitive = arguments.non_transitive,
                                .cliffs = arguments.cliffs,
                                .landscape_seed = landscape};
  if (arguments.landscape == "smooth") options.landscape = StrengthLandscape::kSmooth;
  if (arguments.landscape == "nk") options.landscape = StrengthLandscape::kNk;
  if (arguments.landscape == "mixed") options.landscape = StrengthLandscape::kMixed;
  return options;
}

/// Columns of all landscapes together.
std::string measure(const Arguments& arguments, const std::string& settings) {
  RunningStats won;
  RunningStats excess;  // of the claim over the truth, in Elo
  RunningStats width;
  int covered = 0;
  int claims = 0;
  for (int l = arguments.first; l < arguments.first + arguments.landscapes; ++l) {
    const auto games = std::make_shared<const SimulatedGames>(options_of(arguments, l));
    const OptimiserPlan plan = plan_optimiser(parse_yaml(settings), games->space());
    const Rng rng = Rng(static_cast<std::uint64_t>(l)).stream("duels");
    const Result result = run(games, arguments.players, plan, arguments.games / 2, rng);
    won.add(result.won);
    const double truth = elo_of_score(result.best);
    const Claim claim = result.claim.value_or(Claim{});
    if (!arguments.each.empty()) {
      std::ofstream(arguments.each, std::ios::app) << fmt::format(
          "{},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f}\n", l, result.won, truth, elo_of_score(claim.mean),
          elo_of_score(claim.low), elo_of_score(claim.high));
    }
    if (!result.claim) continue;
    ++claims;
    if (result.best >= claim.low && result.best <= claim.high) ++covered;
    excess.add(elo_of_score(claim.mean) - truth);
    width.add(elo_of_score(claim.high) - elo_of_score(claim.low));
  }
  constexpr double kWidth = 1.96;  // Not kNormal95: the recorded tables have this width.
  return fmt::format("{},{:.2f},{:.2f},{},{},{:.1f},{:.1f}", won.count(), won.mean(),
                     kWidth * won.sd() / std::sqrt(static_cast<double>(won.count())), covered,
                     claims, claims > 0 ? excess.mean() : 0.0, claims > 0 ? width.mean() : 0.0);
}

void add_rows(const Arguments& arguments) {
  ResultRows rows(
      arguments.file,
      "landscape,dimensions,interactions,elo,draws,openings,non_transitive,cliffs,games,method,"
      "first,n,won,half_width,covered,claims,claim_excess,claim_width",
      7);
  const std::string seats =
      arguments.players > 0 ? fmt::format(" at {} seats", arguments.players) : "";
  for (const auto& [name, settings] : methods_of(arguments.method)) {
    const std::string quoted = name.find(',') == std::string::npos ? name : '"' + name + '"';
    rows.add(fmt::format("{}{},{},{},{},{},{},{},{},{},{},{}", arguments.landscape, seats,
                         arguments.dimensions, arguments.interactions, arguments.elo,
                         arguments.draws, arguments.openings, arguments.non_transitive,
                         arguments.cliffs, arguments.games, quoted, arguments.first),
             [&, &settings = settings] { return measure(arguments, settings); });
  }
}

/// Plays matches with the default for a search of another program: prints the numbers of values
/// that the parameters have, then the points per game of a match for each line of indices. A line
/// that begins with "?" is answered by the Elo of its point.
void serve(const Arguments& arguments) {
  const SimulatedGames games(options_of(arguments, arguments.first));
  const Rng rng = Rng(static_cast<std::uint64_t>(arguments.first)).stream("duels");
  const SearchSpace& space = games.space();
  for (int i = 0; i < space.dimensions(); ++i) {
    fmt::print("{}{}", i > 0 ? " " : "", space[i].cardinality());
  }
  fmt::print("\n");
  std::fflush(stdout);
  std::uint64_t matches = 0;
  for (std::string line; std::getline(std::cin, line);) {
    const bool asks = line.starts_with('?');
    std::istringstream words(asks ? line.substr(1) : line);
    Point point(space.dimensions());
    for (int i = 0; i < point.size(); ++i) words >> point[i];
    space.canonicalise(point);
    if (asks) {
      fmt::print("{}\n", games.strength(point));
    } else {
      Rng stream = rng.stream("match", matches++);
      fmt::print("{}\n", games.play(point, games.default_point(), stream, {}).payoff);
    }
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace ntune

int main(int argc, char** argv) {
  ntune::Arguments arguments;
  CLI::App program(
      "Adds to FILE what a method of tuning wins in simulated games: Elo of its "
      "recommendation above the default, mean over landscapes");
  program.add_option("file", arguments.file, "CSV file of results")->required();
  program.add_option("--method", arguments.method,
                     "an optimiser by name or as a map, or spsa: 40 settings of SPSA by duels");
  program.add_option("--landscape", arguments.landscape, "bowl, smooth, nk or mixed")
      ->check(CLI::IsMember({"bowl", "smooth", "nk", "mixed"}));
  program.add_option("--dimensions", arguments.dimensions, "parameters");
  program.add_option("--interactions", arguments.interactions, "k of an NK landscape");
  program.add_option("--elo", arguments.elo, "Elo to be won");
  program.add_option("--draws", arguments.draws, "probability of a draw between equals");
  program.add_option("--openings", arguments.openings, "Elo that an opening is worth");
  program.add_option("--non-transitive", arguments.non_transitive, "Elo that no strengths explain");
  program.add_option("--cliffs", arguments.cliffs, "parameters with values that lose");
  program.add_option("--players", arguments.players,
                     "seats of a game, which both players share; without it games are of two");
  program.add_option("--games", arguments.games, "games of a search");
  program.add_option("-n,--landscapes", arguments.landscapes, "landscapes");
  program.add_option("--first", arguments.first, "seed of the first landscape");
  program.add_option("--each", arguments.each,
                     "file for each landscape: Elo won, true lead, claimed lead and its interval");
  program.add_flag("--serve", arguments.serve,
                   "play matches of the first landscape with its default: lines of value indices "
                   "on standard input");
  return ntune::run_experiment(program, argc, argv, [&] {
    arguments.serve ? ntune::serve(arguments) : ntune::add_rows(arguments);
  });
}
