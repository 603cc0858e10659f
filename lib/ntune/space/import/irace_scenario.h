#pragma once

#include <filesystem>
#include <string>

#include "ntune/space/import/import_space.h"
#include "ntune/space/import/source.h"

namespace ntune {

/// True if a line sets a word of a scenario.
bool is_irace_scenario(const std::string& text);

/// A whole scenario as a study file: program, parameters, instances and budget. Files are named by
/// their full paths. Throws InputError with file and line.
ImportedSpace import_irace_scenario(const std::string& text, const std::filesystem::path& file,
                                    const ImportOptions& options = {});

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
