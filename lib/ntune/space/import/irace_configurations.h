#pragma once

#include <map>
#include <string>
#include <vector>

#include "ntune/space/import/source.h"

namespace ntune {

/// The rows of irace's configurationsFile: a line of parameters' names, then one of values for each
/// configuration; NA and <NA> leave a parameter out. Throws InputError with file and line.
std::vector<std::map<std::string, Value>> read_irace_configurations(const std::string& text,
                                                                    const std::string& name,
                                                                    const SourceSpace& space);

/// `default:` from the first of the space's configurations and `start:` from the others, as lines
/// of a study. What a configuration leaves out has its first value in `space`, the YAML of its
/// import.
std::string irace_beginning(const SourceSpace& source, const std::string& space);

}  // namespace ntune
