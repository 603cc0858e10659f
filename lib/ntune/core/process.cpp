#include "ntune/core/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <system_error>

#include <boost/process/child.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/search_path.hpp>
#include <fmt/format.h>

#include "ntune/core/text.h"

namespace ntune {
namespace bp = boost::process;

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kStopCheckMs = 20;
constexpr int kExitCheckMs = 2;  ///< where there is no pidfd
constexpr int kSetupFailed = 126;

[[noreturn]] void fail(const Program& program, const std::string& reason) {
  const std::string name = program.arguments.empty() ? "" : program.arguments.front();
  throw ProcessError(fmt::format("cannot start '{}': {}", printable(name), printable(reason)));
}

[[noreturn]] void fail_by_errno(const Program& program, std::string_view action) {
  fail(program, fmt::format("{}: {}", action, std::generic_category().message(errno)));
}

/// The same file under a number that is none of the standard streams, closed by exec.
Descriptor above_standard(int fd) {
  if (fd < 0 || fd > STDERR_FILENO) return Descriptor(fd);
  const Descriptor low(fd);
  return Descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Pipe make_pipe(const Program& program) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail_by_errno(program, "no pipe");
  Pipe pipe{above_standard(ends[0]), above_standard(ends[1])};
  if (!pipe.read.is_open() || !pipe.write.is_open()) fail_by_errno(program, "no pipe");
  return pipe;
}

void make_non_blocking(const Descriptor& descriptor) {
  ::fcntl(descriptor.get(), F_SETFL, ::fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
}

/// A file in memory: a reader that never comes cannot block us.
Descriptor input_file(const Program& program, std::string_view input) {
  Descriptor file = above_standard(::memfd_create("ntune-input", MFD_CLOEXEC));
  if (!file.is_open()) fail_by_errno(program, "no memory for its input");
  while (!input.empty()) {
    const ssize_t written = ::write(file.get(), input.data(), input.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_by_errno(program, "no memory for its input");
    input.remove_prefix(static_cast<std::size_t>(written));
  }
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

std::string find_program(const Program& program) {
  if (program.arguments.empty() || program.arguments.front().empty()) fail(program, "no name");
  const std::string& name = program.arguments.front();
  if (name.find('/') != std::string::npos) return name;
  const char* inherited = ::getenv("PATH");
  std::string_view path = inherited != nullptr ? inherited : "/usr/local/bin:/usr/bin:/bin";
  for (const auto& [key, value] : program.environment) {
    if (key == "PATH") path = value;
  }
  std::vector<boost::filesystem::path> folders;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    if (end > 0) folders.emplace_back(std::string(path.substr(0, end)));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  const std::string found = bp::search_path(name, folders).string();
  if (found.empty()) fail(program, "there is no such program on the PATH");
  return found;
}

/// "NAME=value" of this process and of the program, whose own come first in rank.
std::vector<std::string> environment_of(const Program& program) {
  std::vector<std::string> list;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    const bool replaced = std::ranges::any_of(program.environment,
                                              [&](const auto& own) { return own.first == name; });
    if (!replaced) list.emplace_back(text);
  }
  for (const auto& [name, value] : program.environment) list.push_back(name + '=' + value);
  return list;
}

/// Texts as exec takes them.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// What Boost.Process does between fork and exec for us; system calls only.
struct Setup : bp::extend::handler {
  const Program* program;
  std::array<int, 3> streams;
  char** arguments;  ///< not bp::args, which takes the front of empty ones
  char** environment;

  template <class Executor>
  void on_exec_setup(Executor& executor) const {
    executor.cmd_line = arguments;
    executor.env = environment;
    for (int i = 0; i < 3; ++i) {
      if (::dup2(streams[static_cast<std::size_t>(i)], i) < 0) give_up("dup2");
    }
    ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (::setpgid(0, 0) != 0) give_up("setpgid");
    if (program->dies_with_thread) ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!program->folder.empty() && ::chdir(program->folder.c_str()) != 0) {
      give_up(program->folder.c_str());
    }
    if (program->memory > 0) {
      const auto bytes = static_cast<rlim_t>(program->memory);
      const rlimit limit{bytes, bytes};
      if (::setrlimit(RLIMIT_AS, &limit) != 0) give_up("memory limit");
    }
  }

  /// exec has failed: Boost.Process leaves a zombie.
  template <class Executor>
  void on_error(Executor& executor, const std::error_code&) const {
    if (executor.pid > 0) ::waitpid(executor.pid, nullptr, 0);
  }

 private:
  [[noreturn]] static void give_up(const char* what) {
    const char* reason = ::strerrordesc_np(errno);
    for (const char* text : {"ntune: ", what, ": ", reason != nullptr ? reason : "error", "\n"}) {
      if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
    }
    ::_exit(kSetupFailed);
  }
};

/// One start at a time: Boost.Process makes its error pipe close-on-exec in a second step, and a
/// program started in between would hold it open.
std::mutex& start_mutex() {
  static std::mutex mutex;
  return mutex;
}

pid_t launch(const Program& program, const std::array<int, 3>& streams) {
  const std::string path = find_program(program);
  std::vector<std::string> arguments = program.arguments;
  std::vector<std::string> environment = environment_of(program);
  std::vector<char*> argument_pointers = pointers_to(arguments);
  std::vector<char*> environment_pointers = pointers_to(environment);
  Setup setup;
  setup.program = &program;
  setup.streams = streams;
  setup.arguments = argument_pointers.data();
  setup.environment = environment_pointers.data();
  std::error_code error;
  const std::scoped_lock lock(start_mutex());
  bp::child child(bp::exe = path, setup, error);
  if (error) fail(program, error.message());
  child.detach();  // waited for here: its own wait_for is not safe beside other children
  return child.id();
}

/// write() without the signal that a closed pipe would send.
ssize_t write_quietly(int fd, std::string_view text) {
  sigset_t broken_pipe;
  sigset_t before;
  ::sigemptyset(&broken_pipe);
  ::sigaddset(&broken_pipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
  const ssize_t written = ::write(fd, text.data(), text.size());
  const int error = errno;
  if (written < 0 && error == EPIPE && ::sigismember(&before, SIGPIPE) == 0) {
    const timespec now{};
    while (::sigtimedwait(&broken_pipe, nullptr, &now) < 0 && errno == EINTR) {
    }
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

/// Appends what there is now to the text, of which the last `tail` bytes stay; true if anything
/// came. A flood is left after a megabyte. Closes the descriptor at the end of the stream.
bool read_available(Descriptor& descriptor, std::string& text, std::size_t most, std::size_t tail) {
  constexpr std::size_t kBlock = 64 * 1024;
  constexpr int kMostBlocks = 16;
  std::array<char, kBlock> block;
  bool any = false;
  for (int i = 0; i < kMostBlocks && descriptor.is_open() && text.size() <= most; ++i) {
    const ssize_t count = ::read(descriptor.get(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) break;
    if (count <= 0) {
      descriptor.close();
      break;
    }
    any = true;
    text.append(block.data(), static_cast<std::size_t>(count));
    if (text.size() > tail) text.erase(0, text.size() - tail);
    if (static_cast<std::size_t>(count) < block.size()) break;
  }
  return any;
}

/// Milliseconds until the deadline, rounded up, at most `most`; 0 once it is over.
int wait_ms(Clock::time_point deadline, int most) {
  if (deadline == Clock::time_point::max()) return most;
  const auto left = deadline - Clock::now();
  if (left <= Clock::duration::zero()) return 0;
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return static_cast<int>(std::min<std::int64_t>(milliseconds, most));
}

}  // namespace

Clock::time_point seconds_from_now(double seconds) {
  constexpr double kForever = 1e9;
  if (seconds >= kForever) return Clock::time_point::max();
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

std::string ProcessStatus::text() const {
  if (!signalled) return fmt::format("exit status {}", code);
  const char* name = ::sigdescr_np(code);
  return fmt::format("signal {} ({})", code, name != nullptr ? name : "unknown");
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void Descriptor::close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

Process::Process(const Program& program, std::optional<std::string_view> input) {
  Pipe out = make_pipe(program);
  Pipe err = make_pipe(program);
  Pipe in = input ? Pipe{input_file(program, *input), Descriptor()} : make_pipe(program);
  id_ = launch(program, {in.read.get(), out.write.get(), err.write.get()});
  handle_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, id_, 0)));
  in_ = std::move(in.write);
  out_ = std::move(out.read);
  err_ = std::move(err.read);
  if (in_.is_open()) make_non_blocking(in_);
  make_non_blocking(out_);
  make_non_blocking(err_);
}

Process::~Process() { kill(); }

void Process::send(std::string_view text) {
  pending_ += text;
  write_pending();
}

void Process::write_pending() {
  while (!pending_.empty() && in_.is_open()) {
    const ssize_t written = write_quietly(in_.get(), pending_);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) return;
    if (written < 0) break;
    pending_.erase(0, static_cast<std::size_t>(written));
  }
  if (pending_.empty()) return;
  pending_.clear();  // nobody reads it any more
  in_.close();
}

bool Process::has_ended() const {
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
    return errno == ECHILD;
  }
  return info.si_pid == id_;
}

/// True if the program may have ended.
bool Process::poll_once(int milliseconds) {
  const bool writing = in_.is_open() && !pending_.empty();
  std::array<pollfd, 4> watched = {pollfd{handle_.get(), POLLIN, 0}, pollfd{out_.get(), POLLIN, 0},
                                   pollfd{err_.get(), POLLIN, 0},
                                   pollfd{writing ? in_.get() : -1, POLLOUT, 0}};
  if (!handle_.is_open()) milliseconds = std::min(milliseconds, kExitCheckMs);
  if (::poll(watched.data(), watched.size(), milliseconds) <= 0) return !handle_.is_open();
  if (watched[3].revents != 0) write_pending();
  return !handle_.is_open() || watched[0].revents != 0;
}

/// Reads both streams; true if anything came.
bool Process::drain(const ProcessLimits& limits) {
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  const bool out = read_available(out_, out_text_, limits.output, kAll);
  const bool err = read_available(err_, err_text_, limits.output, limits.error_tail);
  return out || err;
}

/// After the end: what its own children still write, as `>(tee log)` in a shell does, shortly.
bool Process::drain_rest(const ProcessLimits& limits) {
  constexpr auto kPatience = std::chrono::milliseconds(50);
  const auto deadline = Clock::now() + kPatience;
  bool output = drain(limits);
  while (out_.is_open() || err_.is_open()) {
    const int milliseconds = wait_ms(deadline, static_cast<int>(kPatience.count()));
    if (milliseconds == 0 || held() > limits.output) break;
    std::array<pollfd, 2> watched = {pollfd{out_.get(), POLLIN, 0}, pollfd{err_.get(), POLLIN, 0}};
    ::poll(watched.data(), watched.size(), milliseconds);
    output = drain(limits) || output;
  }
  return output;
}

Process::Event Process::wait(const ProcessLimits& limits) {
  constexpr int kLongest = 1000;
  while (!status_) {
    if (limits.stop != nullptr && limits.stop->load()) return Event::kStopped;
    const int longest = limits.stop != nullptr ? kStopCheckMs : kLongest;
    const int milliseconds = wait_ms(limits.deadline, longest);
    const bool ended = poll_once(milliseconds) && has_ended();
    const bool output = ended ? drain_rest(limits) : drain(limits);
    if (held() > limits.output) return Event::kTooMuchOutput;
    if (ended) kill();
    if (milliseconds == 0 && !ended) return Event::kTimedOut;
    if (output && !ended) return Event::kOutput;
  }
  return Event::kEnded;
}

ProcessStatus Process::kill() {
  if (status_) return *status_;
  // Before the program is reaped: until then no other group can have its number.
  ::kill(-id_, SIGKILL);
  siginfo_t info{};
  int result = 0;
  do {
    result = ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED);
  } while (result != 0 && errno == EINTR);
  status_ = ProcessStatus{.signalled = info.si_code != CLD_EXITED, .code = info.si_status};
  if (result != 0) status_ = ProcessStatus{.signalled = false, .code = -1};
  return *status_;
}

ProcessResult run_program(Program program, std::string_view input, const ProcessLimits& limits) {
  program.dies_with_thread = true;
  Process process(program, input);
  ProcessResult result;
  do {
    result.event = process.wait(limits);
  } while (result.event == Process::Event::kOutput);
  result.status = process.kill();
  result.out = std::move(process.out());
  result.err = std::move(process.err());
  return result;
}

std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(word);
  }
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + '\'';
}

}  // namespace ntune
