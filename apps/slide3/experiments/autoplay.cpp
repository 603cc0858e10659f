#include "apps/slide3/experiments/autoplay.h"

#include <algorithm>
#include <limits>

namespace ntune {

namespace {

/// Games per agent: few enough to share out, so many that making an agent costs nothing.
constexpr std::size_t kGamesPerTask = 64;

}  // namespace

void Autoplay::add(const SlideGame& game) {
  ++games;
  ties += game.ties;
  fat_moves += game.fat_moves;
  if (!game.won) return;
  ++won;
  moves.add(game.moves);
}

void Autoplay::merge(const Autoplay& other) {
  games += other.games;
  won += other.won;
  moves.merge(other.moves);
  ties += other.ties;
  fat_moves += other.fat_moves;
  evaluations += other.evaluations;
}

double Autoplay::winning_quota() const {
  return games == 0 ? 0.0 : static_cast<double>(won) / static_cast<double>(games);
}

Interval Autoplay::quota_interval() const {
  return wilson_interval(static_cast<double>(won),
                         static_cast<double>(std::max<std::int64_t>(1, games)));
}

double Autoplay::fat_quota() const {
  if (ties == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(fat_moves) / static_cast<double>(ties);
}

Interval Autoplay::fat_interval() const {
  return wilson_interval(static_cast<double>(fat_moves), static_cast<double>(ties));
}

std::vector<Autoplay> autoplay(std::span<const AutoplayTask> tasks,
                               std::span<const SlidePosition<3>> sample, int most_moves,
                               Parallel& parallel, Progress& progress) {
  const std::size_t blocks = (sample.size() + kGamesPerTask - 1) / kGamesPerTask;
  std::vector<Autoplay> parts(tasks.size() * blocks);
  parallel.for_each(parts.size(), [&](std::size_t part) {
    if (progress.stop) return;
    const AutoplayTask& task = tasks[part / blocks];
    const std::size_t begin = part % blocks * kGamesPerTask;
    const std::size_t end = std::min(sample.size(), begin + kGamesPerTask);
    const std::unique_ptr<SlideAgent> agent = task.make_agent();
    for (std::size_t i = begin; i < end && !progress.stop; ++i) {
      Rng rng = task.rng.stream("game", i);
      parts[part].add(play_slide_game(*agent, sample[i], most_moves, rng));
      ++progress.done;
    }
    parts[part].evaluations = agent->evaluations();
  });
  std::vector<Autoplay> results(tasks.size());
  for (std::size_t part = 0; part < parts.size(); ++part) results[part / blocks].merge(parts[part]);
  return results;
}

}  // namespace ntune
