#include "ntune/objective/instance.h"

#include <algorithm>

#include "ntune/core/json.h"

namespace ntune {

const Value* Instance::find(std::string_view key) const {
  const auto found = std::ranges::find(values, key, &std::pair<std::string, Value>::first);
  return found == values.end() ? nullptr : &found->second;
}

Json Instance::json() const {
  if (values.empty()) return value_json(value);
  Json map = Json::object();
  for (const auto& [key, named] : values) map[key] = value_json(named);
  return map;
}

std::string Instance::text() const {
  // A value that is not UTF-8 cannot be JSON and is shown as far as possible.
  if (values.empty()) return value_text(value);
  return json_line(json());
}

}  // namespace ntune
