#include "ntune/objective/recorded/exported_columns.h"

#include <array>
#include <string_view>

namespace ntune {

std::optional<ExportedColumns> exported_columns(const std::vector<std::string>& names) {
  // What every such header has, in this order.
  static constexpr std::array<std::string_view, 9> kAlways = {
      "stage", "run", "evaluation", "value", "failure", "seconds", "attempts", "start", "complete"};
  std::array<std::size_t, kAlways.size()> places{};
  std::size_t next = 0;
  for (std::size_t i = 0; i < kAlways.size(); ++i) {
    while (next < names.size() && names[next] != kAlways[i]) ++next;
    // Further columns may stand between these, as far as the order is kept.
    if (next == names.size()) return std::nullopt;
    places[i] = next++;
  }
  const auto has = [&](std::size_t place, std::string_view name) {
    return place < names.size() && names[place] == name;
  };
  ExportedColumns columns{.failure = places[4], .first_parameter = next};
  // Columns that only some exports have are known by their place beside these.
  if (places[0] > 0 && has(0, "objective")) columns.objective = 0;
  if (has(places[2] + 1, "instance")) columns.instance = places[2] + 1;
  if (has(columns.first_parameter, "ending")) columns.ending = columns.first_parameter++;
  if (has(columns.first_parameter, "cost")) ++columns.first_parameter;
  return columns;
}

}  // namespace ntune
