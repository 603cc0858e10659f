#include "apps/common/laboratory_figures.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "ntune/plot/axis.h"

namespace ntune::cli {

namespace {

std::string word_at(const Json& row, const std::string& key) {
  const auto found = row.find(key);
  if (found == row.end() || found->is_null()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}

std::string name_of(const Json& row, const std::vector<std::string>& keys) {
  std::string name;
  for (const std::string& key : keys) {
    const std::string word = word_at(row, key);
    if (!word.empty()) name += (name.empty() ? "" : " ") + word;
  }
  return name;
}

/// What a cell of an agreement is called.
struct AgreementLabel {
  Place at;
  std::string name;
  int colour;
  bool agrees;  ///< the published number is within our interval
};

/// Names beside their dots: on the left of those above the line on which both are equal, on the
/// right of the others, so that they point away from the crowd. There is no room for them on the
/// left of the first quarter of the numbers.
void add_labels(Panel& panel, const std::vector<AgreementLabel>& labels, double low, double high) {
  constexpr std::size_t kFew = 24;
  for (const AgreementLabel& label : labels) {
    if (labels.size() > kFew && label.agrees) continue;
    const bool above = label.at.y > label.at.x && label.at.x > low + 0.25 * (high - low);
    panel.marks.emplace_back(Note{.at = label.at,
                                  .text = label.name,
                                  .colour = label.colour,
                                  .anchor = above ? Note::Anchor::kEnd : Note::Anchor::kStart,
                                  .dx = above ? -7.0 : 7.0,
                                  .dy = 4.0});
  }
}

}  // namespace

std::optional<double> number_at(const Json& row, const std::string& key) {
  const auto found = row.find(key);
  if (found == row.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::size_t place_of(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

Figure agreement_figure(const AgreementFigure& about, const std::vector<Json>& rows) {
  Panel panel{.x = {.label = "published " + about.unit}, .y = {.label = "ours, 95 % interval"}};
  std::vector<std::string> series;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  std::size_t count = 0;
  std::size_t inside = 0;
  std::vector<AgreementLabel> labels;
  for (const Json& row : rows) {
    // 1. A dot with a whisker for each row that has both numbers.
    const auto published = number_at(row, "published");
    const auto ours = number_at(row, "ours");
    if (!published || !ours) continue;
    ++count;
    const std::string name = about.series.empty() ? std::string() : word_at(row, about.series);
    const auto colour = static_cast<int>(place_of(series, name) % kSeries);
    const double from = number_at(row, "ours_low").value_or(*ours);
    const double to = number_at(row, "ours_high").value_or(*ours);
    const bool agrees = from <= *published && *published <= to;
    if (agrees) ++inside;
    labels.push_back({{*published, *ours}, name_of(row, about.name), colour, agrees});
    low = std::min({low, *published, from});
    high = std::max({high, *published, to});
    panel.marks.emplace_back(Whisker{
        .from = {*published, from}, .to = {*published, to}, .colour = colour, .width = 1.0});
    panel.marks.emplace_back(
        Dot{.at = {*published, *ours},
            .colour = colour,
            .tip = fmt::format("{}: published {}, ours {}", name_of(row, about.name),
                               short_number(*published), short_number(*ours))});
  }
  // 2. Both axes have the same ends, and the diagonal is where the numbers are equal.
  add_labels(panel, labels, low, high);
  if (low > high) low = high = 0.0;
  const double room = low < high ? 0.03 * (high - low) : 0.5;
  panel.x.low = panel.y.low = low - room;
  panel.x.high = panel.y.high = high + room;
  panel.marks.insert(
      panel.marks.begin(),
      Line{.points = {{low, low}, {high, high}}, .colour = kSoft, .dashed = true, .tip = "equal"});
  Figure figure{.name = "agreement", .title = about.title};
  figure.description = fmt::format(
      "Published {0} against ours for {1} cells; {2} of our 95 % intervals hold the published "
      "number.",
      about.unit, count, inside);
  figure.panels.push_back(std::move(panel));
  figure.panel_height = 360.0;
  for (std::size_t i = 0; i < series.size() && series.size() > 1; ++i) {
    figure.legend.push_back({series[i], static_cast<int>(i % kSeries), LegendEntry::Shape::kDot});
  }
  return figure;
}

}  // namespace ntune::cli
