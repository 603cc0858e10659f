#include "ntune/core/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/program_guard.h"

namespace ntune {

namespace {

/// How often a wait looks whether it has been asked to stop, in milliseconds.
constexpr int kStopCheckMs = 20;
constexpr int kExitCheckMs = 2;  ///< how often to look for the end, where there is no pidfd
/// A wait that lasts so much longer than asked for: this process was stopped. Seconds.
constexpr double kStandstill = 0.5;

/// A pipe for the program's streams; throws a ProcessError where there can be none.
Pipe open_pipe(const Program& program) {
  Pipe pipe = make_pipe();
  if (!pipe.is_open()) fail_to_start(program, errno, "no pipe");
  return pipe;
}

/// Reads and writes of this descriptor return at once with EAGAIN instead of waiting.
void make_non_blocking(const Descriptor& descriptor) {
  ::fcntl(descriptor.get(), F_SETFL, ::fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
}

/// A file in memory, because writing to a pipe blocks if the program never reads it.
Descriptor input_file(const Program& program, std::string_view input) {
  Descriptor file = above_standard_streams(Descriptor(::memfd_create("ntune-input", MFD_CLOEXEC)));
  if (!file.is_open()) fail_to_start(program, errno, "no memory for its input");
  if (const int error = write_all(file, input); error != 0) {
    fail_to_start(program, error, "no memory for its input");
  }
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

/// write() without the signal that a closed pipe would send.
ssize_t write_quietly(int fd, std::string_view text) {
  sigset_t broken_pipe;
  sigset_t before;
  ::sigemptyset(&broken_pipe);
  ::sigaddset(&broken_pipe, SIGPIPE);
  // A signal that is blocked stays pending for this thread. It can be taken off again without a
  // handler, which would be shared by the whole process.
  ::pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
  const ssize_t written = ::write(fd, text.data(), text.size());
  const int error = errno;
  // If the caller had blocked the signal already, a pending one may be its own and stays.
  if (written < 0 && error == EPIPE && ::sigismember(&before, SIGPIPE) == 0) {
    const timespec now{};
    while (::sigtimedwait(&broken_pipe, nullptr, &now) < 0 && errno == EINTR) {
    }
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

/// Appends the available output to the text and keeps its last `tail` bytes; true if there was any.
/// Stops after a megabyte, so that limits are checked. Closes the descriptor at the end of the
/// stream.
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
    // Only the end of the error output is of use in a message.
    text.append(block.data(), static_cast<std::size_t>(count));
    if (text.size() > tail) text.erase(0, text.size() - tail);
    // A short read means that the pipe is empty; another read would only say so.
    if (static_cast<std::size_t>(count) < block.size()) break;
  }
  return any;
}

/// Milliseconds until the deadline, rounded up, at most `most`; 0 after the deadline.
int wait_ms(Clock::time_point deadline, int most) {
  if (deadline == Clock::time_point::max()) return most;
  const auto left = deadline - Clock::now();
  if (left <= Clock::duration::zero()) return 0;
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return static_cast<int>(std::min<std::int64_t>(milliseconds, most));
}

/// The deadline, some seconds later.
Clock::time_point later(Clock::time_point deadline, double seconds) {
  if (deadline == Clock::time_point::max()) return deadline;
  return deadline +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

std::string ProcessStatus::text() const {
  if (!signalled) return fmt::format("exit status {}", code);
  const char* name = ::sigdescr_np(code);
  return fmt::format("signal {} ({})", code, name != nullptr ? name : "unknown");
}

Process::Process(const Program& program, std::optional<std::string_view> input)
    : guard_(program.guard) {
  Pipe out = open_pipe(program);
  Pipe err = open_pipe(program);
  // A fixed input is a file in memory, which needs no writing while the program runs.
  Pipe in = input ? Pipe{input_file(program, *input), Descriptor()} : open_pipe(program);
  look_ = begin_ = Clock::now();
  // From here on the child has copies of its ends; those of this process close when this
  // constructor ends.
  id_ = start_program(program, {in.read.get(), out.write.get(), err.write.get()});
  // Old kernels have no pidfd; the descriptor is then closed, and the end is looked for every 2 ms.
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
  // A new question begins a new account of standstills.
  stood_still_ = 0.0;
  look_ = Clock::now();
  pending_ += text;
  write_pending();
}

bool Process::has_unread_input() const {
  int bytes = 0;
  return in_.is_open() &&
         (!pending_.empty() || (::ioctl(in_.get(), FIONREAD, &bytes) == 0 && bytes > 0));
}

void Process::write_pending() {
  while (!pending_.empty() && in_.is_open()) {
    const ssize_t written = write_quietly(in_.get(), pending_);
    if (written < 0 && errno == EINTR) continue;
    // The pipe is full: `poll_once` writes on when the program has read.
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
  // WNOWAIT leaves the program as a zombie, so its number stays taken until its group is killed.
  if (::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
    // ECHILD: somebody else has waited for it, so it has ended.
    return errno == ECHILD;
  }
  return info.si_pid == id_;
}

/// 0 where the system does not tell.
double Process::processor_seconds() const {
  clockid_t clock = 0;
  timespec time{};
  if (::clock_getcpuclockid(id_, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0.0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Milliseconds until a limit is to be looked at again, besides the deadline; 0: processor time is
/// used up.
int Process::longest_wait(const ProcessLimits& limits) const {
  constexpr int kLongest = 1000;
  const int longest = limits.stop != nullptr ? kStopCheckMs : kLongest;
  if (std::isinf(limits.processor)) return longest;
  const double left = limits.processor - processor_seconds();
  if (left <= 0.0) return 0;
  // All processors may work for it at once.
  const double soonest = 1000.0 * left / std::max(1U, std::thread::hardware_concurrency());
  return std::clamp(static_cast<int>(soonest), 1, longest);
}

/// True if the program may have ended.
bool Process::poll_once(int milliseconds) {
  const bool writing = in_.is_open() && !pending_.empty();
  // Negative descriptors are ignored by poll(): a closed stream, or an input with nothing to write.
  std::array<pollfd, 4> watched = {pollfd{handle_.get(), POLLIN, 0}, pollfd{out_.get(), POLLIN, 0},
                                   pollfd{err_.get(), POLLIN, 0},
                                   pollfd{writing ? in_.get() : -1, POLLOUT, 0}};
  if (!handle_.is_open()) milliseconds = std::min(milliseconds, kExitCheckMs);
  // Without a pidfd each round counts as a possible end, which `has_ended` then checks.
  if (::poll(watched.data(), watched.size(), milliseconds) <= 0) return !handle_.is_open();
  if (watched[3].revents != 0) write_pending();
  return !handle_.is_open() || watched[0].revents != 0;
}

/// Reads both streams; true if there was any output.
bool Process::drain(const ProcessLimits& limits) {
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  const bool out = read_available(out_, out_text_, limits.output, kAll);
  const bool err = read_available(err_, err_text_, limits.output, limits.error_tail);
  return out || err;
}

/// After the program's end, reads for 50 ms what its children still write, as `>(tee log)` does in
/// a shell.
bool Process::drain_rest(const ProcessLimits& limits) {
  constexpr auto kPatience = std::chrono::milliseconds(50);
  const auto deadline = Clock::now() + kPatience;
  // What the program wrote itself is in the pipe by now and is read in any case.
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
  while (!status_) {
    // Each round: how long may it wait, what has happened, was this process stopped, what can be
    // read, which limit is met.
    if (limits.stop != nullptr && limits.stop->load()) return Event::kStopped;
    const int milliseconds = wait_ms(later(limits.deadline, stood_still_), longest_wait(limits));
    const bool ended = poll_once(milliseconds) && has_ended();
    const double late = seconds_since(std::exchange(look_, Clock::now())) - 1e-3 * milliseconds;
    // A wait that took far longer than asked for means that this process stood still (SIGSTOP, a
    // suspended machine). The program could work on, or stood still as well.
    if (late > kStandstill) {
      stood_still_ += late;
      if (limits.by_the_clock) return Event::kStoodStill;
      // The deadline has moved by the standstill, so it is computed again before it is judged.
      if (!ended) continue;
    }
    if (ended) seconds_.wall = seconds_since(begin_);
    // All output that the program wrote before its end is read before the end is reported.
    const bool output = ended ? drain_rest(limits) : drain(limits);
    if (held() > limits.output) return Event::kTooMuchOutput;
    if (ended) kill();
    // A wait of 0 ms means that a limit had been met before this round, and the program has not
    // ended in it.
    if (milliseconds == 0 && !ended) return Event::kTimedOut;
    if (output && !ended) return Event::kOutput;
  }
  return Event::kEnded;
}

ProcessStatus Process::kill() {
  if (status_) return *status_;
  // Kill before reaping: until then no other group can have this number.
  ::kill(-id_, SIGKILL);
  if (guard_) guard_->forget(id_);
  int state = 0;
  rusage usage{};
  pid_t result = 0;
  do {
    result = ::wait4(id_, &state, 0, &usage);
  } while (result < 0 && errno == EINTR);
  // The wall time of a program that ended by itself was taken when its end was seen.
  if (seconds_.wall == 0.0) seconds_.wall = seconds_since(begin_);
  seconds_.processor = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  const bool signalled = WIFSIGNALED(state);
  status_ = ProcessStatus{.signalled = signalled,
                          .code = signalled ? WTERMSIG(state) : WEXITSTATUS(state)};
  // Somebody else has taken the status, so it is not known.
  if (result < 0) status_ = ProcessStatus{.signalled = false, .code = -1};
  return *status_;
}

ProcessResult run_program(Program program, std::string_view input, const ProcessLimits& limits) {
  program.dies_with_thread = true;
  Process process(program, input);
  ProcessResult result;
  // Output is gathered in the process; only the end or a limit ends the loop.
  do {
    result.event = process.wait(limits);
  } while (result.event == Process::Event::kOutput);
  result.status = process.kill();
  result.out = std::move(process.out());
  result.err = std::move(process.err());
  result.seconds = process.seconds();
  result.stood_still = process.stood_still();
  return result;
}

}  // namespace ntune
