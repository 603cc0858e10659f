// The configuration of chess-tuning-tools, JSON with `parameter_ranges`:
//   "CPuct": "(1.0, 3.0)", "Threads": "(1, 8)", "K": "Real(0.1, 10, prior='log-uniform')",
//   "Policy": "['a', 'b']", "Depth": "Integer(low=1, high=8)"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/space/import/irace_tokens.h"
#include "ntune/space/import/source.h"

namespace ntune {

namespace {

/// The number that stands behind this keyword, or at this place without one.
std::optional<Value> argument(const std::vector<IraceLiteral>& literals, std::string_view name,
                              std::size_t place) {
  for (const IraceLiteral& literal : literals) {
    std::string_view rest = literal.text;
    const bool is_named = without_blanks(cut(rest, "=")) == name;
    if (is_named) return parse_number(without_blanks(rest));
  }
  return place < literals.size() ? parse_number(literals[place].text) : std::nullopt;
}

SourceParameter read_range(const YamlNode& node) {
  const auto refuse = [&] {
    node.fail(
        fmt::format("is {}, a text such as \"(1, 8)\", \"Real(0.1, 10, prior='log-uniform')\" or "
                    "\"['a', 'b']\" is allowed",
                    node.describe()));
  };
  // The text is the name of a kind, perhaps, and numbers or texts in brackets.
  if (!node.is_scalar()) refuse();
  const std::string text = node.text();
  const std::size_t open = text.find_first_of("([");
  const std::size_t close = text.find_last_of(")]");
  if (open == text.npos || close == text.npos || close < open) refuse();
  const std::string word = text.substr(0, open);
  std::string inside = text.substr(open + 1, close - open - 1);
  const bool is_list = text[open] == '[' || word == "Categorical";
  if (is_list) std::erase_if(inside, [](char c) { return c == '[' || c == ']'; });
  // Texts of Python stand in single quotes.
  for (char& c : inside) c = c == '\'' ? '"' : c;
  const auto literals = split_domain(inside);
  if (!literals || literals->empty()) refuse();
  SourceParameter parameter{.name = node.key(), .place = node.place(), .type = text};
  if (is_list) {
    parameter.domain = SourceChoices{.values = choices_of(*literals).values, .unordered = true};
    return parameter;
  }
  const auto low = argument(*literals, "low", 0);
  const auto high = argument(*literals, "high", 1);
  if (!low || !high) refuse();
  const bool log = inside.find("log-uniform") != inside.npos;
  // `Real` makes a range of reals of whole ends, too.
  const auto end = [&](const Value& value) {
    return word == "Real" ? Value(value_number(value)) : value;
  };
  parameter.domain = range_of(end(*low), end(*high), nullptr, log);
  return parameter;
}

}  // namespace

SourceSpace read_chess_tuning_tools(const YamlNode& document) {
  SourceSpace space;
  for (const YamlNode& node : needed(document, "parameter_ranges").children()) {
    space.add(read_range(node));
  }
  return space;
}

}  // namespace ntune
