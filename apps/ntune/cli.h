#pragma once

#include <atomic>
#include <iosfwd>
#include <string>
#include <vector>

namespace ntune::cli {

/// Exit codes of every command.
inline constexpr int kDone = 0;
inline constexpr int kWrongInput = 2;
inline constexpr int kEvaluationFailed = 3;
inline constexpr int kInterrupted = 130;

/// What a command writes to, and the flag that Ctrl-C sets.
struct Terminal {
  std::ostream& out;
  std::ostream& err;
  /// True if `err` is a terminal that can redraw a line.
  bool live = false;
  std::atomic<bool>* interrupted = nullptr;
};

/// Runs `ntune ARGUMENTS…` and returns its exit code. Wrong input is one line on `err`.
int run(const std::vector<std::string>& arguments, const Terminal& terminal);

}  // namespace ntune::cli
