// Winning quotas over a range of intensities or of DTWs, and side by side: Figures 6.1 and 6.2,
// Chapter 7 and Appendices B, C, D and F of Heuser 2003, which are pictures there: ours alone. And
// Equation 3.4.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "apps/slide3/reproduce.h"
#include "ntune/core/text.h"

namespace ntune::slide3 {

namespace {

using cli::ResultTable;

constexpr int kSeriesDepth = 5;
/// The interval [-0.1, 0.1] of Figure 6.2 and Appendix D.
constexpr double kUsualIntensity = 0.1;
constexpr std::array kWinValues{0.0, kRepairedWinValue};

/// The feature with Add of this intensity; with 0 without chance.
SlideEvaluation with_add(SlideFeature feature, double intensity) {
  return SlideEvaluation::of(feature, intensity > 0.0 ? Randomisation::kAdd : Randomisation::kNone,
                             intensity);
}

std::string games_text(const Laboratory& laboratory) { return count_text(laboratory.games()); }

/// A quota of an evaluation at a place of the range.
void add_quota(ResultTable& table, const std::string& evaluation, const char* x, double at,
               const Autoplay& ours) {
  table.row()
      .both("evaluation", "<evaluation", evaluation)
      .number(x, x, at)
      .both("ours", "winning quota", ours.winning_quota(), "{:.3f}")
      .interval("ours", "<95 % interval", ours.quota_interval())
      .data("games", ours.games);
}

/// A quota, or the share of `n`, of a series in the panel of that title.
void add_share(ResultTable& table, const std::string& panel, const std::string& series,
               const char* x, double at, double value, const Interval& interval, std::int64_t n) {
  table.rule_between("panel", panel);
  table.row()
      .both("panel", "<panel", panel)
      .both("series", "<series", series)
      .number(x, x, at)
      .both("ours", "ours", value, "{:.3f}")
      .interval("ours", "<95 % interval", interval)
      .both("n", "n", n);
}

void add_share(ResultTable& table, const std::string& panel, const std::string& series,
               const char* x, double at, const Autoplay& ours) {
  add_share(table, panel, series, x, at, ours.winning_quota(), ours.quota_interval(), ours.games);
}

/// One of the quotas that stand side by side in a line.
void add_beside(ResultTable& table, const char* panel, const std::string& title,
                const DepthPlayer& player, const Autoplay& ours) {
  table.entry()
      .data("panel", panel)
      .data("series", player.evaluation.text())
      .data("games", ours.games)
      .estimate("ours", title, ours.winning_quota(), ours.quota_interval());
}

/// How often quotas lie above or below others, normal 95 % intervals apart.
class Comparison {
 public:
  void add(const Autoplay& one, const Autoplay& other) {
    const char sign = sign_of(one.winning_quota(), other.winning_quota(), one.games);
    ++cells_;
    above_ += sign == '+' ? 1 : 0;
    below_ += sign == '-' ? 1 : 0;
  }
  [[nodiscard]] int above() const { return above_; }
  [[nodiscard]] int below() const { return below_; }
  /// "higher in 2 and lower in 5 of 12 cells".
  [[nodiscard]] std::string text() const {
    return fmt::format("higher in {} and lower in {} of {} cells", above_, below_, cells_);
  }
  [[nodiscard]] Json json() const {
    return {{"cells", cells_}, {"higher", above_}, {"lower", below_}};
  }

 private:
  int cells_ = 0;
  int above_ = 0;
  int below_ = 0;
};

}  // namespace

Reproduction reproduce_intensity(Laboratory& laboratory) {
  constexpr std::array kIntensities{0.0, 0.05, 0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 2.5, 5.0, 10.0};
  std::vector<DepthPlayer> players;
  for (const SlideFeature feature : kFeatures) {
    for (const double intensity : kIntensities) {
      players.push_back(laboratory.player(with_add(feature, intensity), kSeriesDepth));
    }
  }
  const std::vector<Autoplay> ours = laboratory.play(players, kUsualDtw, "intensity");
  Reproduction result;
  result.title = fmt::format(", depth {}, {} games from DTW {}", kSeriesDepth,
                             games_text(laboratory), kUsualDtw);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    add_quota(result.table, slide_feature_name(kFeatures[i / kIntensities.size()]), "intensity",
              kIntensities[i % kIntensities.size()], ours[i]);
  }
  return result;
}

Reproduction reproduce_distance(Laboratory& laboratory) {
  const std::vector<DepthPlayer> players = {
      laboratory.player(SlideEvaluation::of(SlideFeature::kEu), kSeriesDepth),
      laboratory.player(with_add(SlideFeature::kEu, kUsualIntensity), kSeriesDepth)};
  Reproduction result;
  result.title = fmt::format(", Eu with and without Add, depth {}, {} games", kSeriesDepth,
                             games_text(laboratory));
  for (int dtw = 8; dtw <= 18; ++dtw) {
    const std::vector<Autoplay> ours = laboratory.play(players, dtw, "distance");
    for (std::size_t i = 0; i < ours.size(); ++i) {
      add_quota(result.table, players[i].evaluation.text(), "dtw", dtw, ours[i]);
    }
  }
  return result;
}

Reproduction reproduce_repair(Laboratory& laboratory) {
  // 1. All features without chance play. Then of each effect, for each value of Win, every
  //    intensity. Only these randomisations make values below that of Win.
  std::vector<PublishedEffect> effects;
  std::ranges::copy_if(published_effects(), std::back_inserter(effects), [](const auto& effect) {
    return effect.randomisation == Randomisation::kAdd ||
           effect.randomisation == Randomisation::kNormMinus;
  });
  std::vector<DepthPlayer> players = laboratory.plain_players(laboratory.depth());
  for (const PublishedEffect& effect : effects) {
    for (const double win_value : kWinValues) {
      for (const double intensity : intensities_of(effect.randomisation)) {
        players.push_back(laboratory.player(effect.at(intensity), laboratory.depth()));
        players.back().search.win_value = win_value;
      }
    }
  }
  const std::vector<Autoplay> games = laboratory.play(players, laboratory.dtw(), "repair");
  // 2. A panel for each effect: a series over the intensity for each value of Win. Their best tell
  //    the signs, and all of them whether the repair matters.
  Reproduction result;
  Comparison repaired;
  std::array<std::int64_t, kWinValues.size()> signs{};
  auto rest = std::span(games).subspan(kFeatures.size());
  for (const PublishedEffect& effect : effects) {
    const Autoplay& plain = games[static_cast<std::size_t>(effect.feature)];
    const std::span<const double> intensities = intensities_of(effect.randomisation);
    const std::string panel = fmt::format("{} {}", slide_feature_name(effect.feature),
                                          randomisation_title(effect.randomisation));
    for (std::size_t w = 0; w < kWinValues.size(); ++w) {
      const auto ours = rest.subspan(w * intensities.size(), intensities.size());
      const std::string series = fmt::format("Win {}", number_text(kWinValues[w]));
      add_share(result.table, panel, series, "intensity", 0.0, plain);
      double best = 0.0;
      for (std::size_t i = 0; i < ours.size(); ++i) {
        add_share(result.table, panel, series, "intensity", intensities[i], ours[i]);
        best = std::max(best, ours[i].winning_quota());
        if (w == 1) repaired.add(ours[i], rest[i]);
      }
      const char published = w == 0 ? effect.first_sign : effect.repaired_sign;
      signs[w] += sign_of(best, plain.winning_quota(), plain.games) == published ? 1 : 0;
    }
    rest = rest.subspan(kWinValues.size() * intensities.size());
  }
  const std::string first = number_text(kWinValues[0]);
  const std::string second = number_text(kWinValues[1]);
  result.title =
      fmt::format(", with Win worth {} and {},\ndepth {}, {} games a cell from DTW {}", first,
                  second, laboratory.depth(), games_text(laboratory), laboratory.dtw());
  result.summary = {{"repaired_against_first", repaired.json()},
                    {"pairs", effects.size()},
                    {"first_signs_in_agreement", signs[0]},
                    {"repaired_signs_in_agreement", signs[1]}};
  result.remarks = fmt::format(
      "With Win worth {1} the quota is {2} than with {0}.\nSigns of the best in agreement with "
      "Table 6.2 (Win {0}): {3} of {5}, with Table 7.1 (Win {1}): {4}.\n",
      first, second, repaired.text(), signs[0], signs[1], effects.size());
  return result;
}

Reproduction reproduce_fat(Laboratory& laboratory) {
  constexpr std::array kIntensities{0.0, 0.1, 0.5, 1.0, 1.5, 2.0, 2.5};
  // Of each feature the player whose ties go to the fuller side, then those with Add.
  std::vector<DepthPlayer> players;
  for (const SlideFeature feature : kFeatures) {
    players.push_back(laboratory.player(SlideEvaluation::of(feature), kSeriesDepth));
    players.back().fat = true;
    for (const double intensity : kIntensities) {
      players.push_back(laboratory.player(with_add(feature, intensity), kSeriesDepth));
    }
  }
  Reproduction result;
  Comparison against_plain;
  Comparison against_chance;
  for (const int dtw : {14, 24}) {
    const std::vector<Autoplay> ours = laboratory.play(players, dtw, "fat", true);
    std::size_t next = 0;
    for (const SlideFeature feature : kFeatures) {
      const std::string panel = fmt::format("{}, DTW {}", slide_feature_name(feature), dtw);
      const auto add = [&](const char* series, double at, const auto&... share) {
        add_share(result.table, panel, series, "intensity", at, share...);
      };
      const Autoplay& fat = ours[next++];
      for (const double intensity : kIntensities) {
        const Autoplay& one = ours[next++];
        add("winning quota", intensity, one);
        if (one.ties > 0) {
          add("fat quota", intensity, one.fat_quota(), one.fat_interval(), one.ties);
        }
        add("ties broken fat", intensity, fat);
        (intensity > 0.0 ? against_chance : against_plain).add(fat, one);
      }
    }
  }
  result.title = fmt::format(", and the quota of fat tie-breaks, depth {}, {} games", kSeriesDepth,
                             games_text(laboratory));
  result.summary = {{"fat_against_none", against_plain.json()},
                    {"fat_against_add", against_chance.json()}};
  result.remarks = fmt::format(
      "Ties broken fat are {} than without chance, {} than with Add. The thesis\n"
      "(Section 5.2.3): much lower than without chance and with most randomisations.\n",
      against_plain.text(), against_chance.text());
  return result;
}

Reproduction reproduce_distances(Laboratory& laboratory) {
  std::vector<DepthPlayer> players;
  std::vector<std::pair<std::string, std::string>> names;  // of panel and series
  const auto add = [&](const SlideEvaluation& evaluation, const char* panel, const char* series) {
    players.push_back(laboratory.player(evaluation, kSeriesDepth));
    names.emplace_back(panel, series);
  };
  for (const SlideFeature feature : kFeatures) {
    add(SlideEvaluation::of(feature), slide_feature_name(feature), "R0");
    add(with_add(feature, kUsualIntensity), slide_feature_name(feature), "Add");
  }
  add({}, "chance", "Random Play");
  add({.randomisation = Randomisation::kRandom}, "chance", "Random Evaluation");
  Reproduction result;
  std::vector<Comparison> against_first(players.size() / 2);
  for (int dtw = 8; dtw <= 18; ++dtw) {
    const std::vector<Autoplay> ours = laboratory.play(players, dtw, "distances");
    for (std::size_t i = 0; i < ours.size(); ++i) {
      add_share(result.table, names[i].first, names[i].second, "dtw", dtw, ours[i]);
      if (i % 2 == 1) against_first[i / 2].add(ours[i], ours[i - 1]);
    }
  }
  result.title = fmt::format(", without (R0) and with Add [-{0}, {0}], depth {1}, {2} games",
                             number_text(kUsualIntensity), kSeriesDepth, games_text(laboratory));
  for (std::size_t i = 0; i < against_first.size(); ++i) {
    const auto& [panel, first] = names[2 * i];
    result.summary[panel] = against_first[i].json();
    result.remarks += fmt::format("{}: {} is {} than {}.\n", panel, names[2 * i + 1].second,
                                  against_first[i].text(), first);
  }
  return result;
}

Reproduction reproduce_starts(Laboratory& laboratory) {
  constexpr std::int64_t kGamesFromStart = 1000;
  constexpr int kStartDtw = 24;
  constexpr std::array kChances = {
      Chance{Randomisation::kNone, 0.0},     Chance{Randomisation::kAdd, 0.1},
      Chance{Randomisation::kAdd, 0.5},      Chance{Randomisation::kAdd, 2.5},
      Chance{Randomisation::kMult, 0.1},     Chance{Randomisation::kMult, 0.3},
      Chance{Randomisation::kNormMinus, 1.0}};
  // The same players from Start and from other positions of its DTW.
  std::vector<DepthPlayer> players;
  for (const SlideFeature feature : {SlideFeature::kEu, SlideFeature::kMan}) {
    for (const auto& [kind, intensity] : kChances) {
      players.push_back(
          laboratory.player(SlideEvaluation::of(feature, kind, intensity), laboratory.depth()));
    }
  }
  const std::vector<SlidePosition<3>> starts(
      static_cast<std::size_t>(laboratory.arguments().games.value_or(kGamesFromStart)),
      SlidePosition<3>::start());
  const std::vector<Autoplay> from_start =
      laboratory.play_from(players, starts, kStartDtw, "start sample");
  const std::vector<Autoplay> others = laboratory.play(players, kStartDtw, "start distance");
  Reproduction result;
  result.title =
      fmt::format(" of {} games from Start and {} from DTW {}, depth {}", count_text(starts.size()),
                  games_text(laboratory), kStartDtw, laboratory.depth());
  for (std::size_t i = 0; i < players.size(); ++i) {
    result.table.line().text("<evaluation", players[i].evaluation.text());
    add_beside(result.table, "Start", "<from Start", players[i], from_start[i]);
    add_beside(result.table, "DTW 24", "<from DTW 24", players[i], others[i]);
    result.table.text("<Start against DTW 24",
                      sign_text(sign_of(from_start[i].winning_quota(), others[i].winning_quota(),
                                        from_start[i].games)));
  }
  return result;
}

Reproduction reproduce_rounded(Laboratory& laboratory) {
  constexpr std::array kChances = {
      Chance{Randomisation::kNone, 0.0},      Chance{Randomisation::kAdd, 0.5},
      Chance{Randomisation::kAdd, 2.5},       Chance{Randomisation::kMult, 0.1},
      Chance{Randomisation::kMult, 0.3},      Chance{Randomisation::kNormPlus, 1.0},
      Chance{Randomisation::kNormMinus, 0.2}, Chance{Randomisation::kNormMinus, 1.0},
      Chance{Randomisation::kComb, 1.0}};
  std::vector<DepthPlayer> players;  // as it is, rounded, …
  for (const SlideFeature feature : {SlideFeature::kPerm, SlideFeature::kL2}) {
    for (const auto& [kind, intensity] : kChances) {
      if (feature == SlideFeature::kPerm && kind == Randomisation::kComb) continue;
      for (const bool rounded : {false, true}) {
        players.push_back(
            laboratory.player(SlideEvaluation::of(feature, kind, intensity), laboratory.depth()));
        players.back().evaluation.rounded = rounded;
      }
    }
  }
  const std::vector<Autoplay> ours = laboratory.play(players, laboratory.dtw(), "rounded");
  Reproduction result;
  Comparison rounded;
  int higher = 0;
  for (std::size_t i = 0; i + 1 < players.size(); i += 2) {
    result.table.line().text("<evaluation", players[i].evaluation.text());
    add_beside(result.table, "as it is", "<as it is", players[i], ours[i]);
    add_beside(result.table, "rounded", "<rounded", players[i + 1], ours[i + 1]);
    result.table.text(
        "<rounded against not",
        sign_text(sign_of(ours[i + 1].winning_quota(), ours[i].winning_quota(), ours[i].games)));
    rounded.add(ours[i + 1], ours[i]);
    higher += ours[i + 1].won > ours[i].won ? 1 : 0;
  }
  result.title = fmt::format(", depth {}, {} games a cell from DTW {}", laboratory.depth(),
                             games_text(laboratory), laboratory.dtw());
  const std::size_t pairs = players.size() / 2;
  result.summary = {{"pairs", pairs},
                    {"higher", higher},
                    {"better", rounded.above()},
                    {"worse", rounded.below()}};
  result.remarks = fmt::format(
      "Rounded is higher in {} of {} pairs, beyond the 95 % intervals in {}, below them in {}. The "
      "thesis:\nhigher in all, mostly within the intervals, beyond them for Perm with Mult "
      "alone.\n",
      higher, pairs, rounded.above(), rounded.below());
  return result;
}

Reproduction reproduce_count(Laboratory& laboratory) {
  // A distance modulo 3 tells which moves lead nearer to Win.
  constexpr double kPositionsPerByte = 4.0;
  Reproduction result;
  result.title = ", 4 * 2^(2 (K - 1)) * (K^2)! / 2";
  for (int k = 2; k <= 5; ++k) {
    double positions = 4.0 * std::pow(2.0, 2 * (k - 1)) / 2.0;
    for (int tile = 2; tile <= k * k; ++tile) positions *= tile;
    std::vector<std::uint64_t> counts;
    if (k == 2) counts = SlideDatabase<2>::build(laboratory.parallel()).counts();
    if (k == 3) counts = laboratory.database().counts();
    const bool known = !counts.empty();
    const auto reached = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    const double bytes = positions / kPositionsPerByte;
    result.table.row()
        .both("k", "K", k)
        .data("positions", positions)
        .text("positions", count_text(positions))
        .data("bytes", bytes)
        .text("bytes at 2 bits", count_text(bytes))
        .data("reached", known ? Json(reached) : Json())
        .text("reached from Win", known ? count_text(reached) : "")
        .data("farthest", known ? Json(counts.size() - 1) : Json())
        .text("<farthest", known ? fmt::format("{} moves", counts.size() - 1) : "");
  }
  result.remarks =
      "Two bits hold a distance modulo 3, from which a shortest way is read. For K = 4 that is "
      "670\n"
      "terabytes: no memory holds it. slide3 four levels counts the levels around Win that fit.\n";
  return result;
}

}  // namespace ntune::slide3
