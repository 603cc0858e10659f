#pragma once

#include <sys/types.h>

#include <cstddef>
#include <mutex>
#include <string>

#include "ntune/core/descriptor.h"

namespace ntune {

/// A process beside this one that kills the process groups of started programs when this process
/// ends, even by SIGKILL, and then removes their temporary files and folders. It is started when it
/// is first needed. All members may be called from several threads at once.
class ProgramGuard {
 public:
  ProgramGuard() = default;
  /// Ends it; what is watched then is killed.
  ~ProgramGuard();
  ProgramGuard(const ProgramGuard&) = delete;
  ProgramGuard& operator=(const ProgramGuard&) = delete;

  /// Makes sure that it runs. False, with the reason in errno, if it cannot be started.
  bool start();
  /// Has a group killed at the end. Safe between fork and exec: a program registers itself, before
  /// any line of its own is carried out.
  void watch(pid_t group) const;
  /// Call it when the group has been killed, before its leader's number is free again.
  void forget(pid_t group) const;
  /// Has a file or a folder, with all that is in it, removed at the end.
  void watch(const std::string& path) const { send('+' + path); }
  void forget(const std::string& path) const { send('-' + path); }

 private:
  void send(pid_t message) const;
  void send(const std::string& message) const;
  void send(const void* message, std::size_t size) const;

  std::mutex mutex_;
  pid_t id_ = -1;
  /// Its messages: a group to watch, minus one to forget, 0 to end; or a sign and a path.
  Descriptor socket_;
};

}  // namespace ntune
