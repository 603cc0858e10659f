#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "ntune/space/import/import_space.h"

namespace ntune {

/// A word of irace's scenario files, of versions 3.5 and 4.
struct IraceWord {
  std::string name;
  std::string ours;      ///< what stands in its place in a study
  bool is_kept = false;  ///< what it says is carried over
};
std::span<const IraceWord> irace_words();

/// True if a line sets a word of a scenario.
bool is_irace_scenario(const std::string& text);

/// A whole scenario as a study file: program, parameters, instances and budget. Files are named by
/// their full paths. Throws InputError with file and line.
ImportedSpace import_irace_scenario(const std::string& text, const std::filesystem::path& file,
                                    const ImportOptions& options = {});

}  // namespace ntune
