#pragma once

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "apps/command.h"
#include "catch.h"
#include "support/temporary_folder.h"

namespace ntune::test {

/// Runs a line of shell and waits for it.
inline CommandOutcome shell(const std::string& line) {
  const TemporaryFolder folder;
  const std::string files =
      " >'" + (folder / "out").string() + "' 2>'" + (folder / "err").string() + "'";
  const int status = std::system(("{ " + line + "\n}" + files).c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(folder / "out"),
          content_of(folder / "err")};
}

/// True if the system's Python has the module. If not, says so, and ctest shows the test as
/// skipped.
inline bool has_python_module(const std::string& name) {
  if (shell("/usr/bin/python3 -c 'import " + name + "'").code == 0) return true;
  WARN("skipped: /usr/bin/python3 has no module " << name << " (Debian: python3-" << name << ")");
  return false;
}

/// A running `ntune`, or another program, whose output goes to two files.
class Process {
 public:
  explicit Process(const std::vector<std::string>& arguments,
                   const char* program = NTUNE_EXECUTABLE) {
    std::vector<std::string> words = {program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const std::string out = (folder_ / "out").string();
    const std::string err = (folder_ / "err").string();
    id_ = ::fork();
    if (id_ != 0) return;
    if (::freopen(out.c_str(), "w", stdout) == nullptr) ::_exit(99);
    if (::freopen(err.c_str(), "w", stderr) == nullptr) ::_exit(99);
    ::execv(program, pointers.data());
    ::_exit(98);
  }
  ~Process() {
    if (id_ <= 0) return;
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Not after it has been waited for.
  void signal(int number) const {
    if (id_ > 0) ::kill(id_, number);
  }
  [[nodiscard]] pid_t id() const { return id_; }

  /// Waits for the end; exit code, or -1 if it lasts longer or a signal ends it.
  int wait(std::chrono::milliseconds limit) {
    const auto start = std::chrono::steady_clock::now();
    int status = 0;
    while (::waitpid(id_, &status, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() - start > limit) return -1;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    id_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  [[nodiscard]] std::string out() const { return content_of(folder_ / "out"); }
  [[nodiscard]] std::string err() const { return content_of(folder_ / "err"); }

 private:
  TemporaryFolder folder_;
  pid_t id_ = 0;
};

}  // namespace ntune::test
