#pragma once

#include <optional>
#include <string>

#include "ntune/core/yaml.h"

namespace ntune {

/// A word of a command that names a program or a script which is not there.
struct MissingFile {
  YamlNode place;  ///< a copy, which outlasts the file that was read
  std::string problem = {};
  bool by_name = false;  ///< a program without a path, which may be there where the study is run

  /// Throws InputError at the place.
  [[noreturn]] void fail() const { place.fail(problem); }
};

/// The first word of an objective's command that names a file which is not there, as the program
/// would be started: the program, the script of an interpreter, or the file of `-openings`. Words
/// with templates, options and code (`-c`, `-m`) are passed over, and so is what only a shell can
/// tell.
std::optional<MissingFile> missing_file(const YamlNode& objective);

}  // namespace ntune
