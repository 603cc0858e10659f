#include "ntune/report/page/sections.h"

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/capabilities.h"
#include "ntune/plot/svg.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/shared.h"
#include "ntune/report/page/html.h"
#include "ntune/study/evaluation/payoff_intervals.h"

namespace ntune {

namespace {

constexpr double kWide = 680.0;
constexpr double kNarrow = 340.0;

std::string paragraph(const std::string& text) {
  return fmt::format("<p>{}</p>\n", xml_text(text));
}

/// The figure for a wide screen and for a narrow one, of which the style sheet shows one.
std::string drawings(const Figure& figure, double wide) {
  const std::string kind = figure.name.substr(0, figure.name.find('-'));
  const auto drawn = [&](double width, const char* screen) {
    return svg_text(figure, {.width = width, .standalone = false, .css_class = screen + kind});
  };
  return drawn(wide, "wide ") + drawn(kNarrow, "narrow ");
}

/// Links that save a figure, which the script brings to life.
std::string save_buttons(const Figure& figure) {
  std::string html = "<p class=\"save\">Save";
  for (const char* kind : {"SVG", "PNG", "CSV"}) {
    if (std::string_view(kind) == "CSV" && figure.data.empty()) continue;
    html += fmt::format(" <button type=\"button\" data-save=\"{0}\">{0}</button>", kind);
  }
  html += "</p>";
  if (figure.data.empty()) return html;
  return html +
         fmt::format("<template class=\"data\">{}</template>", html_lines(csv_text(figure.data)));
}

/// The figures of a section; a single one that is named like the section needs no heading.
std::string section_of(const std::vector<Figure>& figures, const char* title, int level) {
  if (figures.empty()) return {};
  const bool named = figures.size() > 1 || figures[0].title != title;
  return named ? figures_html(figures, level) : figure_html(figures[0]);
}

/// The points that the searches came back to most often.
std::string most_sampled_table(const ReportData& data, std::size_t index) {
  constexpr std::size_t kRows = 20;
  const SearchStatistics& search = data.searches[index];
  const Objective& objective = search.objective();
  const PointColumns columns(objective.space());
  std::vector<std::string> names = columns.names();
  names.insert(names.end(), {"n", "mean", "95 % interval"});
  const bool truth = objective.known_truth() != nullptr;
  if (truth) names.emplace_back("true value");
  HtmlTable table("Points that were sampled most", names);
  // An interval is of its point by itself.
  for (const SampledPoint& sampled : search.most_sampled(kRows)) {
    const double mean = objective.unit().value_of(sampled.payoffs.mean());
    const auto interval = payoff_interval({objective}, sampled.payoffs.stats());
    std::vector<std::string> row = columns.cells(sampled.point);
    row.insert(row.end(), {html_count(sampled.payoffs.n), html_number(mean, interval),
                           html_interval(interval)});
    if (truth) row.push_back(html_number(true_value_of(objective, sampled.point)));
    table.add_row(row);
  }
  return table.text();
}

/// How many evaluations the figures of a section are of, and why not of all.
std::string search_note(const ReportData& data) {
  const Traces& traces = data.traces;
  const std::string text =
      fmt::format("{}{} of {}", html_counted(traces.evaluations, "search evaluation"),
                  data.failed > 0 ? " that brought a value," : "",
                  share_of_runs(traces.evaluated_runs, traces.of));
  if (traces.evaluated_runs >= traces.of) return "<p>" + text + ".</p>\n";
  return fmt::format("<p class=\"warning\">{}: {}.</p>\n", text, xml_text(traces.problem));
}

}  // namespace

std::string figure_html(const Figure& figure) {
  return fmt::format("<figure data-figure=\"{}\">{}<figcaption>{}</figcaption>{}</figure>\n",
                     figure.name, drawings(figure, kWide), xml_text(figure.caption),
                     save_buttons(figure));
}

std::string plain_figure_html(const Figure& figure, double wide) {
  return fmt::format(
      "<figure class=\"plain\" data-figure=\"{}\">{}<details class=\"more\"><summary>how to "
      "read</summary><figcaption>{}</figcaption>{}</details></figure>\n",
      figure.name, drawings(figure, wide), xml_text(figure.caption), save_buttons(figure));
}

std::string figures_html(const std::vector<Figure>& figures, int level) {
  std::string html;
  for (const Figure& figure : figures) {
    html += heading(level, figure.title) + figure_html(figure);
  }
  return html;
}

std::string convergence_section(const ReportData& data, int level) {
  const std::vector<Figure> figures = convergence_figure(data);
  if (!figures.empty()) return section_of(figures, "Convergence", level);
  if (data.traces.problem.empty()) return {};
  return paragraph("Not shown: " + data.traces.problem + ".");
}

std::string evaluations_section(const ReportData& data, int level) {
  const std::vector<Figure> figures = history_figure(data);
  const std::vector<Figure> tried = tried_figure(data);
  std::string html;
  std::size_t place = 0;
  for (std::size_t objective = 0; objective < data.searches.size(); ++objective) {
    // Figures are named by their objective where there are several; some objectives have none.
    const bool several = data.searches.size() > 1;
    const std::string name = several ? fmt::format("history-{}", objective + 1) : "history";
    const bool has_figure = place < figures.size() && figures[place].name == name;
    const std::string table = calls_table(data, objective);
    if (several && (has_figure || !table.empty())) {
      html += heading(level, "Calls" + of_objective(data, objective));
    }
    html += table;
    if (has_figure) {
      const std::string tried_name = several ? fmt::format("tried-{}", objective + 1) : "tried";
      html += search_note(data) + evaluations_data(data, objective) + figure_html(figures[place++]);
      for (const Figure& one : tried) {
        if (one.name == tried_name) html += heading(level, one.title) + figure_html(one);
      }
    }
  }
  return html + figures_html(timeline_figure(data), level);
}

std::string learned_section(const ReportData& data, int level) {
  if (data.traces.evaluations == 0) return {};
  std::string html = search_note(data);
  html += figures_html(main_effects_figure(data), level);
  html += figures_html(importance_figure(data), level);
  html += figures_html(pairs_figure(data), level);
  // The points that were sampled most, by objective.
  for (std::size_t objective = 0; objective < data.searches.size(); ++objective) {
    if (data.searches[objective].all().n == 0) continue;
    html += heading(level, "Most sampled points" + of_objective(data, objective));
    html += fmt::format(
        "<p class=\"soft\">Of {} distinct points. Each interval is of its point by "
        "itself: the largest of many means is a lucky one.</p>\n",
        html_count(static_cast<std::int64_t>(data.searches[objective].distinct_points())));
    html += most_sampled_table(data, objective);
  }
  return html;
}

std::string agreement_section(const ReportData& data, int level) {
  return section_of(agreement_figure(data), "What the runs recommend", level);
}

std::string sampling_section(const ReportData& data, int level) {
  return section_of(sampling_figure(data), "Sampling over time", level);
}

std::string repeat_section(const ReportData& data, int level) {
  const Json& config = data.study.study.config;
  // The study with every default, as a file of it would be.
  std::string yaml;
  for (const auto& [key, value] : config.items())
    yaml += to_yaml(key) + ": " + to_yaml(value) + '\n';
  if (data.study.is_merged()) {
    return paragraph("Merged of several seeds: repeat each of their studies.") + preformatted(yaml);
  }
  std::string html = fmt::format(
      "<p>ntune {}, seed {}. The same study and seed give the same result for any number of "
      "threads. Save the study below as <code>study.yaml</code>, then:</p>\n<pre "
      "tabindex=\"0\">ntune run study.yaml --out DIR</pre>\n",
      xml_text(data.study.result ? data.study.result->version : "of unknown version"),
      data.study.study.seed);
  if (data.study.study.true_values_known() == false) {
    html += paragraph("Programs and files that the study names stand beside its file.");
  }
  html += heading(level, "The study with every default");
  return html + preformatted(yaml);
}

}  // namespace ntune
