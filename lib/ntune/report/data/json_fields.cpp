#include "ntune/report/data/json_fields.h"

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
  return Interval{(*found)[0].get<double>(), (*found)[1].get<double>()};
}

}  // namespace ntune
