#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "apps/slide3/arguments.h"

namespace ntune::slide3 {

// Options that several commands have.

/// --database
void add_database_option(CLI::App& command, std::string& file);

/// --dtw, --count, --seed and --database.
void add_drawing_options(CLI::App& command, SampleArguments& arguments);

/// The same and --sample.
void add_sample_options(CLI::App& command, SampleArguments& arguments);

/// Options of the evaluation, of its randomisation and of the search.
void add_player_options(CLI::App& command, PlayerArguments& arguments);

/// --table and --win-value.
void add_search_options(CLI::App& command, DepthSearchOptions& search);

}  // namespace ntune::slide3
