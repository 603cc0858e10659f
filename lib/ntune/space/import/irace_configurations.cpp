// irace's initial configurations:
//   algorithm  ants  q0
//   as         "10"  NA

#include "ntune/space/import/irace_configurations.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/space/import/irace_words.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

namespace {

/// The words of a line, each of them bare or in double quotes.
std::vector<std::string> words_of_line(std::string_view line, const Place& place) {
  std::vector<std::string> words;
  // A word in quotes may hold blanks and ends with the next quote.
  for (line = without_blanks(line); !line.empty(); line = without_blanks(line)) {
    const bool quoted = line.starts_with('"');
    if (quoted) line.remove_prefix(1);
    const std::size_t end = line.find_first_of(quoted ? "\"" : " \t");
    if (quoted && end == std::string_view::npos) fail_at(place, "has a text without its end");
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(std::min(line.size(), end == std::string_view::npos ? end : end + 1));
  }
  return words;
}

/// The parameter of this name; an unknown one fails at the place.
const SourceParameter& named_parameter(const std::string& name, const Place& place,
                                       const SourceSpace& space) {
  const auto found = std::ranges::find(space.parameters, name, &SourceParameter::name);
  if (found != space.parameters.end()) return *found;
  fail_at(place, fmt::format("'{}' is no parameter", printable(name, 60)));
}

/// The value that a word of a configuration means for the parameter, or a failure.
Value configured_value(const std::string& word, const Place& place,
                       const SourceParameter& parameter) {
  const auto number = parse_number(word);
  if (const auto* choices = std::get_if<SourceChoices>(&parameter.domain)) {
    // A choice matches as text or as number: 1 and "1" and 1.0 are alike in irace.
    for (const Value& value : choices->values) {
      const bool same_number = number && value_number(value) == value_number(*number);
      if (value_text(value) == word || same_number) return value;
    }
  } else if (number) {
    return *number;
  }
  fail_at(place, fmt::format("'{}' is no value of '{}'", printable(word, 60),
                             printable(parameter.name, 60)));
}

}  // namespace

std::vector<std::map<std::string, Value>> read_irace_configurations(const std::string& text,
                                                                    const std::string& name,
                                                                    const SourceSpace& space) {
  std::vector<std::string> header;
  std::vector<std::map<std::string, Value>> rows;
  for_each_line(text, name, [&](std::string_view line, int number) {
    const Place place = fmt::format("{}:{}", name, number);
    const auto words = words_of_line(line.substr(0, find_unquoted(line, '#')), place);
    if (words.empty()) return;
    // The first line names the parameters, each of which must be known.
    if (header.empty()) {
      header = words;
      for (const std::string& word : header) (void)named_parameter(word, place, space);
      return;
    }
    if (words.size() != header.size()) {
      fail_at(place, fmt::format("has {}, the first line names {}", counted(words.size(), "value"),
                                 counted(header.size(), "parameter")));
    }
    std::map<std::string, Value> row;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == "NA" || words[i] == "<NA>") continue;
      row[header[i]] = configured_value(words[i], place, named_parameter(header[i], place, space));
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
  for (const auto& configuration : source.configurations) {
    Json& point = points.emplace_back(Json::object());
    for (const Parameter& parameter : grid.parameters()) {
      const auto found = configuration.find(parameter.name);
      // An inactive parameter has its first value, as in any canonical point.
      point[parameter.name] =
          value_json(found == configuration.end() ? parameter.values.front() : found->second);
    }
  }
  std::string yaml = fmt::format("default: {}\n", to_yaml(points.front()));
  points.erase(points.begin());
  if (!points.empty()) yaml += fmt::format("start: {}\n", to_yaml(points));
  return yaml;
}

}  // namespace ntune
