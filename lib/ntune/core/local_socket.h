#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "ntune/core/descriptor.h"

namespace ntune {

/// A conversation of lines with another process of the same user on this machine.
class LocalConnection {
 public:
  explicit LocalConnection(Descriptor socket) : socket_(std::move(socket)) {}

  /// The next line without its end; nothing where the other side has left, or says nothing within
  /// the time.
  std::optional<std::string> read_line(std::chrono::milliseconds patience);
  /// Writes a line with its end. False where the other side has left.
  bool write_line(std::string_view line);

 private:
  Descriptor socket_;
  std::string read_;  ///< what has come behind the last line
};

/// A socket in a folder, which processes of the same user on this machine can reach. The last one
/// that was made under a name counts.
class LocalListener {
 public:
  /// Throws InputError where the folder cannot hold a socket.
  LocalListener(const std::filesystem::path& folder, const std::string& name);
  /// Takes the socket away, if it is still this one.
  ~LocalListener();
  LocalListener(const LocalListener&) = delete;
  LocalListener& operator=(const LocalListener&) = delete;

  /// The next process that comes; nothing within the time, or where it is another user's.
  std::optional<LocalConnection> accept(std::chrono::milliseconds patience);
  /// False once the socket has been removed or replaced.
  [[nodiscard]] bool is_reachable() const;

 private:
  std::filesystem::path path_;
  Descriptor folder_;
  Descriptor socket_;
  std::uintmax_t inode_ = 0;
};

/// Connects to the listener of this name. Nothing comes back where nobody listens, or another user
/// does.
std::optional<LocalConnection> connect_locally(const std::filesystem::path& folder,
                                               const std::string& name);

}  // namespace ntune
