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

/// The first row on top; `description` is given a sentence for each.
Panel compared_panel(const ComparedPanel& compared, std::string& description) {
  Panel panel{.title = compared.title, .x = {.label = compared.unit}};
  std::vector<std::string> labels;
  for (auto row = compared.rows.rbegin(); row != compared.rows.rend(); ++row) {
    const auto y = static_cast<double>(labels.size());
    labels.push_back(row->label);
    std::string tip = fmt::format("{}: ours {}", row->label, short_number(row->ours));
    if (row->published) tip += fmt::format(", published {}", short_number(*row->published));
    description += " " + tip + ".";
    if (row->interval) {
      panel.marks.emplace_back(
          Whisker{.from = {row->interval->low, y}, .to = {row->interval->high, y}, .colour = 0});
    }
    panel.marks.emplace_back(Dot{.at = {row->ours, y}, .colour = 0, .radius = 3.6, .tip = tip});
    if (!row->published) continue;
    panel.marks.emplace_back(
        Dot{.at = {*row->published, y}, .colour = 1, .radius = 4.6, .hollow = true, .tip = tip});
  }
  panel.y = category_axis("", labels);
  return panel;
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

Figure compared_figure(const std::string& title, const std::vector<ComparedPanel>& panels) {
  Figure figure{.name = "compared", .title = title};
  figure.description = "Ours with 95 % intervals beside published numbers.";
  std::size_t most = 1;
  for (const ComparedPanel& compared : panels) {
    figure.panels.push_back(compared_panel(compared, figure.description));
    most = std::max(most, compared.rows.size());
  }
  figure.panel_width = 200.0;
  figure.panel_height = 24.0 + 20.0 * static_cast<double>(most);
  figure.legend = {{"ours, 95 % interval", 0, LegendEntry::Shape::kDot},
                   {"published", 1, LegendEntry::Shape::kDot}};
  return figure;
}

Figure matrix_figure(const MatrixFigure& about, const std::vector<MatrixPanel>& panels,
                     const std::vector<std::vector<std::string>>& tip) {
  std::vector<std::string> rows = about.rows;
  std::ranges::reverse(rows);  // y grows upwards
  Figure figure{.name = "matrix", .title = about.title};
  for (const MatrixPanel& matrix : panels) {
    Panel panel{.title = matrix.title,
                .x = category_axis(about.column_label, about.columns),
                .y = category_axis(about.row_label, rows)};
    for (std::size_t r = 0; r < matrix.value.size(); ++r) {
      for (std::size_t c = 0; c < matrix.value[r].size(); ++c) {
        if (!matrix.value[r][c]) continue;
        const double value = *matrix.value[r][c];
        const auto x = static_cast<double>(c);
        const auto y = static_cast<double>(matrix.value.size() - 1 - r);
        panel.marks.emplace_back(
            Block{.from = {x - 0.5, y - 0.5},
                  .to = {x + 0.5, y + 0.5},
                  .shade = std::clamp((value - about.low) / (about.high - about.low), 0.0, 1.0),
                  .palette = Palette::kDiverging,
                  .text = fmt::format("{:.{}f}", value, about.decimals),
                  .tip = tip[r][c]});
      }
    }
    figure.panels.push_back(std::move(panel));
  }
  figure.description =
      fmt::format("{} of {} rows by {} columns.", about.unit, rows.size(), about.columns.size());
  figure.panel_width = 210.0;
  figure.panel_height = 34.0 * static_cast<double>(rows.size());
  figure.shades = ShadeScale{about.unit, about.low, about.high, Palette::kDiverging};
  return figure;
}

}  // namespace ntune::cli
