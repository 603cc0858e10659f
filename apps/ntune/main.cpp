#include <unistd.h>

#include <atomic>
#include <csignal>
#include <iostream>

#include "apps/ntune/cli.h"

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

/// The first signal asks the study to stop; a second one ends the program at once.
extern "C" void on_signal(int) {
  if (interrupted.exchange(true)) _exit(ntune::cli::kInterrupted);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGPIPE, SIG_IGN);
  const ntune::cli::Terminal terminal{.out = std::cout,
                                      .err = std::cerr,
                                      .live = isatty(STDERR_FILENO) != 0,
                                      .interrupted = &interrupted};
  return ntune::cli::run({argv + 1, argv + argc}, terminal);
}
