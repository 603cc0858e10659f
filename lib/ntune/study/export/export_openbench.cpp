#include "ntune/study/export/export_openbench.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/text.h"

namespace ntune {

namespace {

constexpr double kShare = 1.0 / 20.0;
constexpr double kRate = 0.002;

bool is_whole(const Value& value) { return std::floor(value_number(value)) == value_number(value); }

}  // namespace

OpenBenchLines openbench_lines(const Study& study, const Point& point) {
  const SearchSpace& space = study.objectives.front().objective->space();
  const Json gains = study.optimisers.front().options.value("gains", Json::object());
  OpenBenchLines lines;
  for (int i = 0; i < space.dimensions(); ++i) {
    const Parameter& parameter = space[i];
    if (parameter.cardinality() < 2) continue;
    if (!parameter.ordered || !space.is_active(point, i)) {
      lines.left_out.push_back(parameter.name);
      continue;
    }
    const Value& first = parameter.values.front();
    const Value& last = parameter.values.back();
    const double low = std::min(value_number(first), value_number(last));
    const double high = std::max(value_number(first), value_number(last));
    const Value& value = space.value(point, i);
    const bool whole = is_whole(value) && std::ranges::all_of(parameter.values, is_whole);
    constexpr double kLeast = 0.5;
    double c = std::max(kShare * (high - low), whole ? kLeast : 0.0);
    double r = kRate;
    if (gains.contains(parameter.name)) {
      c = gains[parameter.name][0];
      r = gains[parameter.name][1];
    }
    lines.text +=
        fmt::format("{}, {}, {}, {}, {}, {}, {}\n", printable(parameter.name, 1000),
                    whole ? "int" : "float", value_text(value), number_text(low), number_text(high),
                    fmt::format("{:.6g}", c), fmt::format("{:.6g}", r));
  }
  return lines;
}

}  // namespace ntune
