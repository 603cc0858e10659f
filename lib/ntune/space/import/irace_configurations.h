#pragma once

#include <string>
#include <vector>

#include "ntune/space/import/source.h"

namespace ntune {

/// The rows of irace's configurationsFile, as R reads a table: a line of parameters' names, then
/// one of values for each configuration, perhaps behind its number; NA and <NA> leave a parameter
/// out. Throws InputError with file and line.
std::vector<SourceSpace::Configuration> read_irace_configurations(const std::string& text,
                                                                  const std::string& name,
                                                                  const SourceSpace& space);

/// `default:` from the first of the space's configurations and `start:` from the others, as lines
/// of a study, of points of `space`, the YAML of its import. Throws InputError with file and line:
/// a configuration is forbidden, or leaves out what is active there.
std::string irace_beginning(const SourceSpace& source, const std::string& space);

}  // namespace ntune
