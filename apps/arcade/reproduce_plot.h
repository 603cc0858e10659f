#pragma once

#include <string>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/plot/figure.h"

namespace ntune::arcade {

/// Table 2 or 3 as a figure, from its rows: ours beside the published means.
Figure reproduction_figure(const std::string& table, const std::vector<Json>& rows);

}  // namespace ntune::arcade
