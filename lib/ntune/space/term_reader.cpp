#include "ntune/space/term_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/suggestion.h"
#include "ntune/core/text.h"
#include "ntune/space/definition.h"
#include "ntune/space/no_value.h"
#include "ntune/space/value_checks.h"

namespace ntune {

void fail_unknown_parameter(const YamlNode& node, std::span<const Parameter> parameters) {
  std::vector<std::string> names;
  // Only names that may be used here are suggested.
  std::vector<Value> values;
  for (const Parameter& parameter : parameters) {
    names.push_back(parameter.name);
    values.emplace_back(parameter.name);
  }
  node.fail(fmt::format("there is no such parameter{}; allowed: {}", suggestion(node.key(), names),
                        values.empty() ? "none" : shown(values)));
}

TermReader::TermReader(const std::vector<Parameter>& parameters)
    : parameters_(parameters), tables_(parameters.size()) {}

std::vector<Term> TermReader::read(const YamlNode& map, int limit) {
  if (!map.is_map()) {
    map.fail(
        fmt::format("is {}, a map from parameters to their values is allowed", map.describe()));
  }
  std::vector<Term> terms;
  for (const YamlNode& child : map.children()) {
    Term term{.parameter = parameter(child, limit), .values = {}};
    // A single value stands for a list of one.
    if (child.is_list()) {
      if (child.children().empty()) child.fail("is an empty list, at least one value is needed");
      for (const YamlNode& element : child.children()) {
        term.values.push_back(value(element, term.parameter));
      }
    } else {
      term.values.push_back(value(child, term.parameter));
    }
    std::ranges::sort(term.values);
    // Two equal values are a slip, and indices in ascending order show them as neighbours.
    const auto twin = std::ranges::adjacent_find(term.values);
    if (twin != term.values.end()) {
      const Parameter& definition = parameters_[static_cast<std::size_t>(term.parameter)];
      child.fail(fmt::format("has the value {} twice", shown(definition.values[*twin])));
    }
    terms.push_back(std::move(term));
  }
  return terms;
}

int TermReader::parameter(const YamlNode& node, int limit) const {
  const auto found = std::ranges::find(parameters_, node.key(), &Parameter::name);
  const auto index = static_cast<int>(found - parameters_.begin());
  // The parameter must stand before the one whose condition is read.
  if (index < limit) return index;
  if (found == parameters_.end()) {
    fail_unknown_parameter(node, std::span(parameters_).first(static_cast<std::size_t>(limit)));
  }
  node.fail(fmt::format("does not stand before '{}', which cannot depend on it",
                        printable(parameters_[static_cast<std::size_t>(limit)].name)));
}

std::uint16_t TermReader::value(const YamlNode& node, int parameter) {
  const bool is_null = node.is_null() && find(parameter, no_value()) >= 0;
  const Value value = is_null ? Value(no_value()) : read_value(node);
  const int index = find(parameter, value);
  if (index >= 0) return static_cast<std::uint16_t>(index);
  const Parameter& definition = parameters_[static_cast<std::size_t>(parameter)];
  std::vector<std::string> words;
  // Only words are near to a slip of the keyboard; numbers are not.
  for (const Value& candidate : definition.values) {
    if (const auto* word = std::get_if<std::string>(&candidate)) words.push_back(*word);
  }
  node.fail(fmt::format("is {}, which is no value of '{}'{}; allowed: {}", shown(value),
                        printable(definition.name), suggestion(node.text(), words),
                        shown(definition.values)));
}

int TermReader::find(int parameter, const Value& value) {
  auto& table = tables_[static_cast<std::size_t>(parameter)];
  if (!table) {
    table.emplace();
    const std::vector<Value>& values = parameters_[static_cast<std::size_t>(parameter)].values;
    for (std::size_t i = 0; i < values.size(); ++i) table->emplace(values[i], static_cast<int>(i));
  }
  const auto found = table->find(value);
  return found == table->end() ? -1 : found->second;
}

}  // namespace ntune
