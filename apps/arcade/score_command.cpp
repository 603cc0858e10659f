#include <algorithm>

#include <fmt/format.h>

#include "apps/arcade/commands.h"
#include "apps/arcade/recording.h"
#include "apps/arcade/sample.h"
#include "apps/common/rows.h"
#include "ntune/core/parallel.h"
#include "ntune/core/text.h"

namespace ntune::arcade {

namespace {

/// Name, decimals for people, and games' results of something that is measured.
struct Measure {
  std::string name;
  std::string title;
  int decimals;
  Sample sample;
};

/// How games end, by number.
template <class State>
std::vector<State> ends_of(const ScoreArguments& arguments, const std::vector<Player>& players,
                           const RulesOf<State>& rules, Progress& progress) {
  Parallel parallel(arguments.output.threads);
  std::vector<State> ends(static_cast<std::size_t>(arguments.games));
  parallel.for_each(ends.size(), [&](std::size_t i) {
    ends[i] = play<State>(players, rules, game_stream(arguments.game.seed, i), progress.stop);
    ++progress.done;
  });
  return ends;
}

std::vector<Measure> measures_of(const std::vector<PlanetWars>& ends) {
  std::vector<double> payoffs;
  std::vector<double> leads;
  for (const PlanetWars& end : ends) {
    payoffs.push_back(payoff_of(end));
    leads.push_back(lead_of(end));
  }
  return {{"payoff", "+1 / -1", 3, win_loss_sample_of(payoffs)},
          {"lead", "lead in ships", 2, sample_of(leads)}};
}

std::vector<Measure> measures_of(const std::vector<Asteroids>& ends) {
  std::vector<double> scores;
  for (const Asteroids& end : ends) scores.push_back(payoff_of(end));
  return {{"score", "score", 1, sample_of(scores)}};
}

std::string wins_text(const std::vector<PlanetWars>& ends) {
  const auto wins =
      std::ranges::count_if(ends, [](const PlanetWars& end) { return payoff_of(end) > 0.0; });
  const auto draws =
      std::ranges::count(ends, 0, [](const PlanetWars& end) { return end.score(0); });
  return fmt::format("\n{} won, {} lost{}\n\n", count_text(wins),
                     count_text(std::ssize(ends) - wins),
                     draws > 0 ? fmt::format(", {} of them drawn", draws) : "");
}
std::string wins_text(const std::vector<Asteroids>&) { return "\n\n"; }

template <class State>
int score(const ScoreArguments& arguments, const Terminal& terminal) {
  const std::vector<Player> players = players_of(arguments.game);
  const auto rules = rules_of<RulesOf<State>>(arguments.game);
  const std::vector<State> ends = cli::watched(
      arguments.games, "games", arguments.output, terminal,
      [&](Progress& progress) { return ends_of<State>(arguments, players, rules, progress); });
  cli::ResultTable table;
  Json json = game_json(arguments.game, players);
  for (const auto& [name, title, decimals, sample] : measures_of(ends)) {
    json[name] = sample_json(sample);
    add_sample(table, name, title, sample, decimals);
  }
  cli::print_result(terminal.out, arguments.output.format, json, table.rows(),
                    heading_of(arguments.game, players) + wins_text(ends) + table.text());
  return cli::kDone;
}

}  // namespace

int score_command(const ScoreArguments& arguments, const Terminal& terminal) {
  return arguments.game.game == Game::kPlanetWars ? score<PlanetWars>(arguments, terminal)
                                                  : score<Asteroids>(arguments, terminal);
}

}  // namespace ntune::arcade
