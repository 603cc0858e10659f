#pragma once

#include <string>

#include "ntune/space/import/import_space.h"
#include "ntune/space/import/source.h"

namespace ntune {

/// Discretises a space, translates its constraints and writes it as YAML. `name` stands for the
/// source in messages, `title` for its kind.
ImportedSpace write_imported_space(SourceSpace source, const std::string& name,
                                   const std::string& title, int points);

}  // namespace ntune
