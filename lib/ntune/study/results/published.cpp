#include "ntune/study/results/published.h"

#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "ntune/core/csv.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/normal.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

/// The current record of a CSV file, its fields by the names of the header.
class PublishedRecord {
 public:
  PublishedRecord(const CsvReader& reader, const std::vector<CsvField>& header)
      : reader_(reader), header_(header) {
    if (reader.fields().size() != header.size()) {
      reader.fail(
          fmt::format("has {} fields, the header {}", reader.fields().size(), header.size()));
    }
  }

  /// The field of a column, which must be there.
  [[nodiscard]] const std::string& text(const char* name) const {
    const std::optional<std::size_t> column = find_column(header_, name);
    if (!column) reader_.fail(fmt::format("the column '{}' is missing", name));
    return reader_.fields()[*column].text;
  }

  /// A finite number.
  [[nodiscard]] double number(const char* name) const {
    const std::string& field = text(name);
    double value = 0.0;
    if (!read_number(field, value) || !std::isfinite(value)) {
      reader_.fail(
          fmt::format("{}: is '{}', a finite number is allowed", name, printable(field, 60)));
    }
    return value;
  }

  /// A whole number of at least 1.
  [[nodiscard]] std::int64_t count(const char* name) const {
    constexpr double kLargest = 1e15;
    const double value = number(name);
    if (value < 1 || value > kLargest || value != std::trunc(value)) {
      reader_.fail(
          fmt::format("{}: is '{}', a whole number of at least 1 is allowed", name, text(name)));
    }
    return static_cast<std::int64_t>(value);
  }

 private:
  const CsvReader& reader_;
  const std::vector<CsvField>& header_;
};

/// Whether the row is of this cell: the same labels, and the same iterations of a run.
bool is_row(const PublishedRow& row, const StudyObjective& objective, const RunPlan& plan,
            const StudyOptimiser& optimiser) {
  return row.objective == objective.label && row.optimiser == optimiser.label &&
         row.iterations == plan.iterations;
}

/// A difference in standard errors of both samples together; 0 where neither has any.
double standard_errors(double difference, double se, double published_se) {
  const double combined = std::hypot(se, published_se);
  return combined > 0.0 ? difference / combined : 0.0;
}

}  // namespace

std::vector<PublishedRow> read_published(const std::filesystem::path& path) {
  constexpr std::uintmax_t kLargestFile = 10'000'000;
  const std::string text = read_file(path, kLargestFile);
  CsvReader reader(text, path_text(path), {.comments = CsvStyle::Comments::kEverywhere});
  std::vector<CsvField> header;
  std::vector<PublishedRow> rows;
  if (reader.next()) header = reader.fields();
  while (reader.next()) {
    const PublishedRecord record(reader, header);
    rows.push_back(
        {.objective = record.text("objective"),
         .optimiser = record.text("optimiser"),
         .iterations = record.count("iterations"),
         .runs = record.count("runs"),
         .mean = record.number("mean"),
         .sd = record.number("sd"),
         .delta = record.number("delta"),
         .delta_interval = {record.number("delta_ci_low"), record.number("delta_ci_high")}});
  }
  if (rows.empty()) throw InputError(fmt::format("{}: holds no rows", path_text(path)));
  return rows;
}

void check_published(const Study& study, const std::vector<PublishedRow>& rows) {
  const auto has_cell = [&](const PublishedRow& row) {
    for (const StudyObjective& objective : study.objectives) {
      for (const StudyOptimiser& optimiser : study.optimisers) {
        for (const RunPlan& plan : study.plans) {
          if (is_row(row, objective, plan, optimiser)) return true;
        }
      }
    }
    return false;
  };
  for (const PublishedRow& row : rows) {
    if (has_cell(row)) continue;
    throw InputError(fmt::format("{}: the row {}, {}, {} iterations has no cell in the study",
                                 printable(study.published_file, 1000), printable(row.objective),
                                 printable(row.optimiser), row.iterations));
  }
}

std::vector<PublishedComparison> compare_published(const Study& study,
                                                   const std::vector<CellSummary>& summaries,
                                                   const std::vector<PublishedRow>& rows) {
  std::vector<PublishedComparison> comparisons;
  for (const PublishedRow& row : rows) {
    const auto found = std::ranges::find_if(summaries, [&](const CellSummary& summary) {
      return is_row(row, study.objectives[summary.objective], study.plans[summary.plan],
                    study.optimisers[summary.optimiser]);
    });
    if (found == summaries.end()) continue;
    // Published are the sd of the runs and the 95 % interval of delta; standard errors follow from
    // both.
    const double published_se = row.sd / std::sqrt(static_cast<double>(row.runs));
    const double delta_se = (row.delta_interval.high - row.delta_interval.low) / (2.0 * kNormal95);
    comparisons.push_back(
        {.row = row,
         .score = found->score,
         .delta = found->delta,
         .mean_errors = standard_errors(found->score.stats.mean() - row.mean,
                                        found->score.stats.standard_error(), published_se),
         .delta_errors = standard_errors(found->delta.stats.mean() - row.delta,
                                         found->delta.stats.standard_error(), delta_se)});
  }
  return comparisons;
}

}  // namespace ntune
