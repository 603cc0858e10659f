#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "ntune/core/clock.h"
#include "ntune/core/descriptor.h"

namespace ntune {

/// A file to which lines are appended durably. Lines reach the file at once, or together with the
/// next ones if they come faster than one in 0.1 ms. So they survive the end of this process. They
/// reach the disk within kSyncEvery: they survive a power cut. Several threads may use it at once.
class AppendFile {
 public:
  static constexpr auto kSyncEvery = std::chrono::milliseconds(200);

  /// Opens or creates the file, and cuts it to its first `keep` bytes. Throws InputError.
  AppendFile(const std::filesystem::path& path, std::uint64_t keep);
  /// Writes and syncs what is left, whether or not that succeeds.
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  /// Appends lines, each with its line end. Throws InputError if the file cannot be written, say
  /// on a full disk. The file then ends with a whole line, and every later call throws too.
  void append(std::string_view lines);
  /// Writes what is left to the file. Throws InputError.
  void write();
  /// Waits until everything is on the disk. Throws InputError.
  void sync();

 private:
  void write_pending();
  /// Writes and syncs what is left. Gives the lock away while the disk is busy.
  void sync_now(std::unique_lock<std::mutex>& lock);
  void work();
  void check() const;

  std::filesystem::path path_;
  Descriptor file_;
  std::uint64_t size_;
  std::string pending_;
  std::string error_;
  bool unsynced_ = false;
  bool syncing_ = false;
  bool closing_ = false;
  Clock::time_point last_write_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable synced_;
  std::jthread thread_;
};

}  // namespace ntune
