
#include <fmt/format.h>

#include "ntune/core/text.h"
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

/// Who is first, and who cannot be told from the first.
std::string winner_sentence(const ReportData& data) {
  const Ranks& ranks = data.ranks;
  if (ranks.contestants.empty()) return {};
  const Contestant& first = ranks.contestants.front();
  std::vector<std::string> level;
  // Contestants within one critical difference cannot be told from the first.
  for (std::size_t i = 1; i < ranks.contestants.size(); ++i) {
    const Contestant& other = ranks.contestants[i];
    if (other.mean_rank - first.mean_rank > ranks.critical_difference) break;
    level.push_back(
        fmt::format("{} ({})", xml_text(other.label), html_decimals(other.mean_rank, 2)));
  }
  // The sentence names the winner, the evidence and who may be as good.
  return fmt::format(
      "<p class=\"finding\"><strong>{} has the best mean rank</strong>, {} of {}, in {} blocks of "
      "paired {}.</p>\n<p>{} The critical difference is {} ranks (Nemenyi, 95 %).</p>\n",
      xml_text(first.label), html_decimals(first.mean_rank, 2), ranks.contestants.size(),
      html_count(ranks.blocks), sample_noun(data),
      level.empty() ? "All others rank worse than it."
                    : "It cannot be told from " + list_text(level, "and") + ".",
      html_decimals(ranks.critical_difference, 2));
}

/// The contestants, the winner first, with their mean score on each objective.
std::string summary_table(const ReportData& data) {
  const Ranks& ranks = data.ranks;
  const std::vector<SavedCell>& cells = cells_of(data);
  if (ranks.contestants.empty() || cells.empty()) return {};
  std::vector<std::string> names{"<", "mean rank", "best in"};
  const auto& objectives = data.study.study.objectives;
  // Of more objectives the intervals stand below their means, so that no column is out of sight.
  constexpr std::size_t kMostBeside = 3;
  const bool beside = objectives.size() <= kMostBeside;
  for (const StudyObjective& objective : objectives) {
    names.push_back(objectives.size() > 1 ? shortened(objective.label, 24) : "mean score");
    if (beside) names.emplace_back("95 % interval");
  }
  HtmlTable table("Contestants, the best mean rank first", names);
  for (std::size_t place = 0; place < ranks.contestants.size(); ++place) {
    const Contestant& one = ranks.contestants[place];
    std::vector<std::string> row{xml_text(one.label), html_decimals(one.mean_rank, 2),
                                 html_count(one.wins)};
    // A mean score for each objective.
    for (const std::size_t cell : one.cells) {
      const auto score = cell < cells.size() ? cells[cell].score : std::nullopt;
      const std::string interval = html_interval(interval_of(score));
      row.push_back(html_number(mean_of(score), interval_of(score)));
      if (beside) {
        row.push_back(interval);
      } else {
        row.back() += fmt::format("<small>{}</small>", interval);
      }
    }
    table.add_row(row, place == 0);
  }
  return table.text();
}

/// What a score is in this comparison.
std::string scores_note(const ReportData& data) {
  const Study& study = data.study.study;
  return fmt::format(
      "<p class=\"soft\">Scores of {}: {}, with 95 % bootstrap intervals; where all are alike, by "
      "the range that they can have.</p>\n",
      study.unit == SampleUnit::kPicks ? "picks (one a repeat)" : "single runs",
      study.true_values_known() ? "true values" : "hold-out means");
}

}  // namespace

std::string comparison_section(const ReportData& data, int level) {
  if (!data.is_comparison()) return {};
  // While a comparison runs it has no cells.
  if (cells_of(data).empty()) return "<p>Nothing to compare yet.</p>\n";
  return winner_sentence(data) + summary_table(data) + scores_note(data) +
         figures_html(ranks_figure(data), level) + figures_html(scores_figure(data), level);
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
         table.text() + figures_html(differences_figure(data), level) +
         figures_html(distribution_figure(data), level);
}

}  // namespace ntune
