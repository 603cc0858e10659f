#include "ntune/core/fiber.h"

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "catch.h"

namespace ntune {

TEST_CASE("a fiber and its owner take turns") {
  std::vector<int> order;
  std::optional<Fiber> fiber;
  fiber.emplace([&] {
    for (int i = 0; i < 3; ++i) {
      order.push_back(2 * i + 1);
      fiber->pause();
    }
    order.push_back(7);
  });
  CHECK(order.empty());
  for (int i = 0; i < 3; ++i) {
    order.push_back(2 * i);
    fiber->resume();
    CHECK_FALSE(fiber->ended());
  }
  fiber->resume();
  CHECK(fiber->ended());
  CHECK(order == std::vector{0, 1, 2, 3, 4, 5, 7});
}

TEST_CASE("each turn of a fiber may be on another thread") {
  std::optional<Fiber> fiber;
  std::vector<std::thread::id> ids;
  fiber.emplace([&] {
    for (int i = 0; i < 4; ++i) {
      ids.push_back(std::this_thread::get_id());
      fiber->pause();
    }
  });
  std::vector<std::thread::id> expected;
  while (!fiber->ended()) {
    std::thread thread([&] {
      fiber->resume();
      if (!fiber->ended()) expected.push_back(std::this_thread::get_id());
    });
    thread.join();
  }
  CHECK(ids == expected);
}

TEST_CASE("exceptions are thrown and caught within a fiber, whatever its owner has in hand") {
  std::optional<Fiber> fiber;
  int caught = 0;
  fiber.emplace([&] {
    for (int i = 0; i < 10; ++i) {
      try {
        throw std::runtime_error("within");
      } catch (const std::runtime_error&) {
        ++caught;
      }
      fiber->pause();
    }
  });
  for (int i = 0; i < 10; ++i) {
    try {
      throw std::logic_error("outside");
    } catch (const std::logic_error& error) {
      fiber->resume();
      CHECK(std::string(error.what()) == "outside");
    }
    CHECK(std::current_exception() == nullptr);
  }
  fiber->resume();
  CHECK(caught == 10);
}

TEST_CASE("a fiber has as much stack as a thread, and many fibers live side by side") {
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::size_t sum = 0;
  for (std::size_t i = 0; i < 20; ++i) {
    fibers.push_back(std::make_unique<Fiber>([&, i] {
      volatile unsigned char large[4 << 20] = {};
      large[i] = 1;
      fibers[i]->pause();
      sum += large[i];
    }));
  }
  for (int turn = 0; turn < 2; ++turn) {
    for (const auto& fiber : fibers) fiber->resume();
  }
  CHECK(sum == 20);
}

TEST_CASE("a fiber that never began needs no end") {
  const Fiber fiber([] { FAIL(); });
  CHECK_FALSE(fiber.ended());
}

}  // namespace ntune
