#include "ntune/core/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace ntune {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

int Descriptor::close() {
  // The number is forgotten before the call: after close() it may belong to another file, even if
  // close() failed.
  if (fd_ < 0) return 0;
  return ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno;
}

Descriptor above_standard_streams(Descriptor file) {
  // A file that got the number 0, 1 or 2 would be taken for a standard stream by a started program.
  // `file` closes the low number on return.
  if (!file.is_open() || file.get() > STDERR_FILENO) return file;
  return Descriptor(::fcntl(file.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

Descriptor open_file(const std::string& path, int flags, mode_t mode) {
  return above_standard_streams(Descriptor(::open(path.c_str(), flags | O_CLOEXEC, mode)));
}

int write_all(const Descriptor& file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  // Both ends are owned before either moves, so that an error in the second move closes both.
  Descriptor read(ends[0]);
  Descriptor write(ends[1]);
  return {above_standard_streams(std::move(read)), above_standard_streams(std::move(write))};
}

}  // namespace ntune
