// Tables 9 and 10, and the findings of Section 8.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "apps/bao/reproduce.h"

namespace ntune::bao {

namespace {

/// All tournaments: results by tournament, South and North.
class Tournaments {
 public:
  Tournaments(const std::vector<int>& players, std::vector<MatchResult> results)
      : players_(players), results_(std::move(results)) {}

  /// Of South (its place among the players) against all.
  [[nodiscard]] std::span<const MatchResult> row(int tournament, std::size_t south) const {
    const std::size_t n = players_.size();
    const auto first = (static_cast<std::size_t>(tournament - 1) * n + south) * n;
    return std::span(results_).subspan(first, n);
  }
  [[nodiscard]] std::span<const MatchResult> all(int tournament) const {
    const std::size_t n = players_.size() * players_.size();
    return std::span(results_).subspan(static_cast<std::size_t>(tournament - 1) * n, n);
  }
  [[nodiscard]] int published(int tournament, std::size_t south) const {
    int total = 0;
    for (const int north : players_) total += published_wins(tournament, players_[south], north);
    return total;
  }

 private:
  const std::vector<int>& players_;
  std::vector<MatchResult> results_;
};

std::vector<MatchResult> play_all(Laboratory& laboratory, int first) {
  std::vector<Cell> cells;
  for (int t = first; t <= kTournaments; ++t) {
    const std::vector<Cell> more = laboratory.cells(t);
    cells.insert(cells.end(), more.begin(), more.end());
  }
  return laboratory.play(cells, laboratory.reading());
}

/// A claim of the paper: one tournament's scores, all players together, are higher than another's.
struct Finding {
  const char* claim;
  int higher;
  int lower;
};
constexpr std::array<Finding, 11> kFindings = {
    {{"two more plies of alpha-beta win more", 2, 1},
     {"OM plain against alpha-beta plain", 3, 1},
     {"alpha-beta with depth 8 beats OM extended, own search of depth 8 alone", 2, 4},
     {"alpha-beta with depth 8 beats OM perfect opponent, probes of depth 7 alone", 2, 5},
     {"question 2: probes of depth 7 win more than of depth 6", 5, 3},
     {"question 4: an own search of depth 8 wins more than of depth 6", 4, 3},
     {"OM plain of depth 7 beats alpha-beta plain", 6, 1},
     {"OM perfect, both together, beats alpha-beta with depth 8", 7, 2},
     {"OM perfect beats OM extended", 7, 4},
     {"OM no risk beats alpha-beta plain", 8, 1},
     {"OM no risk beats OM plain", 8, 3}}};

/// Share of all games, in games of 100 a match.
struct Difference {
  double value;
  Interval interval;
  double published;
};

Difference difference_of(const Tournaments& tournaments, const Finding& finding,
                         std::size_t players) {
  const auto matches = static_cast<double>(players * players);
  const Score a = total_of(tournaments.all(finding.higher));
  const Score b = total_of(tournaments.all(finding.lower));
  const double half = std::hypot(a.interval.high - a.value, b.interval.high - b.value) / matches;
  const double value = (a.value - b.value) / matches;
  int published = 0;
  for (std::size_t s = 0; s < players; ++s) {
    published += tournaments.published(finding.higher, s) - tournaments.published(finding.lower, s);
  }
  return {value, {value - half, value + half}, published / matches};
}

const char* verdict_of(const Difference& difference) {
  if (difference.interval.low > 0.0) return "confirmed";
  return difference.interval.high < 0.0 ? "refuted" : "open";
}

/// Question 3: whether opponent-model search gains more where the own evaluation is better than the
/// opponent's. Gain is a match's score less that of the same match in tournament 1; quality is the
/// score of an evaluation in tournament 2. The correlation over all matches of a tournament, and
/// the share of all orders of the players that give one at least as large.
struct QualityEffect {
  double correlation = 0.0;
  double p = 1.0;
};

QualityEffect quality_effect(const std::vector<std::vector<double>>& gain,
                             std::vector<double> quality) {
  const std::size_t n = quality.size();
  const auto correlation = [&](const std::vector<double>& q) {
    RunningStats gains;
    double cross = 0.0;
    double squares = 0.0;
    for (const auto& row : gain) {
      for (const double one : row) gains.add(one);
    }
    for (std::size_t s = 0; s < n; ++s) {
      for (std::size_t o = 0; o < n; ++o) {
        cross += (q[s] - q[o]) * (gain[s][o] - gains.mean());
        squares += (q[s] - q[o]) * (q[s] - q[o]);
      }
    }
    return cross / std::sqrt(squares * gains.variance() * static_cast<double>(n * n - 1));
  };
  QualityEffect effect{.correlation = correlation(quality)};
  std::ranges::sort(quality);
  int orders = 0;
  int as_large = 0;
  do {
    ++orders;
    as_large += std::abs(correlation(quality)) >= std::abs(effect.correlation) - 1e-12 ? 1 : 0;
  } while (std::ranges::next_permutation(quality).found);
  effect.p = static_cast<double>(as_large) / orders;
  return effect;
}

/// The players by their total scores as South in all tournaments, the weakest first.
std::string order_text(const Tournaments& tournaments, const std::vector<int>& players) {
  struct Total {
    double score = 0.0;
    double half = 0.0;  ///< half the width of the 95 % interval
    std::string name;
  };
  std::vector<Total> totals;
  for (std::size_t s = 0; s < players.size(); ++s) {
    Total total = {.name = player_name(players[s])};
    for (int t = 1; t <= kTournaments; ++t) {
      const Score score = total_of(tournaments.row(t, s));
      total.score += score.value;
      total.half = std::hypot(total.half, score.interval.high - score.value);
    }
    totals.push_back(total);
  }
  std::ranges::sort(totals, {}, &Total::score);
  std::string text;
  for (const Total& total : totals) {
    text += fmt::format("{}{} {:.0f} ± {:.0f}", text.empty() ? "" : " < ", total.name, total.score,
                        total.half);
  }
  return text;
}

/// Published scores of South beside ours, a line for each tournament.
cli::ResultTable scores_table(const Tournaments& tournaments, const std::vector<int>& players) {
  cli::ResultTable table;
  for (int t = 1; t <= kTournaments; ++t) {
    const PublishedTournament& setup = published_tournament(t);
    table.line()
        .text("<tournament", fmt::format("{}: {}", t, setup.name))
        .text("d", std::to_string(setup.depth))
        .text("p", setup.probe_depth > 0 ? std::to_string(setup.probe_depth) : "-");
    for (std::size_t s = 0; s < players.size(); ++s) {
      const std::string& name = player_name(players[s]);
      const Score score = total_of(tournaments.row(t, s));
      table.entry()
          .data("tournament", t)
          .data("south", name)
          .both("published", name, tournaments.published(t, s))
          .estimate("ours", "<ours", score.value, score.interval, kScoreFormat);
    }
  }
  return table;
}

/// What the paper found in its scores, beside what ours say.
cli::ResultTable compare_findings(const Tournaments& tournaments, std::size_t players) {
  cli::ResultTable table;
  for (const Finding& finding : kFindings) {
    const Difference difference = difference_of(tournaments, finding, players);
    const Interval& interval = difference.interval;
    table.row()
        .data("finding", finding.claim)
        .data("higher", finding.higher)
        .data("lower", finding.lower)
        .data("difference", difference.value)
        .data("low", interval.low)
        .data("high", interval.high)
        .text("<finding, games of 100 a match",
              fmt::format("{} ({} - {})", finding.claim, finding.higher, finding.lower))
        .text("difference, 95 % interval",
              fmt::format("{:+.1f} [{:+.1f}, {:+.1f}]", difference.value, interval.low,
                          interval.high))
        .both("published", "published", difference.published, "{:+.1f}")
        .both("verdict", "<", verdict_of(difference));
  }
  return table;
}

/// The effect of each tournament of opponent-model search, published and ours.
cli::ResultTable compare_qualities(const Tournaments& tournaments,
                                   const std::vector<int>& players) {
  cli::ResultTable table;
  const std::size_t n = players.size();
  // 1. The quality of an evaluation is its score in tournament 2, both sides alike.
  std::vector<double> published_quality;
  std::vector<double> our_quality;
  for (std::size_t s = 0; s < n; ++s) {
    published_quality.push_back(tournaments.published(2, s));
    our_quality.push_back(total_of(tournaments.row(2, s)).value);
  }
  for (int t = 3; t <= kTournaments; ++t) {
    // 2. The gain of a match is its score less that of the same match in tournament 1.
    std::vector<std::vector<double>> published(n);
    std::vector<std::vector<double>> ours(n);
    for (std::size_t s = 0; s < n; ++s) {
      for (std::size_t o = 0; o < n; ++o) {
        published[s].push_back(published_wins(t, players[s], players[o]) -
                               published_wins(1, players[s], players[o]));
        ours[s].push_back(100.0 *
                          (tournaments.row(t, s)[o].share() - tournaments.row(1, s)[o].share()));
      }
    }
    const QualityEffect theirs = quality_effect(published, published_quality);
    const QualityEffect effect = quality_effect(ours, our_quality);
    table.row()
        .data("tournament", t)
        .text("<question 3, tournament", fmt::format("{}: {}", t, published_tournament(t).name))
        .both("published_correlation", "published correlation", theirs.correlation, "{:+.2f}")
        .both("published_p", "p", theirs.p, "{:.3f}")
        .both("correlation", "ours", effect.correlation, "{:+.2f}")
        .both("p", "p", effect.p, "{:.3f}");
  }
  return table;
}

}  // namespace

Reproduction reproduce_scores(Laboratory& laboratory) {
  const std::vector<int>& players = laboratory.players();
  const Tournaments tournaments(players, play_all(laboratory, 1));
  const cli::ResultTable findings = compare_findings(tournaments, players.size());
  Reproduction result;
  result.title = ", with 95 % intervals";
  result.table = scores_table(tournaments, players);
  const std::string order = order_text(tournaments, players);
  result.summary = {{"findings", findings.rows()}, {"order", order}};
  std::string qualities;
  if (players.size() > 2) {
    const cli::ResultTable compared = compare_qualities(tournaments, players);
    result.summary["question_3"] = compared.rows();
    qualities = compared.text() +
                "Correlation of the gain over tournament 1 with the quality of South's "
                "evaluation less North's;\nquality: scores of tournament 2; p: share of all orders "
                "of the players with one as large.\n\n";
  }
  result.remarks = fmt::format(
      "{}\n{}Scores of all tournaments: {}\nScores are sums over the players named; the published "
      "ones are over the same.\n",
      findings.text(), qualities, order);
  return result;
}

Reproduction reproduce_deviations(Laboratory& laboratory) {
  const std::vector<int>& players = laboratory.players();
  const std::vector<MatchResult> results = play_all(laboratory, 2);
  Reproduction result;
  std::size_t next = 0;
  for (int t = 2; t <= kTournaments; ++t) {
    result.table.line().text("<tournament", fmt::format("{}: {}", t, published_tournament(t).name));
    for (const int south : players) {
      MatchResult all;
      for (std::size_t n = 0; n < players.size(); ++n) all.merge(results[next++]);
      // South against all.
      const RunningStats& ours = all.deviations;
      const PublishedDeviations published = published_deviations(t, south);
      const Interval interval = student_interval(ours);
      result.table.entry()
          .data("tournament", t)
          .data("south", player_name(south))
          .data("published", published.mean)
          .data("published_sd", published.sd)
          .text("<" + player_name(south),
                fmt::format("{:.2f} ± {:.1f}", published.mean, published.sd))
          .data("ours", ours.mean())
          .ends("ours", interval)
          .data("ours_sd", ours.sd())
          .text("<ours", fmt::format("{:.2f} [{:.2f}, {:.2f}] ± {:.1f}", ours.mean(), interval.low,
                                     interval.high, ours.sd()));
    }
  }
  result.title = ", ± standard deviation";
  result.remarks = "Ours with the 95 % interval of the mean.\n";
  return result;
}

}  // namespace ntune::bao
