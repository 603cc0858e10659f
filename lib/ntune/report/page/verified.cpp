#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/page/html.h"
#include "ntune/report/page/sections.h"

namespace ntune {

std::string ratio_bar(const SavedVerification& test) {
  const double width = test.bounds.high - test.bounds.low;
  if (!std::isfinite(test.ratio) || !(width > 0.0)) return {};
  constexpr double kWidth = 150.0;
  constexpr double kMargin = 6.0;
  const auto place = [&](double ratio) {
    return kMargin +
           (kWidth - 2.0 * kMargin) * std::clamp((ratio - test.bounds.low) / width, 0.0, 1.0);
  };
  return fmt::format(
      "<svg class=\"gain {}\" viewBox=\"0 0 {} 18\" role=\"img\" aria-label=\"log-likelihood ratio "
      "{:.2f} between the bounds {:.2f} and {:.2f}\"><path d=\"M{:.1f} 4V14V9H{:.1f}V4V14\" "
      "fill=\"none\"/><line x1=\"{:.1f}\" y1=\"1\" x2=\"{:.1f}\" y2=\"17\"/><circle cx=\"{:.1f}\" "
      "cy=\"9\" r=\"4.5\"/></svg>",
      test.is_running             ? "run"
      : test.decision == "better" ? "good"
                                  : "soft",
      kWidth, test.ratio, test.bounds.low, test.bounds.high, place(test.bounds.low),
      place(test.bounds.high), place(0.0), place(0.0), place(test.ratio));
}

namespace {

/// The bar with its numbers.
std::string ratio_text(const SavedVerification& test) {
  const std::string bar = ratio_bar(test);
  if (bar.empty()) return "–";
  return fmt::format("{}{}<small>of {:.2f} to {:.2f}</small>", bar, html_decimals(test.ratio, 2),
                     test.bounds.low, test.bounds.high);
}

}  // namespace

std::string verified_section(const ReportData& data, int /*level*/) {
  HtmlTable table("Tests by ntune verify, each until it decided or ran out of evaluations",
                  {"<against", "<decision", "log-likelihood ratio", "difference", "95 % interval",
                   "Elo", "pairs", "evaluations"});
  for (const SavedVerification& test : data.study.verifications) {
    const Facts facts = verification_facts(test, data.study.objective(0));
    const Fact none;
    const auto fact_of = [&](const char* key) {
      const Fact* found = find_fact(facts, key);
      return found == nullptr ? none : *found;
    };
    // A test by payoffs without noise has neither difference nor Elo.
    const Fact difference = fact_of("difference");
    const Fact elo = fact_of("elo");
    table.add_row({xml_text(shortened(test.against, 60)),
                   test.is_running                 ? "goes on"
                   : test.decision == "not_better" ? "not better"
                                                   : xml_text(test.decision),
                   ratio_text(test), html_value(difference), html_interval_of(difference),
                   html_value(elo) + (elo.interval ? " " + html_interval_of(elo) : ""),
                   html_count(test.counts.pairs), html_count(test.counts.evaluations)});
  }
  if (table.empty()) return {};
  return "<p>Intervals are as if the number of pairs were fixed: stopping favours the "
         "decision.</p>\n" +
         table.text();
}

}  // namespace ntune
