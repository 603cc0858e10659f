#pragma once

#include <cstdint>

#include "apps/amazons/commands.h"
#include "apps/common/reproduction.h"

namespace ntune::amazons {

using cli::Reproduction;

// The experiments, each with what it repeats of Zhang and Müller (2015). All throw
// cli::Interrupted.

/// Tables 1 and 2, Figure 5.
Reproduction reproduce_table_1(const ReproduceArguments& arguments, const Terminal& terminal);
Reproduction reproduce_table_2(const ReproduceArguments& arguments, const Terminal& terminal);
Reproduction reproduce_figure_5(const ReproduceArguments& arguments, const Terminal& terminal);
/// Figures 3 and 4, the nodes of E5, and Figure 5 by all rules for stopped searches.
Reproduction reproduce_figure_3(const ReproduceArguments& arguments, const Terminal& terminal);
Reproduction reproduce_figure_4(const ReproduceArguments& arguments, const Terminal& terminal);
Reproduction reproduce_e5(const ReproduceArguments& arguments, const Terminal& terminal);
Reproduction reproduce_stopping_rules(const ReproduceArguments& arguments,
                                      const Terminal& terminal);
/// The limit of nodes of these: a million by the time scale.
std::int64_t node_limit(const ReproduceArguments& arguments);
/// Tables 3 and 4: matches of Hotstrat.
Reproduction reproduce_table_3(const ReproduceArguments& arguments, const Terminal& terminal);
Reproduction reproduce_table_4(const ReproduceArguments& arguments, const Terminal& terminal);

}  // namespace ntune::amazons
