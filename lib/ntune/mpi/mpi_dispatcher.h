#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "ntune/mpi/mpi_world.h"

namespace ntune {

using Message = std::vector<std::uint8_t>;

/// On rank 0: deals requests to the working ranks, one at a time to each, first come first served.
class MpiDispatcher {
 public:
  explicit MpiDispatcher(const MpiWorld& world);
  /// Tells all ranks to end. Ranks that do not within two seconds are ended with the whole job.
  ~MpiDispatcher();
  MpiDispatcher(const MpiDispatcher&) = delete;
  MpiDispatcher& operator=(const MpiDispatcher&) = delete;

  /// The answer to a request; an empty message once `stop` has turned true.
  Message call(Message request, const std::atomic<bool>& stop);
  [[nodiscard]] int workers() const { return static_cast<int>(busy_.size()); }

 private:
  struct Call {
    Message request;
    std::promise<Message> answer;
  };

  void work();
  bool send_one();
  bool receive_one();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Call> queue_;
  bool closing_ = false;
  std::vector<Call> busy_;  ///< the call that each working rank has, by rank - 1
  std::vector<int> free_;   ///< ranks without one
  std::jthread thread_;
};

/// On the other ranks: answers requests until rank 0 tells to end.
void serve_mpi(const std::function<Message(const Message&)>& answer);

}  // namespace ntune
