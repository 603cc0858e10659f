#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace ntune {

/// Costly objects (large tables, running programs) that threads use one after the other, so that
/// there are no more of them than uses at the same time. Threads may call it at once.
template <class T>
class ObjectPool {
 public:
  /// The object given back last; nullptr if all are in use.
  std::unique_ptr<T> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return nullptr;
    std::unique_ptr<T> object = std::move(idle_.back());
    idle_.pop_back();
    return object;
  }

  void give_back(std::unique_ptr<T> object) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(object));
  }

  /// An idle object, or a new T of these arguments. Comes back when the last pointer to it goes;
  /// the pool must outlive it.
  template <class... Arguments>
  std::shared_ptr<T> borrow(const Arguments&... arguments) {
    std::unique_ptr<T> object = take();
    if (!object) object = std::make_unique<T>(arguments...);
    return {object.release(), [this](T* returned) { give_back(std::unique_ptr<T>(returned)); }};
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace ntune
