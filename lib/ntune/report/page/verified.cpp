#include "ntune/core/text.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/page/html.h"
#include "ntune/report/page/sections.h"

namespace ntune {

std::string verified_section(const ReportData& data, int /*level*/) {
  HtmlTable table(
      "Tests by ntune verify, each until it decided or ran out of evaluations",
      {"<against", "<decision", "difference", "95 % interval", "Elo", "pairs", "evaluations"});
  for (const SavedVerification& test : data.study.verifications) {
    const Facts facts = verification_facts(test, data.study.objective(0));
    const Fact none;
    const auto fact_of = [&](const char* key) {
      const Fact* found = find_fact(facts, key);
      return found == nullptr ? none : *found;
    };
    const Fact difference = fact_of("difference");
    const Fact elo = fact_of("elo");
    table.add_row({xml_text(shortened(test.against, 60)),
                   test.decision == "not_better" ? "not better" : xml_text(test.decision),
                   html_value(difference), html_interval_of(difference),
                   html_value(elo) + (elo.interval ? " " + html_interval_of(elo) : ""),
                   html_count(test.counts.pairs), html_count(test.counts.evaluations)});
  }
  if (table.empty()) return {};
  return "<p>Intervals are as if the number of pairs were fixed: stopping favours the "
         "decision.</p>\n" +
         table.text();
}

}  // namespace ntune
