#pragma once

#include <chrono>
#include <filesystem>

namespace ntune {

/// Holds a folder for this process until destroyed or killed, by a lock on the file `lock` in it.
class FolderLock {
 public:
  /// Waits at most so long for another process that holds it; throws InputError naming it then.
  explicit FolderLock(const std::filesystem::path& folder,
                      std::chrono::milliseconds patience = std::chrono::milliseconds(0));
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int fd_;
};

}  // namespace ntune
