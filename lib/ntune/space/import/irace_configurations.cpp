// irace's initial configurations:
//   algorithm  ants  q0
//   as         "10"  NA

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/space/import/irace_scenario.h"
#include "ntune/space/import/irace_tokens.h"
#include "ntune/space/space_yaml.h"
#include "ntune/space/value_checks.h"

namespace ntune {

namespace {

/// The words of a line, each of them bare or in quotes.
std::vector<std::string_view> words_of_line(std::string_view line, const SourceText& file) {
  std::vector<std::string_view> words;
  // A word in quotes may hold blanks and ends with the next quote.
  for (line = without_blanks(line); !line.empty(); line = without_blanks(line)) {
    const bool quoted = line.starts_with('"') || line.starts_with('\'');
    const std::string_view stops = line.substr(0, 1) == "'" ? "'" : quoted ? "\"" : " \t";
    const Place place = file.place(line);
    if (quoted) line.remove_prefix(1);
    const std::size_t end = line.find_first_of(stops);
    if (quoted && end == std::string_view::npos) fail_at(place, "has a text without its end");
    words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(line.size(), end == std::string_view::npos ? end : end + 1));
  }
  return words;
}

/// The parameter of this name; an unknown one fails at the place.
const SourceParameter& named_parameter(std::string_view name, const SourceText& file,
                                       const SourceSpace& space) {
  if (const SourceParameter* found = space.find(name)) return *found;
  fail_at(file.place(name), fmt::format("'{}' is no parameter", printable(name, 60)));
}

/// The value that a word of a configuration means for the parameter, or a failure.
Value configured_value(std::string_view word, const SourceText& file,
                       const SourceParameter& parameter) {
  const auto refuse = [&](const std::string& allowed) {
    fail_at(file.place(word),
            fmt::format("'{}' is no value of '{}'; allowed: {}", printable(word, 60),
                        printable(parameter.name, 60), allowed));
  };
  const auto number = parse_number(word);
  if (const auto* choices = std::get_if<SourceChoices>(&parameter.domain)) {
    // A choice matches as text or as number: 1 and "1" and 1.0 are alike in irace.
    for (const Value& value : choices->values) {
      const bool same_number = number && value_number(value) == value_number(*number);
      if (value_text(value) == word || same_number) return value;
    }
    refuse(shown(choices->values));
  }
  const auto check_range = [&](double low, double high, const char* what) {
    const double value = number ? value_number(*number) : std::nan("");
    const bool whole = what[0] != 'w' || value == std::floor(value);
    if (value >= low && value <= high && whole) return;
    refuse(fmt::format("{} from {} to {}", what, number_text(low), number_text(high)));
  };
  if (const auto* integers = std::get_if<SourceIntegers>(&parameter.domain)) {
    check_range(static_cast<double>(integers->low), static_cast<double>(integers->high),
                "whole numbers");
    return static_cast<std::int64_t>(value_number(*number));
  }
  const auto& reals = std::get<SourceReals>(parameter.domain);
  check_range(reals.low, reals.high, "numbers");
  return *number;
}

}  // namespace

std::vector<SourceSpace::Configuration> read_irace_configurations(const std::string& text,
                                                                  const std::string& name,
                                                                  const SourceSpace& space) {
  const SourceText file(text, name);
  std::vector<std::string_view> header;
  std::vector<SourceSpace::Configuration> rows;
  for_each_line(file.text(), name, [&](std::string_view line, int) {
    auto words = words_of_line(line.substr(0, find_unquoted(line, '#')), file);
    if (words.empty()) return;
    // The first line names the parameters, each of which must be known.
    if (header.empty()) {
      header = words;
      for (const std::string_view word : header) (void)named_parameter(word, file, space);
      return;
    }
    // As R has it, a value more than there are names is the name of the row.
    if (words.size() == header.size() + 1) words.erase(words.begin());
    if (words.size() != header.size()) {
      fail_at(file.place(line),
              fmt::format("has {}, the first line names {}", counted(words.size(), "value"),
                          counted(header.size(), "parameter")));
    }
    SourceSpace::Configuration row{.values = {}, .place = file.place(line)};
    for (std::size_t i = 0; i < words.size(); ++i) {
      const SourceParameter& parameter = named_parameter(header[i], file, space);
      // An empty text is no number: R makes NA of it.
      const bool is_choice = std::holds_alternative<SourceChoices>(parameter.domain);
      const bool is_left_out = words[i] == "NA" || words[i] == "<NA>";
      if (is_left_out || (words[i].empty() && !is_choice)) continue;
      row.values[parameter.name] = configured_value(words[i], file, parameter);
    }
    rows.push_back(std::move(row));
  });
  return rows;
}

std::string irace_beginning(const SourceSpace& source, const std::string& space) {
  if (source.configurations.empty()) return {};
  // The imported space is read back, so that the values left out are those of its grid.
  const SearchSpace grid = read_space(*parse_yaml(space).find("space"));
  Json points = Json::array();
  for (const auto& [values, place] : source.configurations) {
    Point point(grid.dimensions());
    for (int i = 0; i < grid.dimensions(); ++i) {
      const auto found = values.find(grid[i].name);
      const int index = found == values.end() ? 0 : grid[i].find(found->second);
      if (index < 0) {
        fail_at(place,
                fmt::format("'{}' is no value of '{}' in the space",
                            printable(value_text(found->second), 60), printable(grid[i].name, 60)));
      }
      point[i] = static_cast<std::uint16_t>(index);
    }
    // An inactive parameter has its first value, as in any canonical point.
    grid.canonicalise(point);
    for (int i = 0; i < grid.dimensions(); ++i) {
      if (values.contains(grid[i].name) || !grid.is_active(point, i)) continue;
      if (grid[i].cardinality() == 1) continue;
      fail_at(place, fmt::format("has no value of '{}', which is active there",
                                 printable(grid[i].name, 60)));
    }
    if (!grid.is_allowed(point)) fail_at(place, "is a forbidden configuration");
    points.push_back(point_json(point, grid));
  }
  std::string yaml = fmt::format("default: {}\n", to_yaml(points.front()));
  points.erase(points.begin());
  if (!points.empty()) yaml += fmt::format("start: {}\n", to_yaml(points));
  return yaml;
}

}  // namespace ntune
