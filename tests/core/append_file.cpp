#include "ntune/core/append_file.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "catch.h"
#include "support/error_text.h"
#include "support/file_size_limit.h"
#include "support/temporary_folder.h"

namespace {

std::atomic<bool> next_sync_fails = false;

}  // namespace

/// Stands in for the function of the C library. As in the kernel, the call that fails is the only
/// one that is told of the error.
extern "C" int fdatasync(int file) {
  if (!next_sync_fails.exchange(false)) return static_cast<int>(::syscall(SYS_fdatasync, file));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  errno = EIO;
  return -1;
}

namespace ntune {

using test::content_of;

namespace {

/// Does something in a child process that then ends as if by kill -9.
template <class Action>
void in_killed_child(const Action& action) {
  const pid_t child = ::fork();
  if (child == 0) {
    action();
    ::raise(SIGKILL);
    ::_exit(1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
}

}  // namespace

TEST_CASE("lines are appended behind what is kept of a file") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("log", "one\ntwo\nthr");
  {
    AppendFile file(path, 8);
    CHECK(content_of(path) == "one\ntwo\n");
    file.append("three\n");
    file.append("four\nfive\n");
    file.write();
    CHECK(content_of(path) == "one\ntwo\nthree\nfour\nfive\n");
    file.append("six\n");
  }
  CHECK(content_of(path) == "one\ntwo\nthree\nfour\nfive\nsix\n");
}

TEST_CASE("an appended file is made where there is none") {
  const test::TemporaryFolder folder;
  AppendFile file(folder / "log", 0);
  CHECK(content_of(folder / "log") == "");
  file.append("line\n");
  file.sync();
  CHECK(content_of(folder / "log") == "line\n");
}

TEST_CASE("lines of several threads are whole and complete") {
  const test::TemporaryFolder folder;
  constexpr int kThreads = 4;
  constexpr int kLines = 3000;
  {
    AppendFile file(folder / "log", 0);
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&file, t] {
        for (int i = 0; i < kLines; ++i) file.append(fmt::format("line {} {}\n", t, i));
      });
    }
  }
  std::istringstream stream(content_of(folder / "log"));
  std::vector<int> next(kThreads, 0);
  int lines = 0;
  for (std::string word; stream >> word; ++lines) {
    int thread = -1;
    int line = -1;
    stream >> thread >> line;
    REQUIRE(word == "line");
    REQUIRE((thread >= 0 && thread < kThreads));
    REQUIRE(line == next[static_cast<std::size_t>(thread)]++);
  }
  CHECK(lines == kThreads * kLines);
}

TEST_CASE("lines survive the end of the process") {
  const test::TemporaryFolder folder;
  in_killed_child([&] {
    AppendFile file(folder / "log", 0);
    file.append("slow\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    file.append("slow again\n");
    ::raise(SIGKILL);
  });
  CHECK(content_of(folder / "log") == "slow\nslow again\n");
}

TEST_CASE("lines that come fast reach the file within a moment") {
  const test::TemporaryFolder folder;
  std::string expected;
  for (int i = 0; i < 1000; ++i) expected += fmt::format("{}\n", i);
  in_killed_child([&] {
    AppendFile file(folder / "log", 0);
    for (int i = 0; i < 1000; ++i) file.append(fmt::format("{}\n", i));
    std::this_thread::sleep_for(3 * AppendFile::kSyncEvery);
    ::raise(SIGKILL);
  });
  CHECK((content_of(folder / "log") == expected));
}

TEST_CASE("a full disk leaves whole lines, and every later call says so") {
  const test::TemporaryFolder folder;
  const std::string path = (folder / "log").string();
  const std::string fault = path + ": cannot write it: File too large";
  std::vector<std::string> errors;
  int appended = 0;
  {
    const test::FileSizeLimit limit(1000);
    AppendFile file(path, 0);
    const auto line = [&] {
      file.append(std::string(98, 'x') + fmt::format("{}", appended % 10) + "\n");
      file.write();
      ++appended;
    };
    while (appended < 20 && errors.empty()) {
      const std::string error = test::input_error(line);
      if (error != "no error") errors.push_back(error);
    }
    errors.push_back(test::input_error([&] { file.append("more\n"); }));
    errors.push_back(test::input_error([&] { file.write(); }));
    errors.push_back(test::input_error([&] { file.sync(); }));
  }
  CHECK(appended == 10);
  CHECK(errors == std::vector<std::string>(4, fault));
  CHECK(content_of(path).size() == 1000);
}

TEST_CASE("a line that a full disk has torn is cut off") {
  const test::TemporaryFolder folder;
  const std::string path = (folder / "log").string();
  std::string error;
  {
    const test::FileSizeLimit limit(1050);
    AppendFile file(path, 0);
    file.append("first\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    error = test::input_error([&] {
      for (int i = 0; i < 100; ++i) {
        file.append(std::string(99, 'x') + "\n" + std::string(29, 'y') + "\n");
      }
      file.sync();
    });
  }
  CHECK(error == path + ": cannot write it: File too large");
  const std::string content = content_of(path);
  CHECK(content.size() > 900);
  CHECK(content.size() <= 1050);
  CHECK(content.starts_with("first\nxxx"));
  CHECK(content.ends_with("\n"));
}

TEST_CASE("a failed sync is told to who waits for it, whichever thread has met it") {
  const test::TemporaryFolder folder;
  const std::string path = (folder / "log").string();
  const std::string fault = path + ": cannot sync it: Input/output error";
  AppendFile file(path, 0);
  next_sync_fails = true;
  file.append("line\n");
  while (next_sync_fails) std::this_thread::yield();  // until the file's own thread syncs
  CHECK(test::input_error([&] { file.sync(); }) == fault);
  CHECK(test::input_error([&] { file.append("more\n"); }) == fault);
}

TEST_CASE("several threads may wait for the disk at once") {
  const test::TemporaryFolder folder;
  AppendFile file(folder / "log", 0);
  for (int i = 0; i < 3; ++i) {
    std::jthread waiting([&] { file.sync(); });
    file.append("one\n");
    file.sync();
  }
  CHECK(content_of(folder / "log") == "one\none\none\n");
}

TEST_CASE("files that cannot be appended to") {
  const test::TemporaryFolder folder;
  const auto error = [](const std::string& path) {
    return test::input_error([&] { const AppendFile file(path, 0); });
  };
  CHECK(error(folder.path().string()) ==
        folder.path().string() + ": cannot write it: Is a directory");
  CHECK(error((folder / "none" / "log").string()) ==
        (folder / "none" / "log").string() + ": cannot write it: No such file or directory");
  CHECK(error("/dev/full") == "/dev/full: cannot cut it: Invalid argument");
}

}  // namespace ntune
