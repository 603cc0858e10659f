#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/report/figures/history_scale.h"
#include "ntune/report/page/sections.h"

namespace ntune {

namespace {

Json parameters_json(const SearchStatistics& search) {
  Json list = Json::array();
  const SearchSpace& space = search.objective().space();
  for (const int i : search.varied()) {
    Json values = Json::array();
    for (const Value& value : space[i].values) values.push_back(printable(value_text(value), 60));
    const ValueGroups& groups = search.groups(i);
    list.push_back({{"index", i},
                    {"name", printable(space[i].name, 60)},
                    {"values", values},
                    {"groups", groups.group_of},
                    {"labels", groups.labels}});
  }
  return list;
}

/// Cells of the objective by their names.
Json cells_json(const ReportData& data, std::size_t objective) {
  Json cells = Json::array();
  for (std::size_t cell = 0; cell < data.study.study.cells(); ++cell) {
    if (data.study.study.objective_of(cell) != objective) continue;
    cells.push_back({{"cell", cell}, {"name", printable(data.study.cell_label(cell, false), 80)}});
  }
  return cells;
}

}  // namespace

std::string evaluations_data(const ReportData& data, std::size_t objective) {
  const SearchStatistics& search = data.searches[objective];
  const Unit unit = search.objective().unit();
  const HistoryScale scale(data, objective);
  Json about = {{"objective", objective},
                {"of", data.samples[objective].of()},
                {"cells", cells_json(data, objective)},
                {"parameters", parameters_json(search)}};
  std::string rows;
  for (const SearchEvaluation& one : data.samples[objective].evaluations()) {
    rows += fmt::format("{}[{},{},{},{},", rows.empty() ? "" : ",\n", one.cell, one.repeat, one.run,
                        one.index);
    rows += one.failed ? "null" : fmt::format("{:.6g}", unit.value_of(one.payoff));
    rows += fmt::format(",{:.6g}", scale.height_of(one));
    for (const int i : search.varied()) rows += fmt::format(",{}", one.point[i]);
    rows += ']';
  }
  std::string json = about.dump();
  json.pop_back();
  json += ",\"rows\":[" + rows + "]}";
  // Nothing in it may look like the end of a script.
  std::string safe;
  for (const char c : json) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return fmt::format(
      "<form class=\"filters\" hidden aria-label=\"Choose evaluations\"></form>\n<script "
      "type=\"application/json\" class=\"evaluations\">{}</script>\n",
      safe);
}

}  // namespace ntune
