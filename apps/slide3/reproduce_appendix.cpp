// Appendices B and D of Heuser 2003, which are pictures in the thesis: ours alone.

#include "apps/slide3/reproduce_appendix.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

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

std::string games_text(const Laboratory& laboratory) { return count_text(laboratory.games()); }

}  // namespace

Reproduction reproduce_fat(Laboratory& laboratory) {
  constexpr std::array kIntensities{0.0, 0.1, 0.5, 1.0, 1.5, 2.0, 2.5};
  constexpr std::array kDistances{14, 24};
  Reproduction result = {
      .title = fmt::format("Appendix B of Heuser (2003): winning quota and fat quota against the "
                           "intensity of Add, and the quota of fat tie-breaks, depth {}, {} games",
                           kAppendixDepth, games_text(laboratory)),
      .table = {},
      .rows = {},
      .summary = nullptr};
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
        result.evaluations += autoplay.evaluations;
      }
    }
  }
  result.table = appendix_table(result.rows, "intensity");
  return result;
}

Reproduction reproduce_distances(Laboratory& laboratory) {
  constexpr int kFirst = 8;
  constexpr int kLast = 18;
  constexpr double kIntensity = 0.1;
  Reproduction result = {
      .title = fmt::format("Appendix D of Heuser (2003): winning quota against DTW, without (R0) "
                           "and with Add [-{}, {}], depth {}, {} games",
                           number_text(kIntensity), number_text(kIntensity), kAppendixDepth,
                           games_text(laboratory)),
      .table = {},
      .rows = {},
      .summary = nullptr};
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
  for (int dtw = kFirst; dtw <= kLast; ++dtw) {
    const std::vector<Autoplay> ours = laboratory.play(players, dtw, "distances");
    if (laboratory.stopped()) break;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      result.rows.push_back(quota_row(names[i].first, names[i].second, "dtw", dtw, ours[i]));
      result.evaluations += ours[i].evaluations;
    }
  }
  result.table = appendix_table(result.rows, "dtw");
  return result;
}

}  // namespace ntune::slide3
