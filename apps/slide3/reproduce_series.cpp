// Figures 6.1 and 6.2 of Heuser 2003: winning quota against intensity, and against DTW.

#include "apps/slide3/reproduce_series.h"

#include <array>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/games/slide/evaluation.h"

namespace ntune::slide3 {

namespace {

constexpr int kSeriesDepth = 5;
/// The interval [-0.1, 0.1] of Figure 6.2.
constexpr double kUsualIntensity = 0.1;

/// A row of ours; the thesis shows its numbers as a picture only.
Json row_of(const std::string& evaluation, const char* x, double at, const Autoplay& ours) {
  const Interval interval = ours.quota_interval();
  return {{"evaluation", evaluation},     {x, at},
          {"ours", ours.winning_quota()}, {"ours_low", interval.low},
          {"ours_high", interval.high},   {"games", ours.games}};
}

std::string series_table(const std::vector<Json>& rows, const char* x) {
  TextTable table({"<evaluation", x, "winning quota", "<95 % interval"});
  for (const Json& row : rows) {
    table.add_row({row["evaluation"].get<std::string>(), number_text(row[x].get<double>()),
                   fmt::format("{:.3f}", row["ours"].get<double>()),
                   fmt::format("[{:.3f}, {:.3f}]", row["ours_low"].get<double>(),
                               row["ours_high"].get<double>())});
  }
  return table.text();
}

}  // namespace

Reproduction reproduce_intensity(Laboratory& laboratory) {
  constexpr std::array kIntensities{0.0, 0.05, 0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 2.5, 5.0, 10.0};
  Reproduction result;
  result.title = fmt::format(
      "Figure 6.1 of Heuser (2003): winning quota against the intensity of Add, depth {}, {} games "
      "from DTW {}",
      kSeriesDepth, count_text(laboratory.games()), kUsualDtw);
  std::vector<DepthPlayer> players;
  std::vector<std::pair<std::string, double>> names;
  for (int feature = 0; feature < kSlideFeatures; ++feature) {
    const auto single = static_cast<SlideFeature>(feature);
    for (const double intensity : kIntensities) {
      const Randomisation chance = intensity > 0.0 ? Randomisation::kAdd : Randomisation::kNone;
      players.push_back(
          laboratory.player(SlideEvaluation::of(single, chance, intensity), kSeriesDepth));
      names.emplace_back(slide_feature_name(single), intensity);
    }
  }
  const std::vector<Autoplay> ours = laboratory.play(players, kUsualDtw, "intensity");
  for (std::size_t i = 0; i < ours.size(); ++i) {
    result.rows.push_back(row_of(names[i].first, "intensity", names[i].second, ours[i]));
    result.evaluations += ours[i].evaluations;
  }
  result.table = series_table(result.rows, "intensity");
  return result;
}

Reproduction reproduce_distance(Laboratory& laboratory) {
  constexpr int kFirst = 8;
  constexpr int kLast = 18;
  Reproduction result;
  result.title = fmt::format(
      "Figure 6.2 of Heuser (2003): winning quota against DTW, Eu with and without Add, depth {}, "
      "{} games",
      kSeriesDepth, count_text(laboratory.games()));
  const std::vector<SlideEvaluation> evaluations{
      SlideEvaluation::of(SlideFeature::kEu),
      SlideEvaluation::of(SlideFeature::kEu, Randomisation::kAdd, kUsualIntensity)};
  std::vector<DepthPlayer> players;
  for (const SlideEvaluation& evaluation : evaluations) {
    players.push_back(laboratory.player(evaluation, kSeriesDepth));
  }
  for (int dtw = kFirst; dtw <= kLast; ++dtw) {
    const std::vector<Autoplay> ours = laboratory.play(players, dtw, "distance");
    for (std::size_t i = 0; i < ours.size(); ++i) {
      result.rows.push_back(row_of(evaluations[i].text(), "dtw", dtw, ours[i]));
      result.evaluations += ours[i].evaluations;
    }
    if (laboratory.stopped()) break;
  }
  result.table = series_table(result.rows, "dtw");
  return result;
}

}  // namespace ntune::slide3
