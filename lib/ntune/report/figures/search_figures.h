#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ntune/report/figures/figures.h"

namespace ntune {

// What several figures share.

inline constexpr int kNew = 0;  ///< colour of the new setting

/// The range of the values that a scale has to show.
struct ValueRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] bool empty() const { return low > high; }
};

/// The parameters that figures show: those that vary and are asked for.
std::vector<int> shown_parameters(const ReportData& data, std::size_t objective);
/// The group of the value that the study recommends; -1: it recommends nothing.
int recommended_group(const ReportData& data, std::size_t objective, int parameter);
/// The group of a point's value; -1: it is a default off the grid.
int group_of(const ValueGroups& groups, const Point& point, int parameter);
/// " Of 7 of 10 runs: why", where it is not all of them.
std::string partial_note(const ReportData& data);
/// What a value of the searches means where candidates play each other; else empty.
std::string duel_note(const ReportData& data, std::size_t objective);

/// make(data, objective) for every objective with evaluations and a parameter to choose; figures
/// without panels are left out.
template <class Make>
std::vector<Figure> per_objective(const ReportData& data, Make make) {
  std::vector<Figure> figures;
  for (std::size_t objective = 0; objective < data.searches.size(); ++objective) {
    const SearchStatistics& search = data.searches[objective];
    if (search.all().n == 0 || shown_parameters(data, objective).empty()) continue;
    figures.push_back(make(data, objective));
    if (data.searches.size() > 1) figures.back().name += fmt::format("-{}", objective + 1);
  }
  std::erase_if(figures, [](const Figure& figure) { return figure.panels.empty(); });
  return figures;
}

}  // namespace ntune
