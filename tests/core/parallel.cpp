#include "ntune/core/parallel.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "catch.h"

namespace ntune {

TEST_CASE("every index is called once") {
  for (int threads = 1; threads <= 8; ++threads) {
    Parallel parallel(threads);
    CHECK(parallel.threads() == threads);
    for (const std::size_t count : {0U, 1U, 2U, 7U, 1000U}) {
      std::vector<std::atomic<int>> calls(count);
      parallel.for_each(count, [&](std::size_t i) { ++calls[i]; });
      bool once = true;
      for (const auto& call : calls) once = once && call == 1;
      CHECK(once);
    }
  }
}

TEST_CASE("zero threads are one per core") {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  CHECK(Parallel(0).threads() == std::max(1, cores));
}

TEST_CASE("loops may be nested") {
  for (const int threads : {1, 2, 3, 8}) {
    Parallel parallel(threads);
    constexpr std::size_t kOuter = 20;
    constexpr std::size_t kInner = 30;
    std::vector<std::atomic<int>> calls(kOuter * kInner);
    parallel.for_each(kOuter, [&](std::size_t i) {
      parallel.for_each(kInner, [&](std::size_t j) { ++calls[i * kInner + j]; });
    });
    int total = 0;
    for (const auto& call : calls) total += call == 1 ? 1 : 0;
    CHECK(total == static_cast<int>(kOuter * kInner));
  }
}

TEST_CASE("an exception reaches the caller and the loop can be used again") {
  for (int threads = 1; threads <= 8; ++threads) {
    Parallel parallel(threads);
    std::atomic<int> calls{0};
    const auto body = [&](std::size_t i) {
      ++calls;
      if (i % 100 == 17) throw std::runtime_error("at 17");
    };
    CHECK_THROWS_WITH(parallel.for_each(100'000, body), "at 17");
    CHECK(calls < 100'000);
    calls = 0;
    parallel.for_each(50, [&](std::size_t) { ++calls; });
    CHECK(calls == 50);
  }
}

TEST_CASE("an exception of an inner loop reaches the outer caller") {
  Parallel parallel(4);
  CHECK_THROWS_AS(parallel.for_each(10,
                                    [&](std::size_t) {
                                      parallel.for_each(10, [](std::size_t j) {
                                        if (j == 5) throw std::out_of_range("inner");
                                      });
                                    }),
                  std::out_of_range);
}

TEST_CASE("two groups of threads may live at once") {
  Parallel outer(2);
  Parallel inner(2);
  std::atomic<int> calls{0};
  outer.for_each(10, [&](std::size_t) { inner.for_each(10, [&](std::size_t) { ++calls; }); });
  CHECK(calls == 100);
}

}  // namespace ntune
