#pragma once

#include <string>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/plot/figure.h"

namespace ntune::slide3 {

/// The figure of an experiment from its rows: lines over intensity or DTW, else published numbers
/// against ours. Throws InputError where the experiment has none.
Figure reproduction_figure(const std::string& experiment, const std::string& title,
                           const std::vector<Json>& rows);

}  // namespace ntune::slide3
