#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/data/json_fields.h"
#include "ntune/report/page/html.h"
#include "ntune/report/page/sections.h"

namespace ntune {

namespace {

/// The least and the largest value of a set of rows, the default's too.
struct ValueRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(const std::optional<double>& value) {
    if (!value) return;
    low = std::min(low, *value);
    high = std::max(high, *value);
  }
};

/// A value on a ground that is the darker, the higher it lies in the range.
std::string shaded(const std::optional<double>& value, const ValueRange& range) {
  if (!value) return "–";
  const double share = range.high > range.low ? (*value - range.low) / (range.high - range.low) : 0;
  return fmt::format("<span style=\"background:rgba(70,130,180,{:.2f});padding:0 .4em\">{}</span>",
                     0.05 + 0.5 * share, html_number(*value));
}

}  // namespace

std::string instances_table(const Json& result) {
  const auto found = result.is_object() ? result.find("instances") : result.end();
  if (found == result.end() || !found->is_array() || found->empty()) return {};
  ValueRange range;
  bool has_default = false;
  bool has_test = false;
  for (const Json& row : *found) {
    if (!row.is_object()) return {};
    range.add(number_at(row, "value"));
    range.add(number_at(row, "default"));
    has_default = has_default || number_at(row, "default");
    has_test = has_test || row.value("test", Json()) == true;
  }
  std::vector<std::string> names = {"<instance"};
  if (has_test) names.emplace_back("<set");
  names.insert(names.end(), {"n", "value", "95 % interval"});
  if (has_default) names.insert(names.end(), {"default", "difference"});
  HtmlTable table("Instances: fresh evaluations of the recommendation", names);
  for (const Json& row : *found) {
    std::vector<std::string> cells = {xml_text(row.value("name", std::string()))};
    if (has_test) cells.emplace_back(row.value("test", Json()) == true ? "test" : "training");
    const auto value = number_at(row, "value");
    cells.insert(cells.end(), {html_count(row.value("n", std::int64_t{0})), shaded(value, range),
                               html_interval(interval_at(row, "interval"))});
    if (has_default) {
      const auto other = number_at(row, "default");
      cells.push_back(shaded(other, range));
      cells.push_back(value && other ? html_number(*value - *other) : "–");
    }
    table.add_row(cells);
  }
  return table.text();
}

}  // namespace ntune
