// Tables 4.2, 4.3 and E.1 and the rankings of Heuser 2003.

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

#include <fmt/format.h>

#include "apps/slide3/experiments/choice_of_moves.h"
#include "apps/slide3/experiments/sample.h"
#include "apps/slide3/reproduce.h"
#include "ntune/core/text.h"

namespace ntune::slide3 {

namespace {

constexpr std::int64_t kPositions = 5000;

std::vector<SlidePosition<3>> mixed_sample(const Laboratory& laboratory) {
  auto sample = draw_sample({.file = "",
                             .dtw = "all",
                             .count = laboratory.arguments().games.value_or(kPositions),
                             .seed = laboratory.arguments().seed,
                             .database = ""},
                            laboratory.database());
  std::erase(sample, SlidePosition<3>::win());
  return sample;
}

/// By evaluation and depth, from 0 to `last`.
using Measured = std::vector<std::vector<Coarseness>>;

Measured measure_coarseness(Laboratory& laboratory, int last) {
  const std::vector<SlidePosition<3>> sample = mixed_sample(laboratory);
  std::int64_t successors = 0;
  for (const SlidePosition<3>& position : sample) successors += std::popcount(position.moves());
  const std::int64_t searches =
      (last + 1) * successors + last * static_cast<std::int64_t>(sample.size());
  return laboratory.watched(kSlideFeatures * searches, "searches", [&](Progress& progress) {
    Measured results;
    for (const SlideFeature feature : kFeatures) {
      if (progress.stop) break;
      results.push_back(coarseness(feature, last, sample, laboratory.parallel(), progress));
    }
    return results;
  });
}

/// Ours beside the published numbers, a line for every depth and in it all evaluations.
template <class Published, class Ours>
cli::ResultTable compare(const Measured& measured, int first, const char* format,
                         Published published, Ours ours) {
  cli::ResultTable table;
  for (auto d = static_cast<std::size_t>(first); d < measured.front().size(); ++d) {
    table.line().text("depth", std::to_string(d));
    for (std::size_t i = 0; i < measured.size(); ++i) {
      const char* const name = slide_feature_name(kFeatures[i]);
      const double theirs = published(kFeatures[i], static_cast<int>(d));
      const double our_value = ours(measured[i][d]);
      table.entry()
          .data("depth", d)
          .data("evaluation", name)
          .both("published", name, theirs, format)
          .both("ours", "ours", our_value, format)
          .data("difference", our_value - theirs);
    }
  }
  return table;
}

}  // namespace

Reproduction reproduce_values(Laboratory& laboratory) {
  const Measured measured = measure_coarseness(laboratory, 5);
  Reproduction result;
  result.table = compare(measured, 0, "{:.0f}", published_values, [](const Coarseness& coarseness) {
    return static_cast<double>(coarseness.values);
  });
  result.title = fmt::format(" among {} positions (published: 22,458)",
                             count_text(measured.front().front().positions));
  return result;
}

Reproduction reproduce_ties(Laboratory& laboratory) {
  const Measured measured = measure_coarseness(laboratory, 6);
  Reproduction result;
  result.table = compare(measured, 1, "{:.1f}", published_ties, [](const Coarseness& coarseness) {
    return 100.0 * coarseness.ties.mean();
  });
  result.title = fmt::format(" among {} positions (published: 5,000)",
                             count_text(measured.front().back().ties.count()));
  return result;
}

namespace {

constexpr std::array kDepths = {4, 5, 6};
constexpr std::array kAutoplayDtws = {14, 24};

// Ranking by the choice of moves: DTWs, samples of each, positions of each (Section 6.1.1).
constexpr std::array kMovesDtws = {5, 8, 9, 10, 11, 14, 15, 18, 19, 20, 21, 23, 24};
constexpr int kSamples = 3;
constexpr std::int64_t kSampleSize = 100;

std::vector<SlidePosition<3>> moves_sample(const Laboratory& laboratory) {
  const std::int64_t size =
      std::min(kSampleSize, laboratory.arguments().games.value_or(kSampleSize));
  std::vector<SlidePosition<3>> all;
  for (const int dtw : kMovesDtws) {
    for (int i = 0; i < kSamples; ++i) {
      std::ranges::copy(sample_positions(laboratory.database(), dtw, size,
                                         laboratory.rng().stream("moves sample", dtw, i)),
                        std::back_inserter(all));
    }
  }
  return all;
}

/// Hits of every evaluation of the ranking over all depths, DTWs and samples.
std::vector<RunningStats> ranking_hits(Laboratory& laboratory) {
  const std::vector<SlidePosition<3>> sample = moves_sample(laboratory);
  const int last = laboratory.arguments().last_depth;
  const auto& ranking = published_ranking();
  const auto searches = static_cast<std::int64_t>(ranking.size() * sample.size()) * last;
  return laboratory.watched(searches, "searches", [&](Progress& progress) {
    std::vector<RunningStats> hits(ranking.size());
    for (std::size_t i = 0; i < ranking.size() && !progress.stop; ++i) {
      for (const ChoiceOfMoves& result : choice_of_moves(
               laboratory.player(ranking[i].evaluation, 1), 1, last, sample, laboratory.database(),
               laboratory.rng().stream("ranking", i), laboratory.parallel(), progress)) {
        hits[i].merge(result.hits);
      }
    }
    return hits;
  });
}

/// Games of every evaluation of the ranking, all depths and DTWs together.
std::vector<Autoplay> ranking_games(Laboratory& laboratory) {
  std::vector<DepthPlayer> players;
  for (const PublishedRank& rank : published_ranking()) {
    for (const int depth : kDepths) players.push_back(laboratory.player(rank.evaluation, depth));
  }
  std::vector<Autoplay> games(published_ranking().size());
  for (const int dtw : kAutoplayDtws) {
    const std::vector<Autoplay> results = laboratory.play(players, dtw, "ranking");
    for (std::size_t i = 0; i < results.size(); ++i) games[i / kDepths.size()].merge(results[i]);
  }
  return games;
}

/// An evaluation's quota as a row, beside the published one in the line.
void add_quota(cli::ResultTable& table, const PublishedTileTab& row, const char* evaluation,
               double published, const Autoplay& ours) {
  table.entry()
      .data("dtw", row.dtw)
      .data("depth", row.depth)
      .data("evaluation", evaluation)
      .both("published", evaluation, published, "{:.3f}")
      .estimate("ours", "<ours", ours.winning_quota(), ours.quota_interval())
      .data("difference", ours.winning_quota() - published);
}

}  // namespace

Reproduction reproduce_tile_tab(Laboratory& laboratory) {
  std::vector<DepthPlayer> players;
  for (const int depth : kDepths) {
    players.push_back(laboratory.player(SlideEvaluation::of(SlideFeature::kMan), depth));
    players.push_back(laboratory.player({.randomisation = Randomisation::kTileTab}, depth));
  }
  Reproduction result;
  for (const int dtw : {24, 14}) {
    const std::vector<Autoplay> ours = laboratory.play(players, dtw, "tile_tab");
    for (const PublishedTileTab& row : published_tile_tab()) {
      if (row.dtw != dtw) continue;
      const auto at = static_cast<std::size_t>(2 * (row.depth - kDepths.front()));
      result.table.line().text("DTW", std::to_string(dtw)).text("depth", std::to_string(row.depth));
      add_quota(result.table, row, "Man", row.man, ours[at]);
      add_quota(result.table, row, "TileTab", row.tile_tab, ours[at + 1]);
    }
  }
  result.title = fmt::format(" of {} games", count_text(laboratory.games()));
  return result;
}

Reproduction reproduce_ranking(Laboratory& laboratory) {
  const std::vector<RunningStats> hits = ranking_hits(laboratory);
  const std::vector<Autoplay> games = ranking_games(laboratory);
  Reproduction result;
  for (std::size_t i = 0; i < games.size(); ++i) {
    const PublishedRank& rank = published_ranking()[i];
    const bool known = rank.quota >= 0.0;
    result.table.row()
        .both("evaluation", "<evaluation", rank.evaluation.text())
        .both("published_hits", "Hits", rank.hits, "{:.3f}")
        .both("hits", "ours", hits[i].mean(), "{:.3f}")
        .data("published_quota", known ? Json(rank.quota) : Json())
        .text("quota", known ? fmt::format("{:.3f}", rank.quota) : "")
        .both("quota", "ours", games[i].winning_quota(), "{:.3f}");
  }
  const int last = laboratory.arguments().last_depth;
  result.summary = {{"hits_depths", fmt::format("1-{}", last)},
                    {"quota_depths", "4-6"},
                    {"games", laboratory.games()}};
  result.remarks = fmt::format(
      "Hits: depths 1 to {}{}, 13 DTWs, {} samples each. Quotas: depths 4 to 6, {} games each from "
      "DTW 14 and 24.\n",
      last, last == 10 ? "" : " (published: 1 to 10; --last-depth 10)", kSamples,
      count_text(laboratory.games()));
  return result;
}

}  // namespace ntune::slide3
