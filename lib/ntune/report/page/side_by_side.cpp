#include "ntune/report/page/side_by_side.h"

#include <map>

#include "ntune/report/figures/side_by_side.h"
#include "ntune/report/page/html.h"
#include "ntune/report/page/sections.h"

namespace ntune {

std::string side_by_side(const std::vector<ReportData>& studies, int level) {
  std::map<std::string, std::vector<ObjectiveOfStudy>> by_objective;
  for (const ReportData& data : studies) {
    const auto& objectives = data.study.study.objectives;
    for (std::size_t i = 0; i < objectives.size(); ++i) {
      by_objective[objectives[i].objective->description()].push_back({&data, i});
    }
  }
  std::string html;
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

}  // namespace ntune
