#include "apps/common/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace ntune::cli {

namespace {

std::atomic<bool> signalled{false};
static_assert(std::atomic<bool>::is_always_lock_free);

/// The second signal ends the program where a command does not look at the flag.
extern "C" void on_signal(int) {
  if (signalled.exchange(true)) _exit(kInterrupted);
}

extern "C" void end_on_signal(int) { _exit(kInterrupted); }

}  // namespace

void end_at_signals() {
  std::signal(SIGINT, end_on_signal);
  std::signal(SIGTERM, end_on_signal);
}

bool is_output_abandoned() {
  pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

std::size_t columns() {
  constexpr std::size_t kUsual = 120;
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kUsual;
}

namespace {

/// Undoes what a caller may have left behind. Without standard streams, the next file that is
/// opened would take their place, and their text; with SIGCHLD ignored, no exit status is known.
void leave_callers_state() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) != stream) _exit(kWrongInput);
  }
  std::signal(SIGCHLD, SIG_DFL);
}

}  // namespace

int app_main(int argc, char** argv, RunProgram run) {
  leave_callers_state();
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGPIPE, SIG_IGN);  // what a program has begun ends well without a reader
  std::signal(SIGXFSZ, SIG_IGN);  // a file at its limit is an error of writing
  const Terminal terminal{.out = std::cout,
                          .err = std::cerr,
                          .live = isatty(STDERR_FILENO) != 0,
                          .interrupted = &signalled,
                          .in = &std::cin};
  return run({argv + 1, argv + argc}, terminal);
}

bool shows_colour(const std::ostream& stream) {
  const int file = &stream == &std::cout   ? STDOUT_FILENO
                   : &stream == &std::cerr ? STDERR_FILENO
                                           : -1;
  if (file < 0 || isatty(file) == 0) return false;
  const char* refused = std::getenv("NO_COLOR");  // as no-color.org has it: if it is not empty
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return !is_dumb && (refused == nullptr || *refused == '\0');
}

}  // namespace ntune::cli
