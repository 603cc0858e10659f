// Table E.1 and the rankings of Heuser 2003.

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "apps/common/rows.h"
#include "apps/slide3/experiments/choice_of_moves.h"
#include "apps/slide3/experiments/sample.h"
#include "apps/slide3/published.h"
#include "apps/slide3/reproduce.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"

namespace ntune::slide3 {

namespace {

constexpr std::array kDepths = {4, 5, 6};
constexpr std::array kAutoplayDtws = {14, 24};

std::string three(double value) { return fmt::format("{:.3f}", value); }

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
    std::vector<RunningStats> hits;
    for (std::size_t i = 0; i < ranking.size(); ++i) {
      RunningStats& all = hits.emplace_back();
      if (progress.stop) continue;
      for (const ChoiceOfMoves& result : choice_of_moves(
               laboratory.player(ranking[i].evaluation, 1), 1, last, sample, laboratory.database(),
               laboratory.rng().stream("ranking", i), laboratory.parallel(), progress)) {
        all.merge(result.hits);
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
    if (laboratory.stopped()) break;
    const std::vector<Autoplay> results = laboratory.play(players, dtw, "ranking");
    for (std::size_t i = 0; i < results.size(); ++i) games[i / kDepths.size()].merge(results[i]);
  }
  return games;
}

Json row_of(int dtw, int depth, const char* evaluation, double published, const Autoplay& ours) {
  const Interval interval = ours.quota_interval();
  return {{"dtw", dtw},
          {"depth", depth},
          {"evaluation", evaluation},
          {"published", published},
          {"ours", ours.winning_quota()},
          {"ours_low", interval.low},
          {"ours_high", interval.high},
          {"difference", ours.winning_quota() - published}};
}

}  // namespace

Reproduction reproduce_tile_tab(Laboratory& laboratory) {
  std::vector<DepthPlayer> players;
  for (const int depth : kDepths) {
    players.push_back(laboratory.player(SlideEvaluation::of(SlideFeature::kMan), depth));
    players.push_back(laboratory.player({.randomisation = Randomisation::kTileTab}, depth));
  }
  Reproduction result;
  TextTable table({"DTW", "depth", "Man", "<ours", "TileTab", "<ours"});
  for (const int dtw : {24, 14}) {
    if (laboratory.stopped()) return result;
    const std::vector<Autoplay> ours = laboratory.play(players, dtw, "tile_tab");
    for (const PublishedTileTab& row : published_tile_tab()) {
      if (row.dtw != dtw) continue;
      const auto at = static_cast<std::size_t>(2 * (row.depth - kDepths.front()));
      const Autoplay& man = ours[at];
      const Autoplay& tile_tab = ours[at + 1];
      result.rows.push_back(row_of(dtw, row.depth, "Man", row.man, man));
      result.rows.push_back(row_of(dtw, row.depth, "TileTab", row.tile_tab, tile_tab));
      result.evaluations += man.evaluations + tile_tab.evaluations;
      table.add_row({std::to_string(dtw), std::to_string(row.depth), three(row.man),
                     cli::interval_text(man.winning_quota(), man.quota_interval()),
                     three(row.tile_tab),
                     cli::interval_text(tile_tab.winning_quota(), tile_tab.quota_interval())});
    }
  }
  result.title = fmt::format("Table E.1 of Heuser (2003): winning quotas of {} games",
                             count_text(laboratory.games()));
  result.table = table.text();
  return result;
}

Reproduction reproduce_ranking(Laboratory& laboratory) {
  const std::vector<RunningStats> hits = ranking_hits(laboratory);
  Reproduction result;
  if (laboratory.stopped()) return result;
  const std::vector<Autoplay> games = ranking_games(laboratory);
  TextTable table({"<evaluation", "Hits", "ours", "quota", "ours"});
  for (std::size_t i = 0; i < games.size(); ++i) {
    const PublishedRank& rank = published_ranking()[i];
    const bool known = rank.quota >= 0.0;
    result.rows.push_back({{"evaluation", rank.evaluation.text()},
                           {"published_hits", rank.hits},
                           {"hits", hits[i].mean()},
                           {"published_quota", known ? Json(rank.quota) : Json()},
                           {"quota", games[i].winning_quota()}});
    table.add_row({rank.evaluation.text(), three(rank.hits), three(hits[i].mean()),
                   known ? three(rank.quota) : "", three(games[i].winning_quota())});
  }
  const int last = laboratory.arguments().last_depth;
  result.title = "Sections 6.1.1 and 6.2.1 of Heuser (2003): mean Hits and mean winning quotas";
  result.table = table.text();
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
