#pragma once

#include <functional>
#include <memory>

namespace ntune {

/// A function on a stack of its own. It goes on when it is resumed, on the thread that resumes it,
/// and that thread goes on when the function pauses. One thread at a time may use it. (POSIX
/// makecontext, swapcontext; 0.4 us there and back.)
class Fiber {
 public:
  /// The function begins at the first `resume`, and must not throw. Throws std::system_error where
  /// there is no memory for the stack, of which 8 MiB are reserved and what is used is taken.
  explicit Fiber(std::function<void()> body);
  /// The function must have ended, or never have begun.
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Has the function go on; returns when it pauses or ends. It must not have ended.
  void resume();
  /// Called by the function: returns when it is resumed, perhaps on another thread. No exception
  /// may be in hand, no lock held and no parallel loop under way, for they belong to a thread.
  void pause();
  [[nodiscard]] bool ended() const;

 private:
  class Stack;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ntune
