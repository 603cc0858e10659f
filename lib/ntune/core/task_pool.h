#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ntune {

/// Threads that carry out tasks in order of submission. For tasks that mostly wait for programs or
/// messages; loops that compute belong to Parallel.
class TaskPool {
 public:
  /// `threads` >= 1. Throws InputError if the system does not give so many.
  explicit TaskPool(int threads);
  /// Drops the tasks that have not begun and waits for the others.
  ~TaskPool();
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  /// A task must not throw.
  void submit(std::function<void()> task);

 private:
  void work();
  /// Drops tasks and waits for the threads.
  void close();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  bool closing_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace ntune
