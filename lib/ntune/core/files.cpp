#include "ntune/core/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "ntune/core/descriptor.h"
#include "ntune/core/error.h"
#include "ntune/core/rng.h"
#include "ntune/core/text.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

/// Throws InputError "path: cannot ACTION: reason" for an error number.
[[noreturn]] void fail(const fs::path& path, std::string_view action, int error) {
  throw InputError(file_fault(path, action, error));
}

/// Throws InputError if the path names a folder: opening one for reading succeeds, and only the
/// read fails, with a misleading reason.
void refuse_folder(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return;
  throw InputError(fmt::format("{}: is a folder, a file is needed", path_text(path)));
}

/// The folder that holds the path; "." for a bare name.
fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

constexpr int kMostLinks = 40;  // as of the kernel

/// The path that a file has behind the symbolic links that name it, whether or not it exists.
fs::path behind_links(fs::path path) {
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(path, error); ++i) {
    path = folder_of(path) / fs::read_symlink(path, error);
  }
  return path;
}

/// False for what is no regular file, and for the files of a process: /dev/stdout leads there.
bool is_replaceable(const fs::path& path) {
  std::error_code error;
  // Each link on the way is looked at: /dev/stdout leads to /proc/self/fd/1, and from there to a
  // file that others write too.
  fs::path place = path;
  for (int i = 0; i < kMostLinks; ++i) {
    const fs::path folder = fs::weakly_canonical(fs::absolute(folder_of(place), error), error);
    if (folder.string().starts_with("/proc/") && fs::exists(place, error)) return false;
    if (!fs::is_symlink(place, error)) break;
    place = folder_of(place) / fs::read_symlink(place, error);
  }
  const fs::file_status status = fs::status(path, error);
  return !fs::exists(status) || fs::is_regular_file(status);
}

/// Appends to a device, a pipe or an open stream, which cannot be replaced by a rename.
void write_through(const fs::path& path, std::string_view content) {
  Descriptor file = open_file(path.string(), O_WRONLY | O_APPEND | O_NOCTTY);
  if (!file.is_open()) fail(path, "write it", errno);
  int error = write_all(file, content);
  // An error of close() counts as well: network file systems report a full disk only there.
  if (const int closing = file.close(); error == 0) error = closing;
  if (error != 0) fail(path, "write it", error);
}

}  // namespace

std::string file_fault(const fs::path& path, std::string_view action, int error) {
  return fmt::format("{}: cannot {}: {}", path_text(path), action,
                     std::generic_category().message(error));
}

std::string path_text(const fs::path& path) {
  constexpr std::size_t kLongest = 1000;
  return printable(path.string(), kLongest);
}

std::string read_file(const fs::path& path, std::uintmax_t limit) {
  refuse_folder(path);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail(path, "read it", errno);
  std::string content;
  constexpr std::size_t kBlock = 64 * 1024;
  std::string block(kBlock, '\0');
  // The size is checked after each block, because the size of a pipe or of a growing file is not
  // known before.
  while (stream.read(block.data(), kBlock) || stream.gcount() > 0) {
    content.append(block, 0, static_cast<std::size_t>(stream.gcount()));
    if (content.size() > limit) {
      throw InputError(
          fmt::format("{}: is larger than the {} bytes allowed", path_text(path), limit));
    }
  }
  if (stream.bad()) fail(path, "read it", errno);
  return content;
}

void ensure_writable_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::create_directories(folder, error)) sync_folder(folder_of(folder));
  if (error) fail(folder, "make the folder", error.value());
  // Permission bits do not tell enough: a file system may be read-only or full. Hence a file is
  // made and removed.
  std::string probe = (folder / ".ntune-XXXXXX").string();
  const Descriptor file(::mkstemp(probe.data()));
  if (!file.is_open()) fail(folder, "write there", errno);
  ::unlink(probe.c_str());
}

void sync_folder(const fs::path& folder) {
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.is_open()) ::fsync(directory.get());
}

ReplacementFile::ReplacementFile(const fs::path& path) : path_(path), target_(behind_links(path)) {
  refuse_folder(path);
  if (!is_replaceable(path)) {
    throw InputError(fmt::format("{}: is no regular file, one is needed", path_text(path)));
  }
  struct stat old {};
  // The new file stands in the folder of its target, since a rename works only within one file
  // system.
  const bool replaces = ::stat(target_.c_str(), &old) == 0;
  constexpr mode_t kPermissions = 0777;
  constexpr mode_t kNewFile = 0666;  // less the umask, as the kernel does it
  const mode_t mode = replaces ? old.st_mode & kPermissions : kNewFile;
  // The name has the process number and a counter, so that two writers of one target do not meet.
  for (int number = 0; !file_.is_open(); ++number) {
    name_ = fmt::format("{}.{}-{}", target_.string(), ::getpid(), number);
    file_ = open_file(name_, O_RDWR | O_CREAT | O_EXCL, mode);
    if (!file_.is_open() && errno != EEXIST) {
      name_.clear();
      fail(path_, "write it", errno);
    }
  }
  // The umask has cut the mode of open(); a replaced file gets its old mode back in full.
  if (replaces && ::fchmod(file_.get(), mode) != 0) {
    // A file system without modes: the file is written all the same.
  }
}

ReplacementFile::~ReplacementFile() {
  if (!name_.empty()) ::unlink(name_.c_str());
}

void ReplacementFile::write(std::string_view content) {
  if (const int error = write_all(file_, content); error != 0) fail(path_, "write it", error);
}

void ReplacementFile::take_place() {
  // The order matters: the content must be on the disk before the name leads to it, else a crash
  // leaves an empty file.
  int error = ::fsync(file_.get()) != 0 ? errno : 0;
  if (const int closing = file_.close(); error == 0) error = closing;
  if (error == 0 && ::rename(name_.c_str(), target_.c_str()) != 0) error = errno;
  if (error != 0) fail(path_, "write it", error);
  // Without a name the destructor leaves the file alone, which is the target from here on.
  name_.clear();
  sync_folder(folder_of(target_));
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  refuse_folder(path);
  if (!is_replaceable(path)) return write_through(path, content);
  ReplacementFile file(path);
  file.write(content);
  file.take_place();
}

/// Puts a copy of the end of the file in place of its mapped pages. 0 or the error number.
int MappedFile::copy_end(int fd) {
  constexpr std::size_t kEnd = 64 * 1024;  // whole pages on every machine
  // The copy begins at a multiple of 64 KiB, since only whole pages can be replaced.
  std::size_t at = size_ <= kEnd ? 0 : (size_ - kEnd) / kEnd * kEnd;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  // Anonymous memory takes the place of these pages of the file: what another process cuts there
  // can no longer raise SIGBUS.
  if (::mmap(data_ + at, size_ - at, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED) {
    return errno;
  }
  while (at < size_) {
    const ssize_t length = ::pread(fd, data_ + at, size_ - at, static_cast<off_t>(at));
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) return errno;
    if (length == 0) size_ = at;  // it has been cut already
    at += static_cast<std::size_t>(length);
  }
  return 0;
}

MappedFile::MappedFile(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  // Each step is taken only if those before it went well; the first error is reported below.
  int error = !file.is_open() || ::fstat(file.get(), &status) != 0 ? errno : 0;
  if (error == 0 && !S_ISREG(status.st_mode)) error = EINVAL;
  if (error == 0 && status.st_size > 0) {
    mapped_ = size_ = static_cast<std::size_t>(status.st_size);
    void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (mapped == MAP_FAILED) {
      error = errno;
    } else {
      data_ = static_cast<char*>(mapped);
      error = copy_end(file.get());
    }
  }
  if (error != 0) {
    if (data_ != nullptr) ::munmap(data_, mapped_);
    fail(path, "read it", error);
  }
}

std::string MappedFile::digest() const { return fmt::format("{:016x}", Purpose(text()).hash); }

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, mapped_);
}

}  // namespace ntune
