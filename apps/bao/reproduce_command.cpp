#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>

#include <fmt/format.h>

#include "apps/bao/reproduce.h"
#include "apps/bao/reproduce_plot.h"
#include "apps/common/claims.h"
#include "apps/common/rows.h"
#include "apps/common/settings.h"
#include "ntune/core/error.h"
#include "ntune/core/normal.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/text.h"
#include "ntune/games/bao/notation.h"
#include "ntune/plot/picture.h"

namespace ntune::bao {

namespace {

constexpr int kNorthDepth = 6;

std::uint64_t hash_of(const std::string& text) {
  return Rng(0).stream(std::string_view(text)).key();
}

std::string names_text(const std::vector<int>& players) {
  std::vector<std::string> names;
  for (const int player : players) names.push_back(player_name(player));
  return list_text(names, "and");
}

/// The players of --players, or all, by their places.
std::vector<int> chosen_players(const std::vector<std::string>& names) {
  std::vector<int> players;
  for (int p = 0; p < kPlayers; ++p) {
    const bool named = std::ranges::any_of(names, [&](const std::string& name) {
      return lower_case(name) == lower_case(player_name(p));
    });
    if (names.empty() || named) players.push_back(p);
  }
  for (const std::string& name : names) {
    const bool known = std::ranges::any_of(published_players(), [&](const std::string& published) {
      return lower_case(published) == lower_case(name);
    });
    if (known) continue;
    throw InputError(fmt::format("--players: '{}' is no player of the paper; allowed: {}",
                                 printable(name, 40), list_text(published_players())));
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
      reading_(read_reading(arguments.reading)),
      starts_(read_starts(arguments.starts, arguments.folder, arguments.seed)),
      results_(arguments.out) {
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
  return fmt::format("{:016x}", hash_of(text));
}

std::vector<MatchResult> Laboratory::play(std::span<const Cell> cells, const Reading& reading) {
  std::vector<Match> matches;
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (results_.find(key(cells[i], reading)) != nullptr) continue;
    matches.push_back(match(cells[i], reading));
    missing.push_back(i);
  }
  const auto games =
      static_cast<std::int64_t>(matches.size() * starts_.positions.size()) * arguments_.repeats;
  if (!matches.empty()) {
    stopped_ = interrupted_while(
        games, arguments_.output, terminal_, [&](Progress& progress, Parallel& parallel) {
          play_matches(matches, starts_.positions, arguments_.repeats, parallel, progress,
                       [&](std::size_t m, const MatchResult& result) {
                         const Cell& cell = cells[missing[m]];
                         results_.add(key(cell, reading), cell, reading.text, result);
                       });
        });
  }
  std::vector<MatchResult> results;
  for (const Cell& cell : cells) {
    if (stopped_) return {};
    results.push_back(*results_.find(key(cell, reading)));
  }
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
  return fmt::format("{:.1f} [{:.1f}, {:.1f}]", score.value, score.interval.low,
                     score.interval.high);
}

std::vector<std::string> experiment_names() {
  std::vector<std::string> names;
  for (int t = 1; t <= kTournaments + 2; ++t) names.push_back(std::to_string(t));
  names.insert(names.end(), {"readings", "prediction", "orderings", "size"});
  return names;
}

namespace {

Reproduction reproduce(Laboratory& laboratory) {
  const std::string& name = laboratory.arguments().experiment;
  if (name == "readings") return reproduce_readings(laboratory);
  if (name == "prediction") return reproduce_prediction(laboratory);
  if (name == "orderings") return reproduce_orderings(laboratory);
  if (name == "size") return reproduce_game_size(laboratory);
  const int number = std::stoi(name);
  if (number == kTournaments + 1) return reproduce_scores(laboratory);
  if (number == kTournaments + 2) return reproduce_deviations(laboratory);
  return reproduce_tournament(laboratory, number);
}

}  // namespace

int reproduce_command(const ReproduceArguments& arguments, const Terminal& terminal) {
  cli::check_experiment(arguments.experiment, arguments.list, experiment_names());
  if (arguments.list) return cli::list_claims("bao", arguments.output.format, terminal);
  if (!arguments.plot.empty()) check_picture(arguments.plot);
  Laboratory laboratory(arguments, terminal);
  const Reproduction result = reproduce(laboratory);
  if (laboratory.stopped()) return cli::kInterrupted;
  std::string text = fmt::format("{}\n{}", result.title, laboratory.starts().text);
  if (!laboratory.absent_text().empty()) text += "\n" + laboratory.absent_text();
  text +=
      fmt::format("\nseed {}, {} of each start\n\n{}\n{}", arguments.seed,
                  arguments.repeats == 1 ? "one game" : fmt::format("{} games", arguments.repeats),
                  result.table, result.remarks);
  Json json = {{"experiment", arguments.experiment},
               {"title", result.title},
               {"seed", arguments.seed},
               {"repeats", arguments.repeats},
               {"starts", laboratory.starts().json},
               {"reading", options_json(laboratory.reading().search)},
               {"rows", result.rows}};
  if (!result.summary.is_null()) json["summary"] = result.summary;
  cli::print_result(terminal.out, arguments.output.format, json, result.rows, text);
  if (!arguments.plot.empty()) {
    write_picture(arguments.plot,
                  reproduction_figure(arguments.experiment, result.title, result.rows),
                  kPictureWidth);
  }
  return cli::kDone;
}

}  // namespace ntune::bao
