#include "ntune/mpi/mpi_backend.h"

#include <exception>

#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/parallel.h"
#include "ntune/core/text.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/evaluation/remote_evaluation.h"
#include "ntune/study/run/run.h"

namespace ntune {

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
