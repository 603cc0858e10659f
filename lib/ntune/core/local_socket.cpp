#include "ntune/core/local_socket.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "ntune/core/clock.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"

namespace ntune {

namespace {

/// The address of a name in an open folder: the path of a socket has at most 107 bytes.
sockaddr_un address_in(const Descriptor& folder, const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = fmt::format("/proc/self/fd/{}/{}", folder.get(), name);
  std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
  return address;
}

/// The folder as a descriptor, so that a long path does not count for the address.
Descriptor open_folder(const std::filesystem::path& folder) {
  return Descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

/// A stream socket of the local machine, closed by exec.
Descriptor new_socket() { return Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)); }

/// Whether the process at the other end has this user's number; the kernel vouches for it
/// (SO_PEERCRED).
bool is_of_same_user(const Descriptor& socket) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  return ::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.uid == ::geteuid();
}

/// Whether something can be read, or the other side has left, by this time. A signal does not end
/// the wait.
bool wait_for_input(const Descriptor& socket, Clock::time_point end) {
  pollfd waiting{.fd = socket.get(), .events = POLLIN, .revents = 0};
  int ready = 0;
  do {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return false;
    ready = ::poll(&waiting, 1, static_cast<int>(left));
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

/// The address in the type that the socket calls take.
const sockaddr* generic(const sockaddr_un& address) {
  return static_cast<const sockaddr*>(static_cast<const void*>(&address));
}

/// The inode of a name in an open folder; 0: there is none.
std::uintmax_t inode_in(const Descriptor& folder, const std::string& name) {
  struct stat status {};
  if (::fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return 0;
  return status.st_ino;
}

}  // namespace

std::optional<std::string> LocalConnection::read_line(std::chrono::milliseconds patience) {
  const auto end = Clock::now() + patience;
  for (;;) {
    const std::size_t at = read_.find('\n');
    if (at != std::string::npos) {
      std::string line = read_.substr(0, at);
      // What has come behind the line end is the beginning of a later line, and stays.
      read_.erase(0, at + 1);
      return line;
    }
    // The deadline is for the whole line: each wait gets only the time that is left.
    if (!wait_for_input(socket_, end)) return std::nullopt;
    std::array<char, 4096> block{};
    const ssize_t length = ::recv(socket_.get(), block.data(), block.size(), 0);
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) return std::nullopt;
    read_.append(block.data(), static_cast<std::size_t>(length));
  }
}

bool LocalConnection::write_line(std::string_view line) {
  std::string text(line);
  text += '\n';
  std::string_view left = text;
  while (!left.empty()) {
    // MSG_NOSIGNAL: a side that has left shows as an error, and not as SIGPIPE.
    const ssize_t written = ::send(socket_.get(), left.data(), left.size(), MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

LocalListener::LocalListener(const std::filesystem::path& folder, const std::string& name)
    : path_(name), folder_(open_folder(folder)), socket_(new_socket()) {
  // The socket is made under a temporary name and renamed when it listens. Others thus never meet
  // one that refuses them, and an old socket is replaced in one step.
  const std::string temporary = fmt::format("{}.{}", name, ::getpid());
  const sockaddr_un address = address_in(folder_, temporary);
  constexpr mode_t kOfUser = 0600;
  constexpr int kWaiting = 16;
  (void)::unlinkat(folder_.get(), temporary.c_str(), 0);
  // The mode is set before listen(), so that no other user can connect in between.
  const bool listens = folder_.is_open() && socket_.is_open() &&
                       ::bind(socket_.get(), generic(address), sizeof(address)) == 0 &&
                       ::fchmodat(folder_.get(), temporary.c_str(), kOfUser, 0) == 0 &&
                       ::listen(socket_.get(), kWaiting) == 0;
  inode_ = listens ? inode_in(folder_, temporary) : 0;
  if (!listens || ::renameat(folder_.get(), temporary.c_str(), folder_.get(), name.c_str()) != 0) {
    const int error = errno;
    if (folder_.is_open()) (void)::unlinkat(folder_.get(), temporary.c_str(), 0);
    throw InputError(file_fault(folder, "hold a socket", error));
  }
}

LocalListener::~LocalListener() {
  if (is_reachable()) (void)::unlinkat(folder_.get(), path_.c_str(), 0);
}

std::optional<LocalConnection> LocalListener::accept(std::chrono::milliseconds patience) {
  if (!wait_for_input(socket_, Clock::now() + patience)) return std::nullopt;
  // Permissions of the folder may be wide, so the user is checked again here.
  Descriptor connected(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!connected.is_open() || !is_of_same_user(connected)) return std::nullopt;
  return LocalConnection(std::move(connected));
}

bool LocalListener::is_reachable() const {
  // Another process may have put its own socket under this name: the inode tells them apart.
  return inode_ != 0 && inode_in(folder_, path_.string()) == inode_;
}

std::optional<LocalConnection> connect_locally(const std::filesystem::path& folder,
                                               const std::string& name) {
  const Descriptor place = open_folder(folder);
  if (!place.is_open() || inode_in(place, name) == 0) return std::nullopt;
  Descriptor socket = new_socket();
  const sockaddr_un address = address_in(place, name);
  if (!socket.is_open() || ::connect(socket.get(), generic(address), sizeof(address)) != 0 ||
      !is_of_same_user(socket)) {
    return std::nullopt;
  }
  return LocalConnection(std::move(socket));
}

}  // namespace ntune
