#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "ntune/core/descriptor.h"

namespace ntune {

/// The name of this machine, for messages to others; "?" where it is not known.
std::string host_name();

/// Holds a folder for this process until destroyed or killed, by a lock on the file `lock` in it.
class FolderLock {
 public:
  /// Waits up to `patience`, a tenth of a second at least, while another process holds the folder,
  /// then throws InputError with the name of that process.
  explicit FolderLock(const std::filesystem::path& folder,
                      std::chrono::milliseconds patience = std::chrono::milliseconds(0));

 private:
  Descriptor file_;
};

/// Opens or makes a file, and holds it for this process until the descriptor is closed. Throws
/// InputError where another process holds it.
[[nodiscard]] Descriptor lock_file(const std::filesystem::path& file);

/// Whether a process holds the folder; nothing where that cannot be told.
std::optional<bool> is_folder_held(const std::filesystem::path& folder);

}  // namespace ntune
