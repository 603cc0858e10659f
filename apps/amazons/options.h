#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "apps/amazons/sum_commands.h"
#include "apps/amazons/tds_arguments.h"
#include "apps/common/program.h"

namespace ntune::amazons {

// Options that several commands have.

/// --database
void add_database_option(CLI::App& command, std::string& file);

/// All options of a temperature discovery search but --variant.
void add_tds_options(CLI::App& command, TdsArguments& arguments);

/// --nodes and --seconds of one search.
void add_limits(CLI::App& command, std::optional<std::int64_t>& nodes,
                std::optional<double>& seconds);

/// --nodes and --seconds, with `what` they limit, such as "of a move".
void add_limit_options(CLI::App& command, LimitArguments& limits, const std::string& what);

/// --boards, --size and --burnt.
void add_sum_options(CLI::App& command, SumArguments& arguments);

/// What `reproduce 3` and `reproduce 4` have beside the time scale.
void add_match_table_options(CLI::App& command, MatchTableArguments& matches);

/// Adds the commands of players of sums.
void add_sum_commands(cli::Program& program);

}  // namespace ntune::amazons
