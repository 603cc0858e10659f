#pragma once

#include <string>

namespace ntune::cli {

/// Where a file or folder lies that ntune brings with it, such as configs/bao: as it is named if
/// the current folder has it, else below share/ntune beside the folder of this program, as a build
/// has it and an installation. The name itself where none of these is.
std::string data_path(const std::string& name);

}  // namespace ntune::cli
