#include "ntune/core/parallel.h"

#include <algorithm>
#include <thread>

#ifdef NTUNE_PARALLEL_JTHREAD
#include <atomic>
#include <exception>
#include <mutex>
#include <vector>
#else
#include <mutex>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "ntune/core/task_pool.h"
#endif

namespace ntune {

int Parallel::resolve(int threads) {
  if (threads > 0) return threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

#ifdef NTUNE_PARALLEL_JTHREAD

struct Parallel::Backend {
  explicit Backend(int thread_count) : threads(thread_count) {}
  int threads;
};

namespace {

/// Whether this thread runs a body of a loop; an inner loop then runs on it alone.
thread_local bool inside_loop = false;

}  // namespace

void Parallel::for_each(std::size_t count, const std::function<void(std::size_t)>& body) {
  if (inside_loop || backend_->threads == 1) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr error;
  std::mutex error_mutex;
  const auto work = [&] {
    inside_loop = true;
    // Each thread takes the next index, so that unequal bodies balance themselves.
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        body(i);
      } catch (...) {
        const std::lock_guard lock(error_mutex);
        if (!error) error = std::current_exception();
        // After an error no further index is handed out; bodies under way still end.
        next = count;
      }
    }
    inside_loop = false;
  };
  {
    std::vector<std::jthread> helpers;
    // The caller works too, so one helper fewer is started. The helpers are joined at the end of
    // the block.
    const auto wanted = std::min<std::size_t>(count, static_cast<std::size_t>(backend_->threads));
    for (std::size_t i = 1; i < wanted; ++i) helpers.emplace_back(work);
    work();
  }
  if (error) std::rethrow_exception(error);
}

#else

namespace {

/// oneTBB makes threads from threads of its own, and the process ends where one cannot be made. So
/// as many are made before. Throws InputError.
void try_threads(int threads) {
  static std::mutex mutex;
  static int known = 1;
  const std::lock_guard lock(mutex);
  if (threads <= known) return;
  const TaskPool pool(threads - 1);
  known = threads;
}

}  // namespace

struct Parallel::Backend {
  explicit Backend(int threads)
      : control(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)),
        arena(threads) {
    try_threads(threads);
  }
  tbb::global_control control;
  tbb::task_arena arena;
};

void Parallel::for_each(std::size_t count, const std::function<void(std::size_t)>& body) {
  if (threads_ == 1) {  // a loop of the caller's own, which may pause a fiber
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  // The arena bounds the threads of this loop; an inner loop joins the arena of the outer one.
  backend_->arena.execute([&] {
    // Ranges of one index, because the bodies are long and unequal: the default partitioner puts
    // several into one task.
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count, 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
        },
        tbb::simple_partitioner());
  });
}

#endif

Parallel::Parallel(int threads)
    : threads_(resolve(threads)), backend_(std::make_unique<Backend>(threads_)) {}

Parallel::~Parallel() = default;

}  // namespace ntune
