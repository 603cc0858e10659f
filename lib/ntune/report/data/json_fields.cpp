#include "ntune/report/data/json_fields.h"

#include <cstddef>
#include <limits>

#include "ntune/core/json.h"

namespace ntune {

std::optional<double> number_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::optional<Interval> interval_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array() || found->size() != 2) return std::nullopt;
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const auto end = [&](std::size_t i, double open) {
    return (*found)[i].is_null() ? open : (*found)[i].get<double>();
  };
  return Interval{end(0, -kInfinite), end(1, kInfinite)};
}

}  // namespace ntune
