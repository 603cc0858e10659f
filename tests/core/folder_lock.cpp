#include "ntune/core/folder_lock.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "catch.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {

using namespace std::chrono_literals;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

std::string lock_error(const std::filesystem::path& folder,
                       std::chrono::milliseconds patience = 0ms) {
  return test::input_error([&] { const FolderLock lock(folder, patience); });
}

}  // namespace

TEST_CASE("a locked folder is refused by naming the process that works on it") {
  const test::TemporaryFolder folder;
  {
    const FolderLock lock(folder.path());
    CHECK_THAT(lock_error(folder.path()),
               StartsWith(fmt::format("{}: process {} on ", folder.path().string(), ::getpid())) &&
                   EndsWith(" works on this folder; wait for it or end it"));
  }
  CHECK(lock_error(folder.path()) == "no error");
}

TEST_CASE("the lock of a killed process is free") {
  const test::TemporaryFolder folder;
  std::array<int, 2> ready{};
  REQUIRE(::pipe(ready.data()) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const FolderLock lock(folder.path());
    if (::write(ready[1], "x", 1) != 1) ::_exit(1);
    while (true) ::pause();
  }
  char byte = 0;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  CHECK_THAT(lock_error(folder.path()),
             StartsWith(fmt::format("{}: process {} on ", folder.path().string(), child)));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  CHECK(lock_error(folder.path()) == "no error");
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_CASE("a lock waits as long as it has patience") {
  const test::TemporaryFolder folder;
  auto held = std::make_unique<FolderLock>(folder.path());
  const auto start = std::chrono::steady_clock::now();
  CHECK(lock_error(folder.path(), 30ms) != "no error");
  CHECK(std::chrono::steady_clock::now() - start >= 30ms);
  const std::jthread releaser([&] {
    std::this_thread::sleep_for(30ms);
    held.reset();
  });
  CHECK(lock_error(folder.path(), 20s) == "no error");
  CHECK(std::chrono::steady_clock::now() - start < 15s);
}

TEST_CASE("programs that are started do not keep the lock") {
  const test::TemporaryFolder folder;
  {
    const FolderLock lock(folder.path());
    REQUIRE(std::system("sleep 3 >/dev/null 2>&1 &") == 0);
  }
  CHECK(lock_error(folder.path()) == "no error");
}

TEST_CASE("folders that cannot be locked") {
  const test::TemporaryFolder folder;
  CHECK(lock_error(folder / "none") ==
        (folder / "none" / "lock").string() + ": cannot make the lock: No such file or directory");
  CHECK_THAT(lock_error("/proc"), StartsWith("/proc/lock: cannot make the lock: "));
}

TEST_CASE("a file that one process holds is refused to others") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("table.csv", "content");
  const auto error = [&] { return test::input_error([&] { (void)lock_file(path); }); };
  {
    const Descriptor held = lock_file(path);
    CHECK(error() == path + ": another process works on this file; wait for it or end it");
  }
  CHECK(error() == "no error");
  CHECK(test::content_of(path) == "content");
  CHECK_THAT(test::input_error([&] { (void)lock_file(folder / "none" / "file"); }),
             EndsWith("cannot write it: No such file or directory"));
}

}  // namespace ntune
