#include "ntune/study/published.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <sstream>

#include "ntune/core/error.h"
#include "ntune/core/files.h"

namespace ntune {

namespace {

std::vector<std::string> split_line(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  return fields;
}

/// One line of a CSV file, its fields by the names of the header.
class Record {
 public:
  Record(std::string place, const std::vector<std::string>& names,
         const std::vector<std::string>& fields)
      : place_(std::move(place)) {
    if (fields.size() != names.size()) {
      throw InputError(fmt::format("{}: has {} fields, the header {}", place_, fields.size(),
                                   names.size()));
    }
    for (std::size_t i = 0; i < names.size(); ++i) fields_[names[i]] = fields[i];
  }

  [[nodiscard]] const std::string& text(const char* name) const {
    const auto found = fields_.find(name);
    if (found == fields_.end()) {
      throw InputError(fmt::format("{}: the column '{}' is missing", place_, name));
    }
    return found->second;
  }

  [[nodiscard]] double number(const char* name) const {
    const std::string& field = text(name);
    double value = 0.0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size() || !std::isfinite(value)) {
      throw InputError(
          fmt::format("{}: {}: is '{}', a finite number is allowed", place_, name, field));
    }
    return value;
  }

 private:
  std::string place_;
  std::map<std::string, std::string> fields_;
};

double standard_errors(double difference, double se, double published_se) {
  const double combined = std::hypot(se, published_se);
  return combined > 0.0 ? difference / combined : 0.0;
}

}  // namespace

std::vector<PublishedRow> read_published(const std::filesystem::path& path) {
  constexpr std::uintmax_t kLargestFile = 10'000'000;
  std::istringstream stream(read_file(path, kLargestFile));
  std::vector<std::string> names;
  std::vector<PublishedRow> rows;
  std::size_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line.front() == '#') continue;
    if (names.empty()) {
      names = split_line(line);
      continue;
    }
    const Record record(fmt::format("{}:{}", path.string(), number), names, split_line(line));
    rows.push_back({.objective = record.text("objective"),
                    .optimiser = record.text("optimiser"),
                    .iterations = static_cast<std::int64_t>(record.number("iterations")),
                    .runs = static_cast<std::int64_t>(record.number("runs")),
                    .mean = record.number("mean"),
                    .sd = record.number("sd"),
                    .delta = record.number("delta"),
                    .delta_interval = {record.number("delta_ci_low"),
                                       record.number("delta_ci_high")}});
  }
  if (rows.empty()) throw InputError(fmt::format("{}: holds no rows", path.string()));
  return rows;
}

std::vector<PublishedComparison> compare_published(const Study& study,
                                                   const std::vector<CellSummary>& summaries,
                                                   const std::vector<PublishedRow>& rows) {
  constexpr double kNormal95 = 1.959963984540054;
  std::vector<PublishedComparison> comparisons;
  for (const PublishedRow& row : rows) {
    const auto found = std::ranges::find_if(summaries, [&](const CellSummary& summary) {
      return study.objectives[summary.objective].label == row.objective &&
             study.optimisers[summary.optimiser].label == row.optimiser &&
             study.plans[summary.plan].iterations == row.iterations;
    });
    if (found == summaries.end()) {
      throw InputError(fmt::format("{}: the row {}, {}, {} iterations has no cell in the study",
                                   study.published_file, row.objective, row.optimiser,
                                   row.iterations));
    }
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
