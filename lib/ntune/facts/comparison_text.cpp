#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/facts/result_facts.h"
#include "ntune/facts/result_text.h"
#include "ntune/facts/story.h"

namespace ntune {

namespace {

constexpr std::size_t kTextIndent = 2;

/// The mean score of a cell; empty where there is none.
std::string mean_text(const CellSummary& cell) {
  const RunningStats& stats = cell.score.stats;
  return stats.count() == 0 ? "-" : score_text(stats.mean(), cell.score.interval);
}

/// A table with a row for each cell, below the name of its objective where there are several.
template <class Cells>
std::string table_of_cells(const Study& study, const std::vector<CellSummary>& summaries,
                           std::vector<std::string> titles, const Cells& cells) {
  titles.insert(titles.begin(), "<");
  TextTable table(std::move(titles));
  const CellSummary* last = nullptr;
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    const CellSummary& cell = summaries[i];
    const bool is_new = last == nullptr || last->objective != cell.objective;
    if (is_new && study.objectives.size() > 1) {
      if (last != nullptr) table.add_rule();
      table.add_heading(study.objectives[cell.objective].label);
    } else if (last != nullptr && study.optimisers.size() > 1 && last->plan != cell.plan) {
      table.add_rule();
    }
    last = &cell;
    std::vector<std::string> row = cells(cell);
    row.insert(row.begin(), study.cell_label(i, false));
    table.add_row(std::move(row));
  }
  return table.text_within();
}

/// Means, and paired differences to the first row of each group.
std::string differences_text(const Study& study, const std::vector<CellSummary>& summaries) {
  const std::vector<std::string> titles = {"mean", "95 % interval", "difference", "95 % interval"};
  return table_of_cells(study, summaries, titles, [](const CellSummary& cell) {
    std::vector<std::string> row = {
        mean_text(cell),
        cell.score.stats.count() == 0 ? "-" : score_interval_text(cell.score.interval)};
    if (cell.difference && cell.difference->stats.count() > 0) {
      row.push_back(signed_score_text(cell.difference->stats.mean(), cell.difference->interval));
      row.push_back(score_interval_text(cell.difference->interval));
    }
    return row;
  });
}

/// Counts, spreads and ends of the scores, and what the models were wrong by.
std::string details_text(const Study& study, const std::vector<CellSummary>& summaries) {
  const std::vector<std::string> titles = {"n", "sd", "best", "worst", "delta"};
  return table_of_cells(study, summaries, titles, [&](const CellSummary& cell) {
    const RunningStats& stats = cell.score.stats;
    if (stats.count() == 0) return std::vector<std::string>{"0", "-", "-", "-", "-"};
    // Best and worst are of the direction that the objective is told in.
    const ScoreRange range = score_range(study, cell);
    return std::vector{count_text(stats.count()), score_text(stats.sd()),
                       score_text(range.best, cell.score.interval),
                       score_text(range.worst, cell.score.interval),
                       signed_score_text(cell.delta.stats.mean(), cell.delta.interval)};
  });
}

/// Mean ranks, the best first, and what they rest on.
std::string ranks_text(const Study& study, const Ranks& ranks) {
  TextTable table({"<", "mean rank", "best in"});
  for (const Contestant& one : ranks.contestants) {
    table.add_row({one.label, fmt::format("{:.2f}", one.mean_rank), count_text(one.wins)});
  }
  const std::string evidence =
      fmt::format("In {} of paired {}; the critical difference is {:.2f} ranks (Nemenyi, 95 %).",
                  counted(ranks.blocks, "block"),
                  study.unit == SampleUnit::kPicks ? "picks" : "runs", ranks.critical_difference);
  return table.text_within() + '\n' + wrapped(evidence, kTextIndent) + '\n';
}

/// " Its mean win rate is 81.2 %." of the first contestant on the only objective.
std::string mean_sentence(const Study& study, const Contestant& first,
                          const std::vector<SavedCell>& cells) {
  if (study.objectives.size() > 1 || first.cells[0] >= cells.size()) return {};
  const std::optional<SavedSample>& score = cells[first.cells[0]].score;
  if (!score) return {};
  const Objective& objective = *study.objectives.front().objective;
  return fmt::format(" Its mean {} is {}.", unit_text(objective),
                     is_told_in_percent(objective)
                         ? StoryUnit{.kind = StoryUnit::Kind::kWinRate}.text(score->mean)
                         : score_text(score->mean, score->interval));
}

constexpr double kAgreement = 3.0;  ///< combined standard errors

/// Whether a difference may be chance.
bool agree(double errors) { return std::abs(errors) <= kAgreement; }

/// A difference in standard errors, marked where it is too large.
std::string errors_text(double errors) {
  return fmt::format("{:+.1f}{}", errors, agree(errors) ? " " : "*");
}

}  // namespace

const char* score_noun(const Study& study) {
  return study.true_values_known() ? "true value" : "hold-out value";
}

std::string winner_sentence(const Study& study, const Ranks& ranks,
                            const std::vector<SavedCell>& cells) {
  if (ranks.contestants.empty()) {
    return study.plans.size() * study.optimisers.size() > 1 ? "Nothing to compare yet."
                                                            : "There is no rival to compare with.";
  }
  constexpr std::size_t kMostNames = 3;
  const Contestant& first = ranks.contestants.front();
  std::vector<std::string> level;
  // Contestants within one critical difference cannot be told from the first.
  for (std::size_t i = 1; i < ranks.contestants.size(); ++i) {
    const Contestant& other = ranks.contestants[i];
    if (other.mean_rank - first.mean_rank > ranks.critical_difference) break;
    level.push_back(other.label);
  }
  const std::string others =
      level.size() > kMostNames ? fmt::format("{} others", level.size()) : list_text(level, "and");
  return first.label + " has the best mean rank" +
         (level.empty() ? ", and all others are worse."
                        : ", but cannot be told from " + others + ".") +
         mean_sentence(study, first, cells);
}

std::string comparison_text(const Study& study, const SavedResult& saved, const Ranks& ranks,
                            const std::vector<CellSummary>& summaries) {
  const std::string verdict =
      winner_sentence(study, ranks, saved.cells.value_or(std::vector<SavedCell>()));
  std::string text = wrapped(verdict, kTextIndent) + "\n\n";
  if (!ranks.contestants.empty()) text += ranks_text(study, ranks) + '\n';
  const std::string of =
      study.unit == SampleUnit::kRuns
          ? "of what each run recommends"
          : fmt::format("of the final pick, {} repeats", count_text(study.repeats));
  const std::string means = fmt::format(
      "Mean {} {}; difference: paired, to the first row of its "
      "group; intervals by bootstrap, or by the range where all "
      "are alike.",
      score_noun(study), of);
  const std::string rest = fmt::format("Delta: estimate minus {}.", score_noun(study));
  return text + wrapped(means, kTextIndent) + "\n\n" + differences_text(study, summaries) +
         "\nDetails\n" + wrapped(rest, kTextIndent) + "\n\n" + details_text(study, summaries);
}

std::string published_text(const std::vector<PublishedComparison>& comparisons) {
  TextTable table(
      {"<", "mean", "published", "errors", "sd", "published", "delta", "published", "errors"});
  std::size_t means = 0;
  std::size_t deltas = 0;
  const PublishedRow* last = nullptr;
  for (const PublishedComparison& comparison : comparisons) {
    const PublishedRow& row = comparison.row;
    if (agree(comparison.mean_errors)) ++means;
    if (agree(comparison.delta_errors)) ++deltas;
    // A rule stands between groups of one objective and one number of iterations.
    if (last != nullptr &&
        (last->objective != row.objective || last->iterations != row.iterations)) {
      table.add_rule();
    }
    last = &row;
    table.add_row(
        {fmt::format("{}, {}, {}", row.objective, count_text(row.iterations), row.optimiser),
         fmt::format("{:.4f}", comparison.score.stats.mean()), fmt::format("{:.3f}", row.mean),
         errors_text(comparison.mean_errors), fmt::format("{:.4f}", comparison.score.stats.sd()),
         fmt::format("{:.3f}", row.sd), fmt::format("{:+.4f}", comparison.delta.stats.mean()),
         fmt::format("{:+.3f}", row.delta), errors_text(comparison.delta_errors)});
  }
  const std::string head = wrapped(
      "Ours beside the published numbers; errors: difference in combined standard errors, * beyond "
      "3",
      kTextIndent);
  return fmt::format("{}\n\n{}\nwithin 3 standard errors: {} of {} means, {} of {} deltas\n", head,
                     table.text_within(), means, comparisons.size(), deltas, comparisons.size());
}

}  // namespace ntune
