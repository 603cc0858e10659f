#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace ntune {

/// A fixed number of threads that run loops. Bodies must not depend on the order of the indices.
/// Uses oneTBB, or std::jthread where CMake's NTUNE_PARALLEL is `jthread`. The thread sanitizer
/// needs the latter, for it cannot see into the packaged TBB.
class Parallel {
 public:
  /// `threads` >= 1, or 0 for one per core.
  explicit Parallel(int threads = 0);
  ~Parallel();
  Parallel(const Parallel&) = delete;
  Parallel& operator=(const Parallel&) = delete;

  [[nodiscard]] int threads() const { return threads_; }
  /// The number itself, or for 0 the number of cores.
  static int resolve(int threads);

  /// Calls body(0) … body(count - 1), each once, and returns when all are done. May be called from
  /// within a body. An exception of a body stops the loop soon and is thrown on to the caller.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& body);

 private:
  struct Backend;
  int threads_;
  std::unique_ptr<Backend> backend_;
};

}  // namespace ntune
