#include "ntune/core/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "ntune/core/clock.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"

namespace ntune {

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "?";
  return name.data();
}

namespace {

/// Takes the exclusive lock within the time, with tries every 2 ms; 0 or the error number.
int lock_within(int fd, std::chrono::milliseconds patience) {
  constexpr auto kPause = std::chrono::milliseconds(2);
  // Others may hold the lock for a moment to see whether anyone does.
  constexpr auto kLeast = std::chrono::milliseconds(100);
  const auto end = Clock::now() + std::max(patience, kLeast);
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK || Clock::now() >= end) return errno;
    std::this_thread::sleep_for(kPause);
  }
  return 0;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder, std::chrono::milliseconds patience) {
  const std::filesystem::path path = folder / "lock";
  file_ = open_file(path.string(), O_RDWR | O_CREAT);
  if (!file_.is_open()) throw InputError(file_fault(path, "make the lock", errno));
  // The lock's file holds the name of its owner, which is only for the message.
  if (const int error = lock_within(file_.get(), patience); error != 0) {
    std::array<char, 300> owner{};
    const ssize_t length = ::pread(file_.get(), owner.data(), owner.size() - 1, 0);
    if (error != EWOULDBLOCK) throw InputError(file_fault(path, "be locked", error));
    throw InputError(fmt::format("{}: {} works on this folder; wait for it or end it",
                                 path_text(folder),
                                 length > 0 ? printable(owner.data()) : "another process"));
  }
  // Only the owner writes its name, after it has the lock: an old name is cut off first.
  const std::string owner = fmt::format("process {} on {}", ::getpid(), host_name());
  if (::ftruncate(file_.get(), 0) != 0 ||
      ::pwrite(file_.get(), owner.data(), owner.size(), 0) != std::ssize(owner)) {
    // The lock holds all the same; only the name of its owner is not known to others.
  }
}

Descriptor lock_file(const std::filesystem::path& file) {
  Descriptor held = open_file(file.string(), O_RDWR | O_CREAT | O_NOCTTY);
  if (!held.is_open()) throw InputError(file_fault(file, "write it", errno));
  const int error = lock_within(held.get(), std::chrono::milliseconds(0));
  if (error == EWOULDBLOCK) {
    throw InputError(fmt::format("{}: another process works on this file; wait for it or end it",
                                 path_text(file)));
  }
  if (error != 0) throw InputError(file_fault(file, "be locked", error));
  return held;
}

std::optional<bool> is_folder_held(const std::filesystem::path& folder) {
  const Descriptor file(::open((folder / "lock").c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return errno == ENOENT ? std::optional(false) : std::nullopt;
  // A shared lock can be taken if nobody holds the exclusive one; closing the file gives it back.
  if (::flock(file.get(), LOCK_SH | LOCK_NB) == 0) return false;
  return errno == EWOULDBLOCK ? std::optional(true) : std::nullopt;
}

}  // namespace ntune
