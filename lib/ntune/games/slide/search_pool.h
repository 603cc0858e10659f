#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "ntune/games/slide/search.h"

namespace ntune {

/// Searches that are lent out, so that their tables of 8 MiB are made once per thread and not once
/// per use. The pool must outlive what it lends.
class SlideSearchPool {
 public:
  /// Comes back when the last pointer to it goes. Threads may borrow at the same time.
  std::shared_ptr<SlideSearch> borrow() {
    std::unique_ptr<SlideSearch> search;
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        search = std::move(idle_.back());
        idle_.pop_back();
      }
    }
    if (!search) search = std::make_unique<SlideSearch>();
    return {search.release(), [this](SlideSearch* returned) {
              const std::lock_guard lock(mutex_);
              idle_.emplace_back(returned);
            }};
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<SlideSearch>> idle_;  ///< guarded by the mutex
};

}  // namespace ntune
