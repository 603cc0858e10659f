#include <ostream>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/amazons/commands.h"
#include "apps/amazons/matches.h"
#include "apps/common/rows.h"
#include "apps/common/watched.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"

namespace ntune::amazons {

namespace {

/// As the player had it.
struct PlayedSum {
  bool is_won = false;
  int score = 0;
  int plies = 0;
  std::array<SumCounts, 2> counts;
};

template <int kSide>
PlayedSum play(const SumMatch& match, std::size_t number, std::size_t colour) {
  const auto player = make_sum_agent<kSide>(match.player.options, match.database);
  const auto opponent = make_sum_agent<kSide>(match.opponent.options, match.database);
  std::array<SumAgent<kSide>*, 2> agents = {player.get(), opponent.get()};
  if (colour == 1) std::swap(agents[0], agents[1]);
  Rng draw = match.rng.stream("sum", number);
  const auto sum = random_amazons_sum<kSide>(static_cast<std::size_t>(match.sums.boards),
                                             match.sums.burnt, draw);
  SumGame played = play_amazons_sum<kSide>(sum, agents, match.rng.stream("game", number, colour));
  if (colour == 1) std::swap(played.counts[0], played.counts[1]);
  const bool black_won = played.outcome.winner == Player::kLeft;
  return {.is_won = black_won == (colour == 0),
          .score = colour == 0 ? played.outcome.score : -played.outcome.score,
          .plies = played.plies,
          .counts = played.counts};
}

}  // namespace

SumMatchResult play_match(const SumMatch& match, Parallel& parallel, Progress& progress) {
  std::vector<PlayedSum> games(static_cast<std::size_t>(2 * match.count));
  parallel.for_each(games.size(), [&](std::size_t i) {
    if (progress.stop) return;
    games[i] = with_side(match.sums.size, [&](auto side) {
      return play<decltype(side)::value>(match, i / 2, i % 2);
    });
    ++progress.done;
  });
  SumMatchResult result;
  if (progress.stop) return result;
  for (std::size_t i = 0; i < games.size(); i += 2) {
    const PlayedSum& first = games[i];
    const PlayedSum& second = games[i + 1];
    result.pair_score.add((first.score + second.score) / 2.0);
    result.pair_wins.add(((first.is_won ? 1 : 0) + (second.is_won ? 1 : 0)) / 2.0);
    for (const PlayedSum& game : {first, second}) {
      ++result.games;
      result.wins += game.is_won ? 1 : 0;
      result.score.add(game.score);
      result.plies.add(game.plies);
      for (std::size_t p = 0; p < 2; ++p) result.counts[p] += game.counts[p];
    }
  }
  return result;
}

Json result_json(const SumMatchResult& result) {
  const Interval share = result.share_interval();
  const Interval score = result.score_interval();
  Json json = {{"games", result.games},         {"wins", result.wins},
               {"share", result.share()},       {"share_low", share.low},
               {"share_high", share.high},      {"score", result.score.mean()},
               {"score_low", score.low},        {"score_high", score.high},
               {"score_sd", result.score.sd()}, {"plies", result.plies.mean()}};
  for (std::size_t p = 0; p < 2; ++p) {
    const std::string who = p == 0 ? "player_" : "opponent_";
    json[who + "moves"] = result.counts[p].moves;
    json[who + "nodes"] = result.counts[p].nodes;
    json[who + "unknown"] = result.counts[p].unknown;
    json[who + "guesses"] = result.counts[p].guesses;
  }
  return json;
}

std::string share_text(const SumMatchResult& result) {
  const Interval interval = result.share_interval();
  return fmt::format("{:.1f} % [{:.1f}, {:.1f}]", 100.0 * result.share(), 100.0 * interval.low,
                     100.0 * interval.high);
}

std::string score_text(const SumMatchResult& result) {
  const Interval interval = result.score_interval();
  return fmt::format("{:+.2f} [{:.2f}, {:.2f}]", result.score.mean(), interval.low, interval.high);
}

std::string counts_text(const SumMatchResult& result, const SumMatch& match) {
  TextTable table(
      {"<", "moves", "nodes a move", "ms a move", "temperature unknown", "move by evaluation"});
  for (std::size_t p = 0; p < 2; ++p) {
    const SumCounts& counts = result.counts[p];
    const auto moves = static_cast<double>(std::max<std::int64_t>(counts.moves, 1));
    const auto percent = [&](std::int64_t part) {
      return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / moves);
    };
    table.add_row({p == 0 ? match.player.name : match.opponent.name, count_text(counts.moves),
                   fmt::format("{:.0f}", static_cast<double>(counts.nodes) / moves),
                   fmt::format("{:.2f}", 1000.0 * counts.seconds / moves), percent(counts.unknown),
                   percent(counts.guesses)});
  }
  return table.text();
}

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
