#include "ntune/core/program_guard.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace ntune {

namespace {

/// Where the command line of this process stands in memory.
struct CommandLineText {
  char* begin = nullptr;
  std::size_t size = 0;
};

/// From fields 48 and 49 of proc(5)'s stat; empty where the system does not tell.
CommandLineText command_line_text() {
  constexpr int kFieldsBefore = 45;  // behind the name, which ends with the last bracket
  std::ifstream file("/proc/self/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  // The name of the program may hold brackets itself, so the last bracket of the line ends it.
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream fields(text.substr(name_end + 1));
  std::string skipped;
  for (int i = 0; i < kFieldsBefore; ++i) fields >> skipped;
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  if (!(fields >> begin >> end) || begin == 0 || end <= begin) return {};
  return {reinterpret_cast<char*>(begin), end - begin};
}

/// The groups to kill. Allocates nothing: the guard is a copy of a process of several threads.
class WatchedGroups {
 public:
  void add(pid_t group) {
    if (count_ < groups_.size()) groups_[count_++] = group;
  }
  void remove(pid_t group) {
    const auto end = groups_.begin() + static_cast<std::ptrdiff_t>(count_);
    const auto found = std::find(groups_.begin(), end, group);
    // The order does not matter, so the last group takes the place of the removed one.
    if (found != end) *found = groups_[--count_];
  }
  void kill_all() const {
    for (std::size_t i = 0; i < count_; ++i) ::kill(-groups_[i], SIGKILL);
  }
  /// Waits for a moment until none is left.
  void wait_for_ends() const {
    constexpr timespec kLook{.tv_sec = 0, .tv_nsec = 10'000'000};
    constexpr int kLooks = 50;
    const auto is_left = [](pid_t group) { return ::kill(-group, 0) == 0; };
    const auto end = groups_.begin() + static_cast<std::ptrdiff_t>(count_);
    for (int i = 0; i < kLooks && std::any_of(groups_.begin(), end, is_left); ++i) {
      ::nanosleep(&kLook, nullptr);
    }
  }

 private:
  static constexpr std::size_t kMost = 16'384;  ///< far more than threads in flight
  std::array<pid_t, kMost> groups_{};
  std::size_t count_ = 0;
};

/// The files and folders to remove. Allocates nothing either; what does not fit is left.
class WatchedPaths {
 public:
  static constexpr std::size_t kLongest = 512;  ///< bytes, with the end

  void change(bool is_new, const char* path) {
    const auto last = paths_.begin() + static_cast<std::ptrdiff_t>(count_);
    if (is_new) {
      if (last != paths_.end()) std::strcpy(paths_[count_++].data(), path);
      return;
    }
    const auto found = std::find_if(paths_.begin(), last, [&](const auto& known) {
      return std::strcmp(known.data(), path) == 0;
    });
    if (found != last) *found = paths_[--count_];
  }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  /// Becomes the program that removes them.
  void remove_all() {
    std::array<char*, kMost + 4> arguments{};
    std::size_t used = 0;
    for (const char* const word : {"rm", "-rf", "--"}) arguments[used++] = const_cast<char*>(word);
    for (std::size_t i = 0; i < count_; ++i) arguments[used++] = paths_[i].data();
    for (const char* const program : {"/bin/rm", "/usr/bin/rm"}) {
      ::execv(program, arguments.data());
    }
  }

 private:
  static constexpr std::size_t kMost = 1024;  ///< attempts at a time
  std::array<std::array<char, kLongest>, kMost> paths_{};
  std::size_t count_ = 0;
};

/// Leaves terminal, session, folder, files and name of the process that it is a copy of, so that
/// neither Ctrl-C nor `pkill ntune` reaches it. The socket becomes descriptor 0.
void leave_parent(int socket, const CommandLineText& command_line) {
  ::setsid();
  // A terminal sends its signals to the session; the others may come from a service manager that
  // ends the parent politely.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(signal, SIG_IGN);
  ::dup2(socket, STDIN_FILENO);
  // Open files of the parent must not be kept open: a pipe's reader would never see its end.
  ::close_range(STDOUT_FILENO, ~0U, 0);
  if (::chdir("/") != 0) return;
  ::prctl(PR_SET_NAME, "program-guard");
  // Tools such as `pkill -f` search the command line in this memory.
  if (command_line.begin != nullptr) std::memset(command_line.begin, 0, command_line.size);
}

/// The whole life of the guard process: it follows messages until the parent ends, and kills what
/// is then watched.
[[noreturn]] void guard_programs(int socket, const CommandLineText& command_line) {
  leave_parent(socket, command_line);
  WatchedGroups groups;
  static WatchedPaths paths;
  while (true) {
    std::array<char, WatchedPaths::kLongest + 1> text{};
    const ssize_t size = ::recv(STDIN_FILENO, text.data(), text.size(), 0);
    if (size < 0 && errno == EINTR) continue;
    // A read of 0 bytes means that the parent has closed its end, by whatever way it ended.
    if (size <= 0) break;
    pid_t message = 0;
    if (static_cast<std::size_t>(size) != sizeof(message)) {
      // A path has at least four characters behind its sign.
      const bool whole = static_cast<std::size_t>(size) < text.size();
      if (whole) paths.change(text[0] == '+', text.data() + 1);
      continue;
    }
    std::memcpy(&message, text.data(), sizeof(message));
    if (message == 0) break;
    if (message > 0) {
      groups.add(message);
    } else {
      groups.remove(-message);
    }
  }
  groups.kill_all();
  if (!paths.empty()) {
    groups.wait_for_ends();
    paths.remove_all();
  }
  ::_exit(0);
}

}  // namespace

ProgramGuard::~ProgramGuard() {
  if (id_ <= 0) return;
  // Waiting makes sure that all groups have been killed when this returns, and leaves no zombie.
  send(0);
  socket_.close();
  while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool ProgramGuard::start() {
  const std::lock_guard lock(mutex_);
  if (id_ > 0) return true;
  std::array<int, 2> ends{};
  // Whole messages, and no SIGPIPE: what a pipe does not give.
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
  Descriptor ours = above_standard_streams(Descriptor(ends[0]));
  const Descriptor theirs = above_standard_streams(Descriptor(ends[1]));
  if (!ours.is_open() || !theirs.is_open()) return false;
  // The file is read before fork, because reading it allocates memory.
  const CommandLineText command_line = command_line_text();
  const pid_t id = ::fork();
  if (id == 0) guard_programs(theirs.get(), command_line);
  if (id < 0) return false;
  id_ = id;
  socket_ = std::move(ours);
  return true;
}

void ProgramGuard::watch(pid_t group) const { send(group); }

void ProgramGuard::forget(pid_t group) const { send(-group); }

/// A guard that somebody has killed is no reason to fail: what it watched is killed in all other
/// cases still.
void ProgramGuard::send(const void* message, std::size_t size) const {
  while (::send(socket_.get(), message, size, MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

void ProgramGuard::send(pid_t message) const { send(&message, sizeof(message)); }

void ProgramGuard::send(const std::string& message) const { send(message.data(), message.size()); }

}  // namespace ntune
