#include "ntune/report/page/sections.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/capabilities.h"
#include "ntune/plot/axis.h"
#include "ntune/plot/svg.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/page/html.h"
#include "ntune/report/page/point_columns.h"
#include "ntune/study/choice/payoff_intervals.h"

namespace ntune {

namespace {

constexpr double kWide = 680.0;
constexpr double kNarrow = 340.0;

std::string paragraph(const std::string& text) {
  return fmt::format("<p>{}</p>\n", xml_text(text));
}

std::string figure_html(const Figure& figure) {
  const std::string kind = figure.name.substr(0, figure.name.find('-'));
  return fmt::format(
      "<figure data-figure=\"{}\">{}{}<figcaption>{}</figcaption></figure>\n", figure.name,
      svg_text(figure, {.width = kWide, .standalone = false, .css_class = "wide " + kind}),
      svg_text(figure, {.width = kNarrow, .standalone = false, .css_class = "narrow " + kind}),
      xml_text(figure.caption));
}

std::string section_of(const std::vector<Figure>& figures, const char* title, int level,
                       const std::string& id) {
  if (figures.empty()) return {};
  std::string html = heading(level, title, id);
  const bool named = figures.size() > 1 || figures[0].title != title;
  return html + (named ? figures_html(figures, level + 1) : figure_html(figures[0]));
}

std::string most_sampled_table(const ReportData& data, std::size_t index) {
  constexpr std::size_t kRows = 20;
  const SearchStatistics& search = data.searches[index];
  const Objective& objective = search.objective();
  const PointColumns columns(objective.space());
  std::vector<std::string> names = columns.names();
  names.insert(names.end(), {"n", "mean", "95 % interval", "true value"});
  HtmlTable table("Points that were sampled most", names);
  for (const SampledPoint& sampled : search.most_sampled(kRows)) {
    const double mean = objective.unit().value_of(sampled.payoffs.mean());
    const auto interval = payoff_interval(objective, sampled.payoffs.stats());
    std::vector<std::string> row = columns.cells(sampled.point);
    row.insert(row.end(),
               {html_count(sampled.payoffs.n), html_number(mean), html_interval(interval),
                html_optional(true_value_of(objective, sampled.point))});
    table.add_row(row);
  }
  return table.text();
}

std::string search_note(const ReportData& data) {
  const Traces& traces = data.traces;
  std::string text = fmt::format("{} of {}", html_counted(traces.evaluations, "search evaluation"),
                                 html_counted(traces.evaluated_runs, "run"));
  if (traces.made_again) {
    text += fmt::format(
        ". The study keeps its runs, not their evaluations; these were made again from the same "
        "random streams{}",
        traces.evaluated_runs < traces.of
            ? fmt::format(", as many of the {} as the time allowed (<code>--patience</code>)",
                          html_count(traces.of))
            : std::string());
  }
  return "<p>" + text + ".</p>\n";
}

}  // namespace

std::string figures_html(const std::vector<Figure>& figures, int level) {
  std::string html;
  for (const Figure& figure : figures) {
    html += heading(level, figure.title) + figure_html(figure);
  }
  return html;
}

std::string convergence_section(const ReportData& data, int level, const std::string& id) {
  const std::vector<Figure> figures = convergence_figure(data);
  if (!figures.empty()) return section_of(figures, "Convergence", level, id);
  if (data.traces.problem.empty()) return {};
  return heading(level, "Convergence", id) + paragraph("Not shown: " + data.traces.problem + ".");
}

std::string learned_section(const ReportData& data, int level, const std::string& id) {
  if (data.traces.evaluations == 0) return {};
  std::string html = heading(level, "What the searches learned", id) + search_note(data);
  html += figures_html(main_effects_figure(data), level + 1);
  html += figures_html(importance_figure(data), level + 1);
  html += figures_html(pairs_figure(data), level + 1);
  for (std::size_t objective = 0; objective < data.searches.size(); ++objective) {
    if (data.searches[objective].all().n == 0) continue;
    html += heading(level + 1, "Most sampled points" + of_objective(data, objective));
    html += fmt::format(
        "<p class=\"soft\">Of {} distinct points. Each interval is of its point by "
        "itself: the largest of many means is a lucky one.</p>\n",
        html_count(static_cast<std::int64_t>(data.searches[objective].distinct_points())));
    html += most_sampled_table(data, objective);
  }
  return html;
}

std::string agreement_section(const ReportData& data, int level, const std::string& id) {
  std::vector<Figure> figures = agreement_figure(data);
  const std::vector<Figure> parallel = parallel_figure(data);
  figures.insert(figures.end(), parallel.begin(), parallel.end());
  return section_of(figures, "What the runs recommend", level, id);
}

std::string sampling_section(const ReportData& data, int level, const std::string& id) {
  return section_of(sampling_figure(data), "Sampling over time", level, id);
}

std::string repeat_section(const ReportData& data, int level, const std::string& id) {
  const Json& config = data.study.study.config;
  std::string yaml;
  for (const auto& [key, value] : config.items())
    yaml += to_yaml(key) + ": " + to_yaml(value) + '\n';
  std::string html = heading(level, "Repeat it", id);
  if (data.study.merged) {
    return html + paragraph("Merged of several seeds: repeat each of their studies.") +
           preformatted(yaml);
  }
  html += fmt::format(
      "<p>ntune {}, seed {}. The same study and seed give the same result for any number of "
      "threads. Save the study below as <code>study.yaml</code>, then:</p>\n<pre "
      "tabindex=\"0\">ntune run study.yaml --out DIR</pre>\n",
      xml_text(data.study.version.empty() ? "of unknown version" : data.study.version),
      data.study.study.seed);
  if (data.study.study.true_values_known() == false) {
    html += paragraph("Programs and files that the study names stand beside its file.");
  }
  html += heading(level + 1, "The study with every default");
  return html + preformatted(yaml);
}

}  // namespace ntune
