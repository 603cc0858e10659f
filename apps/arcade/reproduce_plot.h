#pragma once

#include <string>
#include <vector>

#include "apps/arcade/commands.h"
#include "ntune/core/json.h"
#include "ntune/plot/figure.h"

namespace ntune::arcade {

/// Table 2 or 3 as a figure, from its rows: ours beside the published means.
Figure reproduction_figure(const std::string& table, const std::vector<Json>& rows);

/// `reproduce`, and its figure in a file (.svg, .pdf or .png); empty: none.
int reproduce_command(const ReproduceArguments& arguments, const std::string& plot,
                      const Terminal& terminal);

}  // namespace ntune::arcade
