#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ntune {

class ProgramGuard;

/// A program could not be started; the text is one line.
class ProcessError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a start needs is short on this machine for the moment: descriptors, processes, memory, room
/// for a file. It says nothing of the program.
class ShortageError : public ProcessError {
 public:
  using ProcessError::ProcessError;
};

/// Throws a ShortageError if the error number says that something is short, else a ProcessError.
[[noreturn]] void throw_process_error(int error, const std::string& message);

/// What to start, and how.
struct Program {
  std::vector<std::string> arguments;  ///< the program first; looked for on PATH if it has no '/'
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< beside the inherited one
  std::filesystem::path folder = {};  ///< working directory; empty: that of this process
  std::int64_t memory = 0;            ///< bytes of address space (RLIMIT_AS); 0: no limit
  /// It is killed when the thread that started it ends, even by a crash.
  bool dies_with_thread = false;
  /// Kills its group when this process ends; nullptr: nobody does.
  std::shared_ptr<ProgramGuard> guard = {};
};

/// Throws ProcessError "cannot start 'program': reason".
[[noreturn]] void fail_to_start(const Program& program, std::string_view reason);
/// Throws "cannot start 'program': action: reason" for an error number, as throw_process_error
/// does.
[[noreturn]] void fail_to_start(const Program& program, int error, std::string_view action = {});

/// Starts the program in a process group of its own, with these files as its standard input,
/// output and error output, and no other open file. Its signals are those of a fresh shell. Safe in
/// a process of several threads. Throws ProcessError. The caller waits for the program's end; where
/// this process has inherited to ignore SIGCHLD, that is undone: ends of programs would be lost.
pid_t start_program(const Program& program, const std::array<int, 3>& streams);

/// The word for a POSIX shell: as it is, or in quotes where a shell would see more than a word.
std::string shell_word(std::string_view word);
/// The same to be shown in a command that a person copies: a word that a terminal takes.
std::string shown_word(std::string_view word);

/// The search path of this process for programs, or the usual one.
std::string_view inherited_path();

/// The first file of this name in the folders of a search path, `a:b`; empty: there is none. Empty
/// entries, which would mean the working directory, are passed over. `mode` as of access(2).
std::string find_on_path(std::string_view name, std::string_view path, int mode);

}  // namespace ntune
