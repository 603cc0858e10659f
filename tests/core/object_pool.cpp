#include "ntune/core/object_pool.h"

#include <atomic>
#include <cstddef>
#include <memory>

#include "catch.h"
#include "ntune/core/parallel.h"

namespace ntune {

TEST_CASE("a pool lends what was given back last, and makes what is missing") {
  ObjectPool<int> pool;
  CHECK(pool.take() == nullptr);
  std::shared_ptr<int> first = pool.borrow(1);
  std::shared_ptr<int> second = pool.borrow(2);
  CHECK(*first == 1);
  CHECK(*second == 2);
  second.reset();
  first.reset();
  CHECK(*pool.borrow(3) == 1);
  CHECK(*pool.take() == 1);
  CHECK(*pool.take() == 2);
  CHECK(pool.take() == nullptr);
}

TEST_CASE("threads of a pool never have the same object at once") {
  struct Busy {
    std::atomic<int> users = 0;
  };
  constexpr int kThreads = 4;
  ObjectPool<Busy> pool;
  Parallel parallel(kThreads);
  std::atomic<int> shared = 0;
  parallel.for_each(1000, [&](std::size_t) {
    const std::shared_ptr<Busy> object = pool.borrow();
    if (object->users++ > 0) ++shared;
    --object->users;
  });
  CHECK(shared == 0);
  int objects = 0;
  while (pool.take() != nullptr) ++objects;
  CHECK(objects >= 1);
  CHECK(objects <= kThreads);
}

}  // namespace ntune
