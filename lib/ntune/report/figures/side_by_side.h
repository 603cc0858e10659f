#pragma once

#include <cstddef>
#include <vector>

#include "ntune/plot/figure.h"
#include "ntune/report/data/report_data.h"

namespace ntune {

/// An objective of a study.
struct ObjectiveOfStudy {
  const ReportData* data = nullptr;
  std::size_t objective = 0;
};

/// The medians of several studies of one objective over shared axes; no panel where fewer than two
/// have traces. Studies of one cell are named by their titles, others by their cells.
Figure shared_convergence_figure(const std::vector<ObjectiveOfStudy>& studies);

/// What the recommendations of several studies of one objective are worth, with 95 % intervals; no
/// panel where fewer than two have a value.
Figure shared_values_figure(const std::vector<ObjectiveOfStudy>& studies);

}  // namespace ntune
