#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/data/json_fields.h"
#include "ntune/report/page/html.h"
#include "ntune/report/page/sections.h"

namespace ntune {

namespace {

std::string decision_text(const std::string& decision) {
  if (decision == "not_better") return "not better";
  return decision;
}

/// "+12.3 [+1.0, +23.6]" of a rating, or "–".
std::string rating_html(const Json& rating) {
  if (!rating.is_object()) return "–";
  return html_elo(number_at(rating, "value")) + " " +
         html_elo_interval(interval_at(rating, "interval"));
}

}  // namespace

std::string verified_section(const ReportData& data, int /*level*/) {
  HtmlTable table(
      "Tests by ntune verify, each until it decided or ran out of evaluations",
      {"<against", "<decision", "difference", "95 % interval", "Elo", "pairs", "evaluations"});
  for (const Json& test : data.study.verifications) {
    const Json difference = test.value("difference", Json());
    table.add_row(
        {xml_text(shortened(test.value("against", ""), 60)),
         xml_text(decision_text(test.value("decision", ""))),
         html_optional(number_at(difference, "value"), interval_at(difference, "interval")),
         html_interval(interval_at(difference, "interval")), rating_html(test.value("elo", Json())),
         html_count(test.value("pairs", std::int64_t{0})),
         html_count(test.value("evaluations", std::int64_t{0}))});
  }
  if (table.empty()) return {};
  return "<p>Intervals are as if the number of pairs were fixed: stopping favours the "
         "decision.</p>\n" +
         table.text();
}

}  // namespace ntune
