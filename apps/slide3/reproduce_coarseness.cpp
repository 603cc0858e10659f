// Tables 4.2 and 4.3 of Heuser 2003.

#include <bit>

#include <fmt/format.h>

#include "apps/slide3/experiments/choice_of_moves.h"
#include "apps/slide3/published.h"
#include "apps/slide3/reproduce.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"

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

Measured measure(Laboratory& laboratory, int last) {
  const std::vector<SlidePosition<3>> sample = mixed_sample(laboratory);
  std::int64_t successors = 0;
  for (const SlidePosition<3>& position : sample) successors += std::popcount(position.moves());
  const std::int64_t searches =
      (last + 1) * successors + last * static_cast<std::int64_t>(sample.size());
  return laboratory.watched(kSlideFeatures * searches, "searches", [&](Progress& progress) {
    Measured results;
    for (int i = 0; i < kSlideFeatures && !progress.stop; ++i) {
      results.push_back(
          coarseness(static_cast<SlideFeature>(i), last, sample, laboratory.parallel(), progress));
    }
    return results;
  });
}

/// Ours beside the published numbers for every depth and evaluation.
template <class Published, class Ours>
Reproduction compare(Laboratory& laboratory, const Measured& measured, int first,
                     const char* format, Published published, Ours ours) {
  Reproduction result;
  result.plays = false;
  std::vector<std::string> titles = {"depth"};
  for (int i = 0; i < kSlideFeatures; ++i) {
    titles.emplace_back(slide_feature_name(static_cast<SlideFeature>(i)));
    titles.emplace_back("ours");
  }
  TextTable table(titles);
  if (laboratory.stopped()) return result;
  for (std::size_t d = static_cast<std::size_t>(first); d < measured.front().size(); ++d) {
    std::vector<std::string> cells = {std::to_string(d)};
    for (std::size_t i = 0; i < measured.size(); ++i) {
      const auto feature = static_cast<SlideFeature>(i);
      const double theirs = published(feature, static_cast<int>(d));
      const double our_value = ours(measured[i][d]);
      cells.push_back(fmt::format(fmt::runtime(format), theirs));
      cells.push_back(fmt::format(fmt::runtime(format), our_value));
      result.rows.push_back({{"depth", d},
                             {"evaluation", slide_feature_name(feature)},
                             {"published", theirs},
                             {"ours", our_value},
                             {"difference", our_value - theirs}});
    }
    table.add_row(cells);
  }
  result.table = table.text();
  return result;
}

}  // namespace

Reproduction reproduce_values(Laboratory& laboratory) {
  const Measured measured = measure(laboratory, 5);
  Reproduction result =
      compare(laboratory, measured, 0, "{:.0f}", published_values,
              [](const Coarseness& coarseness) { return static_cast<double>(coarseness.values); });
  if (laboratory.stopped()) return result;
  result.title = fmt::format(
      "Table 4.2 of Heuser (2003): different values among {} positions (published: 22,458)",
      count_text(measured.front().front().positions));
  return result;
}

Reproduction reproduce_ties(Laboratory& laboratory) {
  const Measured measured = measure(laboratory, 6);
  Reproduction result =
      compare(laboratory, measured, 1, "{:.1f}", published_ties,
              [](const Coarseness& coarseness) { return 100.0 * coarseness.ties.mean(); });
  if (laboratory.stopped()) return result;
  result.title = fmt::format(
      "Table 4.3 of Heuser (2003): per cent of ties among {} positions (published: 5,000)",
      count_text(measured.front().back().ties.count()));
  return result;
}

}  // namespace ntune::slide3
