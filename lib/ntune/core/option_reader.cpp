#include "ntune/core/option_reader.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "ntune/core/text.h"

namespace ntune {

namespace {

/// Reads the value of an option from its node, or fails there with what is allowed.
struct ValueReader {
  const YamlNode& node;
  Bounds bounds;

  template <class Number>
  void operator()(Number* value) const {
    read(*value, "");
  }
  template <class Number>
  void operator()(Auto<Number>* value) const {
    Auto<Number> found{.automatic = node.is_scalar() && node.text() == "auto"};
    if (!found.automatic) read(found.value, "'auto' or ");
    *value = found;
  }
  void operator()(bool* value) const {
    const auto flag = node.boolean();
    if (!flag) node.fail(fmt::format("is {}, true or false is allowed", node.describe()));
    *value = *flag;
  }
  void operator()(std::string* value) const {
    if (!node.is_scalar()) node.fail(fmt::format("is {}, a text is allowed", node.describe()));
    *value = node.text();
  }
  void operator()(const WordChoice& choice) const {
    if (node.is_scalar() &&
        std::ranges::find(choice.allowed, node.text()) != choice.allowed.end()) {
      *choice.word = node.text();
      return;
    }
    const std::string near = node.is_scalar() ? suggestion(node.text(), choice.allowed) : "";
    node.fail(
        fmt::format("is {}{}; allowed: {}", node.describe(), near, list_text(choice.allowed)));
  }
  void operator()(const CustomOption* custom) const { custom->read(node); }

  /// A number within the bounds; `others` is what is allowed beside it.
  template <class Number>
  void read(Number& value, const char* others) const {
    constexpr bool kWhole = std::is_integral_v<Number>;
    const auto number = [&] {
      if constexpr (kWhole) {
        return node.integer();
      } else {
        return node.number();
      }
    }();
    if (!number || !bounds.contain(static_cast<double>(*number))) {
      node.fail(fmt::format("is {}, {}a {} {} is allowed", node.describe(), others,
                            kWhole ? "whole number" : "number",
                            bounds.text_for(node.number().value_or(bounds.low))));
    }
    value = *number;
  }
};

}  // namespace

OptionReader::OptionReader(const YamlNode& map, InputErrors* errors) : map_(map), errors_(errors) {
  if (!map.is_map() && !map.is_null()) {
    map.fail(fmt::format("is {}, a map of options is allowed", map.describe()));
  }
}

void OptionReader::attempt(const std::function<void()>& read) const {
  if (errors_ == nullptr) {
    read();
  } else {
    errors_->hold(read);
  }
}

const YamlNode* OptionReader::take(std::string_view key) {
  // The key counts as known even where it is absent: `finish` lists it among the allowed ones.
  known_.emplace_back(key);
  const YamlNode* node = map_.find(key);
  return node == nullptr || node->is_null() ? nullptr : node;
}

void OptionReader::finish() const {
  for (const YamlNode& child : map_.children()) {
    // Only keys of the file are looked at, so the message names the line of the wrong one.
    if (std::find(known_.begin(), known_.end(), child.key()) != known_.end()) continue;
    attempt([&] {
      child.fail(fmt::format("unknown key{}; allowed: {}", suggestion(child.key(), known_),
                             list_text(known_, "and")));
    });
  }
}

void read_declared(const YamlNode& map, const OptionVisit& visit) {
  InputErrors errors;
  OptionReader reader(map, &errors);
  visit(reader);
  reader.finish();
  errors.throw_any();
}

void OptionReader::option(const OptionRef& option) {
  const YamlNode* node = take(option.key);
  if (node == nullptr) return;
  attempt([&] { std::visit(ValueReader{*node, option.bounds}, option.value); });
}

void refuse_at(const YamlNode& map, const std::optional<OptionProblem>& problem) {
  if (!problem) return;
  // The key has a line of its own only if the user wrote it.
  if (const YamlNode* place = map.find(problem->key)) place->fail(problem->message);
  map.fail_at(problem->key, problem->message);
}

}  // namespace ntune
