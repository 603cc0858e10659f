#include <algorithm>
#include <cmath>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "apps/arcade/commands.h"
#include "apps/arcade/recording.h"
#include "apps/arcade/sample.h"
#include "apps/common/rows.h"
#include "ntune/core/error.h"
#include "ntune/core/mean_interval.h"
#include "ntune/core/parallel.h"
#include "ntune/core/text.h"

namespace ntune::arcade {

namespace {

double median_of(std::vector<double> values) {
  const std::size_t half = values.size() / 2;
  std::ranges::sort(values);
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

/// What a game can bring: lost, drawn, won.
constexpr PossibleValues kResults = {.low = -1.0, .high = 1.0};

RunningStats pairs_of(const std::vector<double>& results) {
  RunningStats pairs;
  for (std::size_t i = 0; i + 1 < results.size(); i += 2) {
    pairs.add(0.5 * (results[i] + results[i + 1]));
  }
  return pairs;
}

}  // namespace

Sample sample_of(const std::vector<double>& results, bool paired) {
  const RunningStats observed = paired ? pairs_of(results) : stats_of(results);
  Sample sample = {
      .stats = stats_of(results), .interval = std::nullopt, .median = median_of(results)};
  if (observed.count() > 1) sample.interval = student_interval(observed);
  return sample;
}

Sample win_loss_sample_of(const std::vector<double>& results, bool paired) {
  Sample sample = sample_of(results);
  sample.interval = mean_interval(paired ? pairs_of(results) : sample.stats, kResults);
  return sample;
}

Json sample_json(const Sample& sample) {
  const auto end = [&](double Interval::*which) {
    return sample.interval ? Json((*sample.interval).*which) : Json();
  };
  return {{"n", sample.stats.count()},  {"mean", sample.stats.mean()},  {"sd", sample.stats.sd()},
          {"low", end(&Interval::low)}, {"high", end(&Interval::high)}, {"min", sample.stats.min()},
          {"median", sample.median},    {"max", sample.stats.max()}};
}

void add_sample(cli::ResultTable& table, const std::string& measure, const std::string& title,
                const Sample& sample, int decimals) {
  const auto text = [&](double value) { return fmt::format("{:.{}f}", value, decimals); };
  const auto short_text = [](double value) {
    return number_text(std::round(100.0 * value) / 100.0);
  };
  const auto& ends = sample.interval;
  table.row()
      .data("measure", measure)
      .data_of(sample_json(sample))
      .text("<", title)
      .text("n", count_text(sample.stats.count()))
      .text("mean", text(sample.stats.mean()))
      .text("sd", text(sample.stats.sd()))
      .text("95 % interval",
            ends ? fmt::format("[{}, {}]", text(ends->low), text(ends->high)) : "-")
      .text("min", short_text(sample.stats.min()))
      .text("median", short_text(sample.median))
      .text("max", short_text(sample.stats.max()));
}

namespace {

/// What became of the games of a match, for the agent.
struct Match {
  std::vector<double> results;  ///< +1, 0, -1
  std::vector<double> leads;    ///< in ships
};

/// A map a game, or with both sides one for games 2 i (the agent is player 1) and 2 i + 1.
Match play_match(const MatchArguments& arguments, const std::vector<Player>& players,
                 const PlanetWarsRules& rules, Progress& progress) {
  Parallel parallel(arguments.output.threads);
  const std::vector<Player> swapped = {players[1], players[0]};
  const auto games = static_cast<std::size_t>(arguments.games);
  Match match = {std::vector<double>(games), std::vector<double>(games)};
  parallel.for_each(games, [&](std::size_t i) {
    const bool is_second = !arguments.one_side && i % 2 == 1;
    const Rng rng = game_stream(arguments.game.seed, arguments.one_side ? i : i / 2);
    const double lead =
        lead_of(play<PlanetWars>(is_second ? swapped : players, rules, rng, progress.stop));
    match.leads[i] = is_second ? 0.0 - lead : lead;
    match.results[i] = static_cast<double>((match.leads[i] > 0.0) - (match.leads[i] < 0.0));
    ++progress.done;
  });
  return match;
}

struct Counts {
  std::int64_t wins = 0, draws = 0, losses = 0;
};
/// Of games `first`, `first` + `step`, …
Counts counts_of(const std::vector<double>& results, std::size_t first, std::size_t step) {
  Counts counts;
  for (std::size_t i = first; i < results.size(); i += step) {
    ++(results[i] > 0.0 ? counts.wins : results[i] < 0.0 ? counts.losses : counts.draws);
  }
  return counts;
}

Json counts_json(const Counts& counts) {
  return {{"wins", counts.wins}, {"draws", counts.draws}, {"losses", counts.losses}};
}

std::string counts_text(const Counts& counts) {
  return fmt::format("{} wins, {} draws, {} losses", counts.wins, counts.draws, counts.losses);
}

void print(const Match& match, const MatchArguments& arguments, const std::vector<Player>& players,
           std::ostream& out) {
  const bool paired = !arguments.one_side;
  // With both sides a map is one observation.
  const Sample results = win_loss_sample_of(match.results, paired);
  const Sample leads = sample_of(match.leads, paired);
  const Counts all = counts_of(match.results, 0, 1);
  Json json = {{"game", "planet_wars"},
               {"agent", player_json(players[0])},
               {"opponent", player_json(players[1])},
               {"seed", arguments.game.seed},
               {"both_sides", paired}};
  if (!arguments.game.rules.empty()) json["rules"] = arguments.game.rules;
  json.update(counts_json(all));
  std::string sides;
  if (paired) {
    const Counts first = counts_of(match.results, 0, 2);
    const Counts second = counts_of(match.results, 1, 2);
    json["as_player_1"] = counts_json(first);
    json["as_player_2"] = counts_json(second);
    sides =
        fmt::format("as player 1: {}\nas player 2: {}\n", counts_text(first), counts_text(second));
  }
  json["result"] = sample_json(results);
  json["lead"] = sample_json(leads);
  Json row = counts_json(all);
  for (const auto& [name, sample] : {std::pair{"result", &results}, std::pair{"lead", &leads}}) {
    const Json numbers = sample_json(*sample);
    for (const auto& [key, value] : numbers.items()) row[fmt::format("{}_{}", name, key)] = value;
  }
  cli::ResultTable table;
  add_sample(table, "result", "+1 / 0 / -1", results, 3);
  add_sample(table, "lead", "lead in ships", leads, 2);
  cli::print_result(out, arguments.output.format, json, {row},
                    fmt::format("{}\n{}\n{}\n{}", heading_of(arguments.game, players),
                                counts_text(all), sides, table.text()));
}

}  // namespace

int match_command(const MatchArguments& arguments, const Terminal& terminal) {
  if (!arguments.one_side && arguments.games % 2 != 0) {
    throw InputError(
        fmt::format("--games: is {}, an even number is allowed, as each map is played from both "
                    "sides (or --one-side)",
                    arguments.games));
  }
  const std::vector<Player> players = players_of(arguments.game);
  const auto rules = rules_of<PlanetWarsRules>(arguments.game);
  const Match match = cli::watched(
      arguments.games, "games", arguments.output, terminal,
      [&](Progress& progress) { return play_match(arguments, players, rules, progress); });
  print(match, arguments, players, terminal.out);
  return cli::kDone;
}

}  // namespace ntune::arcade
