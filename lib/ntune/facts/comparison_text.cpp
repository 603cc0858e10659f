#include <cmath>

#include <fmt/format.h>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/facts/result_text.h"

namespace ntune {

namespace {

/// The table of cells: columns of plans and optimisers stand only where there are several.
class CellTable {
 public:
  explicit CellTable(const Study& study)
      : study_(study),
        plans_(study.plans.size() > 1),
        optimisers_(study.optimisers.size() > 1),
        table_(titles()) {}

  /// Adds the row of a cell, behind a rule where a group begins.
  void add(const CellSummary& cell) {
    if (begins_group(cell)) table_.add_rule();
    last_ = &cell;
    std::vector<std::string> row = names(cell);
    add_scores(row, cell);
    if (cell.difference && cell.difference->stats.count() > 0) {
      row.push_back(signed_score_text(cell.difference->stats.mean(), cell.difference->interval));
      row.push_back(score_interval_text(cell.difference->interval));
    }
    table_.add_row(row);
  }

  [[nodiscard]] std::string text() const { return table_.text(); }

 private:
  [[nodiscard]] std::vector<std::string> titles() const {
    std::vector<std::string> titles = {"<objective"};
    if (plans_) titles.emplace_back(study_.unit == SampleUnit::kPicks ? "<split" : "iterations");
    if (optimisers_) titles.emplace_back("<optimiser");
    for (const char* title : {"n", "mean", "sd", "95 % interval", "best", "worst", "delta",
                              "difference", "95 % interval"}) {
      titles.emplace_back(title);
    }
    return titles;
  }

  /// Whether the cell has another objective or plan than the one before.
  [[nodiscard]] bool begins_group(const CellSummary& cell) const {
    if (last_ == nullptr) return false;
    return last_->objective != cell.objective ||
           (optimisers_ && plans_ && last_->plan != cell.plan);
  }

  /// The first columns of a row: what tells the cell from the others.
  [[nodiscard]] std::vector<std::string> names(const CellSummary& cell) const {
    const RunPlan& plan = study_.plans[cell.plan];
    std::vector<std::string> names = {study_.objectives[cell.objective].label};
    if (plans_) {
      names.push_back(study_.unit == SampleUnit::kPicks ? plan.label()
                                                        : count_text(plan.iterations));
    }
    if (optimisers_) names.push_back(study_.optimisers[cell.optimiser].label);
    return names;
  }

  /// Adds the columns from `n` to `delta`; dashes where nothing is scored yet.
  void add_scores(std::vector<std::string>& row, const CellSummary& cell) const {
    const RunningStats& stats = cell.score.stats;
    row.push_back(count_text(stats.count()));
    if (stats.count() == 0) {
      row.insert(row.end(), {"-", "-", "-", "-", "-", "-"});
      return;
    }
    // Best and worst are of the direction that the objective is told in.
    const ScoreRange range = score_range(study_, cell);
    row.insert(row.end(), {score_text(stats.mean(), cell.score.interval), score_text(stats.sd()),
                           score_interval_text(cell.score.interval),
                           score_text(range.best, cell.score.interval),
                           score_text(range.worst, cell.score.interval),
                           signed_score_text(cell.delta.stats.mean(), cell.delta.interval)});
  }

  const Study& study_;
  bool plans_;
  bool optimisers_;
  TextTable table_;
  const CellSummary* last_ = nullptr;
};

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

std::string comparison_text(const Study& study, const std::vector<CellSummary>& summaries) {
  CellTable table(study);
  for (const CellSummary& cell : summaries) table.add(cell);
  const std::string counted =
      study.unit == SampleUnit::kRuns
          ? "of what each run recommends"
          : fmt::format("of the final pick, {} repeats", count_text(study.repeats));
  return fmt::format(
      "{} {}; intervals by bootstrap, or by the range where all are alike; delta: estimate minus "
      "{};\n"
      "difference: paired, to the first row of its group\n\n{}",
      score_noun(study), counted, score_noun(study), table.text());
}

std::string published_text(const std::vector<PublishedComparison>& comparisons) {
  TextTable table({"<objective", "iterations", "<optimiser", "mean", "published", "errors", "sd",
                   "published", "delta", "published", "errors"});
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
        {row.objective, count_text(row.iterations), row.optimiser,
         fmt::format("{:.4f}", comparison.score.stats.mean()), fmt::format("{:.3f}", row.mean),
         errors_text(comparison.mean_errors), fmt::format("{:.4f}", comparison.score.stats.sd()),
         fmt::format("{:.3f}", row.sd), fmt::format("{:+.4f}", comparison.delta.stats.mean()),
         fmt::format("{:+.3f}", row.delta), errors_text(comparison.delta_errors)});
  }
  return fmt::format(
      "Ours beside the published numbers; errors: difference in combined standard errors, * beyond "
      "3\n\n{}\nwithin 3 standard errors: {} of {} means, {} of {} deltas\n",
      table.text(), means, comparisons.size(), deltas, comparisons.size());
}

}  // namespace ntune
