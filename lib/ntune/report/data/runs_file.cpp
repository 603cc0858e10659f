// The rows of runs.csv.

#include <algorithm>
#include <cstdint>
#include <map>

#include <fmt/format.h>

#include "ntune/core/csv.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/report/data/study_folder.h"
#include "ntune/study/results/result_csv.h"

namespace ntune {

namespace {

template <class Number>
std::optional<Number> number_of(const std::string& text) {
  Number number{};
  return read_number(text, number) ? std::optional(number) : std::nullopt;
}

/// Reads rows into runs by the columns of `runs_csv`.
class RunReader {
 public:
  RunReader(const Study& study, const std::string& name)
      : study_(study), name_(name), columns_(parameter_columns(study)) {
    for (std::size_t cell = 0; cell < study.cells(); ++cell) cells_[cell_key(cell)] = cell;
    for (const StudyObjective& objective : study.objectives) {
      words_.push_back(words_of(objective.objective->space()));
    }
    prefix_ = study.is_comparison() ? 4 : 0;
  }

  /// Finds the columns by the names that stand at known places.
  void read_header(const std::vector<CsvField>& row) {
    if (!row.empty() && row[0].text == "seed") ++prefix_;  // of merged studies
    const std::size_t plain = prefix_ + 4 + columns_.size();
    held_out_ = row.size() == plain + 1 && row[prefix_ + 4].text == "hold_out";
    if (row.size() != plain + (held_out_ ? 1 : 0) || row[prefix_].text != "run") fail(1);
  }

  FinishedRun read(const std::vector<CsvField>& row, std::size_t number) const {
    const std::size_t values = prefix_ + 4 + (held_out_ ? 1 : 0);
    if (row.size() != values + columns_.size()) fail(number);
    // A comparison names the cell and the repeat in front, merged studies a seed before these.
    FinishedRun run;
    if (prefix_ >= 4) {
      const std::size_t first = prefix_ - 4;
      const auto found = cells_.find({row[first].text, row[first + 1].text, row[first + 2].text});
      if (found == cells_.end()) fail(number);
      run.cell = found->second;
      run.repeat = needed<std::int64_t>(row[first + 3].text, number);
    }
    run.run = needed<std::int64_t>(row[prefix_].text, number);
    run.evaluations = needed<std::int64_t>(row[prefix_ + 1].text, number);
    run.estimate = needed<double>(row[prefix_ + 2].text, number);
    run.true_value = number_of<double>(row[prefix_ + 3].text);
    if (held_out_) run.hold_out = number_of<double>(row[prefix_ + 4].text);
    run.point = point_of(row, values, study_.objective_of(run.cell), number);
    return run;
  }

 private:
  using Words = std::vector<std::map<std::string, std::uint16_t>>;

  static Words words_of(const SearchSpace& space) {
    Words words(static_cast<std::size_t>(space.dimensions()));
    for (std::size_t i = 0; i < words.size(); ++i) {
      const Parameter& parameter = space[static_cast<int>(i)];
      for (std::size_t v = 0; v < parameter.values.size(); ++v) {
        words[i].emplace(value_text(parameter.values[v]), static_cast<std::uint16_t>(v));
      }
    }
    return words;
  }

  /// The labels that name a cell in a row.
  [[nodiscard]] std::array<std::string, 3> cell_key(std::size_t cell) const {
    return {study_.objectives[study_.objective_of(cell)].label,
            study_.optimisers[study_.optimiser_of(cell)].label,
            study_.plans[study_.plan_of(cell)].label()};
  }

  /// The point of a row, whose values must be of the objective's space.
  [[nodiscard]] Point point_of(const std::vector<CsvField>& row, std::size_t first,
                               std::size_t objective, std::size_t number) const {
    const SearchSpace& space = study_.objectives[objective].objective->space();
    Point point(space.dimensions());
    std::vector<int> empty;  // of parameters that the point does not use, or empty texts
    for (int i = 0; i < space.dimensions(); ++i) {
      const auto column = std::ranges::find(columns_, space[i].name) - columns_.begin();
      const auto& words = words_[objective][static_cast<std::size_t>(i)];
      const std::string& text = row[first + static_cast<std::size_t>(column)].text;
      const auto found = words.find(text);
      if (found != words.end()) {
        point[i] = found->second;
      } else if (text.empty()) {
        empty.push_back(i);
      } else {
        fail(number);
      }
    }
    for (const int i : empty) {
      if (space.is_active(point, i)) fail(number);
    }
    space.canonicalise(point);
    return point;
  }

  template <class Number>
  Number needed(const std::string& text, std::size_t number) const {
    const std::optional<Number> value = number_of<Number>(text);
    if (!value) fail(number);
    return *value;
  }

  [[noreturn]] void fail(std::size_t row) const {
    throw InputError(
        fmt::format("{}: row {} is none of the study's runs", printable(name_, 1000), row));
  }

  const Study& study_;
  const std::string& name_;
  std::size_t prefix_ = 0;
  bool held_out_ = false;
  std::vector<std::string> columns_;
  std::vector<Words> words_;
  std::map<std::array<std::string, 3>, std::size_t> cells_;
};

}  // namespace

std::vector<FinishedRun> read_runs(std::string_view csv, const std::string& name,
                                   const Study& study) {
  // Without a last line that was cut off.
  CsvReader records(csv.substr(0, csv.rfind('\n') + 1), printable(name, 1000));
  std::vector<FinishedRun> runs;
  if (!records.next()) return runs;
  RunReader reader(study, name);
  reader.read_header(records.fields());
  for (std::size_t row = 2; records.next(); ++row) {
    runs.push_back(reader.read(records.fields(), row));
  }
  return runs;
}

}  // namespace ntune
