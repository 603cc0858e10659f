// Programs: what they are given, what they leave, and that nothing of them stays behind.

#include "ntune/core/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "catch.h"
#include "ntune/core/clock.h"
#include "ntune/core/program_guard.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace {

using Event = Process::Event;

Program shell(const std::string& script) { return {.arguments = {"sh", "-c", script}}; }

ProcessResult run(const std::string& script, const ProcessLimits& limits = {},
                  std::string_view input = "") {
  return run_program(shell(script), input, limits);
}

/// True once no process has the number, at the latest after some seconds.
bool is_gone(pid_t id) {
  for (int i = 0; i < 500; ++i) {
    if (::kill(id, 0) != 0 && errno == ESRCH) return true;
    // One that was killed may still wait to be reaped by init.
    const std::string stat = test::content_of("/proc/" + std::to_string(id) + "/stat");
    if (stat.empty() || stat.find(") Z ") != std::string::npos) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

std::string start_error(const Program& program) {
  try {
    run_program(program, "", {});
  } catch (const ProcessError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a program gives its output, error output and status") {
  const ProcessResult result = run("echo out; echo err >&2; exit 3");
  CHECK(result.event == Event::kEnded);
  CHECK(result.out == "out\n");
  CHECK(result.err == "err\n");
  CHECK(result.status.text() == "exit status 3");
  CHECK(run("kill -SEGV $$").status.text() == "signal 11 (Segmentation fault)");
  CHECK(run("true").status.text() == "exit status 0");
}

TEST_CASE("arguments arrive as they are") {
  const std::vector<std::string> odd = {"a b", "", "$HOME", "'", "\"", "*", "ä\n", "-x", "{y}"};
  Program program{.arguments = {"printf", "[%s]"}};
  std::string expected;
  for (const std::string& word : odd) {
    program.arguments.push_back(word);
    expected += "[" + word + "]";
  }
  CHECK(run_program(program, "", {}).out == expected);
  // And a shell reads them back from their quoted form.
  std::string script = "printf '[%s]'";
  for (const std::string& word : odd) script += " " + shell_word(word);
  CHECK(run(script).out == expected);
}

TEST_CASE("words for a shell are quoted where they must be") {
  CHECK(shell_word("--depth=3") == "--depth=3");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("a b") == "'a b'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("~") == "'~'");
  CHECK(shell_word("$(x)") == "'$(x)'");
}

TEST_CASE("environment and folder are set") {
  const test::TemporaryFolder folder;
  Program program = shell("echo $A:$B; pwd -P; echo $HOME");
  program.environment = {{"A", "x y"}, {"B", ""}, {"HOME", "/nowhere"}};
  program.folder = folder.path();
  const std::string where = std::filesystem::canonical(folder.path()).string();
  CHECK(run_program(program, "", {}).out == "x y:\n" + where + "\n/nowhere\n");
}

TEST_CASE("a program gets every variable once") {
  std::istringstream lines(
      run_program({.arguments = {"env"}, .environment = {{"HOME", "/nowhere"}}}, "", {}).out);
  std::vector<std::string> homes;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("HOME=")) homes.push_back(line);
  }
  CHECK(homes == std::vector<std::string>{"HOME=/nowhere"});
}

TEST_CASE("programs are found on PATH, their own first, and relative to their folder") {
  const test::TemporaryFolder folder;
  const std::string script = folder.file("own-program", "#!/bin/sh\necho found $1\n");
  CHECK(start_error({.arguments = {"own-program"}}) ==
        "cannot start 'own-program': there is no such program on the PATH");
  CHECK(start_error({.arguments = {script}}) == "cannot start '" + script + "': Permission denied");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  Program program{.arguments = {"own-program", "1"},
                  .environment = {{"PATH", folder.path().string() + ":/usr/bin:/bin"}}};
  CHECK(run_program(program, "", {}).out == "found 1\n");
  program = {.arguments = {"./own-program", "2"}, .folder = folder.path()};
  CHECK(run_program(program, "", {}).out == "found 2\n");
  CHECK(start_error({.arguments = {"./own-program"}}) ==
        "cannot start './own-program': No such file or directory");
  CHECK(start_error({.arguments = {}}) == "cannot start '': no name");
}

TEST_CASE("a folder that is gone is an error of the program") {
  Program program = shell("echo here");
  program.folder = "/no/such/folder";
  const ProcessResult result = run_program(program, "", {});
  // The thread sanitizer flushes what this program has printed when the child ends.
  CHECK(result.out.find("here") == std::string::npos);
  CHECK(result.status.code == 126);
  CHECK(result.err == "ntune: /no/such/folder: No such file or directory\n");
}

TEST_CASE("failed starts leave no zombies and no descriptors behind") {
  const auto descriptors = [] {
    int count = 0;
    for (int fd = 0; fd < 256; ++fd) count += ::fcntl(fd, F_GETFD) >= 0 ? 1 : 0;
    return count;
  };
  start_error({.arguments = {"/etc/passwd"}});
  const int before = descriptors();
  for (int i = 0; i < 20; ++i) {
    start_error({.arguments = {"/etc/passwd"}});
    run("true");
  }
  CHECK(descriptors() == before);
  const std::string children =
      test::content_of("/proc/self/task/" + std::to_string(::gettid()) + "/children");
  CHECK(children.empty());
}

TEST_CASE("input arrives, and blocks nobody where it is not read") {
  const std::string large(1'000'000, 'x');
  CHECK(run("cat", {}, "hello").out == "hello");
  CHECK(run("wc -c", {}, large).out == "1000000\n");
  CHECK(run("echo unread", {}, large).out == "unread\n");
  CHECK(run("cat", {}, "").out.empty());
}

TEST_CASE("large outputs on both streams arrive whole") {
  const ProcessResult result = run("head -c 300000 /dev/zero & head -c 300000 /dev/zero >&2; wait");
  CHECK(result.out.size() == 300'000);
  CHECK(result.err.size() == 300'000);
}

TEST_CASE("at the deadline the whole group is killed") {
  const auto begin = Clock::now();
  const ProcessResult result =
      run("sleep 1000 & echo $!; trap '' TERM; wait", {.deadline = seconds_from_now(0.7)});
  CHECK(result.event == Event::kTimedOut);
  CHECK(result.status.text() == "signal 9 (Killed)");
  CHECK(seconds_since(begin) < 5.0);
  CHECK(is_gone(std::stoi(result.out)));
}

TEST_CASE("a deadline holds for a program that writes without end") {
  const ProcessResult result =
      run("yes >&2", {.deadline = seconds_from_now(0.2), .error_tail = 1000});
  CHECK(result.event == Event::kTimedOut);
  CHECK(result.err.size() == 1000);
}

TEST_CASE("what outlives the program neither delays it nor stays") {
  const auto begin = Clock::now();
  const ProcessResult result = run("sleep 1000 & echo $!");
  CHECK(result.event == Event::kEnded);
  CHECK(result.status.code == 0);
  CHECK(seconds_since(begin) < 5.0);
  CHECK(is_gone(std::stoi(result.out)));
}

TEST_CASE("too much output ends a program") {
  const ProcessResult result = run("yes", {.output = 10'000});
  CHECK(result.event == Event::kTooMuchOutput);
  CHECK(result.out.size() < 1'000'000);
  CHECK(run("head -c 5000 /dev/zero; head -c 5000 /dev/zero >&2", {.output = 10'000}).event ==
        Event::kEnded);
  CHECK(run("head -c 5000 /dev/zero; head -c 5001 /dev/zero >&2", {.output = 10'000}).event ==
        Event::kTooMuchOutput);
}

TEST_CASE("the stop switch ends a program soon") {
  std::atomic<bool> stop = false;
  const auto begin = Clock::now();
  const std::jthread thread([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop = true;
  });
  CHECK(run("sleep 1000", {.stop = &stop}).event == Event::kStopped);
  CHECK(seconds_since(begin) < 5.0);
}

TEST_CASE("guarded programs end with the process that started them") {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "pids").string();
  const pid_t starter = ::fork();
  if (starter == 0) {
    Program program = shell("trap '' HUP TERM; sleep 1000 & echo $! $$ >" + file + "; wait");
    program.guard = std::make_shared<ProgramGuard>();
    const Process process(program);
    while (test::content_of(file).find('\n') == std::string::npos) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ::kill(::getpid(), SIGKILL);
  }
  REQUIRE(starter > 0);
  ::waitpid(starter, nullptr, 0);
  std::istringstream words(test::content_of(file));
  int processes = 0;
  for (pid_t process = 0; words >> process; ++processes) CHECK(is_gone(process));
  CHECK(processes == 2);
}

TEST_CASE("a guard forgets programs that have ended, and goes with its owner") {
  Program program = shell("exit 3");
  program.guard = std::make_shared<ProgramGuard>();
  for (int i = 0; i < 3; ++i) {
    ProcessStatus status = run_program(program, "", {}).status;
    CHECK(status.code == 3);
  }
  Program missing{.arguments = {"/nowhere/at/all"}};
  missing.guard = program.guard;
  CHECK(start_error(missing).find("cannot start") == 0);
  // Programs that go on when nobody holds the guard any more keep it.
  Process process([&] {
    Program sleeper = shell("sleep 1000");
    sleeper.guard = std::exchange(program.guard, nullptr);
    missing.guard.reset();
    return sleeper;
  }());
  CHECK(process.wait({.deadline = Clock::now()}) == Event::kTimedOut);
  CHECK(process.kill().signalled);
}

TEST_CASE("a program may not use more memory than it is given") {
  Program program{.arguments = {"/usr/bin/python3", "-c", "x = bytearray(200_000_000)"}};
  CHECK(run_program(program, "", {}).status.code == 0);
  program.memory = 150'000'000;
  const ProcessResult result = run_program(program, "", {});
  CHECK(result.status.code == 1);
  CHECK_THAT(result.err, Catch::Matchers::ContainsSubstring("MemoryError"));
}

TEST_CASE("a program's signals are as in a fresh shell") {
  // This process may block signals or have them pending; its children do not.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  const ProcessResult result = run("grep SigBlk /proc/self/status");
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  CHECK(result.out == "SigBlk:\t0000000000000000\n");
}

TEST_CASE("a program does not inherit which signals are ignored here") {
  const auto pipe = ::signal(SIGPIPE, SIG_IGN);
  const auto child = ::signal(SIGCHLD, SIG_IGN);
  const ProcessResult result = run("grep SigIgn /proc/self/status; exit 3");
  const auto left = ::signal(SIGCHLD, child);
  const ProcessResult pipeline =
      run("while :; do echo 1; done | head -n 1", {.deadline = seconds_from_now(20.0)});
  ::signal(SIGPIPE, pipe);
  CHECK(result.out == "SigIgn:\t0000000000000000\n");
  // The system would tell nobody how a program has ended.
  CHECK(left == SIG_DFL);
  CHECK(result.status.text() == "exit status 3");
  CHECK((pipeline.event == Event::kEnded && pipeline.out == "1\n"));
}

TEST_CASE("a text with a NUL is handed to no program") {
  CHECK(start_error({.arguments = {"echo", std::string("a\0b", 3)}}) ==
        "cannot start 'echo': 'a\\x00b' has the character NUL");
  CHECK_THAT(start_error({.arguments = {"echo"}, .environment = {{"A", std::string(1, '\0')}}}),
             Catch::Matchers::EndsWith("has the character NUL"));
}

TEST_CASE("what is short on this machine is told from what a program lacks") {
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const Descriptor next(::dup(STDIN_FILENO));
  const rlimit few{.rlim_cur = static_cast<rlim_t>(next.get()) + 2, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &few);
  std::string message;
  try {
    run_program({.arguments = {"true"}}, "", {});
  } catch (const ShortageError& error) {
    ::setrlimit(RLIMIT_NOFILE, &before);  // a sanitizer opens a pipe to look at the object
    message = error.what();
  }
  ::setrlimit(RLIMIT_NOFILE, &before);
  CHECK_THAT(message, Catch::Matchers::StartsWith("cannot start 'true': ") &&
                          Catch::Matchers::EndsWith("Too many open files"));
  CHECK_THROWS_AS(run_program({.arguments = {"/etc/passwd"}}, "", {}), ProcessError);
  try {
    run_program({.arguments = {"/etc/passwd"}}, "", {});
  } catch (const ShortageError&) {
    FAIL("a file that is no program is no shortage");
  } catch (const ProcessError&) {
  }
}

TEST_CASE("programs inherit nothing that is open here") {
  const int fd = ::open("/etc/passwd", O_RDONLY);  // not close-on-exec, as a stream's
  REQUIRE(fd > 2);
  const Process other(shell("sleep 1000"));
  CHECK(run("ls /proc/self/fd | grep -c '^[4-9]\\|..'").out == "0\n");  // ls itself opens 3
  ::close(fd);
}

TEST_CASE("many threads run programs at once") {
  std::atomic<int> right = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 25; ++i) {
          const std::string text = std::to_string(100 * t + i);
          const ProcessResult result = run_program({.arguments = {"cat"}}, text, {});
          right += result.out == text && result.status.code == 0 ? 1 : 0;
        }
      });
    }
  }
  CHECK(right == 200);
}

TEST_CASE("a process that stays answers line by line") {
  Process process({.arguments = {"cat"}});
  for (int i = 0; i < 100; ++i) {
    const std::string line = std::to_string(i) + "\n";
    process.send(line);
    while (process.out().find('\n') == std::string::npos) {
      REQUIRE(process.wait({.deadline = seconds_from_now(10)}) == Event::kOutput);
    }
    CHECK(process.out() == line);
    process.out().clear();
  }
  CHECK(process.wait({.deadline = seconds_from_now(0.05)}) == Event::kTimedOut);
  process.close_input();
  CHECK(process.wait({.deadline = seconds_from_now(10)}) == Event::kEnded);
  CHECK(process.status()->code == 0);
}

TEST_CASE("more input than a pipe holds follows while the answer is read") {
  Process process({.arguments = {"cat"}});
  const std::string text(1'000'000, 'x');
  process.send(text);
  while (process.out().size() < text.size()) {
    REQUIRE(process.wait({.deadline = seconds_from_now(10)}) == Event::kOutput);
  }
  CHECK(process.out() == text);
}

TEST_CASE("writing to a program that has ended is no signal for us") {
  Process process(shell("exec <&-; sleep 0.1; exit 5"));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  for (int i = 0; i < 10; ++i) process.send(std::string(100'000, 'x'));
  CHECK(process.wait({.deadline = seconds_from_now(10)}) == Event::kEnded);
  CHECK(process.status()->code == 5);
}

TEST_CASE("a process that stays is killed with its group by the destructor") {
  pid_t child = 0;
  {
    Process process(shell("sleep 1000 & echo $!; wait"));
    while (process.out().find('\n') == std::string::npos) {
      REQUIRE(process.wait({.deadline = seconds_from_now(10)}) == Event::kOutput);
    }
    child = std::stoi(process.out());
    CHECK(::kill(child, 0) == 0);
  }
  CHECK(is_gone(child));
}

}  // namespace ntune
