#include "ntune/core/append_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

/// A write to the file waits until this time has gone by since the last one. A burst of lines thus
/// costs one system call.
constexpr auto kWriteEvery = std::chrono::microseconds(100);

}  // namespace

AppendFile::AppendFile(const std::filesystem::path& path, std::uint64_t keep)
    : path_(path), size_(keep) {
  file_ = open_file(path.string(), O_WRONLY | O_CREAT | O_APPEND);
  if (!file_.is_open()) throw InputError(file_fault(path, "write it", errno));
  if (::ftruncate(file_.get(), static_cast<off_t>(keep)) != 0) {
    throw InputError(file_fault(path, "cut it", errno));
  }
  // What is appended is safe only once the folder that names the file is.
  sync_folder(path.has_parent_path() ? path.parent_path() : ".");
  thread_ = std::jthread([this] { work(); });
}

// The thread, for which its own destructor waits, writes and syncs what is left before it ends.
AppendFile::~AppendFile() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_one();
}

void AppendFile::append(std::string_view lines) {
  const std::lock_guard lock(mutex_);
  // An earlier error is reported before anything is taken over: the caller's lines then stand
  // nowhere.
  check();
  pending_ += lines;
  if (Clock::now() - last_write_ >= kWriteEvery) write_pending();
  check();
  // The thread needs to be woken only by the first line since its last sync.
  if (!unsynced_) wake_.notify_one();
  unsynced_ = true;
}

void AppendFile::write() {
  const std::lock_guard lock(mutex_);
  write_pending();
  check();
}

void AppendFile::sync() {
  std::unique_lock lock(mutex_);
  check();
  sync_now(lock);
  check();
}

void AppendFile::check() const {
  if (!error_.empty()) throw InputError(error_);
}

void AppendFile::write_pending() {
  if (!error_.empty()) return;
  std::string_view left = pending_;
  while (!left.empty()) {
    const ssize_t written = ::write(file_.get(), left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      error_ = file_fault(path_, "write it", errno);
      // The file is cut back behind the last whole line, and `size_` counts only lines that stand
      // in it.
      // Only whole lines count as written.
      const std::size_t done = pending_.size() - left.size();
      const std::size_t end = done == 0 ? std::string::npos : pending_.rfind('\n', done - 1);
      size_ += end == std::string::npos ? 0 : end + 1;
      if (::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0)
        error_ += ", and its end is torn";
      return;
    }
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  size_ += pending_.size();
  pending_.clear();
  last_write_ = Clock::now();
}

void AppendFile::sync_now(std::unique_lock<std::mutex>& lock) {
  // One thread at a time: of an error of the disk the system tells one call alone.
  synced_.wait(lock, [this] { return !syncing_; });
  write_pending();
  unsynced_ = false;
  if (!error_.empty()) return;
  syncing_ = true;
  // Other threads may append while the disk is busy. A line that comes meanwhile asks for another
  // sync.
  lock.unlock();
  int error = 0;
  do {
    error = ::fdatasync(file_.get()) != 0 ? errno : 0;
  } while (error == EINTR);
  lock.lock();
  syncing_ = false;
  synced_.notify_all();
  // Pipes and devices answer EINVAL, because they cannot be synced; that is no error of the file.
  if (error != 0 && error != EINVAL && error_.empty()) error_ = file_fault(path_, "sync it", error);
}

void AppendFile::work() {
  std::unique_lock lock(mutex_);
  while (!closing_) {
    // The thread sleeps until a line comes, and then gathers further lines for half of the promised
    // time. The other half is left for the disk.
    wake_.wait(lock, [this] { return closing_ || unsynced_; });
    wake_.wait_for(lock, kSyncEvery / 2, [this] { return closing_; });
    sync_now(lock);
  }
  sync_now(lock);
}

}  // namespace ntune
