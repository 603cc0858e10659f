#include "ntune/core/program.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "ntune/core/descriptor.h"
#include "ntune/core/program_guard.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

/// Exit status of a child process that failed before exec, as shells give it for a command that
/// cannot run.
constexpr int kSetupFailed = 126;

/// The file of the program, found as a shell would find it: a name with '/' is a path, others are
/// searched on the PATH.
std::string find_program(const Program& program) {
  if (program.arguments.empty() || program.arguments.front().empty()) {
    fail_to_start(program, "no name");
  }
  const std::string& name = program.arguments.front();
  if (name.find('/') != std::string::npos) return name;
  std::string_view path = inherited_path();
  // The PATH of the program's own environment counts, as it would for its own children.
  for (const auto& [key, value] : program.environment) {
    if (key == "PATH") path = value;
  }
  if (std::string file = find_on_path(name, path, X_OK); !file.empty()) return file;
  fail_to_start(program, "there is no such program on the PATH");
}

/// At a NUL a program's argument would end.
void refuse_nul(const Program& program) {
  const auto check = [&](const std::string& text) {
    if (text.find('\0') == std::string::npos) return;
    fail_to_start(program, fmt::format("'{}' has the character NUL", printable(text, 60)));
  };
  for (const std::string& argument : program.arguments) check(argument);
  for (const auto& [name, value] : program.environment) check(name + value);
}

/// "NAME=value" of this process and of the program, whose values replace inherited ones.
std::vector<std::string> environment_of(const Program& program) {
  std::vector<std::string> list;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    const bool replaced = std::ranges::any_of(
        program.environment, [&](const auto& variable) { return variable.first == name; });
    if (!replaced) list.emplace_back(text);
  }
  for (const auto& [name, value] : program.environment) list.push_back(name + '=' + value);
  return list;
}

/// Texts in the form that exec takes.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Ends the child process, with the reason on its error output.
[[noreturn]] void give_up(const char* action) {
  // strerror() may allocate, which is forbidden after fork; strerrordesc_np() does not.
  const char* reason = ::strerrordesc_np(errno);
  for (const char* text : {"ntune: ", action, ": ", reason != nullptr ? reason : "error", "\n"}) {
    if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
  }
  ::_exit(kSetupFailed);
}

/// Prepares the child process for exec. System calls only: another thread may have held the lock
/// of the allocator when this process was copied.
void set_up_child(const Program& program, const std::array<int, 3>& streams) {
  // The streams have numbers above 2, so no dup2 overwrites one that is still needed.
  for (int i = 0; i < 3; ++i) {
    if (::dup2(streams[static_cast<std::size_t>(i)], i) < 0) give_up("dup2");
  }
  // Everything else is closed by exec: a second program that holds a pipe's end would hide its end
  // of file.
  ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  // Ignored signals stay so over exec: a writer of a pipeline would never end.
  for (const int signal : {SIGPIPE, SIGCHLD, SIGXFSZ}) ::signal(signal, SIG_DFL);
  // A group of its own lets one signal reach the program with all its children.
  if (::setpgid(0, 0) != 0) give_up("setpgid");
  // The group registers itself before exec, so no line of the program runs unwatched.
  if (program.guard) program.guard->watch(::getpid());
  if (program.dies_with_thread) ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (!program.folder.empty() && ::chdir(program.folder.c_str()) != 0) {
    give_up(program.folder.c_str());
  }
  if (program.memory > 0) {
    const auto bytes = static_cast<rlim_t>(program.memory);
    const rlimit limit{bytes, bytes};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) give_up("memory limit");
  }
}

/// With SIGCHLD ignored the system forgets how a child has ended.
void notice_ends() {
  struct sigaction current {};
  if (::sigaction(SIGCHLD, nullptr, &current) != 0) return;
  if (current.sa_handler == SIG_IGN) ::signal(SIGCHLD, SIG_DFL);
}

/// True for what may be there again in a moment.
bool is_shortage(int error) {
  constexpr std::array kShort = {EMFILE, ENFILE, EAGAIN, ENOMEM, ENOBUFS, ENOSPC, EDQUOT, ETXTBSY};
  return std::ranges::find(kShort, error) != kShort.end();
}

/// The error number that the child process has written, or 0 once exec has closed the pipe.
int error_from(const Descriptor& pipe) {
  int error = 0;
  while (::read(pipe.get(), &error, sizeof(error)) < 0 && errno == EINTR) {
  }
  return error;
}

}  // namespace

void fail_to_start(const Program& program, std::string_view reason) {
  const std::string name = program.arguments.empty() ? "" : program.arguments.front();
  throw ProcessError(fmt::format("cannot start '{}': {}", printable(name), printable(reason)));
}

void throw_process_error(int error, const std::string& message) {
  if (is_shortage(error)) throw ShortageError(message);
  throw ProcessError(message);
}

void fail_to_start(const Program& program, int error, std::string_view action) {
  const std::string reason = std::generic_category().message(error);
  const std::string name = program.arguments.empty() ? "" : program.arguments.front();
  throw_process_error(error, fmt::format("cannot start '{}': {}{}{}", printable(name), action,
                                         action.empty() ? "" : ": ", reason));
}

pid_t start_program(const Program& program, const std::array<int, 3>& streams) {
  // Everything that allocates is prepared before fork.
  notice_ends();
  refuse_nul(program);
  const std::string path = find_program(program);
  std::vector<std::string> arguments = program.arguments;
  std::vector<std::string> environment = environment_of(program);
  const std::vector<char*> argument_pointers = pointers_to(arguments);
  const std::vector<char*> environment_pointers = pointers_to(environment);
  if (program.guard && !program.guard->start()) fail_to_start(program, errno);
  // The write end closes at a successful exec; else it carries the error number.
  Pipe exec_error = make_pipe();
  const pid_t id = exec_error.is_open() ? ::fork() : -1;
  if (id < 0) fail_to_start(program, errno);
  // In the child process only system calls are made from here on.
  if (id == 0) {
    set_up_child(program, streams);
    ::execve(path.c_str(), argument_pointers.data(), environment_pointers.data());
    const int error = errno;
    const bool written = ::write(exec_error.write.get(), &error, sizeof(error)) > 0;
    ::_exit(written ? kSetupFailed : EXIT_FAILURE);
  }
  // The parent must close its own write end, or the read would never see the end of file.
  exec_error.write.close();
  if (const int error = error_from(exec_error.read); error != 0) {
    // The failed child leaves the guard before it is waited for, while its number cannot belong to
    // another group.
    if (program.guard) program.guard->forget(id);
    while (::waitpid(id, nullptr, 0) < 0 && errno == EINTR) {
    }
    // A program that its limit of memory keeps from starting is short of nothing of ours.
    if (error == ENOMEM && program.memory > 0)
      fail_to_start(program, "its memory limit is too low");
    fail_to_start(program, error);
  }
  return id;
}

std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(word);
  }
  std::string quoted = "'";
  // Inside single quotes a shell takes everything as it is, except the single quote itself.
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + '\'';
}

std::string shown_word(std::string_view word) { return printable(shell_word(word), 1000); }

namespace fs = std::filesystem;

std::string_view inherited_path() {
  const char* path = std::getenv("PATH");
  return path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
}

std::string find_on_path(std::string_view name, std::string_view path, int mode) {
  while (!path.empty()) {
    const std::string_view folder = cut(path, ":");
    const fs::path file = fs::path(folder) / name;
    std::error_code error;
    const bool is_file = !folder.empty() && fs::is_regular_file(file, error) && !error;
    if (is_file && ::access(file.c_str(), mode) == 0) return file.string();
  }
  return {};
}

}  // namespace ntune
