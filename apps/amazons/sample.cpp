#include "apps/amazons/sample.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/games/amazons/notation.h"

namespace ntune::amazons {

namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  return fields;
}

/// Where the columns are.
struct Columns {
  std::size_t board;
  std::size_t mean;
  std::size_t temperature;

  explicit Columns(const std::vector<std::string>& titles)
      : board(place(titles, "board")),
        mean(place(titles, "mean")),
        temperature(place(titles, "temperature")) {}

  [[nodiscard]] Case read(const std::vector<std::string>& fields) const {
    if (fields.size() <= std::max({board, mean, temperature})) throw InputError("too few fields");
    Case one = {
        parse_amazons<4>(fields[board]),
        fields[board],
        {parse_dyadic("mean", fields[mean]), parse_dyadic("temperature", fields[temperature])}};
    require_amazons_queens(one.position, true);
    return one;
  }

 private:
  static std::size_t place(const std::vector<std::string>& titles, const char* title) {
    const auto found = std::ranges::find(titles, title);
    if (found == titles.end()) {
      throw InputError("a line with the columns board, mean and temperature is expected");
    }
    return static_cast<std::size_t>(found - titles.begin());
  }
};

}  // namespace

std::vector<Case> read_cases(const std::string& file) {
  constexpr std::uintmax_t kLimit = 1'000'000'000;
  std::istringstream in(read_file(file, kLimit));
  std::optional<Columns> columns;
  std::vector<Case> cases;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || (!columns && line.front() == '#')) continue;
    try {
      if (columns) {
        cases.push_back(columns->read(fields_of(line)));
      } else {
        columns.emplace(fields_of(line));
      }
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}:{}: {}", printable(file, 1000), number, error.what()));
    }
  }
  if (cases.empty()) {
    throw InputError(fmt::format("{}: holds no positions", printable(file, 1000)));
  }
  std::ranges::stable_sort(cases, {}, [](const Case& one) { return one.position.empties(); });
  return cases;
}

}  // namespace ntune::amazons
