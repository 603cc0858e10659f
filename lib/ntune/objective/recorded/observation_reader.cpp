// Reads a table of observations.

#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/objective/recorded/observation_table.h"
#include "ntune/objective/recorded/observation_values.h"

namespace ntune {

namespace {

/// Most points of a table, most bytes shown of a text, and the names of the two columns.
constexpr std::size_t kMostPoints = std::size_t{1} << 22;
constexpr std::size_t kLongestShown = 60;
constexpr const char* kObservations = "observations";
constexpr const char* kPayoff = "payoff";

}  // namespace

/// The distinct values of a column, in order of appearance.
class ObservationColumn {
 public:
  explicit ObservationColumn(std::string name) : name_(std::move(name)) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Index of the value; -1 if there are too many.
  int place(const CsvField& field) {
    Value value = field_value(field);
    const auto found = places_.find(value);
    if (found != places_.end()) return found->second;
    const auto place = static_cast<int>(values_.size());
    // Indices must fit into 16 bits, and one of them is left to mean none.
    if (place == kMaxValues) return -1;
    places_.emplace(value, place);
    values_.push_back(std::move(value));
    return place;
  }
  [[nodiscard]] Parameter parameter() const { return column_parameter(name_, values_); }
  /// Indices of the values in their parameter, by order of appearance.
  [[nodiscard]] std::vector<std::uint16_t> order(const Parameter& parameter) const {
    // The parameter sorts its values, so the order of appearance is translated.
    std::map<Value, std::uint16_t, ValueBefore> ranks;
    for (const Value& value : parameter.values) {
      ranks.emplace(value, static_cast<std::uint16_t>(ranks.size()));
    }
    std::vector<std::uint16_t> places;
    for (const Value& value : values_) places.push_back(ranks.at(value));
    return places;
  }

 private:
  std::string name_;
  std::vector<Value> values_;
  std::map<Value, int, ValueBefore> places_;
};

/// Takes a file record by record.
class ObservationReader {
 public:
  ObservationReader(std::string_view text, const std::string& name)
      : name_(printable(name, 1000)), records_(text, name_, style()) {}

  ObservationTable read() {
    if (records_.next()) read_header(records_.fields());
    for (const std::string_view comment : records_.comments()) read_comment(comment);
    while (records_.next()) read_row(records_.fields());
    if (rows_.empty()) throw InputError(fmt::format("{}: holds no observations", name_));
    finish();
    return std::move(table_);
  }

 private:
  /// Tables are complete files, so that a cut end is an error.
  static CsvStyle style() {
    CsvStyle style = kTableStyle;
    style.whole = true;
    return style;
  }

  [[noreturn]] void fail(const std::string& message) const { records_.fail(message); }
  [[noreturn]] void fail_at(const std::string& column, const std::string& message) const {
    fail(fmt::format("{}: {}", printable(column, kLongestShown), message));
  }

  /// Keeps a comment without its sign, for the description.
  void read_comment(std::string_view line) {
    line.remove_prefix(line.starts_with("# ") ? 2 : 1);
    table_.comments_.emplace_back(line);
  }

  /// Reads the names: one column of observations, and a parameter for each other one.
  void read_header(const std::vector<CsvField>& fields) {
    names_ = fields.size();
    last_ = names_;
    for (std::size_t i = 0; i < names_; ++i) {
      const std::string& name = fields[i].text;
      if (name == kObservations || name == kPayoff) {
        if (last_ != names_) fail("has two columns of observations, one is allowed");
        last_ = i;
        one_by_one_ = name == kPayoff;
        continue;
      }
      if (name.empty()) fail(fmt::format("column {} has no name", i + 1));
      for (const ObservationColumn& other : columns_) {
        if (other.name() == name) fail_at(name, "stands twice among the columns");
      }
      columns_.emplace_back(name);
    }
    if (last_ == names_) {
      fail(fmt::format("has no column '{}' ('1*734 -1*266') or '{}' (one a row)", kObservations,
                       kPayoff));
    }
    if (columns_.empty() || columns_.size() > kMaxDimensions) {
      fail(fmt::format("has {} columns of parameters, 1 to {} are allowed", columns_.size(),
                       kMaxDimensions));
    }
  }

  void read_row(const std::vector<CsvField>& fields) {
    if (fields.size() != names_) {
      fail(fmt::format("has {} fields, the header has {}", fields.size(), names_));
    }
    // The key has the index of each value, one character for each parameter.
    std::u16string key;
    for (std::size_t i = 0; i < names_; ++i) {
      if (i == last_) continue;
      ObservationColumn& column = columns_[key.size()];
      if (fields[i].text.empty() && !fields[i].quoted) fail_at(column.name(), "is empty");
      const int place = column.place(fields[i]);
      if (place < 0) {
        fail_at(column.name(), fmt::format("has more than {} values", count_text(kMaxValues)));
      }
      key += static_cast<char16_t>(place);
    }
    Observed& observed = rows_[key];
    if (rows_.size() > kMostPoints) {
      fail(fmt::format("has more than {} points", count_text(kMostPoints)));
    }
    // Rows of the same point add up.
    read_observations(fields[last_].text, observed);
  }

  /// Reads "value" or "value*count", separated by blanks; with a column `payoff` one number.
  void read_observations(std::string_view text, Observed& observed) {
    const char* column = one_by_one_ ? kPayoff : kObservations;
    bool taken = false;
    while (!text.empty()) {
      const std::string_view word = cut(text, " ");
      if (word.empty()) continue;
      const auto value = read_observation(word);
      if (!value || (one_by_one_ && taken)) {
        fail_at(column,
                fmt::format("is '{}', {} is allowed", printable(word, kLongestShown),
                            one_by_one_ ? "one finite number" : "a finite number or number*count"));
      }
      add(observed, *value);
      taken = true;
    }
    if (!taken) fail_at(column, "is empty");
  }

  /// One word as a value with its count.
  [[nodiscard]] std::optional<ObservedValue> read_observation(std::string_view word) const {
    const std::size_t star = one_by_one_ ? std::string_view::npos : word.find('*');
    const auto value = field_number(word.substr(0, star));
    if (!value) return std::nullopt;
    if (star == std::string_view::npos) return ObservedValue{.value = *value};
    word.remove_prefix(star + 1);
    std::uint32_t count = 0;
    if (!read_number(word, count) || count == 0) return std::nullopt;
    return ObservedValue{.value = *value, .count = count};
  }

  void add(Observed& observed, ObservedValue value) {
    // A row that is full is tidied before it grows, so that repeats take no memory.
    constexpr std::size_t kFew = 16;
    if (observed.size() >= kFew && observed.size() == observed.capacity()) {
      tidy_row(observed);
      if (observed.size() > observed.capacity() / 2) observed.reserve(2 * observed.capacity());
    }
    observed.push_back(value);
  }

  void tidy_row(Observed& observed) const {
    try {
      tidy(observed);
    } catch (const std::length_error& error) {
      fail(fmt::format("there are {}", error.what()));
    }
  }

  /// Turns orders of appearance into the indices of sorted parameters.
  void finish() {
    std::vector<std::vector<std::uint16_t>> orders;
    try {
      for (const ObservationColumn& column : columns_) {
        table_.parameters_.push_back(column.parameter());
        orders.push_back(column.order(table_.parameters_.back()));
      }
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", name_, error.what()));
    }
    table_.rows_.reserve(rows_.size());
    for (auto& [key, observed] : rows_) {
      std::u16string place = key;
      for (std::size_t i = 0; i < place.size(); ++i) place[i] = orders[i][place[i]];
      tidy_row(observed);
      observed.shrink_to_fit();
      table_.rows_.emplace(std::move(place), std::move(observed));
    }
  }

  std::string name_;
  CsvReader records_;
  std::size_t names_ = 0;  ///< columns, 0 before the header
  std::size_t last_ = 0;   ///< the column of the observations
  bool one_by_one_ = false;
  std::vector<ObservationColumn> columns_;
  std::unordered_map<std::u16string, Observed> rows_;  ///< by order of appearance
  ObservationTable table_;
};

ObservationTable ObservationTable::read(const std::filesystem::path& path) {
  const MappedFile file(path);
  return parse(file.text(), path.string());
}

ObservationTable ObservationTable::parse(std::string_view text, const std::string& name) {
  return ObservationReader(text, name).read();
}

}  // namespace ntune
