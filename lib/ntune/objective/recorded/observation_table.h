#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ntune/space/search_space.h"

namespace ntune {

/// A number and how often it was observed at a point.
struct ObservedValue {
  double value = 0.0;
  std::uint32_t count = 1;

  friend bool operator==(const ObservedValue&, const ObservedValue&) = default;
};

/// All that was observed at a point: ascending, distinct.
using Observed = std::vector<ObservedValue>;

/// Sorts and adds up what stands for the same number. Throws std::length_error above 2^32 - 1
/// observations of one point.
void tidy(Observed& observed);
std::uint64_t count_of(const Observed& observed);
double mean_of(const Observed& observed);

/// Recorded observations of points, from a CSV file. Its header has one column per parameter and
/// `observations` ("1*734 -1*266", numbers with `*count` for repeats). With a column `payoff` a row
/// is one observation. Rows of one point are added up. Lines that begin with # are comments. A
/// value is a number, true or false, or a word; in quotes it is a word.
class ObservationTable {
 public:
  /// Throws InputError "file:line: column: what is wrong, what is allowed".
  static ObservationTable read(const std::filesystem::path& path);
  /// `name` stands in messages for the file.
  static ObservationTable parse(std::string_view text, const std::string& name);

  /// The values that occur in each column: numbers ascending, words in order of appearance.
  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  [[nodiscard]] std::size_t points() const { return rows_.size(); }
  /// The observations at a point by the indices of its values in `parameters`; nullptr: none.
  [[nodiscard]] const Observed* find(std::span<const std::uint16_t> indices) const;
  /// The comments before the header, without # and blanks around.
  [[nodiscard]] const std::vector<std::string>& comments() const { return comments_; }

 private:
  friend class ObservationReader;

  std::vector<Parameter> parameters_;
  std::unordered_map<std::u16string, Observed> rows_;  ///< by indices of values
  std::vector<std::string> comments_;
};

/// Where the points of a space stand in a table that has the same parameters, in any order.
class TableIndex {
 public:
  /// Throws InputError "parameter: …": a parameter without a column or a column without one.
  TableIndex(const ObservationTable& table, const SearchSpace& space);

  /// nullptr where the table has no row.
  [[nodiscard]] const Observed* find(const Point& point) const;

 private:
  static constexpr std::uint16_t kNone = 0xFFFF;  ///< no column has as many values

  const ObservationTable* table_;
  std::vector<int> columns_;                        ///< column of every parameter of the space
  std::vector<std::vector<std::uint16_t>> values_;  ///< table's index of each value, or kNone
};

/// The lines of such a file, line ends included. Throws InputError for a word with a line end.
std::string observation_header(const SearchSpace& space);
std::string observation_line(const SearchSpace& space, const Point& point,
                             const Observed& observed);

}  // namespace ntune
