#include "ntune/core/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include <fmt/format.h>

#include "ntune/core/descriptor.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"

namespace ntune {

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
    throw InputError(fmt::format("{}: cannot read it: {}", path_text(path),
                                 std::generic_category().message(error)));
  }
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, mapped_);
}

}  // namespace ntune
