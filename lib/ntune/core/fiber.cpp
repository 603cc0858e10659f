#include "ntune/core/fiber.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <utility>

// The sanitizers must be told of a change of stacks, else they report good memory as bad.
#if defined(__SANITIZE_ADDRESS__)
#define NTUNE_ADDRESS_SANITIZER
#elif defined(__SANITIZE_THREAD__)
#define NTUNE_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NTUNE_ADDRESS_SANITIZER
#elif __has_feature(thread_sanitizer)
#define NTUNE_THREAD_SANITIZER
#endif
#endif

#ifdef NTUNE_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef NTUNE_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace ntune {

namespace {

constexpr std::size_t kStackSize = std::size_t{8} << 20;  // as threads have

}  // namespace

/// Memory for a stack, with a page at its end that nothing can be written to.
class Fiber::Stack {
 public:
  // The stack grows downwards, so the guard page lies at the lowest address. An overflow then ends
  // in a fault instead of overwriting other memory.
  Stack() : guard_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    memory_ = mmap(nullptr, guard_ + kStackSize, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory_ == MAP_FAILED) fail();
    if (mprotect(memory_, guard_, PROT_NONE) != 0) {
      munmap(memory_, guard_ + kStackSize);
      fail();
    }
  }
  ~Stack() { munmap(memory_, guard_ + kStackSize); }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  [[nodiscard]] void* lowest() const { return static_cast<std::byte*>(memory_) + guard_; }

 private:
  [[noreturn]] static void fail() {
    throw std::system_error(errno, std::generic_category(), "no memory for a stack");
  }

  std::size_t guard_;
  void* memory_;
};

struct Fiber::State {
  std::function<void()> body;
  Stack stack;
  ucontext_t inside;
  ucontext_t outside;
  bool inside_now = false;
  bool ended = false;

  explicit State(std::function<void()> given) : body(std::move(given)) {
    getcontext(&inside);
    inside.uc_stack.ss_sp = stack.lowest();
    inside.uc_stack.ss_size = kStackSize;
    // With no link a function that returned would end the thread; `begin` therefore leaves by
    // itself.
    inside.uc_link = nullptr;
    // makecontext passes on numbers of the size of int.
    const auto address = reinterpret_cast<std::uintptr_t>(this);
    makecontext(&inside, reinterpret_cast<void (*)()>(&State::begin), 2,
                static_cast<unsigned>(address >> 32U), static_cast<unsigned>(address));
  }
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// What the stack begins with. An exception could go nowhere from here.
  static void begin(unsigned high, unsigned low) noexcept {
    auto& state = *reinterpret_cast<State*>((static_cast<std::uintptr_t>(high) << 32U) | low);
    // The address sanitizer is told that the change of stacks is complete, before the body uses the
    // new one.
    state.arrived_inside();
    state.body();
    // Whoever resumed the fiber sees this mark after the last change of stacks.
    state.ended = true;
    state.leave();
  }

  void enter();
  void leave();
  void arrived_inside();

#ifdef NTUNE_ADDRESS_SANITIZER
  void* outside_frames = nullptr;
  void* inside_frames = nullptr;
  const void* outside_stack = nullptr;
  std::size_t outside_size = 0;
#endif
#ifdef NTUNE_THREAD_SANITIZER
  void* inside_fiber = __tsan_create_fiber(0);
  void* outside_fiber = nullptr;
#endif
};

Fiber::State::~State() {
  assert(!inside_now);
#ifdef NTUNE_THREAD_SANITIZER
  __tsan_destroy_fiber(inside_fiber);
#endif
}

// Announce the change of stacks to the sanitizers, change, and announce the return.
void Fiber::State::enter() {
  inside_now = true;
#ifdef NTUNE_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(&outside_frames, stack.lowest(), kStackSize);
#endif
#ifdef NTUNE_THREAD_SANITIZER
  outside_fiber = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(inside_fiber, 0);
#endif
  swapcontext(&outside, &inside);
#ifdef NTUNE_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(outside_frames, nullptr, nullptr);
#endif
  inside_now = false;
}

void Fiber::State::arrived_inside() {
#ifdef NTUNE_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(inside_frames, &outside_stack, &outside_size);
#endif
}

// An ended fiber gives the sanitizer no place for its frames, which frees what it had kept for
// them.
void Fiber::State::leave() {
#ifdef NTUNE_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(ended ? nullptr : &inside_frames, outside_stack, outside_size);
#endif
#ifdef NTUNE_THREAD_SANITIZER
  __tsan_switch_to_fiber(outside_fiber, 0);
#endif
  // What stands behind this call runs when the fiber is resumed, perhaps on another thread.
  swapcontext(&inside, &outside);
  arrived_inside();
}

Fiber::Fiber(std::function<void()> body) : state_(std::make_unique<State>(std::move(body))) {}

Fiber::~Fiber() = default;

void Fiber::resume() {
  assert(!state_->ended && !state_->inside_now);
  state_->enter();
}

void Fiber::pause() {
  assert(state_->inside_now);
  state_->leave();
}

bool Fiber::ended() const { return state_->ended; }

}  // namespace ntune
