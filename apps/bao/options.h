#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "apps/bao/players.h"

namespace ntune::bao {

// Options that several commands have.

/// --folder: where evaluations and start positions are.
void add_folder_option(CLI::App& command, std::string& folder);

/// --starts and --random.
void add_start_options(CLI::App& command, StartArguments& arguments);

}  // namespace ntune::bao
