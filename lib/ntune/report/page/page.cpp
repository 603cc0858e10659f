#include "ntune/report/page/page.h"

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/page/assets.h"
#include "ntune/report/page/html.h"
#include "ntune/report/page/sections.h"
#include "ntune/version.h"

namespace ntune {

namespace {

const char* state_text(const ReportData& data) {
  switch (data.study.state) {
    case StudyFolder::State::kDone:
      return "done";
    case StudyFolder::State::kInterrupted:
      return "interrupted";
    default:
      return "not finished";
  }
}

std::string summary_of(const ReportData& data) {
  std::string text =
      fmt::format("{}, {} evaluations", state_text(data), html_count(data.evaluations));
  if (data.failed > 0) text += fmt::format(", {} failed", html_count(data.failed));
  text += data.study.merged ? fmt::format(", seeds {}", xml_text(data.study.result["seeds"].dump()))
                            : fmt::format(", seed {}", data.study.study.seed);
  if (!data.study.version.empty()) text += ", ntune " + xml_text(data.study.version);
  std::string objectives;
  for (const StudyObjective& objective : data.study.study.objectives) {
    objectives += (objectives.empty() ? "" : "; ") + printable(objective.objective->description());
  }
  return fmt::format("<p class=\"soft\">{}<br>{}</p>\n", xml_text(objectives), text);
}

std::string warning_of(const ReportData& data) {
  if (data.study.state == StudyFolder::State::kDone) return {};
  const char* what = data.study.state == StudyFolder::State::kInterrupted
                         ? "This study was interrupted"
                         : "This study has not finished";
  return fmt::format(
      "<p class=\"warning\">{}: what follows is of the evaluations made so far.</p>\n", what);
}

struct Section {
  const char* id;
  const char* name;
  std::string (*make)(const ReportData&, int, const std::string&);
};

constexpr Section kSections[] = {
    {"recommendation", "Recommendation", recommendation_section},
    {"comparison", "Comparison", comparison_section},
    {"convergence", "Convergence", convergence_section},
    {"learned", "What was learned", learned_section},
    {"runs", "Runs", agreement_section},
    {"sampling", "Sampling", sampling_section},
    {"failures", "Failures", failure_section},
    {"repeat", "Repeat it", repeat_section},
};

/// Sections and the list of links to them.
std::string study_body(const ReportData& data, int level, const std::string& prefix) {
  std::string links;
  std::string body;
  for (const Section& section : kSections) {
    const std::string id = prefix + section.id;
    const std::string text = section.make(data, level, id);
    if (text.empty()) continue;
    links += fmt::format("<li><a href=\"#{}\">{}</a></li>", id, section.name);
    body += fmt::format("<section aria-labelledby=\"{}\">\n{}</section>\n", id, text);
  }
  return fmt::format("{}<nav aria-label=\"Sections\"><ul>{}</ul></nav>\n{}", warning_of(data),
                     links, body);
}

std::string overview(const std::vector<ReportData>& studies) {
  HtmlTable table("Studies",
                  {"<study", "<status", "evaluations", "failed", "value", "95 % interval", "seed"});
  for (std::size_t i = 0; i < studies.size(); ++i) {
    const ReportData& data = studies[i];
    const Json none = Json::object();
    const Json& result = data.study.result.is_object() ? data.study.result : none;
    const Json recommendation = result.value("recommendation", Json());
    std::string value = "–";
    std::string interval = "–";
    if (recommendation.is_object() && recommendation.value("value", Json()).is_number()) {
      value = html_number(recommendation["value"].get<double>());
      const Json& ends = recommendation["interval"];
      if (ends.is_array()) {
        interval = html_interval(Interval{ends[0].get<double>(), ends[1].get<double>()});
      }
    }
    table.add_row({fmt::format("<a href=\"#study-{}\">{}</a>", i + 1,
                               xml_text(shortened(data.study.title(), 60))),
                   state_text(data), html_count(data.evaluations), html_count(data.failed), value,
                   interval, fmt::format("{}", data.study.study.seed)});
  }
  return table.text();
}

/// What the end of a page says of D3.
std::string plot_library_note() {
  if (kPlotLibrary.empty()) {
    return "Lines of a figure cannot be chosen here: this ntune was built without D3 (Debian: "
           "node-d3).";
  }
  return "This file holds D3 (Mike Bostock, BSD 3-Clause), under the licence that stands at its "
         "end.";
}

std::string whole_page(const std::string& title, const std::string& header,
                       const std::string& body) {
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"ntune {}\">\n<title>{}</title>\n<style>",
      kVersion, title);
  page += kPageStyle;
  page +=
      "</style>\n</head>\n<body>\n<header>\n" + header + "</header>\n<main>\n" + body + "</main>\n";
  page += fmt::format(
      "<footer><p>Made by ntune {}. Intervals have a confidence of 95 %. {}</p></footer>\n"
      "<div id=\"tip\" role=\"status\" hidden></div>\n",
      kVersion, plot_library_note());
  if (!kPlotLibrary.empty()) {
    page += fmt::format("<!--\n{}-->\n<script>", kPlotLicence);
    page += kPlotLibrary;
    page += "</script>\n";
  }
  page += "<script>";
  page += kPageScript;
  page += "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace

std::string report_page(const std::vector<ReportData>& studies) {
  if (studies.size() == 1) {
    const ReportData& data = studies[0];
    const std::string title = xml_text(shortened(data.study.title(), 120));
    return whole_page(title, heading(1, shortened(data.study.title(), 120)) + summary_of(data),
                      study_body(data, 2, ""));
  }
  const std::string title = fmt::format("{} studies", studies.size());
  std::string body = overview(studies);
  for (std::size_t i = 0; i < studies.size(); ++i) {
    const std::string id = fmt::format("study-{}", i + 1);
    body += heading(2, shortened(studies[i].study.title(), 120), id) + summary_of(studies[i]) +
            study_body(studies[i], 3, id + "-");
  }
  return whole_page(title, heading(1, title), body);
}

}  // namespace ntune
