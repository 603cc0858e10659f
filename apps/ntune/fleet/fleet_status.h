#pragma once

#include <filesystem>
#include <string>

#include "ntune/core/json_fwd.h"

namespace ntune::cli {

// What becomes of a study's workers, which its folder keeps while `ntune serve --listen` runs.

void write_fleet(const std::filesystem::path& folder, const Json& workers);
/// The workers as the folder has them last; an empty list where it has none.
Json read_fleet(const std::filesystem::path& folder);
/// Those of a server that goes on; else an empty list.
Json present_fleet(const std::filesystem::path& folder);
/// "2 of 3 workers here, 1 set aside"; empty where there are none.
std::string fleet_text(const Json& workers);
/// A line for each worker.
std::string fleet_lines(const Json& workers);

}  // namespace ntune::cli
