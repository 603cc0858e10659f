// Chapter 7 and Appendices B and D of Heuser 2003, which are pictures in the thesis: ours alone.

#include "apps/slide3/reproduce_appendix.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "apps/slide3/published.h"
#include "apps/slide3/reproduce_intensities.h"
#include "apps/slide3/signs.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/games/slide/evaluation.h"

namespace ntune::slide3 {

namespace {

constexpr int kAppendixDepth = 5;

/// One value of a series over `x` in the panel of that title.
Json row_of(const std::string& panel, const std::string& series, const char* x, double at,
            double value, const Interval& interval, std::int64_t n) {
  return {{"panel", panel},           {"series", series},           {x, at}, {"ours", value},
          {"ours_low", interval.low}, {"ours_high", interval.high}, {"n", n}};
}

std::string appendix_table(const std::vector<Json>& rows, const char* x) {
  TextTable table({"<panel", "<series", x, "ours", "<95 % interval", "n"});
  const Json* last = nullptr;
  for (const Json& row : rows) {
    if (last != nullptr && (*last)["panel"] != row["panel"]) table.add_rule();
    last = &row;
    table.add_row({row["panel"].get<std::string>(), row["series"].get<std::string>(),
                   number_text(row[x].get<double>()),
                   fmt::format("{:.3f}", row["ours"].get<double>()),
                   fmt::format("[{:.3f}, {:.3f}]", row["ours_low"].get<double>(),
                               row["ours_high"].get<double>()),
                   fmt::format("{}", row["n"].get<std::int64_t>())});
  }
  return table.text();
}

Json quota_row(const std::string& panel, const std::string& series, const char* x, double at,
               const Autoplay& ours) {
  return row_of(panel, series, x, at, ours.winning_quota(), ours.quota_interval(), ours.games);
}

void add_fat_quota(Reproduction& result, const std::string& panel, double at,
                   const Autoplay& ours) {
  if (ours.ties == 0) return;
  const Interval interval =
      wilson_interval(static_cast<double>(ours.fat_moves), static_cast<double>(ours.ties));
  result.rows.push_back(
      row_of(panel, "fat quota", "intensity", at, ours.fat_quota(), interval, ours.ties));
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

std::string games_text(const Laboratory& laboratory) { return count_text(laboratory.games()); }

constexpr std::array kWinValues{0.0, kRepairedWinValue};

/// Only these randomisations make values below that of Win.
std::vector<PublishedEffect> repaired_effects() {
  std::vector<PublishedEffect> effects;
  for (const PublishedEffect& effect : published_effects()) {
    if (effect.randomisation == Randomisation::kAdd ||
        effect.randomisation == Randomisation::kNormMinus) {
      effects.push_back(effect);
    }
  }
  return effects;
}

/// All features without chance; then of each effect, for each value of Win, every intensity.
std::vector<DepthPlayer> repair_players(const Laboratory& laboratory,
                                        const std::vector<PublishedEffect>& effects, int depth) {
  std::vector<DepthPlayer> players;
  for (int feature = 0; feature < kSlideFeatures; ++feature) {
    players.push_back(
        laboratory.player(SlideEvaluation::of(static_cast<SlideFeature>(feature)), depth));
  }
  for (const PublishedEffect& effect : effects) {
    for (const double win_value : kWinValues) {
      for (const double intensity : intensities_of(effect.randomisation)) {
        players.push_back(laboratory.player(
            SlideEvaluation::of(effect.feature, effect.randomisation, intensity), depth));
        players.back().search.win_value = win_value;
      }
    }
  }
  return players;
}

/// The games of an effect by value of Win and rising intensity, and those without chance.
struct RepairSeries {
  const PublishedEffect& effect;
  const Autoplay& plain;
  std::array<std::span<const Autoplay>, kWinValues.size()> ours = {};
};

/// From the games of repair_players(), in their order.
std::vector<RepairSeries> repair_series(const std::vector<PublishedEffect>& effects,
                                        const std::vector<Autoplay>& games) {
  std::vector<RepairSeries> all;
  std::span<const Autoplay> rest = std::span(games).subspan(kSlideFeatures);
  for (const PublishedEffect& effect : effects) {
    const std::size_t count = intensities_of(effect.randomisation).size();
    RepairSeries series{.effect = effect, .plain = games[static_cast<std::size_t>(effect.feature)]};
    for (std::span<const Autoplay>& ours : series.ours) {
      ours = rest.first(count);
      rest = rest.subspan(count);
    }
    all.push_back(series);
  }
  return all;
}

void add_repair_rows(Reproduction& result, const RepairSeries& series) {
  const std::string panel = fmt::format("{} {}", slide_feature_name(series.effect.feature),
                                        randomisation_title(series.effect.randomisation));
  const std::span<const double> intensities = intensities_of(series.effect.randomisation);
  for (std::size_t w = 0; w < kWinValues.size(); ++w) {
    const std::string name = fmt::format("Win {}", number_text(kWinValues[w]));
    result.rows.push_back(quota_row(panel, name, "intensity", 0.0, series.plain));
    for (std::size_t i = 0; i < intensities.size(); ++i) {
      const Autoplay& one = series.ours[w][i];
      result.rows.push_back(quota_row(panel, name, "intensity", intensities[i], one));
      result.evaluations += one.evaluations;
    }
  }
}

struct RepairFindings {
  Comparison repaired;                                  ///< against the first programs
  std::array<std::int64_t, kWinValues.size()> signs{};  ///< of the best, in agreement
};

RepairFindings repair_findings(const std::vector<RepairSeries>& all) {
  RepairFindings findings;
  for (const RepairSeries& series : all) {
    for (std::size_t w = 0; w < kWinValues.size(); ++w) {
      double best = 0.0;
      for (const Autoplay& one : series.ours[w]) best = std::max(best, one.winning_quota());
      const char published = w == 0 ? series.effect.first_sign : series.effect.repaired_sign;
      const char sign = sign_of(best, series.plain.winning_quota(), series.plain.games);
      findings.signs[w] += sign == published ? 1 : 0;
    }
    for (std::size_t i = 0; i < series.ours[0].size(); ++i) {
      findings.repaired.add(series.ours[1][i], series.ours[0][i]);
    }
  }
  return findings;
}

}  // namespace

Reproduction reproduce_repair(Laboratory& laboratory) {
  const int depth = laboratory.arguments().depth.value_or(kUsualDepth);
  const int dtw = laboratory.arguments().dtw.value_or(kUsualDtw);
  Reproduction result;
  result.title = fmt::format(
      "Chapter 7 of Heuser (2003): winning quota against the intensity, with Win worth {} and "
      "{},\ndepth {}, {} games a cell from DTW {}",
      number_text(kWinValues[0]), number_text(kWinValues[1]), depth, games_text(laboratory), dtw);
  result.plays = false;
  const std::vector<PublishedEffect> effects = repaired_effects();
  const std::vector<Autoplay> games =
      laboratory.play(repair_players(laboratory, effects, depth), dtw, "repair");
  if (laboratory.stopped()) return result;
  const std::vector<RepairSeries> all = repair_series(effects, games);
  for (const RepairSeries& series : all) add_repair_rows(result, series);
  const RepairFindings findings = repair_findings(all);
  result.table = appendix_table(result.rows, "intensity");
  result.summary = {{"repaired_against_first", findings.repaired.json()},
                    {"pairs", effects.size()},
                    {"first_signs_in_agreement", findings.signs[0]},
                    {"repaired_signs_in_agreement", findings.signs[1]}};
  result.remarks = fmt::format(
      "With Win worth {1} the quota is {2} than with {0}.\nSigns of the best in agreement with "
      "Table 6.2 (Win {0}): {3} of {5}, with Table 7.1 (Win {1}): {4}.\n",
      number_text(kWinValues[0]), number_text(kWinValues[1]), findings.repaired.text(),
      findings.signs[0], findings.signs[1], effects.size());
  return result;
}

Reproduction reproduce_fat(Laboratory& laboratory) {
  constexpr std::array kIntensities{0.0, 0.1, 0.5, 1.0, 1.5, 2.0, 2.5};
  constexpr std::array kDistances{14, 24};
  Reproduction result;
  result.title = fmt::format(
      "Appendix B of Heuser (2003): winning quota and fat quota against the intensity of Add, and "
      "the quota of fat tie-breaks, depth {}, {} games",
      kAppendixDepth, games_text(laboratory));
  std::vector<DepthPlayer> players;
  for (int feature = 0; feature < kSlideFeatures; ++feature) {
    const auto slide_feature = static_cast<SlideFeature>(feature);
    DepthPlayer fat = laboratory.player(SlideEvaluation::of(slide_feature), kAppendixDepth);
    fat.fat = true;
    players.push_back(fat);
    for (const double intensity : kIntensities) {
      const Randomisation chance = intensity > 0.0 ? Randomisation::kAdd : Randomisation::kNone;
      players.push_back(
          laboratory.player(SlideEvaluation::of(slide_feature, chance, intensity), kAppendixDepth));
    }
  }
  Comparison against_plain;
  Comparison against_chance;
  for (const int dtw : kDistances) {
    const std::vector<Autoplay> ours = laboratory.play(players, dtw, "fat", true);
    if (laboratory.stopped()) break;
    std::size_t next = 0;
    for (int feature = 0; feature < kSlideFeatures; ++feature) {
      const std::string panel =
          fmt::format("{}, DTW {}", slide_feature_name(static_cast<SlideFeature>(feature)), dtw);
      const Autoplay& fat = ours[next++];
      result.evaluations += fat.evaluations;
      for (const double intensity : kIntensities) {
        const Autoplay& autoplay = ours[next++];
        result.rows.push_back(quota_row(panel, "winning quota", "intensity", intensity, autoplay));
        add_fat_quota(result, panel, intensity, autoplay);
        result.rows.push_back(quota_row(panel, "ties broken fat", "intensity", intensity, fat));
        (intensity > 0.0 ? against_chance : against_plain).add(fat, autoplay);
        result.evaluations += autoplay.evaluations;
      }
    }
  }
  result.table = appendix_table(result.rows, "intensity");
  result.summary = {{"fat_against_none", against_plain.json()},
                    {"fat_against_add", against_chance.json()}};
  result.remarks = fmt::format(
      "Ties broken fat are {} than without chance, {} than with Add. The thesis\n"
      "(Section 5.2.3): much lower than without chance and with most randomisations.\n",
      against_plain.text(), against_chance.text());
  return result;
}

Reproduction reproduce_distances(Laboratory& laboratory) {
  constexpr int kFirst = 8;
  constexpr int kLast = 18;
  constexpr double kIntensity = 0.1;
  Reproduction result;
  result.title = fmt::format(
      "Appendix D of Heuser (2003): winning quota against DTW, without (R0) and with Add [-{}, "
      "{}], depth {}, {} games",
      number_text(kIntensity), number_text(kIntensity), kAppendixDepth, games_text(laboratory));
  std::vector<DepthPlayer> players;
  std::vector<std::pair<std::string, std::string>> names;
  const auto add = [&](const SlideEvaluation& evaluation, std::string panel, std::string series) {
    players.push_back(laboratory.player(evaluation, kAppendixDepth));
    names.emplace_back(std::move(panel), std::move(series));
  };
  for (int feature = 0; feature < kSlideFeatures; ++feature) {
    const auto slide_feature = static_cast<SlideFeature>(feature);
    add(SlideEvaluation::of(slide_feature), slide_feature_name(slide_feature), "R0");
    add(SlideEvaluation::of(slide_feature, Randomisation::kAdd, kIntensity),
        slide_feature_name(slide_feature), "Add");
  }
  SlideEvaluation chance;
  add(chance, "chance", "Random Play");
  chance.randomisation = Randomisation::kRandom;
  add(chance, "chance", "Random Evaluation");
  std::vector<Comparison> against_first(players.size() / 2);
  for (int dtw = kFirst; dtw <= kLast; ++dtw) {
    const std::vector<Autoplay> ours = laboratory.play(players, dtw, "distances");
    if (laboratory.stopped()) break;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      result.rows.push_back(quota_row(names[i].first, names[i].second, "dtw", dtw, ours[i]));
      result.evaluations += ours[i].evaluations;
    }
    for (std::size_t i = 0; i < against_first.size(); ++i) {
      against_first[i].add(ours[2 * i + 1], ours[2 * i]);
    }
  }
  result.table = appendix_table(result.rows, "dtw");
  for (std::size_t i = 0; i < against_first.size(); ++i) {
    result.summary[names[2 * i].first] = against_first[i].json();
    result.remarks +=
        fmt::format("{}: {} is {} than {}.\n", names[2 * i].first, names[2 * i + 1].second,
                    against_first[i].text(), names[2 * i].second);
  }
  return result;
}

}  // namespace ntune::slide3
