#include "apps/bao/matches.h"

#include <array>
#include <atomic>
#include <mutex>

#include <fmt/format.h>

#include "apps/common/watched.h"

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

}  // namespace ntune::bao
