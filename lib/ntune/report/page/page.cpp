#include "ntune/report/page/page.h"

#include <cstdint>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/plot/colours.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/page/assets.h"
#include "ntune/report/page/board.h"
#include "ntune/report/page/html.h"
#include "ntune/report/page/sections.h"
#include "ntune/version.h"

namespace ntune {

namespace {

/// Runs of all cells and repeats.
std::int64_t planned_runs(const Study& study) {
  std::int64_t runs = 0;
  for (std::size_t cell = 0; cell < study.cells(); ++cell) {
    runs += study.repeats * study.plans[study.plan_of(cell)].runs;
  }
  return runs;
}

/// The state of a study as a word of its header.
const char* state_text(const ReportData& data) {
  switch (data.study.state) {
    case StudyFolder::State::kDone:
      return "finished";
    case StudyFolder::State::kInterrupted:
      return "interrupted";
    default:
      return data.study.is_running ? "running" : "stopped";
  }
}

/// What a study was made of, in a line.
std::string summary_of(const ReportData& data) {
  const auto& result = data.study.result;
  std::string text = html_counted(data.evaluations, "call");
  if (data.failed > 0) text += fmt::format(", {} failed", html_count(data.failed));
  if (result && result->endings.games > 0) {
    text += " · " + html_counted(result->endings.games, "game");
  }
  text += data.study.is_merged() ? fmt::format(" · seeds [{}]", fmt::join(*result->seeds, ","))
                                 : fmt::format(" · seed {}", data.study.study.seed);
  if (result) text += " · ntune " + xml_text(result->version);
  return text;
}

/// The header of a study: its name, its state and what it was made of.
std::string header_of(const ReportData& data, const std::string& title) {
  std::string objectives;
  for (const StudyObjective& objective : data.study.study.objectives) {
    objectives += (objectives.empty() ? "" : "; ") + printable(objective.objective->description());
  }
  // The state is a mark in its colour.
  return fmt::format(
      "<div class=\"top\">{}<span class=\"chip {}\">{}</span><p class=\"soft\"><span "
      "class=\"what\">{}</span> {}</p></div>\n",
      title,
      data.study.state == StudyFolder::State::kDone ? "good"
      : data.study.is_running                       ? "run"
                                                    : "bad",
      state_text(data), xml_text(objectives), summary_of(data));
}

/// What was planned and has not been done.
std::string warning_of(const ReportData& data) {
  if (data.study.state == StudyFolder::State::kDone || !data.is_comparison()) return {};
  const char* what = data.study.state == StudyFolder::State::kInterrupted
                         ? "This study was interrupted"
                         : "This study has not finished";
  // Within limits nobody knows what was planned.
  const std::int64_t planned = total_evaluations(data.study.study);
  const std::string done = planned > 0
                               ? fmt::format("evaluations made: {} of {}, runs ended: {} of {}",
                                             html_count(data.evaluations), html_count(planned),
                                             html_count(std::ssize(data.study.runs)),
                                             html_count(planned_runs(data.study.study)))
                               : "what follows is of the evaluations made so far";
  return fmt::format("<p class=\"warning\">{}: {}.</p>\n", what, done);
}

/// Failures of a study that one of them has ended, which stand open and on top.
std::string stopping_section(const ReportData& data, int level) {
  return data.is_ended_by_failure() ? failure_section(data, level) : "";
}

/// Failures of all other studies.
std::string other_failures_section(const ReportData& data, int level) {
  return data.is_ended_by_failure() ? "" : failure_section(data, level);
}

struct Section {
  const char* id;
  const char* name;
  enum class Fold { kNever, kOpen, kClosed } fold;  ///< never: its text has a heading
  std::string (*make)(const ReportData&, int);
};

constexpr Section kSections[] = {
    {"answer", "Answer", Section::Fold::kNever, answer_section},
    {"stopped", "Failures", Section::Fold::kOpen, stopping_section},
    {"search", "Search", Section::Fold::kNever, search_section},
    {"verified", "Verified", Section::Fold::kOpen, verified_section},
    {"comparison", "Comparison", Section::Fold::kNever, comparison_section},
    {"instances", "Instances", Section::Fold::kClosed, instances_section},
    {"sure", "Settings compared", Section::Fold::kClosed, sureness_section},
    {"convergence", "Convergence", Section::Fold::kClosed, convergence_section},
    {"cells", "All cells", Section::Fold::kClosed, cells_section},
    {"evaluations", "All calls", Section::Fold::kClosed, evaluations_section},
    {"learned", "What the searches learned", Section::Fold::kClosed, learned_section},
    {"runs", "What the runs recommend", Section::Fold::kClosed, agreement_section},
    {"sampling", "Sampling over time", Section::Fold::kClosed, sampling_section},
    {"failures", "Failures", Section::Fold::kClosed, other_failures_section},
    {"details", "Details", Section::Fold::kClosed, details_section},
    {"repeat", "Repeat it", Section::Fold::kClosed, repeat_section},
};

struct StudyText {
  std::string links;
  std::string body;
};

/// Sections and the list of links to them.
StudyText study_text(const ReportData& data, int level, const std::string& prefix) {
  StudyText all;
  for (const Section& section : kSections) {
    const std::string id = prefix + section.id;
    // Sections without content are left out, with their links.
    const bool folds = section.fold != Section::Fold::kNever;
    const std::string text = section.make(data, folds ? level + 1 : level);
    if (text.empty()) continue;
    all.links += fmt::format("<li><a href=\"#{}\">{}</a></li>", id, section.name);
    if (folds) {
      all.body += fmt::format(
          "<details class=\"section\" id=\"{0}\"{1}><summary><h{2}>{3}</h{2}></summary>\n{4}"
          "</details>\n",
          id, section.fold == Section::Fold::kOpen ? " open" : "", level, section.name, text);
    } else {
      all.body += fmt::format("<section id=\"{}\">\n{}</section>\n", id, text);
    }
  }
  all.body = warning_of(data) + all.body;
  return all;
}

/// The list of links to the sections.
std::string contents(const std::string& links) {
  return fmt::format("<nav aria-label=\"Contents\"><ul>{}</ul></nav>\n", links);
}

/// The board of the studies, with links to their parts of the page.
std::string overview(const std::vector<ReportData>& studies) {
  std::vector<BoardRow> rows;
  for (std::size_t i = 0; i < studies.size(); ++i) {
    rows.push_back({.study = study_row(studies[i]),
                    .key = path_text(studies[i].study.folder),
                    .link = fmt::format("#study-{}", i + 1)});
  }
  return board_table(std::move(rows));
}

/// The light colours of figures, for those that are saved.
std::string figure_colours() {
  return "<template id=\"figure-style\">" + xml_text(figure_style()) + "</template>\n";
}

/// A page around its header and body, with style sheet and script.
std::string whole_page(const std::string& title, const std::string& header,
                       const std::string& links, const std::string& body) {
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"ntune {}\">\n<title>{}</title>\n<style>",
      kVersion, title);
  page += kPageStyle;
  page += "</style>\n</head>\n<body>\n<header>\n" + header + "</header>\n<div class=\"sheet\">\n" +
          contents(links) + "<main>\n" + body + "</main>\n</div>\n";
  // The script comes last, when all that it brings to life is there.
  page += fmt::format(
      "<footer><p>Made by ntune {}. Intervals have a confidence of 95 %.</p></footer>\n"
      "<div id=\"chosen\" hidden></div>\n<div id=\"tip\" role=\"status\" hidden></div>\n{}<script>",
      kVersion, figure_colours());
  page += kPageScript;
  page += "</script>\n</body>\n</html>\n";
  return page;
}

/// The page of a study, whose title is that of the page.
std::string page_of_one(const ReportData& data) {
  const std::string title = shortened(data.study.title(), 120);
  const StudyText text = study_text(data, 2, "");
  return whole_page(xml_text(title), header_of(data, heading(1, title)), text.links, text.body);
}

/// Studies of the same objective on shared axes: how they converge and what their recommendations
/// are worth. Empty where no two studies have an objective in common.
std::string side_by_side(const std::vector<ReportData>& studies, int level) {
  std::map<std::string, std::vector<ObjectiveOfStudy>> by_objective;
  for (const ReportData& data : studies) {
    const auto& objectives = data.study.study.objectives;
    for (std::size_t i = 0; i < objectives.size(); ++i) {
      by_objective[objectives[i].objective->description()].push_back({&data, i});
    }
  }
  std::string html;
  // An objective of one study alone is compared with nothing.
  for (const auto& [description, several] : by_objective) {
    if (several.size() < 2) continue;
    std::string figures;
    for (const Figure& figure :
         {shared_values_figure(several), shared_convergence_figure(several)}) {
      if (!figure.panels.empty()) figures += figure_html(figure);
    }
    if (!figures.empty()) html += heading(level, description) + figures;
  }
  return html;
}

/// The page of several studies: board, what they share, and each by itself.
std::string page_of_several(const std::vector<ReportData>& studies) {
  const std::string title = fmt::format("{} studies", studies.size());
  std::string links = "<li><a href=\"#overview\">Overview</a></li>";
  std::string body = "<section id=\"overview\">\n" + overview(studies) + "</section>\n";
  const std::string shared = side_by_side(studies, 3);
  if (!shared.empty()) {
    links += "<li><a href=\"#together\">Side by side</a></li>";
    body += "<section id=\"together\">\n<h2>Side by side</h2>\n" + shared + "</section>\n";
  }
  // Each study is folded, with links of its own.
  for (std::size_t i = 0; i < studies.size(); ++i) {
    const std::string id = fmt::format("study-{}", i + 1);
    const std::string name = shortened(studies[i].study.title(), 120);
    const StudyText text = study_text(studies[i], 3, id + "-");
    links += fmt::format("<li><a href=\"#{}\">{}</a><ul>{}</ul></li>", id,
                         xml_text(shortened(name, 40)), text.links);
    body += fmt::format(
        "<details class=\"section study\" "
        "id=\"{}\"><summary><h2>{}</h2></summary>\n{}{}</details>\n",
        id, xml_text(name), header_of(studies[i], {}), text.body);
  }
  return whole_page(title, heading(1, title), links, body);
}

}  // namespace

std::string report_page(const std::vector<ReportData>& studies) {
  return studies.size() == 1 ? page_of_one(studies[0]) : page_of_several(studies);
}

std::string live_page(const ReportData& study, const std::string& version) {
  std::string page = page_of_one(study);
  page.insert(page.rfind("</body>"),
              fmt::format("<script>const live = {{version: \"{}\"}};\n{}{}</script>\n", version,
                          kFollowScript, kLiveScript));
  page.insert(page.find("</head>"), "<link rel=\"icon\" href=\"data:,\">\n");
  return page;
}

}  // namespace ntune
