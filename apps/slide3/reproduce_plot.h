#pragma once

#include <string>
#include <vector>

#include "apps/slide3/commands.h"
#include "ntune/core/json.h"
#include "ntune/plot/figure.h"

namespace ntune::slide3 {

/// The figure of an experiment from its rows: lines over intensity or DTW, else published numbers
/// against ours. Throws InputError where the experiment has none.
Figure reproduction_figure(const std::string& experiment, const std::string& title,
                           const std::vector<Json>& rows);

/// `reproduce`, and its figure in a file (.svg, .pdf or .png); empty: none.
int reproduce_command(const ReproduceArguments& arguments, const std::string& plot,
                      const Terminal& terminal);

}  // namespace ntune::slide3
