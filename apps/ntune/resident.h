#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "apps/common/terminal.h"
#include "ntune/core/json_fwd.h"

namespace ntune::cli {

class Flags;

// A process that keeps a served study in memory, so that `ntune ask` and `tell` need not replay its
// journal each time. Only the journal counts. The resident holds the folder's lock while it answers
// and at no other time. It ends when another process has written to the journal, and may be killed
// at any moment.

/// The file of the program that runs; empty if it is not ntune itself.
std::string own_program();

/// The answer of the folder's resident to a request; nothing where there is none that can answer.
std::optional<Json> ask_resident(const std::filesystem::path& folder, const Json& request);

/// Starts a resident for the folder in the background, if this program is `ntune`.
void begin_resident(const std::filesystem::path& folder);

/// The folder of the study that it serves.
struct ResidentArguments {
  std::string folder;

  void visit(Flags& flags);
};
/// Is the resident of a folder until nobody has asked for ten minutes.
int resident_command(const ResidentArguments& arguments, const Terminal& terminal);

}  // namespace ntune::cli
