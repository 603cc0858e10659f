#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>

#include <fmt/format.h>

#include "apps/bao/reproduce.h"
#include "apps/common/settings.h"
#include "ntune/core/error.h"
#include "ntune/core/normal.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/text.h"
#include "ntune/games/bao/notation.h"

namespace ntune::bao {

namespace {

constexpr int kNorthDepth = 6;

std::string names_text(const std::vector<int>& players) {
  std::vector<std::string> names;
  for (const int player : players) names.push_back(player_name(player));
  return list_text(names, "and");
}

/// The players of --players, or all, by their places.
std::vector<int> chosen_players(const std::vector<std::string>& names) {
  std::vector<bool> is_chosen(kPlayers, names.empty());
  for (const std::string& name : names) {
    const auto known = std::ranges::find(published_players(), lower_case(name),
                                         [](const std::string& one) { return lower_case(one); });
    if (known == published_players().end()) {
      throw InputError(fmt::format("--players: '{}' is no player of the paper; allowed: {}",
                                   printable(name, 40), list_text(published_players())));
    }
    is_chosen[static_cast<std::size_t>(known - published_players().begin())] = true;
  }
  std::vector<int> players;
  for (int p = 0; p < kPlayers; ++p) {
    if (is_chosen[static_cast<std::size_t>(p)]) players.push_back(p);
  }
  return players;
}

}  // namespace

Reading read_reading(const std::string& text) {
  Reading reading = {.text = text, .search = {}};
  if (text.empty()) return reading;
  reading.search = cli::read_settings("--reading", text, [](const YamlNode& map) {
    for (const char* key : {"search", "depth", "probe_depth", "compared_depth"}) {
      if (const YamlNode* node = map.find(key)) node->fail("is set by the tournament");
    }
    return read_options(map, BaoSearchOptions());
  });
  return reading;
}

Laboratory::Laboratory(const ReproduceArguments& arguments, const Terminal& terminal)
    : arguments_(arguments),
      terminal_(terminal),
      parallel_(arguments.output.threads),
      reading_(read_reading(arguments.reading)),
      starts_(read_starts(arguments.starts, arguments.folder, arguments.seed)),
      results_(open_results(arguments.out)) {
  for (const int player : chosen_players(arguments.players)) {
    const std::string name = lower_case(player_name(player));
    const bool learned = std::ranges::find(learned_names(), name) != learned_names().end();
    if (arguments.players.empty() && learned &&
        !std::filesystem::exists(weights_path(name, arguments.folder))) {
      absent_.push_back(player);
      continue;
    }
    players_.push_back(player);
    evaluations_[player] = evaluation_of("--players", name, arguments.folder).evaluation;
    evaluation_texts_[player] =
        learned ? bao_weights_text({.evaluation = evaluations_[player], .made_by = ""}) : name;
  }
  for (const Bao& start : starts_.positions) starts_text_ += bao_position_text(start) + '\n';
}

std::string Laboratory::absent_text() const {
  return absent_.empty() ? "" : "left out for want of a weights file: " + names_text(absent_);
}

std::vector<Cell> Laboratory::cells(int tournament) const {
  std::vector<Cell> cells;
  for (const int south : players_) {
    for (const int north : players_) cells.push_back({tournament, south, north});
  }
  return cells;
}

Match Laboratory::match(const Cell& cell, const Reading& reading) const {
  const PublishedTournament& setup = published_tournament(cell.tournament);
  BaoSearchOptions south = reading.search;
  south.agent.depth = setup.depth;
  south.agent.compared_depth = cell.tournament == 1 ? 0 : kNorthDepth;
  if (setup.probe_depth > 0) {
    south.search = BaoSearchOptions::Kind::kOpponentModel;
    south.opponent_model.probe_depth = setup.probe_depth;
  }
  if (!setup.avoids_risk) {
    south.agent.risk_avoidance = RiskAvoidance::kNone;
  } else if (south.agent.risk_avoidance == RiskAvoidance::kNone) {
    south.agent.risk_avoidance = RiskAvoidance::kAdvice;
  }
  BaoSearchOptions north;
  north.agent.depth = kNorthDepth;
  const BaoEvaluation& ours = evaluations_.at(cell.south);
  const BaoEvaluation& theirs = evaluations_.at(cell.north);
  return {bao_player(ours, south, theirs), bao_player(theirs, north, ours),
          rng_of(arguments_.seed).stream("reproduce", cell.tournament, cell.south, cell.north)};
}

std::string Laboratory::key(const Cell& cell, const Reading& reading) const {
  const Match match = this->match(cell, reading);
  const std::string text = fmt::format(
      "{} {} {} {} {} {} {} {} {} {}", cell.tournament, cell.south, cell.north, arguments_.seed,
      arguments_.repeats, starts_text_, evaluation_texts_.at(cell.south),
      evaluation_texts_.at(cell.north), options_json(match.south.agent).dump(),
      match.south.models.empty() ? "" : options_json(match.south.opponent_model).dump());
  return cli::result_key(text);
}

std::vector<MatchResult> Laboratory::play(std::span<const Cell> cells, const Reading& reading) {
  std::vector<Match> matches;
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (results_.find(key(cells[i], reading)) != nullptr) continue;
    matches.push_back(match(cells[i], reading));
    missing.push_back(i);
  }
  if (!matches.empty()) {
    const auto repeats = static_cast<std::size_t>(arguments_.repeats);
    const auto keep = [&](std::size_t m, const MatchResult& result) {
      const Cell& cell = cells[missing[m]];
      results_.add(key(cell, reading), result, result_line(cell, reading.text, result));
    };
    watched(matches.size() * starts_.positions.size() * repeats, [&](Progress& progress) {
      return play_matches(matches, starts_.positions, arguments_.repeats, parallel_, progress,
                          keep);
    });
  }
  std::vector<MatchResult> results;
  for (const Cell& cell : cells) results.push_back(*results_.find(key(cell, reading)));
  return results;
}

Score score_of(const MatchResult& result) {
  const Interval interval = result.interval();
  return {100.0 * result.share(), {100.0 * interval.low, 100.0 * interval.high}};
}

Score total_of(std::span<const MatchResult> results) {
  Score total;
  double variance = 0.0;
  for (const MatchResult& result : results) {
    const double share = result.share();
    total.value += 100.0 * share;
    variance += 1e4 * share * (1.0 - share) / static_cast<double>(result.games);
  }
  const double half = kNormal95 * std::sqrt(variance);
  total.interval = {total.value - half, total.value + half};
  return total;
}

Interval published_interval(int wins) {
  const Interval interval = wilson_interval(wins, kPublishedGames);
  return {100.0 * interval.low, 100.0 * interval.high};
}

std::string score_text(const Score& score) {
  return fmt::format(fmt::runtime(kScoreFormat), score.value, score.interval.low,
                     score.interval.high);
}

namespace {

struct Experiment : cli::Experiment {
  Reproduction (*run)(Laboratory&);
};

constexpr std::array<Experiment, 14> kExperiments = {
    {{{"1", "Table 1 of Donkers et al. (2005), alpha-beta plain", draw_tournament},
      reproduce_tournament},
     {{"2", "Table 2 of Donkers et al. (2005), alpha-beta extended", draw_tournament},
      reproduce_tournament},
     {{"3", "Table 3 of Donkers et al. (2005), OM plain", draw_tournament}, reproduce_tournament},
     {{"4", "Table 4 of Donkers et al. (2005), OM extended", draw_tournament},
      reproduce_tournament},
     {{"5", "Table 5 of Donkers et al. (2005), OM perfect opponent", draw_tournament},
      reproduce_tournament},
     {{"6", "Table 6 of Donkers et al. (2005), OM plain, depth 7", draw_tournament},
      reproduce_tournament},
     {{"7", "Table 7 of Donkers et al. (2005), OM perfect", draw_tournament}, reproduce_tournament},
     {{"8", "Table 8 of Donkers et al. (2005), OM no risk", draw_tournament}, reproduce_tournament},
     {{"9", "Table 9 of Donkers et al. (2005): scores of South", draw_numbers}, reproduce_scores},
     {{"10", "Table 10 of Donkers et al. (2005): deviations from alpha-beta of depth 6 a game",
       draw_numbers},
      reproduce_deviations},
     {{"readings",
       "Readings of opponent-model search beside Tables 3 to 8 and 10 of Donkers et al. (2005)"},
      reproduce_readings},
     {{"prediction",
       "Sections 5 and 8 of Donkers et al. (2005): what a probe knows of the reply of alpha-beta"},
      reproduce_prediction},
     {{"orderings", "Section 4 of Donkers et al. (2005): orderings of evaluations"},
      reproduce_orderings},
     {{"size", "Section 7 and Appendix A of Donkers et al. (2005): the size of the game"},
      reproduce_game_size}}};

}  // namespace

std::vector<cli::Experiment> experiments() { return {kExperiments.begin(), kExperiments.end()}; }

int reproduce_command(const ReproduceArguments& arguments, const Terminal& terminal) {
  const auto run = [&](std::size_t at) -> std::vector<Reproduction> {
    Laboratory laboratory(arguments, terminal);
    Reproduction result = kExperiments[at].run(laboratory);
    const std::string absent = laboratory.absent_text();
    result.setup = fmt::format(
        "{}\n{}seed {}, {} of each start\n", laboratory.starts().text,
        absent.empty() ? "" : absent + '\n', arguments.seed,
        arguments.repeats == 1 ? "one game" : fmt::format("{} games", arguments.repeats));
    result.setting = {{"seed", arguments.seed},
                      {"repeats", arguments.repeats},
                      {"starts", laboratory.starts().json},
                      {"reading", options_json(laboratory.reading().search)}};
    return {std::move(result)};
  };
  const cli::Reproduce reproduce{.laboratory = "bao", .experiments = experiments(), .run = run};
  return reproduce(arguments, terminal);
}

}  // namespace ntune::bao
