#pragma once

#include <string>
#include <string_view>

namespace ntune {

/// The search path of this process for programs, or the usual one.
std::string_view inherited_path();

/// The first file of this name in the folders of a search path, `a:b`; empty: there is none. Empty
/// entries, which would mean the working directory, are passed over. `mode` as of access(2).
std::string find_on_path(std::string_view name, std::string_view path, int mode);

}  // namespace ntune
