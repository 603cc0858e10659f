#include "ntune/mpi/mpi_dispatcher.h"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/clock.h"
#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/parallel.h"
#include "ntune/core/rng.h"
#include "ntune/core/text.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/evaluation/remote_evaluation.h"
#include "ntune/study/run/run.h"

namespace ntune {

MpiWorld::MpiWorld() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  if (provided < MPI_THREAD_SERIALIZED) {
    throw InputError("--executor mpi: the MPI library was built without support for threads");
  }
}

MpiWorld::~MpiWorld() { MPI_Finalize(); }

void MpiWorld::check_same(const std::string& text, const std::string& what) const {
  const std::uint64_t hash = Purpose(std::string_view(text)).hash;
  std::uint64_t leading = hash;
  MPI_Bcast(&leading, sizeof leading, MPI_BYTE, 0, MPI_COMM_WORLD);
  int different = hash == leading ? 0 : 1;
  int first = different != 0 ? rank_ : size_;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == size_) return;
  throw InputError(
      fmt::format("--executor mpi: {} differs between rank 0 and rank {}", what, first));
}

void MpiWorld::abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();
}

namespace {

constexpr int kRequest = 1;
constexpr int kAnswer = 2;
constexpr int kEnd = 3;

/// MPI can only be asked again and again whether something has come. It is asked at once for a
/// while, since answers in a row come fast. Then it is asked less and less often, which leaves the
/// processor to the work.
class Patience {
 public:
  [[nodiscard]] std::chrono::microseconds next() {
    constexpr int kEager = 100;
    constexpr auto kLongest = std::chrono::microseconds(500);
    if (++polls_ < kEager) return std::chrono::microseconds(0);
    pause_ = std::min(kLongest, pause_ + pause_ / 4);
    return pause_;
  }
  void reset() { *this = Patience(); }

 private:
  static constexpr auto kShortest = std::chrono::microseconds(8);
  int polls_ = 0;
  std::chrono::microseconds pause_ = kShortest;
};

void pause(std::chrono::microseconds time) {
  if (time.count() == 0) {
    std::this_thread::yield();
  } else {
    std::this_thread::sleep_for(time);
  }
}

Message receive(int source, int tag, const MPI_Status& probed) {
  int size = 0;
  MPI_Get_count(&probed, MPI_BYTE, &size);
  Message message(static_cast<std::size_t>(size));
  MPI_Recv(message.data(), size, MPI_BYTE, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return message;
}

void send(const Message& message, int rank, int tag) {
  MPI_Send(message.data(), static_cast<int>(message.size()), MPI_BYTE, rank, tag, MPI_COMM_WORLD);
}

}  // namespace

MpiDispatcher::MpiDispatcher(const MpiWorld& world)
    : busy_(static_cast<std::size_t>(world.size() - 1)) {
  for (int rank = world.size() - 1; rank > 0; --rank) free_.push_back(rank);
  thread_ = std::jthread([this] { work(); });
}

MpiDispatcher::~MpiDispatcher() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_one();
}

Message MpiDispatcher::call(Message request, const std::atomic<bool>& stop) {
  constexpr auto kLook = std::chrono::milliseconds(50);
  std::future<Message> answer;
  {
    const std::lock_guard lock(mutex_);
    Call& call = queue_.emplace_back(Call{std::move(request), {}});
    answer = call.answer.get_future();
  }
  wake_.notify_one();
  while (answer.wait_for(kLook) != std::future_status::ready) {
    if (stop) return {};
  }
  return answer.get();
}

void MpiDispatcher::work() {
  Patience patience;
  std::unique_lock lock(mutex_);
  while (!closing_) {
    if (send_one() || receive_one()) {
      patience.reset();
      continue;
    }
    if (free_.size() == busy_.size()) {
      wake_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    } else if (const auto time = patience.next(); time.count() > 0) {
      wake_.wait_for(lock, time);
    } else {
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
    }
  }
  constexpr auto kGrace = std::chrono::seconds(2);
  const Clock::time_point end = Clock::now() + kGrace;
  while (free_.size() < busy_.size()) {
    if (receive_one()) continue;
    constexpr int kInterrupted = 130;
    if (Clock::now() > end) MpiWorld::abort(kInterrupted);
    pause(patience.next());
  }
  for (const int rank : free_) send({}, rank, kEnd);
}

bool MpiDispatcher::send_one() {
  if (queue_.empty() || free_.empty()) return false;
  const int rank = free_.back();
  free_.pop_back();
  Call& call = busy_[static_cast<std::size_t>(rank - 1)];
  call = std::move(queue_.front());
  queue_.pop_front();
  send(call.request, rank, kRequest);
  return true;
}

bool MpiDispatcher::receive_one() {
  if (free_.size() == busy_.size()) return false;
  int found = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, kAnswer, MPI_COMM_WORLD, &found, &status);
  if (found == 0) return false;
  Message message = receive(status.MPI_SOURCE, kAnswer, status);
  busy_[static_cast<std::size_t>(status.MPI_SOURCE - 1)].answer.set_value(std::move(message));
  free_.push_back(status.MPI_SOURCE);
  return true;
}

void serve_mpi(const std::function<Message(const Message&)>& answer) {
  Patience patience;
  while (true) {
    int found = 0;
    MPI_Status status;
    MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
    if (found == 0) {
      pause(patience.next());
      continue;
    }
    patience.reset();
    const Message request = receive(0, status.MPI_TAG, status);
    if (status.MPI_TAG == kEnd) return;
    send(answer(request), 0, kAnswer);
  }
}

namespace {

RunRecord record_of(const Json& json, const RunTask& task) {
  RunRecord record = run_record_of(json).value();
  if (record.finished) score_run(*task.objective, record);
  return record;
}

constexpr std::size_t kLongestError = 4000;

/// Throws what has ended a rank's work.
Json answer_of(const Message& answer) {
  Json json = Json::from_cbor(answer);
  if (json.contains("error")) throw EvaluationError(json["error"].get<std::string>());
  if (json.contains("wrong_input")) throw InputError(json["wrong_input"].get<std::string>());
  return json;
}

/// Carries out requests on a working rank.
class Worker {
 public:
  Worker(const Study& study, StudyProgress& progress)
      : study_(study),
        progress_(progress),
        backend_(study.execution.threads),
        evaluator_(study, backend_, progress),
        parallel_(1) {}

  Message answer(const Message& message) {
    const Json request = Json::from_cbor(message);
    try {
      return Json::to_cbor(request.contains("stream")
                               ? outcome_json(carry_out_remote(study_, request, progress_.stop))
                               : run(request));
    } catch (const EvaluationError& error) {
      return Json::to_cbor({{"error", printable(error.what(), kLongestError)}});
    } catch (const std::exception& error) {
      return Json::to_cbor({{"wrong_input", printable(error.what(), kLongestError)}});
    }
  }

 private:
  Json run(const Json& request) {
    RunTask task = make_run_task(study_, request["cell"], request["repeat"], request["run"]);
    task.keeps_trace = request["keeps_trace"];
    return run_record_json(run_once(task, evaluator_, parallel_));
  }

  const Study& study_;
  StudyProgress& progress_;
  LocalBackend backend_;
  Evaluator evaluator_;
  Parallel parallel_;
};

}  // namespace

std::optional<Outcome> MpiBackend::evaluate(const Request& request) {
  const Message answer =
      dispatcher_.call(Json::to_cbor(remote_request(study_, request)), *request.stop);
  if (answer.empty()) return std::nullopt;
  return outcome_of(answer_of(answer));
}

std::optional<RunRecord> MpiBackend::run(const RunTask& task, const std::atomic<bool>& stop) {
  if (study_.execution.record == Recording::kEvaluations) return std::nullopt;
  const Message answer = dispatcher_.call(Json::to_cbor({{"cell", task.cell},
                                                         {"repeat", task.repeat},
                                                         {"run", task.run},
                                                         {"keeps_trace", task.keeps_trace}}),
                                          stop);
  if (answer.empty()) return RunRecord{.repeat = task.repeat, .run = task.run};
  return record_of(answer_of(answer), task);
}

void work_mpi(const Study& study, StudyProgress& progress) {
  Worker worker(study, progress);
  serve_mpi([&](const Message& message) { return worker.answer(message); });
}

}  // namespace ntune
