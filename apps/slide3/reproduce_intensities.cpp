// Every evaluation with every randomisation over the whole range of intensities.

#include "apps/slide3/reproduce_intensities.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "apps/slide3/published.h"
#include "apps/slide3/signs.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"

namespace ntune::slide3 {

std::span<const double> intensities_of(Randomisation randomisation) {
  static constexpr std::array kAdd = {0.005, 0.1, 0.5, 1.0, 2.5, 5.0, 10.0};
  static constexpr std::array kMult = {0.005, 0.1, 0.2, 0.3, 0.5, 1.0, 2.5};
  static constexpr std::array kNormPlus = {0.1, 0.5, 1.0, 2.0};
  static constexpr std::array kNormMinus = {0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0};
  static constexpr std::array kComb = {0.1, 0.5, 1.0, 1.5, 2.0, 3.0};
  switch (randomisation) {
    case Randomisation::kAdd:
      return kAdd;
    case Randomisation::kMult:
      return kMult;
    case Randomisation::kNormPlus:
      return kNormPlus;
    case Randomisation::kNormMinus:
      return kNormMinus;
    default:
      return kComb;
  }
}

namespace {

/// The games of a pair of evaluation and randomisation by rising intensity.
struct Series {
  const PublishedEffect* published = nullptr;
  const Autoplay* plain = nullptr;
  std::span<const Autoplay> ours;

  [[nodiscard]] std::size_t best() const {
    const auto most = std::ranges::max_element(ours, {}, &Autoplay::won);
    return static_cast<std::size_t>(most - ours.begin());
  }
  [[nodiscard]] std::int64_t count(char sign) const {
    return std::ranges::count_if(ours, [&](const Autoplay& one) {
      return sign_of(one.winning_quota(), plain->winning_quota(), one.games) == sign;
    });
  }
  [[nodiscard]] Pattern pattern() const {
    std::vector<double> quotas;
    for (const Autoplay& one : ours) quotas.push_back(one.winning_quota());
    return pattern_of(plain->winning_quota(), quotas, plain->games);
  }
};

/// The published best quota of a pair at a depth; nothing for another DTW.
std::optional<double> published_best(const PublishedEffect& effect, int depth, int dtw) {
  for (const PublishedQuota& cell : published_quotas()) {
    if (dtw == kUsualDtw && cell.depth == depth && cell.feature == effect.feature &&
        cell.randomisation == effect.randomisation) {
      return cell.quota;
    }
  }
  return std::nullopt;
}

/// The published sign at this depth (Tables 1 to 3); without one that of Table 6.2 or 7.1.
char published_sign(const PublishedEffect& effect, const Laboratory& laboratory, int depth,
                    int dtw) {
  if (laboratory.arguments().search.win_value == 0.0) return effect.first_sign;
  for (const PublishedQuota& cell : published_quotas()) {
    if (dtw == kUsualDtw && cell.depth == depth && cell.feature == effect.feature &&
        cell.randomisation == effect.randomisation) {
      return cell.sign;
    }
  }
  return effect.repaired_sign;
}

Json row_of(SlideFeature feature, Randomisation randomisation, double intensity, int depth, int dtw,
            const Autoplay& ours) {
  const Interval interval = ours.quota_interval();
  return {{"dtw", dtw},
          {"depth", depth},
          {"evaluation", slide_feature_name(feature)},
          {"randomisation", randomisation_title(randomisation)},
          {"intensity", intensity},
          {"games", ours.games},
          {"ours", ours.winning_quota()},
          {"ours_low", interval.low},
          {"ours_high", interval.high}};
}

/// What the series say together.
struct Agreement {
  int signs = 0;
  int patterns = 0;
  int pairs = 0;
  std::int64_t above = 0;       ///< intensities that raise the quota, where any does
  std::int64_t of_raising = 0;  ///< all intensities of those pairs
};

std::string series_table(const std::vector<Series>& all, const Laboratory& laboratory, int depth,
                         int dtw, Agreement& agreement) {
  TextTable table({"<evaluation", "<randomisation", "Det", "best", "<95 % interval", "at",
                   "published", "<higher at", "<sign", "<published", "<pattern", "<published"});
  const PublishedEffect* last = nullptr;
  for (const Series& series : all) {
    const PublishedEffect& effect = *series.published;
    if (last != nullptr && last->feature != effect.feature) table.add_rule();
    last = &effect;
    const std::size_t best = series.best();
    const Autoplay& top = series.ours[best];
    const Interval interval = top.quota_interval();
    const std::optional<double> published = published_best(effect, depth, dtw);
    const Pattern pattern = series.pattern();
    const char sign =
        sign_of(top.winning_quota(), series.plain->winning_quota(), series.plain->games);
    const char published_one = published_sign(effect, laboratory, depth, dtw);
    const Pattern published_pattern{effect.pattern,
                                    effect.pattern_sign == ' ' ? '=' : effect.pattern_sign};
    ++agreement.pairs;
    agreement.signs += sign == published_one ? 1 : 0;
    agreement.patterns += pattern_text(pattern) == pattern_text(published_pattern) ? 1 : 0;
    const std::int64_t above = series.count('+');
    const auto count = static_cast<std::int64_t>(series.ours.size());
    agreement.above += above;
    agreement.of_raising += above > 0 ? count : 0;
    table.add_row({slide_feature_name(effect.feature), randomisation_title(effect.randomisation),
                   fmt::format("{:.3f}", series.plain->winning_quota()),
                   fmt::format("{:.3f}", top.winning_quota()),
                   fmt::format("[{:.3f}, {:.3f}]", interval.low, interval.high),
                   number_text(intensities_of(effect.randomisation)[best]),
                   published ? fmt::format("{:.3f}", *published) : "",
                   fmt::format("{} of {}", above, count), sign_text(sign), sign_text(published_one),
                   pattern_text(pattern), pattern_text(published_pattern)});
  }
  return table.text();
}

}  // namespace

Reproduction reproduce_intensities(Laboratory& laboratory) {
  const int depth = laboratory.arguments().depth.value_or(kUsualDepth);
  const int dtw = laboratory.arguments().dtw.value_or(kUsualDtw);
  std::vector<DepthPlayer> players;
  std::vector<std::size_t> plain_at(kSlideFeatures);
  for (int feature = 0; feature < kSlideFeatures; ++feature) {
    plain_at[static_cast<std::size_t>(feature)] = players.size();
    const auto single = static_cast<SlideFeature>(feature);
    players.push_back(laboratory.player(SlideEvaluation::of(single), depth));
  }
  for (const PublishedEffect& effect : published_effects()) {
    for (const double intensity : intensities_of(effect.randomisation)) {
      players.push_back(laboratory.player(
          SlideEvaluation::of(effect.feature, effect.randomisation, intensity), depth));
    }
  }
  const std::vector<Autoplay> ours = laboratory.play(players, dtw, "intensities");
  Reproduction result;
  result.title = fmt::format(
      "Tables 6.2, 6.3 and 7.1 of Heuser (2003), 1 to 4 of Althöfer and Heuser (2005): every "
      "intensity,\ndepth {}, {} games a cell from DTW {}",
      depth, count_text(laboratory.games()), dtw);
  std::vector<Series> all;
  std::size_t next = kSlideFeatures;
  for (std::size_t i = 0; i < next; ++i) {
    result.rows.push_back(
        row_of(static_cast<SlideFeature>(i), Randomisation::kNone, 0.0, depth, dtw, ours[i]));
  }
  for (const PublishedEffect& effect : published_effects()) {
    const std::span<const double> intensities = intensities_of(effect.randomisation);
    const auto feature = static_cast<std::size_t>(effect.feature);
    all.push_back({.published = &effect,
                   .plain = &ours[plain_at[feature]],
                   .ours = std::span(ours).subspan(next, intensities.size())});
    for (const double intensity : intensities) {
      result.rows.push_back(
          row_of(effect.feature, effect.randomisation, intensity, depth, dtw, ours[next++]));
    }
  }
  for (const Autoplay& one : ours) result.evaluations += one.evaluations;
  Agreement agreement;
  result.table = series_table(all, laboratory, depth, dtw, agreement);
  result.summary = {{"pairs", agreement.pairs},
                    {"signs_in_agreement", agreement.signs},
                    {"patterns_in_agreement", agreement.patterns},
                    {"intensities_higher", agreement.above},
                    {"intensities_of_pairs_with_any_higher", agreement.of_raising}};
  result.remarks = fmt::format(
      "Signs in agreement: {0} of {1}; patterns: {2} of {1}. Where chance helps at all it does so "
      "at {3} of {4}\nintensities. The best of several is too high by chance; --format csv has "
      "them all. A sign is + or -\nwhere the normal 95 % intervals of the best and of Det do not "
      "overlap. Patterns: 1 rises at once,\n2 later, both fall again; 3 does not rise and falls in "
      "the end; 4 falls at once; 5 none of these,\nwith its sign.\n",
      agreement.signs, agreement.pairs, agreement.patterns, agreement.above, agreement.of_raising);
  return result;
}

Reproduction reproduce_weak(Laboratory& laboratory) {
  const int depth = laboratory.arguments().depth.value_or(kUsualDepth);
  const int dtw = laboratory.arguments().dtw.value_or(kUsualDtw);
  std::vector<DepthPlayer> players;
  for (int feature = 0; feature < kSlideFeatures; ++feature) {
    players.push_back(
        laboratory.player(SlideEvaluation::of(static_cast<SlideFeature>(feature)), depth));
  }
  for (const PublishedEffect& effect : published_effects()) {
    players.push_back(
        laboratory.player(SlideEvaluation::of(effect.feature, effect.randomisation,
                                              intensities_of(effect.randomisation).front()),
                          depth));
  }
  const std::vector<Autoplay> ours = laboratory.play(players, dtw, "weak", true);
  Reproduction result;
  result.title = fmt::format(
      "Table 6.4 of Heuser (2003): fat quota with weak randomisation, depth {}, {} games a cell "
      "from DTW {}",
      depth, count_text(laboratory.games()), dtw);
  TextTable table({"<evaluation", "<randomisation", "intensity", "Det", "ours", "<95 % interval",
                   "ties", "<sign", "<published"});
  int agreeing = 0;
  std::size_t next = kSlideFeatures;
  for (const PublishedEffect& effect : published_effects()) {
    const Autoplay& plain = ours[static_cast<std::size_t>(effect.feature)];
    const Autoplay& one = ours[next++];
    result.evaluations += one.evaluations;
    const auto interval_of = [](const Autoplay& games) {
      return wilson_interval(static_cast<double>(games.fat_moves), static_cast<double>(games.ties));
    };
    const Interval interval = interval_of(one);
    const Interval before = interval_of(plain);
    const char sign = interval.low > before.high ? '+' : interval.high < before.low ? '-' : '=';
    agreeing += sign == effect.fat_sign ? 1 : 0;
    const double intensity = intensities_of(effect.randomisation).front();
    table.add_row({slide_feature_name(effect.feature), randomisation_title(effect.randomisation),
                   number_text(intensity), fmt::format("{:.3f}", plain.fat_quota()),
                   fmt::format("{:.3f}", one.fat_quota()),
                   fmt::format("[{:.3f}, {:.3f}]", interval.low, interval.high),
                   count_text(one.ties), sign_text(sign), sign_text(effect.fat_sign)});
    result.rows.push_back({{"dtw", dtw},
                           {"depth", depth},
                           {"evaluation", slide_feature_name(effect.feature)},
                           {"randomisation", randomisation_title(effect.randomisation)},
                           {"intensity", intensity},
                           {"fat_quota_without", plain.fat_quota()},
                           {"fat_quota", one.fat_quota()},
                           {"fat_quota_low", interval.low},
                           {"fat_quota_high", interval.high},
                           {"ties", one.ties},
                           {"our_sign", sign_text(sign)},
                           {"published_sign", sign_text(effect.fat_sign)}});
  }
  result.table = table.text();
  result.summary = {{"pairs", published_effects().size()}, {"signs_in_agreement", agreeing}};
  result.remarks =
      fmt::format("Signs in agreement: {} of {}.\n", agreeing, published_effects().size());
  return result;
}

}  // namespace ntune::slide3
