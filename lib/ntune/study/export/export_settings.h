#pragma once

#include <string>

#include "ntune/space/search_space.h"
#include "ntune/study/export/export.h"

namespace ntune {

/// The active parameters of a point as another program takes them. kUci: lines `setoption name …
/// value …`. kFastchess: words `option.NAME=VALUE` of a command line. kTag: an agent file of TAG's,
/// with nested names as objects. Throws InputError for a name or value that cannot be written.
std::string settings_text(const SearchSpace& space, const Point& point, ExportTarget target);

}  // namespace ntune
