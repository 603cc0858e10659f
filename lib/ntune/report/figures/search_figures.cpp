#include "ntune/report/figures/search_figures.h"

#include "ntune/objective/capabilities.h"

namespace ntune {

std::vector<int> shown_parameters(const ReportData& data, std::size_t objective) {
  const SearchStatistics& search = data.searches[objective];
  if (data.shown_parameters.empty()) return search.varied();
  std::vector<int> shown;
  for (const int i : search.varied()) {
    const std::string& name = search.objective().space()[i].name;
    if (std::ranges::find(data.shown_parameters, name) != data.shown_parameters.end()) {
      shown.push_back(i);
    }
  }
  return shown;
}

int recommended_group(const ReportData& data, std::size_t objective, int parameter) {
  if (objective != 0 || data.rivals.empty() || !data.rivals[0].recommended) return -1;
  return group_of(data.searches[0].groups(parameter), data.rivals[0].point, parameter);
}

int group_of(const ValueGroups& groups, const Point& point, int parameter) {
  const std::size_t value = point[parameter];
  return value < groups.group_of.size() ? groups.group_of[value] : -1;
}

std::string duel_note(const ReportData& data, std::size_t objective) {
  if (!are_duels(data.searches[objective].objective())) return {};
  return " A value is a result against another candidate: it stays near one half while both get "
         "better.";
}

std::string partial_note(const ReportData& data) {
  const Traces& traces = data.traces;
  if (traces.evaluated_runs >= traces.of) return {};
  return fmt::format(" Of {}: {}.", share_of_runs(traces.evaluated_runs, traces.of),
                     traces.problem);
}

}  // namespace ntune
