#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "ntune/study/evaluation/backend.h"
#include "ntune/study/evaluation/study_progress.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// MPI from MPI_Init to MPI_Finalize; one per process. Rank 0 leads, all others work.
class MpiWorld {
 public:
  /// Throws InputError where the MPI library cannot be used from more than one thread.
  MpiWorld();
  ~MpiWorld();
  MpiWorld(const MpiWorld&) = delete;
  MpiWorld& operator=(const MpiWorld&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// On every rank: throws InputError unless all have passed the same text. Collective.
  void check_same(const std::string& text, const std::string& what) const;
  /// Ends every process of the job at once with this exit code.
  [[noreturn]] static void abort(int code);

 private:
  int rank_ = 0;
  int size_ = 1;
};

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

/// Deals the evaluations of a study to the working ranks, or its runs where the log does not keep
/// every evaluation. The result is that of LocalBackend, byte for byte.
class MpiBackend final : public ThreadedBackend {
 public:
  /// Both must outlive the backend.
  MpiBackend(const Study& study, MpiDispatcher& dispatcher)
      : study_(study), dispatcher_(dispatcher) {}

  std::optional<Outcome> evaluate(const Request& request) override;
  std::optional<RunRecord> run(const RunTask& task, const std::atomic<bool>& stop) override;
  [[nodiscard]] int threads() const override { return dispatcher_.workers(); }

 private:
  const Study& study_;
  MpiDispatcher& dispatcher_;
};

/// What a working rank does: carries out what it is sent, until told to end.
void work_mpi(const Study& study, StudyProgress& progress);

}  // namespace ntune
