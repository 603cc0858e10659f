#include "ntune/objective/recorded/observation_table.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/objective/recorded/observation_values.h"

namespace ntune {

void tidy(Observed& observed) {
  const auto before = [](const ObservedValue& a, const ObservedValue& b) {
    return a.value < b.value;
  };
  // Tables that ntune has written are sorted already.
  if (!std::ranges::is_sorted(observed, before)) std::ranges::sort(observed, before);
  std::size_t kept = 0;
  std::uint64_t total = 0;
  // Equal values, which are neighbours now, are joined in place.
  for (const ObservedValue& next : observed) {
    total += next.count;
    if (total > std::numeric_limits<std::uint32_t>::max()) {
      throw std::length_error("more than 4,294,967,295 observations of one point");
    }
    if (kept > 0 && observed[kept - 1].value == next.value) {
      observed[kept - 1].count += next.count;
    } else {
      observed[kept++] = next;
    }
  }
  observed.resize(kept);
}

std::uint64_t count_of(const Observed& observed) {
  std::uint64_t count = 0;
  for (const ObservedValue& one : observed) count += one.count;
  return count;
}

double mean_of(const Observed& observed) {
  // From the first value on, so that equal observations have exactly their value as mean.
  double sum = 0.0;
  for (const ObservedValue& one : observed) {
    sum += (one.value - observed.front().value) * one.count;
  }
  return observed.front().value + sum / static_cast<double>(count_of(observed));
}

const Observed* ObservationTable::find(std::span<const std::uint16_t> indices) const {
  const auto found = rows_.find(std::u16string(indices.begin(), indices.end()));
  return found == rows_.end() ? nullptr : &found->second;
}

namespace {

/// The place of the column with this name; its absence fails with the names that there are.
int column_of(const std::vector<Parameter>& columns, const std::string& name) {
  const auto found = std::ranges::find(columns, name, &Parameter::name);
  if (found != columns.end()) return static_cast<int>(found - columns.begin());
  std::vector<std::string> names;
  for (const Parameter& column : columns) names.push_back(printable(column.name));
  throw InputError(fmt::format("{}: is no column of the table; these are {}", printable(name),
                               list_text(names, "and")));
}

}  // namespace

TableIndex::TableIndex(const ObservationTable& table, const SearchSpace& space) : table_(&table) {
  const std::vector<Parameter>& columns = table.parameters();
  // Columns and values of the table may stand in any order; both are looked up once.
  for (const Parameter& parameter : space.parameters()) {
    const int place = columns_.emplace_back(column_of(columns, parameter.name));
    const Parameter& column = columns[static_cast<std::size_t>(place)];
    auto& indices = values_.emplace_back();
    for (const Value& value : parameter.values) {
      // Points with a value that the table does not have find no row.
      const int index = column.find(value);
      indices.push_back(index < 0 ? kNone : static_cast<std::uint16_t>(index));
    }
  }
  for (const Parameter& column : columns) {
    if (space.find(column.name) >= 0) continue;
    throw InputError(
        fmt::format("{}: is a column of the table and no parameter", printable(column.name)));
  }
}

const Observed* TableIndex::find(const Point& point) const {
  Point row(point.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    row[columns_[i]] = values_[i][point.indices()[i]];
  }
  return table_->find(row.indices());
}

std::string observation_header(const SearchSpace& space) {
  std::string line;
  for (const Parameter& parameter : space.parameters()) line += value_field(parameter.name) + ',';
  return line + "observations\n";
}

std::string observation_line(const SearchSpace& space, const Point& point,
                             const Observed& observed) {
  std::string line;
  // A table has the indices of the point, so that it is found again.
  for (int i = 0; i < space.dimensions(); ++i) line += value_field(space[i].value(point[i])) + ',';
  bool first = true;
  for (const ObservedValue& one : observed) {
    if (!first) line += ' ';
    first = false;
    line += number_text(one.value);
    if (one.count > 1) line += fmt::format("*{}", one.count);
  }
  return line + '\n';
}

}  // namespace ntune
