#include "ntune/report/data/runs_file.h"

#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

template <class Number>
std::optional<Number> number_of(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

/// Reads rows into runs by the columns of `runs_csv`.
class RunReader {
 public:
  RunReader(const Study& study, const std::string& name) : study_(study), name_(name) {
    for (std::size_t cell = 0; cell < study.cells(); ++cell) cells_[cell_key(cell)] = cell;
    for (const StudyObjective& objective : study.objectives) {
      for (const std::string& parameter : objective.objective->space().names()) {
        if (std::ranges::find(columns_, parameter) == columns_.end()) columns_.push_back(parameter);
      }
      words_.push_back(words_of(objective.objective->space()));
    }
    prefix_ = study.is_comparison() ? 4 : 0;
  }

  void read_header(const std::vector<std::string>& row) {
    if (!row.empty() && row[0] == "seed") ++prefix_;  // of merged studies
    const std::size_t plain = prefix_ + 4 + columns_.size();
    held_out_ = row.size() == plain + 1 && row[prefix_ + 4] == "hold_out";
    if (row.size() != plain + (held_out_ ? 1 : 0) || row[prefix_] != "run") fail(1);
  }

  FinishedRun read(const std::vector<std::string>& row, std::size_t number) const {
    const std::size_t values = prefix_ + 4 + (held_out_ ? 1 : 0);
    if (row.size() != values + columns_.size()) fail(number);
    FinishedRun run;
    if (prefix_ >= 4) {
      const std::size_t first = prefix_ - 4;
      const auto found = cells_.find({row[first], row[first + 1], row[first + 2]});
      if (found == cells_.end()) fail(number);
      run.cell = found->second;
      run.repeat = needed<std::int64_t>(row[first + 3], number);
    }
    run.run = needed<std::int64_t>(row[prefix_], number);
    run.evaluations = needed<std::int64_t>(row[prefix_ + 1], number);
    run.estimate = needed<double>(row[prefix_ + 2], number);
    run.true_value = number_of<double>(row[prefix_ + 3]);
    if (held_out_) run.hold_out = number_of<double>(row[prefix_ + 4]);
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

  [[nodiscard]] std::array<std::string, 3> cell_key(std::size_t cell) const {
    const std::size_t plan = cell / study_.optimisers.size() % study_.plans.size();
    return {study_.objectives[study_.objective_of(cell)].label,
            study_.optimisers[cell % study_.optimisers.size()].label, study_.plans[plan].label()};
  }

  [[nodiscard]] Point point_of(const std::vector<std::string>& row, std::size_t first,
                               std::size_t objective, std::size_t number) const {
    const SearchSpace& space = study_.objectives[objective].objective->space();
    Point point(space.dimensions());
    for (int i = 0; i < space.dimensions(); ++i) {
      const auto column = std::ranges::find(columns_, space[i].name) - columns_.begin();
      const auto& words = words_[objective][static_cast<std::size_t>(i)];
      const auto found = words.find(row[first + static_cast<std::size_t>(column)]);
      if (found == words.end()) fail(number);
      point[i] = found->second;
    }
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

std::vector<std::vector<std::string>> csv_rows(std::string_view text) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row;
  std::string field;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        field += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field += '"';
        ++i;
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',' || c == '\n') {
      row.push_back(std::move(field));
      field.clear();
      if (c == '\n') {
        rows.push_back(std::move(row));
        row.clear();
      }
    } else {
      field += c;
    }
  }
  return rows;
}

std::vector<FinishedRun> read_runs(std::string_view csv, const std::string& name,
                                   const Study& study) {
  const std::vector<std::vector<std::string>> rows = csv_rows(csv);
  std::vector<FinishedRun> runs;
  if (rows.empty()) return runs;
  RunReader reader(study, name);
  reader.read_header(rows[0]);
  for (std::size_t i = 1; i < rows.size(); ++i) runs.push_back(reader.read(rows[i], i + 1));
  return runs;
}

}  // namespace ntune
