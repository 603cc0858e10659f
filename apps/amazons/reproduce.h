#pragma once

#include "apps/amazons/commands.h"
#include "apps/common/reproduction.h"

namespace ntune::amazons {

using cli::Reproduction;

// The experiments; the table in reproduce_command.cpp says what each repeats of Zhang and Müller
// (2015). All throw cli::Interrupted.

Reproduction reproduce_table_1(const ReproduceArguments& arguments, const Terminal& terminal);
Reproduction reproduce_table_2(const ReproduceArguments& arguments, const Terminal& terminal);
Reproduction reproduce_figure_5(const ReproduceArguments& arguments, const Terminal& terminal);
Reproduction reproduce_figure_3(const ReproduceArguments& arguments, const Terminal& terminal);
Reproduction reproduce_figure_4(const ReproduceArguments& arguments, const Terminal& terminal);
Reproduction reproduce_e5(const ReproduceArguments& arguments, const Terminal& terminal);
Reproduction reproduce_stopping_rules(const ReproduceArguments& arguments,
                                      const Terminal& terminal);
Reproduction reproduce_table_3(const ReproduceArguments& arguments, const Terminal& terminal);
Reproduction reproduce_table_4(const ReproduceArguments& arguments, const Terminal& terminal);

}  // namespace ntune::amazons
