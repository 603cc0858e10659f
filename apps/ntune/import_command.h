#pragma once

#include <string>
#include <vector>

#include "apps/common/terminal.h"

namespace ntune::cli {

class Flags;

/// The file of another system's space, or an engine.
struct ImportArguments {
  std::string file;
  std::string engine;    ///< is asked for its options; empty: none
  std::string only;      ///< patterns of names with commas between them; empty: all
  std::string defaults;  ///< file of the values that are used today; empty: none
  std::string format;    ///< empty: by what stands in the file
  int points = 10;       ///< values of a wide range
  double sigmas = 3.0;   ///< bounds of normal distributions that have none

  void visit(Flags& flags);
};
/// Writes the `space:` section to `out`, and what could not be translated to `err`.
int import_space_command(const ImportArguments& arguments, const Terminal& terminal);

/// Names that `format` may have.
std::vector<std::string> import_formats();

}  // namespace ntune::cli
