#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/objective/failure_cause.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/page/html.h"
#include "ntune/report/page/sections.h"

namespace ntune {

namespace {

/// Causes, and under each the whole message of one failure.
std::string cause_table(const ReportData& data) {
  constexpr std::size_t kMostCauses = 50;
  constexpr std::size_t kLongestExample = 2000;
  HtmlTable table("Causes", {"<cause", "calls"});
  for (std::size_t i = 0; i < std::min(kMostCauses, data.failures.size()); ++i) {
    const FailureKind& kind = data.failures[i];
    std::string cause = xml_text(kind.cause);
    // The command of one failed call can be copied and repeated.
    if (const std::string command = failure_parts(kind.example).command; !command.empty()) {
      cause += fmt::format(
          "<pre tabindex=\"0\">{0}</pre><p class=\"save\"><button type=\"button\" "
          "data-copy=\"{0}\">Copy the command</button></p>",
          xml_text(command));
    }
    // The whole message of one failure is folded below its cause.
    if (!kind.example.empty() && kind.example != kind.cause) {
      cause += fmt::format("<details><summary>one of them</summary>{}</details>",
                           xml_text(printable(kind.example, kLongestExample)));
    }
    table.add_row({cause, html_count(kind.count)});
  }
  return table.text();
}

/// The values at which calls of the searches failed.
std::string value_table(const ReportData& data) {
  constexpr double kPercent = 100.0;
  HtmlTable table("Failures by value", {"<parameter", "<value", "calls", "failed", "rate (%)"});
  for (const SavedFailures::ByValue& value : data.value_failures) {
    const double rate = kPercent * static_cast<double>(value.failures) /
                        static_cast<double>(std::max<std::int64_t>(1, value.evaluations));
    table.add_row({xml_text(value.label()), xml_text(value.text()), html_count(value.evaluations),
                   html_count(value.failures), html_decimals(rate, 0)});
  }
  return table.text();
}

}  // namespace

std::string failure_section(const ReportData& data, int level) {
  if (data.failed == 0) return {};
  std::string html = fmt::format("<p>{} of {} failed.</p>\n", html_count(data.failed),
                                 counted(data.evaluations, "call"));
  if (!data.failures.empty()) {
    html += heading(level, "By cause");
    html += "<p class=\"soft\">Numbers and temporary names are left out of a cause.</p>\n";
    html += cause_table(data);
  }
  if (!data.value_failures.empty()) {
    html += heading(level, "By value");
    html +=
        "<p class=\"soft\">Of the calls of the searches: the values at which any failed. A "
        "search that avoids failures lowers their rate.</p>\n";
    html += value_table(data);
  }
  return html;
}

}  // namespace ntune
