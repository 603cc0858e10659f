#include "ntune/core/option_reader.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "ntune/core/text.h"

namespace ntune {

namespace {

bool is_auto(const YamlNode& node) { return node.is_scalar() && node.text() == "auto"; }

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

void OptionReader::read(const char* key, const std::function<void(const YamlNode&)>& read) {
  if (const YamlNode* node = take(key)) attempt([&] { read(*node); });
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

void OptionReader::number(const char* key, double& value, Bounds bounds, const char*) {
  read(key, [&](const YamlNode& node) {
    const auto number = node.number();
    if (!number || !bounds.contain(*number)) {
      node.fail(fmt::format("is {}, a number {} is allowed", node.describe(), bounds.text()));
    }
    value = *number;
  });
}

void OptionReader::number(const char* key, AutoNumber& value, Bounds bounds, const char*) {
  read(key, [&](const YamlNode& node) {
    if (is_auto(node)) {
      value = {};
      return;
    }
    const auto number = node.number();
    if (!number || !bounds.contain(*number)) {
      node.fail(
          fmt::format("is {}, 'auto' or a number {} is allowed", node.describe(), bounds.text()));
    }
    value = {.automatic = false, .value = *number};
  });
}

void OptionReader::integer(const char* key, std::int64_t& value, Bounds bounds, const char*) {
  read(key, [&](const YamlNode& node) {
    const auto integer = node.integer();
    if (!integer || !bounds.contain(static_cast<double>(*integer))) {
      node.fail(fmt::format("is {}, a whole number {} is allowed", node.describe(), bounds.text()));
    }
    value = *integer;
  });
}

void OptionReader::integer(const char* key, AutoInteger& value, Bounds bounds, const char*) {
  read(key, [&](const YamlNode& node) {
    if (is_auto(node)) {
      value = {};
      return;
    }
    const auto integer = node.integer();
    if (!integer || !bounds.contain(static_cast<double>(*integer))) {
      node.fail(fmt::format("is {}, 'auto' or a whole number {} is allowed", node.describe(),
                            bounds.text()));
    }
    value = {.automatic = false, .value = *integer};
  });
}

void OptionReader::flag(const char* key, bool& value, const char*) {
  read(key, [&](const YamlNode& node) {
    const auto flag = node.boolean();
    if (!flag) node.fail(fmt::format("is {}, true or false is allowed", node.describe()));
    value = *flag;
  });
}

void OptionReader::text(const char* key, std::string& value, const char*) {
  read(key, [&](const YamlNode& node) {
    if (!node.is_scalar()) node.fail(fmt::format("is {}, a text is allowed", node.describe()));
    value = node.text();
  });
}

void OptionReader::choice(const char* key, std::string& value, std::span<const std::string> allowed,
                          const char*) {
  read(key, [&](const YamlNode& node) {
    if (node.is_scalar() && std::ranges::find(allowed, node.text()) != allowed.end()) {
      value = node.text();
      return;
    }
    const std::string near = node.is_scalar() ? suggestion(node.text(), allowed) : "";
    node.fail(fmt::format("is {}{}; allowed: {}", node.describe(), near, list_text(allowed)));
  });
}

void OptionReader::custom(const char* key, const CustomOption& option, const char*) {
  read(key, option.read);
}

}  // namespace ntune
