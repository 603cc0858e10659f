#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/facts/result_text.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/shared.h"
#include "ntune/report/page/html.h"
#include "ntune/report/page/sections.h"

namespace ntune {

namespace {

/// The cells of the result; none before there is one.
const std::vector<SavedCell>& cells_of(const ReportData& data) {
  static const std::vector<SavedCell> kNone;
  return data.study.result && data.study.result->cells ? *data.study.result->cells : kNone;
}

/// The mean of a sample that may be missing.
std::optional<double> mean_of(const std::optional<SavedSample>& sample) {
  return sample ? std::optional(sample->mean) : std::nullopt;
}

/// The interval of a sample that may be missing.
std::optional<Interval> interval_of(const std::optional<SavedSample>& sample) {
  return sample ? sample->interval : std::nullopt;
}

/// What the verdict rests on, and what a score is in this comparison.
std::string evidence_of(const ReportData& data) {
  const Study& study = data.study.study;
  return fmt::format(
      "In {} blocks of paired {}. The critical difference is {} ranks (Nemenyi, 95 %). Scores are "
      "{} of {}, with 95 % bootstrap intervals; where all are alike, by the range that they can "
      "have.",
      html_count(data.ranks.blocks), sample_noun(data),
      html_decimals(data.ranks.critical_difference, 2),
      study.true_values_known() ? "true values" : "hold-out means",
      study.unit == SampleUnit::kPicks ? "picks (one a repeat)" : "single runs");
}

/// The contestants, the winner first, with their mean score on each objective.
std::string summary_table(const ReportData& data) {
  const Ranks& ranks = data.ranks;
  const std::vector<SavedCell>& cells = cells_of(data);
  if (ranks.contestants.empty() || cells.empty()) return {};
  std::vector<std::string> names{"<", "mean rank", "best in"};
  const auto& objectives = data.study.study.objectives;
  for (const StudyObjective& objective : objectives) {
    names.push_back(objectives.size() > 1 ? shortened(objective.label, 24) : "mean score");
  }
  HtmlTable table("Contestants, the best mean rank first", names);
  for (std::size_t place = 0; place < ranks.contestants.size(); ++place) {
    const Contestant& one = ranks.contestants[place];
    std::vector<std::string> row{xml_text(one.label), html_decimals(one.mean_rank, 2),
                                 html_count(one.wins)};
    // A mean score for each objective, with its interval below.
    for (const std::size_t cell : one.cells) {
      const auto score = cell < cells.size() ? cells[cell].score : std::nullopt;
      row.push_back(html_number(mean_of(score), interval_of(score)) +
                    fmt::format("<small>{}</small>", html_interval(interval_of(score))));
    }
    table.add_row(row, place == 0);
  }
  return table.text();
}

/// A figure under its heading on the first screen.
std::string picture(const std::vector<Figure>& figures, double wide, int level) {
  if (figures.empty()) return {};
  return "<div class=\"picture\">" + heading(level, figures[0].title) +
         plain_figure_html(figures[0], wide) + "</div>\n";
}

}  // namespace

std::string comparison_section(const ReportData& data, int level) {
  if (!data.is_comparison()) return {};
  const Ranks& ranks = data.ranks;
  // Without a winner there are scores alone, and while a comparison runs not even these.
  if (ranks.contestants.empty()) {
    return heading(level, "Comparison") + (cells_of(data).empty()
                                               ? "<p>Nothing to compare yet.</p>\n"
                                               : figures_html(scores_figure(data), level + 1));
  }
  constexpr double kHalf = 560.0;
  constexpr double kWide = 1120.0;
  // A table of more columns has no room beside the figure.
  constexpr std::size_t kMostBeside = 2;
  const bool is_beside = data.study.study.objectives.size() <= kMostBeside;
  const std::string ranks_picture =
      picture(ranks_figure(data), is_beside ? kHalf : kWide, level + 1);
  const std::string differences = picture(differences_figure(data), kWide, level + 1);
  const std::string head = fmt::format(
      "<h{0} class=\"verdict\">{1}</h{0}>\n<p class=\"sub\">{2}</p>\n", level,
      xml_text(winner_sentence(data.study.study, ranks, cells_of(data))), evidence_of(data));
  if (!is_beside) return head + ranks_picture + differences + summary_table(data);
  return head + "<div class=\"halves\">" + ranks_picture + "<div>" + summary_table(data) +
         "</div></div>\n" + differences;
}

std::string cells_section(const ReportData& data, int level) {
  if (!data.is_comparison()) return {};
  const std::vector<SavedCell>& cells = cells_of(data);
  if (cells.empty()) return {};
  const Study& study = data.study.study;
  // Numbers are those of result.json.
  HtmlTable table("Cells", {"<objective", "<optimiser", "<plan", "score", "95 % interval",
                            "difference", "95 % interval ", "n", "sd", "estimate - score"});
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const SavedCell& cell = cells[i];
    const auto& score = cell.score;
    table.add_row({xml_text(cell.objective), xml_text(cell.optimiser),
                   i < study.cells() ? html_whole(data.study.plan(i).label()) : "–",
                   html_number(mean_of(score), interval_of(score)),
                   html_interval(interval_of(score)),
                   html_number(mean_of(cell.difference), interval_of(cell.difference)),
                   html_interval(interval_of(cell.difference)), html_count(score ? score->n : 0),
                   html_number(score ? std::optional(score->sd) : std::nullopt),
                   html_number(mean_of(cell.delta))});
  }
  return fmt::format("<p>Differences are paired, to the first cell of the same objective{}.</p>\n",
                     study.optimisers.size() > 1 && study.plans.size() > 1 ? " and plan" : "") +
         table.text() +
         (data.ranks.contestants.empty() ? "" : figures_html(scores_figure(data), level)) +
         figures_html(distribution_figure(data), level);
}

}  // namespace ntune
