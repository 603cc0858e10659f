// Every evaluation with every randomisation over the whole range of intensities.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "apps/slide3/reproduce.h"
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

/// The published quota of a pair at a depth and its sign; nullptr for another DTW.
const PublishedQuota* published_cell(const PublishedEffect& effect, int depth, int dtw) {
  const auto cells = published_quotas();
  const auto found = std::ranges::find_if(cells, [&](const PublishedQuota& cell) {
    return dtw == kUsualDtw && cell.depth == depth && cell.feature == effect.feature &&
           cell.randomisation == effect.randomisation;
  });
  return found == cells.end() ? nullptr : &*found;
}

/// What the series say together.
struct Agreement {
  int signs = 0;
  int patterns = 0;
  int pairs = 0;
  std::int64_t above = 0;       ///< intensities that raise the quota, where any does
  std::int64_t of_raising = 0;  ///< all intensities of those pairs
};

std::string series_table(const std::vector<Series>& all, const Laboratory& laboratory,
                         Agreement& agreement) {
  TextTable table({"<evaluation", "<randomisation", "Det", "best", "<95 % interval", "at",
                   "published", "<higher at", "<sign", "<published", "<pattern", "<published"});
  const PublishedEffect* last = nullptr;
  for (const Series& series : all) {
    const PublishedEffect& effect = *series.published;
    if (last != nullptr && last->feature != effect.feature) table.add_rule();
    last = &effect;
    // 1. Our best quota, its sign and the pattern over the intensities.
    const std::size_t best = series.best();
    const Autoplay& top = series.ours[best];
    const Interval interval = top.quota_interval();
    const Pattern pattern = series.pattern();
    const char sign =
        sign_of(top.winning_quota(), series.plain->winning_quota(), series.plain->games);
    // 2. What is published: the sign at this depth (Tables 1 to 3), or that of Table 6.2 or 7.1.
    const auto* const published = published_cell(effect, laboratory.depth(), laboratory.dtw());
    const char published_sign = laboratory.arguments().search.win_value == 0.0 ? effect.first_sign
                                : published != nullptr                         ? published->sign
                                                       : effect.repaired_sign;
    const Pattern published_pattern{effect.pattern,
                                    effect.pattern_sign == ' ' ? '=' : effect.pattern_sign};
    // 3. Whether they agree.
    ++agreement.pairs;
    agreement.signs += sign == published_sign ? 1 : 0;
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
                   published != nullptr ? fmt::format("{:.3f}", published->quota) : "",
                   fmt::format("{} of {}", above, count), sign_text(sign),
                   sign_text(published_sign), pattern_text(pattern),
                   pattern_text(published_pattern)});
  }
  return table.text();
}

}  // namespace

Reproduction reproduce_intensities(Laboratory& laboratory) {
  const int depth = laboratory.depth();
  // 1. All features without chance play, then every effect at every intensity.
  std::vector<DepthPlayer> players = laboratory.plain_players(depth);
  for (const PublishedEffect& effect : published_effects()) {
    for (const double intensity : intensities_of(effect.randomisation)) {
      players.push_back(laboratory.player(effect.at(intensity), depth));
    }
  }
  const std::vector<Autoplay> ours = laboratory.play(players, laboratory.dtw(), "intensities");
  Reproduction result;
  const auto add_row = [&](SlideFeature feature, Randomisation randomisation, double intensity,
                           const Autoplay& games) {
    result.table.entry()
        .data("dtw", laboratory.dtw())
        .data("depth", depth)
        .data("evaluation", slide_feature_name(feature))
        .data("randomisation", randomisation_title(randomisation))
        .data("intensity", intensity)
        .data("games", games.games)
        .data("ours", games.winning_quota())
        .ends("ours", games.quota_interval());
  };
  // 2. A row for each of them, in the same order, and a series for each effect.
  std::size_t next = 0;
  for (const SlideFeature feature : kFeatures) {
    add_row(feature, Randomisation::kNone, 0.0, ours[next++]);
  }
  std::vector<Series> all;
  for (const PublishedEffect& effect : published_effects()) {
    const std::span<const double> intensities = intensities_of(effect.randomisation);
    all.push_back({.published = &effect,
                   .plain = &ours[static_cast<std::size_t>(effect.feature)],
                   .ours = std::span(ours).subspan(next, intensities.size())});
    for (const double intensity : intensities) {
      add_row(effect.feature, effect.randomisation, intensity, ours[next++]);
    }
  }
  // 3. The series beside what is published.
  Agreement agreement;
  result.more = series_table(all, laboratory, agreement);
  result.title = fmt::format(",\ndepth {}, {} games a cell from DTW {}", depth,
                             count_text(laboratory.games()), laboratory.dtw());
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
  std::vector<DepthPlayer> players = laboratory.plain_players(laboratory.depth());
  for (const PublishedEffect& effect : published_effects()) {
    const double intensity = intensities_of(effect.randomisation).front();
    players.push_back(laboratory.player(effect.at(intensity), laboratory.depth()));
  }
  const std::vector<Autoplay> ours = laboratory.play(players, laboratory.dtw(), "weak", true);
  Reproduction result;
  int agreeing = 0;
  std::size_t next = kFeatures.size();
  for (const PublishedEffect& effect : published_effects()) {
    const Autoplay& plain = ours[static_cast<std::size_t>(effect.feature)];
    const Autoplay& one = ours[next++];
    // The sign is that of intervals without a number in common.
    const Interval interval = one.fat_interval();
    const Interval before = plain.fat_interval();
    const char sign = interval.low > before.high ? '+' : interval.high < before.low ? '-' : '=';
    agreeing += sign == effect.fat_sign ? 1 : 0;
    result.table.row()
        .data("dtw", laboratory.dtw())
        .data("depth", laboratory.depth())
        .both("evaluation", "<evaluation", slide_feature_name(effect.feature))
        .both("randomisation", "<randomisation", randomisation_title(effect.randomisation))
        .number("intensity", "intensity", intensities_of(effect.randomisation).front())
        .both("fat_quota_without", "Det", plain.fat_quota(), "{:.3f}")
        .both("fat_quota", "ours", one.fat_quota(), "{:.3f}")
        .interval("fat_quota", "<95 % interval", interval)
        .count("ties", "ties", one.ties)
        .both("our_sign", "<sign", sign_text(sign))
        .both("published_sign", "<published", sign_text(effect.fat_sign));
  }
  const std::size_t pairs = published_effects().size();
  result.title = fmt::format(", depth {}, {} games a cell from DTW {}", laboratory.depth(),
                             count_text(laboratory.games()), laboratory.dtw());
  result.summary = {{"pairs", pairs}, {"signs_in_agreement", agreeing}};
  result.remarks = fmt::format("Signs in agreement: {} of {}.\n", agreeing, pairs);
  return result;
}

}  // namespace ntune::slide3
