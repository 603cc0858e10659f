#include "ntune/study/results/ranks.h"

#include <algorithm>
#include <utility>

#include "ntune/core/normal.h"
#include "ntune/study/results/summary.h"

namespace ntune {

namespace {

/// The rank of each number, 1 for the largest; those that are alike share the mean of theirs.
std::vector<double> ranks_of_numbers(const std::vector<double>& numbers) {
  std::vector<double> ranks;
  for (const double number : numbers) {
    double better = 0.0;
    double alike = 0.0;
    for (const double other : numbers) {
      better += other > number ? 1.0 : 0.0;
      alike += other == number ? 1.0 : 0.0;
    }
    ranks.push_back(better + 0.5 * (alike + 1.0));
  }
  return ranks;
}

/// Scores of all contestants in a block, the better the larger; nothing where one is missing.
std::optional<std::vector<double>> scores_in(const Study& study,
                                             const std::vector<BlockScores>& by_cell,
                                             const Ranks& ranks, std::size_t objective,
                                             std::size_t block) {
  const double direction = study.objectives[objective].objective->unit().direction();
  std::vector<double> scores;
  for (const Contestant& contestant : ranks.contestants) {
    // A run that has not ended has no score.
    const BlockScores& cell = by_cell[contestant.cells[objective]];
    if (block >= cell.size() || !cell[block]) return std::nullopt;
    scores.push_back(direction * *cell[block]);
  }
  return scores;
}

}  // namespace

Ranks ranks_of(const Study& study, const std::vector<BlockScores>& by_cell) {
  Ranks ranks;
  const std::size_t count = study.plans.size() * study.optimisers.size();
  if (count < 2 || by_cell.size() != study.cells()) return {};
  // Contestants are the cells of one objective; they meet again on every other one.
  std::size_t blocks = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Contestant contestant{.label = study.cell_label(i, false)};
    for (std::size_t objective = 0; objective < study.objectives.size(); ++objective) {
      contestant.cells.push_back(objective * count + i);
      blocks = std::max(blocks, by_cell[contestant.cells.back()].size());
    }
    ranks.contestants.push_back(std::move(contestant));
  }
  for (std::size_t objective = 0; objective < study.objectives.size(); ++objective) {
    for (std::size_t block = 0; block < blocks; ++block) {
      // A block counts only where all contestants have a score in it.
      const auto scores = scores_in(study, by_cell, ranks, objective, block);
      if (!scores) continue;
      ++ranks.blocks;
      const double best = *std::ranges::max_element(*scores);
      const std::vector<double> places = ranks_of_numbers(*scores);
      for (std::size_t i = 0; i < count; ++i) {
        ranks.contestants[i].mean_rank += places[i];
        ranks.contestants[i].wins += (*scores)[i] == best ? 1 : 0;
      }
    }
  }
  if (ranks.blocks == 0) return {};
  // Sums of ranks become means, the least of which stands first.
  const auto all = static_cast<double>(ranks.blocks);
  for (Contestant& contestant : ranks.contestants) contestant.mean_rank /= all;
  std::ranges::stable_sort(ranks.contestants, {}, &Contestant::mean_rank);
  ranks.critical_difference = critical_rank_difference(static_cast<int>(count), all);
  return ranks;
}

Ranks ranks_of(const Study& study, const StudyResult& result) {
  std::vector<BlockScores> scores;
  for (const CellResult& cell : result.cells) scores.push_back(block_scores(study, cell));
  return ranks_of(study, scores);
}

}  // namespace ntune
