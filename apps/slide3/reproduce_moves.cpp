// The choice of moves with chance, and what chance changes in a game.

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "apps/slide3/experiments/choice_of_moves.h"
#include "apps/slide3/reproduce.h"
#include "ntune/core/text.h"

namespace ntune::slide3 {

namespace {

constexpr std::array kDtws = {8, 11, 14, 17, 20};  // the thesis has all from 8 to 20

std::span<const double> move_intensities_of(Randomisation randomisation) {
  static constexpr std::array kAdd = {0.1, 0.5, 2.5};
  static constexpr std::array kMult = {0.1, 0.3, 0.5};
  static constexpr std::array kNormMinus = {0.2, 1.0, 2.0};
  static constexpr std::array kComb = {0.5, 1.0, 2.0};
  if (randomisation == Randomisation::kAdd) return kAdd;
  if (randomisation == Randomisation::kMult) return kMult;
  return randomisation == Randomisation::kNormMinus ? kNormMinus : kComb;
}

/// Hits by evaluation, randomisation, intensity, DTW and depth.
using Place = std::tuple<SlideFeature, Randomisation, double, int, int>;
using HitsByPlace = std::map<Place, RunningStats>;

HitsByPlace measure_hits(Laboratory& laboratory, int last) {
  // 1. All evaluations without chance, then those with a randomisation that was tried.
  std::vector<std::pair<SlideEvaluation, Place>> all;
  for (const SlideFeature feature : kFeatures) {
    all.emplace_back(SlideEvaluation::of(feature), Place{feature, Randomisation::kNone, 0.0, 0, 0});
  }
  for (const PublishedEffect& effect : published_effects()) {
    if (effect.moves_sign == '\0') continue;
    for (const double intensity : move_intensities_of(effect.randomisation)) {
      all.emplace_back(effect.at(intensity),
                       Place{effect.feature, effect.randomisation, intensity, 0, 0});
    }
  }
  // 2. Each chooses a move in every position, at every depth.
  std::vector<std::vector<SlidePosition<3>>> samples;
  for (const int dtw : kDtws) samples.push_back(laboratory.sample(dtw));
  const auto searches = static_cast<std::int64_t>(all.size() * samples.size()) *
                        static_cast<std::int64_t>(samples.front().size()) * last;
  return laboratory.watched(searches, "searches", [&](Progress& progress) {
    HitsByPlace hits;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t s = 0; s < samples.size() && !progress.stop; ++s) {
        for (const ChoiceOfMoves& result : choice_of_moves(
                 laboratory.player(all[i].first, 1), 1, last, samples[s], laboratory.database(),
                 laboratory.rng().stream("moves", i, s), laboratory.parallel(), progress)) {
          auto [feature, randomisation, intensity, dtw, depth] = all[i].second;
          hits[{feature, randomisation, intensity, kDtws[s], result.depth}] = result.hits;
        }
      }
    }
    return hits;
  });
}

/// Whether a randomisation improves an evaluation as the thesis has it: at some depth and intensity
/// the Hits of one sample are higher, and those of none lower.
bool improves(const HitsByPlace& hits, const PublishedEffect& effect, int last) {
  for (const double intensity : move_intensities_of(effect.randomisation)) {
    for (int depth = 1; depth <= last; ++depth) {
      bool higher = false;
      bool lower = false;
      for (const int dtw : kDtws) {
        const RunningStats& plain =
            hits.at({effect.feature, Randomisation::kNone, 0.0, dtw, depth});
        const RunningStats& ours =
            hits.at({effect.feature, effect.randomisation, intensity, dtw, depth});
        const char sign = sign_of(ours.mean(), plain.mean(), ours.count());
        higher = higher || sign == '+';
        lower = lower || sign == '-';
      }
      if (higher && !lower) return true;
    }
  }
  return false;
}

/// The largest difference of mean Hits over all samples to those without chance, over depths and
/// intensities.
double largest_gain(const HitsByPlace& hits, const PublishedEffect& effect, int last) {
  double largest = -1.0;
  for (const double intensity : move_intensities_of(effect.randomisation)) {
    for (int depth = 1; depth <= last; ++depth) {
      double gain = 0.0;
      for (const int dtw : kDtws) {
        gain += hits.at({effect.feature, effect.randomisation, intensity, dtw, depth}).mean() -
                hits.at({effect.feature, Randomisation::kNone, 0.0, dtw, depth}).mean();
      }
      largest = std::max(largest, gain / static_cast<double>(kDtws.size()));
    }
  }
  return largest;
}

const char* improvement_text(bool improved) { return improved ? "+" : ""; }

}  // namespace

Reproduction reproduce_moves(Laboratory& laboratory) {
  const int last = laboratory.arguments().last_depth;
  Reproduction result;
  const HitsByPlace hits = measure_hits(laboratory, last);
  // 1. All Hits are the data.
  for (const auto& [place, stats] : hits) {
    const auto& [feature, randomisation, intensity, dtw, depth] = place;
    result.table.entry()
        .data("evaluation", slide_feature_name(feature))
        .data("randomisation", randomisation_title(randomisation))
        .data("intensity", intensity)
        .data("dtw", dtw)
        .data("depth", depth)
        .data("positions", stats.count())
        .data("hits", stats.mean())
        .ends("hits", student_interval(stats));
  }
  // 2. The table tells of each randomisation whether it improves the evaluation.
  int agreeing = 0;
  int pairs = 0;
  for (const PublishedEffect& effect : published_effects()) {
    if (effect.moves_sign == '\0') continue;
    const bool improved = improves(hits, effect, last);
    ++pairs;
    agreeing += improved == (effect.moves_sign == '+') ? 1 : 0;
    result.table.line()
        .text("<evaluation", slide_feature_name(effect.feature))
        .text("<randomisation", randomisation_title(effect.randomisation))
        .text("largest mean gain of Hits", fmt::format("{:+.3f}", largest_gain(hits, effect, last)))
        .text("<improves", improvement_text(improved))
        .text("<published", improvement_text(effect.moves_sign == '+'));
  }
  result.title = fmt::format(", {} positions each of DTW 8, 11, 14, 17 and 20,\ndepths 1 to {}",
                             count_text(laboratory.games()), last);
  result.summary = {
      {"pairs", pairs}, {"agreeing", agreeing}, {"depths", fmt::format("1-{}", last)}};
  result.remarks = fmt::format(
      "In agreement: {} of {}. A randomisation improves where at some depth and intensity the Hits "
      "of one\nsample are higher beyond the 95 % intervals of {} games, and those of none lower. "
      "The thesis has DTW 8\nto 20 and depths 1 to 8 (--last-depth 8). --format csv has every "
      "intensity, depth and DTW.\n",
      agreeing, pairs, count_text(laboratory.games()));
  return result;
}

namespace {

/// What happens in the games of a player.
struct Habits {
  std::int64_t games = 0;
  std::int64_t won = 0;
  std::int64_t moves = 0;
  std::int64_t returns = 0;  ///< moves to a position that the game has had
  std::int64_t others = 0;   ///< moves that are not of least value without chance
  std::int64_t ties = 0;
  std::int64_t fat = 0;

  void merge(const Habits& other) {
    games += other.games;
    won += other.won;
    moves += other.moves;
    returns += other.returns;
    others += other.others;
    ties += other.ties;
    fat += other.fat;
  }
};

Habits watch_game(const DepthPlayer& player, SlidePosition<3> position, SlideSearch& search,
                  Rng& rng) {
  const SlideEvaluator evaluator(player.evaluation, slide_tables());
  const SlideEvaluator plain(player.evaluation.deterministic(), slide_tables());
  Habits habits{.games = 1};
  std::set<SlidePosition<3>> seen = {position};
  int depth = player.depth;
  while (position != SlidePosition<3>::win() && habits.moves < 100) {
    // 1. A move of least value, as the depth-t player makes it.
    std::vector<SlideSuccessor> values;
    const SlideSearch::Result result =
        search.search(position, depth, evaluator, player.search, rng);
    const bool win_seen = result.win_seen;
    values.assign(result.successors.begin(), result.successors.end());
    const float least = std::ranges::min(values, {}, &SlideSuccessor::value).value;
    std::erase_if(values, [&](const SlideSuccessor& one) { return one.value != least; });
    const std::size_t chosen =
        values.size() == 1 ? 0 : rng.below(static_cast<std::uint32_t>(values.size()));
    const int line = values[chosen].line;
    // 2. What the evaluation without chance says of it.
    const auto counted = search.search_and_count(position, depth, plain, player.search).successors;
    const float plain_least = std::ranges::min(counted, {}, &SlideSuccessor::value).value;
    int minimal = 0;
    std::int64_t most = 0;
    std::int64_t of_chosen = -1;
    for (const SlideSuccessor& one : counted) {
      if (one.value != plain_least) continue;
      ++minimal;
      most = std::max(most, one.minimal_leaves);
      if (one.line == line) of_chosen = one.minimal_leaves;
    }
    habits.others += of_chosen < 0 ? 1 : 0;
    habits.ties += minimal > 1 ? 1 : 0;
    habits.fat += minimal > 1 && of_chosen == most ? 1 : 0;
    // 3. The move is made.
    position.slide(line);
    ++habits.moves;
    habits.returns += seen.insert(position).second ? 0 : 1;
    if (win_seen) depth = std::max(1, depth - 1);
  }
  habits.won = position == SlidePosition<3>::win() ? 1 : 0;
  return habits;
}

}  // namespace

Reproduction reproduce_reasons(Laboratory& laboratory) {
  constexpr std::array kChances = {
      Chance{Randomisation::kNone, 0.0}, Chance{Randomisation::kAdd, 0.005},
      Chance{Randomisation::kAdd, 0.5}, Chance{Randomisation::kMult, 0.1}};
  const std::vector<SlidePosition<3>> sample = laboratory.sample(laboratory.dtw());
  std::vector<DepthPlayer> players;
  for (const SlideFeature feature : kFeatures) {
    for (const auto& [kind, intensity] : kChances) {
      players.push_back(
          laboratory.player(SlideEvaluation::of(feature, kind, intensity), laboratory.depth()));
    }
  }
  // Each player goes through the sample on one thread, with a stream for each game.
  const auto total = static_cast<std::int64_t>(players.size() * sample.size());
  const std::vector<Habits> habits = laboratory.watched(total, "games", [&](Progress& progress) {
    std::vector<Habits> all(players.size());
    laboratory.parallel().for_each(players.size(), [&](std::size_t p) {
      SlideSearch search;
      for (std::size_t i = 0; i < sample.size() && !progress.stop; ++i) {
        Rng rng = laboratory.rng().stream("reasons", p, i);
        all[p].merge(watch_game(players[p], sample[i], search, rng));
        ++progress.done;
      }
    });
    return all;
  });
  Reproduction result;
  for (std::size_t p = 0; p < players.size(); ++p) {
    const Habits& one = habits[p];
    const auto share = [](std::int64_t part, std::int64_t whole) {
      return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
    };
    if (p > 0 && p % kChances.size() == 0) result.table.rule();
    result.table.row()
        .both("evaluation", "<evaluation", players[p].evaluation.text())
        .data("games", one.games)
        .data("moves", one.moves)
        .both("ours", "quota", share(one.won, one.games), "{:.3f}")
        .both("returns_per_move", "returns per move", share(one.returns, one.moves), "{:.3f}")
        .both("other_moves", "other moves", share(one.others, one.moves), "{:.3f}")
        .both("fat_tie_breaks", "fat tie-breaks", share(one.fat, one.ties), "{:.3f}");
  }
  result.title = fmt::format(", depth {}, {} games a row from DTW {}", laboratory.depth(),
                             count_text(laboratory.games()), laboratory.dtw());
  result.remarks =
      "Returns: moves to a position that the game has had already. Other moves: not of least "
      "value\n"
      "without chance. Fat tie-breaks: ties without chance that went to the fuller side.\n";
  return result;
}

}  // namespace ntune::slide3
