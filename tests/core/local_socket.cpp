#include "ntune/core/local_socket.h"

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "catch.h"
#include "support/temporary_folder.h"

namespace ntune {

using namespace std::chrono_literals;

namespace {

/// Does something while a signal that is handled comes every millisecond.
template <class Action>
void under_signals(const Action& action) {
  struct sigaction before {};
  struct sigaction handled {};
  handled.sa_handler = [](int) {};  // without SA_RESTART
  ::sigaction(SIGUSR1, &handled, &before);
  std::atomic<bool> done = false;
  std::thread acting([&] {
    action();
    done = true;
  });
  while (!done) {
    ::pthread_kill(acting.native_handle(), SIGUSR1);
    std::this_thread::sleep_for(1ms);
  }
  acting.join();
  ::sigaction(SIGUSR1, &before, nullptr);
}

}  // namespace

TEST_CASE("lines go to and fro between two processes of this machine") {
  const test::TemporaryFolder folder;
  LocalListener listener(folder.path(), "talk");
  auto visitor = connect_locally(folder.path(), "talk");
  REQUIRE(visitor);
  auto host = listener.accept(1s);
  REQUIRE(host);
  CHECK(visitor->write_line("two\tlines"));
  CHECK(visitor->write_line(""));
  CHECK(host->read_line(1s) == "two\tlines");
  CHECK(host->read_line(1s) == "");
  CHECK_FALSE(host->read_line(1ms));
  CHECK_FALSE(listener.accept(1ms));
  CHECK_FALSE(connect_locally(folder.path(), "nobody"));
}

TEST_CASE("signals do not shorten the wait for a visitor and its line") {
  const test::TemporaryFolder folder;
  LocalListener listener(folder.path(), "talk");
  std::optional<LocalConnection> visitor;
  std::optional<LocalConnection> host;
  std::optional<std::string> line;
  std::jthread coming([&] {
    std::this_thread::sleep_for(50ms);
    visitor = connect_locally(folder.path(), "talk");
    std::this_thread::sleep_for(50ms);
    if (visitor) visitor->write_line("late");
  });
  under_signals([&] {
    host = listener.accept(10s);
    if (host) line = host->read_line(10s);
  });
  CHECK(line == "late");
  under_signals([&] { CHECK_FALSE(listener.accept(30ms)); });
}

}  // namespace ntune
