#pragma once

#include <atomic>
#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace ntune::cli {

/// Exit codes of every command.
inline constexpr int kDone = 0;
inline constexpr int kWrongInput = 2;
inline constexpr int kEvaluationFailed = 3;
inline constexpr int kInterrupted = 130;
/// Nobody reads the output any more, as of `ntune export DIR | head`: as if SIGPIPE had ended it.
inline constexpr int kNobodyReads = 141;

/// What a command writes to, and the flag that Ctrl-C sets.
struct Terminal {
  std::ostream& out;
  std::ostream& err;
  /// True if `err` is a terminal that can redraw a line.
  bool live = false;
  std::atomic<bool>* interrupted = nullptr;
  /// What is typed or piped in, for the commands that ask; nullptr: nothing is.
  std::istream* in = nullptr;

  [[nodiscard]] bool is_interrupted() const { return interrupted != nullptr && *interrupted; }
};

/// A program but for its main: runs the arguments and returns the exit code.
using RunProgram = int (*)(const std::vector<std::string>& arguments, const Terminal& terminal);

/// The main of a program: standard streams, which are /dev/null where the caller has closed them,
/// and SIGCHLD as usual; the first SIGINT or SIGTERM sets `interrupted`, a
/// second one ends the program at once.
int app_main(int argc, char** argv, RunProgram run);

/// Columns of the terminal at standard error; a longer line could not be redrawn.
std::size_t columns();

/// True if standard output is a pipe or socket that its reader has closed.
bool is_output_abandoned();

/// From now on the first signal ends the program at once: for commands that wait for input.
void end_at_signals();

// Escape sequences of terminals.
inline constexpr const char* kBoldGreen = "\x1b[1;32m";
inline constexpr const char* kYellow = "\x1b[33m";
inline constexpr const char* kRed = "\x1b[31m";
inline constexpr const char* kPlain = "\x1b[0m";

/// True if this is standard output or error output on a terminal, and nobody has set NO_COLOR.
bool shows_colour(const std::ostream& stream);

}  // namespace ntune::cli
