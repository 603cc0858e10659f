#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/report/data/json_fields.h"
#include "ntune/report/page/html.h"
#include "ntune/report/page/sections.h"

namespace ntune {

std::string games_table(const Json& result) {
  if (!result.is_object() || !result.contains("elo") || !result["elo"].is_object()) return {};
  const Json& elo = result["elo"];
  const Json normalised = elo.value("normalised_elo", Json());
  const bool known = normalised.is_object();
  const bool compared = elo.value("from", "hold_out") == "comparison";
  const std::string source =
      compared ? "<p>Elo by the games of the comparison, which chose the recommendation and so "
                 "flatters it; nothing was held out.</p>\n"
               : "<p>Elo by the games of the hold-out.</p>\n";
  const auto count = [&](const char* key) { return html_count(elo.value(key, std::int64_t{0})); };
  std::string pairs;
  if (elo.contains("pentanomial") && elo["pentanomial"].is_array()) {
    for (const Json& pair : elo["pentanomial"]) {
      if (!pairs.empty()) pairs += ", ";
      if (pair.is_number_integer()) pairs += html_count(pair.get<std::int64_t>());
    }
  }
  std::vector<std::string> names{"wins",          "draws",          "losses",        "Elo",
                                 "95 % interval", "normalised Elo", "95 % interval "};
  std::vector<std::string> row{
      count("wins"),
      count("draws"),
      count("losses"),
      html_elo(number_at(elo, "value")),
      html_elo_interval(interval_at(elo, "interval")),
      html_elo(known ? number_at(normalised, "value") : std::nullopt),
      known ? html_elo_interval(interval_at(normalised, "interval")) : "–"};
  if (!pairs.empty()) {
    names.emplace_back("pairs of 0, 1/2, 1, 3/2, 2 points");
    row.push_back(pairs);
  }
  HtmlTable table(compared ? "Games of the comparison, which chose it" : "Games of the hold-out",
                  names);
  table.add_row(row);
  return source + table.text();
}

}  // namespace ntune
