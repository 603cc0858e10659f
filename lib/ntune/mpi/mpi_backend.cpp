#include "ntune/mpi/mpi_backend.h"

#include <cmath>
#include <exception>

#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/parallel.h"
#include "ntune/core/text.h"
#include "ntune/study/evaluation/carry_out.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/run/run.h"

namespace ntune {

namespace {

Point point_of(const Json& json) { return Point(json.get<std::vector<std::uint16_t>>()); }

Forfeits forfeits_of(const Json& json) { return {.first = json[0], .second = json[1]}; }

RunRecord record_of(const Json& json, const RunTask& task) {
  RunRecord record = run_record_of(json).value();
  if (record.finished) score_run(*task.objective, record);
  return record;
}

Json to_message_json(const GameCounts& counts) {
  return {counts.games.wins,
          counts.games.draws,
          counts.games.losses,
          counts.pairs.counts,
          {counts.forfeits.first, counts.forfeits.second}};
}

GameCounts counts_of(const Json& json) {
  return {.games = {.wins = json[0], .draws = json[1], .losses = json[2]},
          .pairs = {.counts = json[3]},
          .forfeits = forfeits_of(json[4])};
}

Json to_message_json(const Outcome& outcome) {
  return {{"payoff", outcome.payoff},
          {"observations", outcome.observations},
          {"goals", outcome.goals},
          {"games", to_message_json(outcome.games)},
          {"failure", outcome.failure},
          {"blame", static_cast<int>(outcome.blame)},
          {"attempts", outcome.attempts},
          {"ending", static_cast<int>(outcome.ending)},
          {"answer", static_cast<int>(outcome.answer)},
          {"cost", outcome.cost ? Json(*outcome.cost) : Json()},
          {"stood_still", outcome.stood_still}};
}

Outcome outcome_of(const Json& json) {
  std::optional<double> cost;
  if (!json["cost"].is_null()) cost = json["cost"].get<double>();
  return {.payoff = json["payoff"],
          .goals = json["goals"],
          .observations = json["observations"],
          .games = counts_of(json["games"]),
          .failure = json["failure"],
          .blame = static_cast<Blame>(json["blame"].get<int>()),
          .attempts = json["attempts"],
          .ending = static_cast<Ending>(json["ending"].get<int>()),
          .answer = static_cast<SolverAnswer>(json["answer"].get<int>()),
          .cost = cost,
          .stood_still = json["stood_still"]};
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
      return Json::to_cbor(request.contains("stream") ? evaluate(request) : run(request));
    } catch (const EvaluationError& error) {
      return Json::to_cbor({{"error", printable(error.what(), kLongestError)}});
    } catch (const std::exception& error) {
      return Json::to_cbor({{"wrong_input", printable(error.what(), kLongestError)}});
    }
  }

 private:
  Json evaluate(const Json& request) {
    const StudyObjective& objective = study_.objectives[request["objective"]];
    const EvaluationKey key{.stage = request["stage"],
                            .repeat = request["repeat"],
                            .run = request["run"],
                            .index = request["index"]};
    std::optional<std::int64_t> block;
    if (request.contains("block")) block = request["block"].get<std::int64_t>();
    const EvaluationId id{
        .repeat = key.repeat,
        .run = key.run,
        .evaluation = key.index,
        .instance = study_.instances.of(study_.seed, key, block),
        .stop = &progress_.stop,
        .cap = request.contains("cap") ? request["cap"].get<double>() : EvaluationId().cap};
    std::optional<Point> opponent;
    if (request.contains("opponent")) opponent = point_of(request["opponent"]);
    return to_message_json(carry_out(*objective.objective, point_of(request["point"]),
                                     Rng::with_key(request["stream"]), id,
                                     opponent ? &*opponent : nullptr));
  }

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
  Json message = {
      {"stream", request.stream.key()},   {"objective", study_.objective_of(request.key.cell)},
      {"stage", request.key.stage},       {"repeat", request.key.repeat},
      {"run", request.key.run},           {"index", request.key.index},
      {"point", request.point->indices()}};
  if (std::isfinite(request.cap)) message["cap"] = request.cap;
  if (request.block) message["block"] = *request.block;
  if (request.opponent != nullptr) message["opponent"] = request.opponent->indices();
  const Message answer = dispatcher_.call(Json::to_cbor(message), *request.stop);
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
