#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <utility>

namespace ntune {

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { close(); }

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool is_open() const { return fd_ >= 0; }
  /// Closes it now if it is open; 0 or the error number.
  int close();

 private:
  int fd_ = -1;
};

/// Moves the descriptor to a number above those of the standard streams, closed by exec.
Descriptor above_standard_streams(Descriptor file);

/// Opens a file, closed by exec, with such a number; not open, with errno set, if it cannot. A new
/// file has this mode less the umask.
Descriptor open_file(const std::string& path, int flags, mode_t mode = 0666);

/// Writes the whole text; 0 or the error number.
int write_all(const Descriptor& file, std::string_view text);

/// The two ends of a pipe, both closed by exec and none of them a standard stream.
struct Pipe {
  Descriptor read;
  Descriptor write;

  [[nodiscard]] bool is_open() const { return read.is_open() && write.is_open(); }
};

/// A new pipe; not open, with errno set, if there can be none.
Pipe make_pipe();

}  // namespace ntune
