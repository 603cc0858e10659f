#include "ntune/core/task_pool.h"

#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <future>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "catch.h"
#include "ntune/core/error.h"

namespace ntune {

using namespace std::chrono_literals;

TEST_CASE("every task of a pool is carried out once") {
  for (const int threads : {1, 2, 8}) {
    std::vector<std::atomic<int>> done(500);
    std::promise<void> last;
    std::atomic<int> left{500};
    TaskPool pool(threads);
    for (auto& count : done) {
      pool.submit([&] {
        ++count;
        if (--left == 0) last.set_value();
      });
    }
    REQUIRE(last.get_future().wait_for(20s) == std::future_status::ready);
    for (const auto& count : done) CHECK(count == 1);
  }
}

TEST_CASE("one thread carries out tasks in the order of their submission") {
  std::vector<int> order;
  std::promise<void> last;
  TaskPool pool(1);
  for (int i = 0; i < 200; ++i) {
    pool.submit([&order, i] { order.push_back(i); });
  }
  pool.submit([&last] { last.set_value(); });
  REQUIRE(last.get_future().wait_for(20s) == std::future_status::ready);
  std::vector<int> expected(200);
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(order == expected);
}

TEST_CASE("a pool carries out as many tasks at once as it has threads") {
  std::atomic<int> running{0};
  std::atomic<int> most{0};
  std::atomic<int> left{30};
  std::promise<void> last;
  TaskPool pool(3);
  for (int i = 0; i < 30; ++i) {
    pool.submit([&] {
      const int now = ++running;
      int seen = most;
      while (now > seen && !most.compare_exchange_weak(seen, now)) {
      }
      std::this_thread::sleep_for(2ms);
      --running;
      if (--left == 0) last.set_value();
    });
  }
  REQUIRE(last.get_future().wait_for(20s) == std::future_status::ready);
  CHECK(most == 3);
}

TEST_CASE("a pool that gets too few threads says so, and ends those that it has") {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_AS, &before) == 0);
  std::ifstream statm("/proc/self/statm");
  rlim_t pages = 0;
  statm >> pages;
  const rlim_t used = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
  const rlimit little{.rlim_cur = used + 400'000'000, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_AS, &little);
  std::string message;
  try {
    const TaskPool pool(5000);
  } catch (const InputError& error) {
    message = error.what();
  }
  ::setrlimit(RLIMIT_AS, &before);
  CHECK_THAT(message, Catch::Matchers::StartsWith(
                          "5000 tasks at a time need as many threads; the system gives "));
#endif
}

TEST_CASE("a task may submit another") {
  std::promise<void> last;
  TaskPool pool(1);
  pool.submit([&] { pool.submit([&] { last.set_value(); }); });
  CHECK(last.get_future().wait_for(20s) == std::future_status::ready);
}

TEST_CASE("the end of a pool drops what has not begun and waits for the rest") {
  std::atomic<int> begun{0};
  std::atomic<int> ended{0};
  const auto token = std::make_shared<int>(0);
  std::promise<void> started;
  {
    TaskPool pool(1);
    pool.submit([&] {
      ++begun;
      started.set_value();
      std::this_thread::sleep_for(20ms);
      ++ended;
    });
    for (int i = 0; i < 50; ++i) {
      pool.submit([&begun, token] { ++begun; });
    }
    started.get_future().wait();
  }
  CHECK(begun == 1);
  CHECK(ended == 1);
  CHECK(token.use_count() == 1);
}

}  // namespace ntune
