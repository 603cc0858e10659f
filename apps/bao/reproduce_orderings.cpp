// Section 4 of the paper, orderings of evaluations, and Section 5, admissibility.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "apps/bao/reproduce.h"
#include "apps/common/rows.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"

namespace ntune::bao {

namespace {

constexpr int kOrderingDepth = 4;
constexpr int kPlayOuts = 20;
constexpr double kMargin = 0.25;  ///< of the ranks: an error of estimation

/// Ranks from 0; equal values share the mean of theirs.
std::vector<double> ranks_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t j = i;
    while (j < order.size() && values[order[j]] == values[order[i]]) ++j;
    for (std::size_t k = i; k < j; ++k) {
      ranks[order[k]] = 0.5 * static_cast<double>(i + j - 1);
    }
    i = j;
  }
  return ranks;
}

double correlation_of(std::span<const double> a, std::span<const double> b) {
  RunningStats first;
  RunningStats second;
  RunningStats product;
  for (std::size_t i = 0; i < a.size(); ++i) {
    first.add(a[i]);
    second.add(b[i]);
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    product.add((a[i] - first.mean()) * (b[i] - second.mean()));
  }
  const double n = static_cast<double>(a.size());
  return product.mean() * n / (n - 1.0) / (first.sd() * second.sd());
}

/// Of each position the share of play-outs that South wins; the last player plays both sides.
std::vector<double> true_values(Laboratory& laboratory, const std::vector<Bao>& positions) {
  const BaoPlayer player =
      alpha_beta_player(laboratory.evaluation(laboratory.players().back()), kOrderingDepth);
  return laboratory.watched(positions.size(), [&](Progress& progress) {
    std::vector<double> truth(positions.size());
    laboratory.parallel().for_each(positions.size(), [&](std::size_t i) {
      for (int k = 0; k < kPlayOuts && !progress.stop; ++k) {
        const SampleGame game = play_sample_game(player, player, positions[i],
                                                 laboratory.rng().stream("play-out", i, k));
        truth[i] += game.result.is_won_by(0) ? 1.0 / kPlayOuts : 0.0;
      }
      ++progress.done;
    });
    return truth;
  });
}

/// An evaluation against the true values of positions.
struct MeasuredEvaluation {
  int player = 0;             ///< place in published_players()
  std::vector<double> ranks;  ///< of its values, by position
  double t = 0.0;             ///< of the values of won against those of lost positions
  int score = 0;              ///< published, of Table 1
  double correlation = 0.0;
  double rank_difference = 0.0;  ///< mean, as a share of all ranks

  /// What orderings 3, 4, 7 and 8 go by: the more the better.
  [[nodiscard]] std::array<double, 4> measures() const {
    return {t, static_cast<double>(score), correlation, -rank_difference};
  }
};

double mean_rank_difference(const std::vector<double>& ranks,
                            const std::vector<double>& true_ranks) {
  const double n = static_cast<double>(ranks.size());
  double differences = 0.0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    differences += std::abs(ranks[i] - true_ranks[i]) / n;
  }
  return differences / n;
}

/// The statistic of the statistical predictor: values of won and lost positions, unequal variances.
double t_of(const std::vector<double>& values, const std::vector<double>& truth) {
  RunningStats won;
  RunningStats lost;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (truth[i] > 0.5) won.add(values[i]);
    if (truth[i] < 0.5) lost.add(values[i]);
  }
  return (won.mean() - lost.mean()) /
         std::sqrt(won.variance() / static_cast<double>(won.count()) +
                   lost.variance() / static_cast<double>(lost.count()));
}

std::vector<MeasuredEvaluation> measure_evaluations(const Laboratory& laboratory,
                                                    const std::vector<Bao>& positions,
                                                    const std::vector<double>& truth,
                                                    const std::vector<double>& true_ranks) {
  const std::vector<int>& players = laboratory.players();
  std::vector<MeasuredEvaluation> measured;
  for (const int player : players) {
    std::vector<double> values;
    for (const Bao& at : positions) {
      values.push_back(evaluate(laboratory.evaluation(player), at, 0));
    }
    int score = 0;
    for (const int north : players) score += published_wins(1, player, north);
    std::vector<double> ranks = ranks_of(values);
    const double rank_difference = mean_rank_difference(ranks, true_ranks);
    measured.push_back({.player = player,
                        .ranks = std::move(ranks),
                        .t = t_of(values, truth),
                        .score = score,
                        .correlation = correlation_of(values, truth),
                        .rank_difference = rank_difference});
  }
  return measured;
}

/// Rank correlations of the orderings with each other.
std::string agreement_table(const std::vector<MeasuredEvaluation>& measured) {
  TextTable table({"<orderings", "rank correlation"});
  constexpr std::array kNames = {3, 4, 7, 8};
  for (std::size_t a = 0; a < kNames.size(); ++a) {
    for (std::size_t b = a + 1; b < kNames.size(); ++b) {
      std::vector<double> first;
      std::vector<double> second;
      for (const MeasuredEvaluation& one : measured) {
        first.push_back(one.measures()[a]);
        second.push_back(one.measures()[b]);
      }
      table.add_row({fmt::format("{} and {}", kNames[a], kNames[b]),
                     fmt::format("{:+.2f}", correlation_of(ranks_of(first), ranks_of(second)))});
    }
  }
  return table.text();
}

/// Positions that MAX ranks higher than they are, and MIN lower, by more than the margin.
std::int64_t count_overestimated(const std::vector<double>& max_ranks,
                                 const std::vector<double>& min_ranks,
                                 const std::vector<double>& true_ranks) {
  const double n = static_cast<double>(true_ranks.size());
  std::int64_t both = 0;
  for (std::size_t i = 0; i < true_ranks.size(); ++i) {
    const bool max_over = (max_ranks[i] - true_ranks[i]) / n > kMargin;
    const bool min_over = (true_ranks[i] - min_ranks[i]) / n > kMargin;
    both += max_over && min_over ? 1 : 0;
  }
  return both;
}

/// How often both sides overestimate a position, for every pair of evaluations.
struct Admissibility {
  std::string table;
  Json pairs = Json::array();
};
Admissibility admissibility(const std::vector<MeasuredEvaluation>& measured,
                            const std::vector<double>& true_ranks) {
  Admissibility result;
  TextTable table({"<MAX", "<MIN", "<both overestimate, for themselves"});
  const double n = static_cast<double>(true_ranks.size());
  for (const MeasuredEvaluation& max : measured) {
    for (const MeasuredEvaluation& min : measured) {
      const auto both = static_cast<double>(count_overestimated(max.ranks, min.ranks, true_ranks));
      const Interval interval = wilson_interval(both, n);
      table.add_row({player_name(max.player), player_name(min.player),
                     cli::interval_text(both / n, interval)});
      result.pairs.push_back({{"max", player_name(max.player)},
                              {"min", player_name(min.player)},
                              {"both_overestimate", both / n},
                              {"low", interval.low},
                              {"high", interval.high}});
    }
  }
  result.table = table.text();
  return result;
}

}  // namespace

Reproduction reproduce_orderings(Laboratory& laboratory) {
  // 1. Positions of sample games, and their true values by play-outs.
  const std::vector<Bao> positions = draw_positions(
      laboratory, sample_games(laboratory, kOrderingDepth, "ordering games"), "ordering position");
  const std::vector<double> truth = true_values(laboratory, positions);
  const std::vector<double> true_ranks = ranks_of(truth);
  // 2. Each evaluation against them.
  const std::vector<MeasuredEvaluation> measured =
      measure_evaluations(laboratory, positions, truth, true_ranks);
  const Admissibility admissible = admissibility(measured, true_ranks);
  Reproduction result;
  for (const MeasuredEvaluation& one : measured) {
    result.table.row()
        .both("evaluation", "<evaluation", player_name(one.player))
        .data("positions", one.ranks.size())
        .both("statistical_predictor_t", "3: t of wins and losses", one.t, "{:.1f}")
        .both("published_score", "4: score of Table 1", one.score)
        .both("correlation", "7: correlation", one.correlation, "{:.3f}")
        .both("mean_rank_difference", "8: rank differences", one.rank_difference, "{:.3f}");
  }
  result.title = fmt::format(" on {} positions, one of each game", count_text(positions.size()));
  result.summary = {{"positions", positions.size()}, {"admissibility", admissible.pairs}};
  result.remarks = fmt::format(
      "{}\nThe true value of a position is the share of {} games that South wins when {} plays "
      "both sides,\n4 plies deep. Orderings 1, 2, 5 and 6 compare sets of positions that an "
      "evaluation "
      "orders without a\nfault: one fault ends them, and all are empty but for single "
      "positions.\n\n"
      "Section 5, admissibility: positions that MAX ranks higher by {:.0f} % of all ranks than "
      "they are, and MIN\nlower, so that both aim for them:\n\n{}",
      agreement_table(measured), kPlayOuts, player_name(laboratory.players().back()),
      100.0 * kMargin, admissible.table);
  return result;
}

}  // namespace ntune::bao
