#include "ntune/core/task_pool.h"

#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"

namespace ntune {

TaskPool::TaskPool(int threads) {
  try {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error& error) {
    // The threads that were made must end before their queue goes.
    const std::size_t made = threads_.size();
    close();
    throw InputError(fmt::format("{} tasks at a time need as many threads; the system gives {}: {}",
                                 threads, made, error.code().message()));
  }
}

TaskPool::~TaskPool() { close(); }

void TaskPool::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    tasks_.clear();
  }
  wake_.notify_all();
  // The destructor of a jthread waits for its end.
  threads_.clear();
}

void TaskPool::submit(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
}

void TaskPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return closing_ || !tasks_.empty(); });
    // The wait ends for a task or for the end of the pool; without a task it is the latter.
    if (tasks_.empty()) return;
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    // The task runs without the lock, so that others can take and submit tasks meanwhile.
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace ntune
