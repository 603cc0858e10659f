// NTBEA allocates nothing in an iteration.

#include <array>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "catch.h"
#include "support/optimisers.h"
#include "support/spaces.h"

// Sanitizers bring their own allocator; there is nothing to count then.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define NTUNE_TEST_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define NTUNE_TEST_SANITIZED
#endif
#endif

#ifndef NTUNE_TEST_SANITIZED

namespace {

thread_local bool counting = false;
thread_local std::int64_t allocations = 0;

void count_allocation() {
  if (counting) ++allocations;
}

void* allocate(std::size_t size) {
  count_allocation();
  void* memory = std::malloc(size > 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

#ifdef __GLIBC__
// Eigen allocates by malloc. glibc lets a program put its own in place of it.
extern "C" {
void* __libc_malloc(std::size_t size);  // NOLINT
void* malloc(std::size_t size) noexcept {
  count_allocation();
  return __libc_malloc(size);
}
}
#endif

namespace ntune {

namespace {

/// Allocations of the iterations after warm-up.
std::int64_t count_allocations(const std::string& options, const SearchSpace& space,
                               std::size_t in_flight = 1) {
  constexpr int kWarmUp = 20;
  constexpr int kIterations = 500;
  constexpr int kBudget = kWarmUp + kIterations + 4;
  const auto ntbea = test::make_plan(options, space).make(test::make_context(space, kBudget));
  Rng rng(1);
  Rng noise(2);
  std::array<Point, 4> points;
  std::size_t asked = 0;
  std::size_t told = 0;
  const auto iterate = [&](int iterations) {
    for (int i = 0; i < iterations; ++i) {
      for (; asked < told + in_flight; ++asked) {
        points[asked % 4] = ntbea->ask(rng).point;
        if (in_flight > 1) ntbea->pending(points[asked % 4], true);
      }
      const Point& point = points[told++ % 4];
      if (in_flight > 1) ntbea->pending(point, false);
      ntbea->tell(point, test::height(space, point) + noise.normal());
    }
  };
  iterate(kWarmUp);
  allocations = 0;
  counting = true;
  iterate(kIterations);
  counting = false;
  return allocations;
}

}  // namespace

TEST_CASE("the counter of allocations counts") {
  allocations = 0;
  counting = true;
  const auto* vector = new std::vector<int>(1000);
  counting = false;
  CHECK(vector->size() == 1000);
  CHECK(allocations >= 2);
  delete vector;
#ifdef __GLIBC__
  allocations = 0;
  counting = true;
  void* volatile memory = std::malloc(1000);
  counting = false;
  CHECK(allocations == 1);
  std::free(memory);
#endif
}

TEST_CASE("ntbea allocates nothing in an iteration") {
  for (const auto& cardinalities :
       {std::vector<int>{20, 20}, std::vector<int>{10, 10, 10}, std::vector<int>(6, 5),
        std::vector<int>(10, 10), std::vector<int>{4, 1, 5, 2}}) {
    const SearchSpace space = test::grid_space(cardinalities);
    for (const char* weighting : {"none", "linear", "inverse", "inverse_root", "exponential"}) {
      for (const char* exploration : {"ucb1", "ratio", "square_root"}) {
        const std::string options = std::string("{algorithm: ntbea, weighting: ") + weighting +
                                    ", exploration: " + exploration + "}";
        CAPTURE(space.dimensions(), options);
        CHECK(count_allocations(options, space) == 0);
        CHECK(count_allocations(options, space, 4) == 0);
      }
    }
    CHECK(count_allocations("{algorithm: ntbea, tuples: [1, 2, 3, all]}", space) == 0);
    CHECK(count_allocations("{algorithm: ntbea, tuples: [1, 2, 3, all]}", space, 4) == 0);
    CHECK(count_allocations("{algorithm: ntbea, tuples: [1, all], weighting: linear}", space) == 0);
  }
}

TEST_CASE("ntbea allocates nothing in an iteration of a constrained space") {
  const SearchSpace space = test::yaml_space(
      "kind: [a, b, c]\n"
      "x: {integers: [1, 9], when: {kind: a}}\n"
      "y: {choices: [1, 2, 3], when: {kind: [a, b]}}\n"
      "z: [1, 2, 3, 4]\n"
      "forbid: [{x: 3, z: 2}, {kind: c, z: 1}]\n");
  CHECK(count_allocations("ntbea", space) == 0);
  CHECK(count_allocations("{algorithm: ntbea, weighting: inverse}", space) == 0);
}

}  // namespace ntune

#endif
