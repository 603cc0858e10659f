#include "apps/python/python_backend.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "apps/python/convert.h"
#include "apps/python/study_session.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/instance.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/evaluation/remote_evaluation.h"
#include "ntune/study/keys/objective_maps.h"
#include "ntune/study/model/incumbent.h"
#include "ntune/study/run/run.h"
#include "ntune/study/serve/client_request.h"
#include "ntune/study/serve/evaluation_messages.h"

namespace ntune::python {

namespace py = pybind11;

namespace {

constexpr std::size_t kLongestFailure = 1000;

Outcome function_outcome(const py::object& result, const Request& request) {
  if (py::isinstance<py::str>(result)) {
    return {.failure = printable(result.cast<std::string>(), kLongestFailure)};
  }
  try {
    const auto [payoffs, cost, are_games, by_seat] =
        result.cast<std::tuple<std::vector<double>, std::optional<double>, bool, std::string>>();
    Outcome outcome = by_seat.empty()
                          ? told_outcome(payoffs, *request.objective, are_games)
                          : told_outcome(ClientRequest{.by_seat = parse_json(by_seat)}, request);
    outcome.cost = cost;
    return outcome;
  } catch (const RequestFault& fault) {
    return {.failure = fault.what()};
  }
}

/// What an evaluation on another machine has brought, `seconds` after it was asked for. Waiting for
/// the machine is no part of what the call took.
Outcome carried_out_elsewhere(const std::string& answer, double seconds) {
  const Json json = Json::parse(answer);
  Outcome outcome = outcome_of(json.at("outcome"));
  outcome.stood_still += std::max(0.0, seconds - json.at("seconds").get<double>());
  return outcome;
}

}  // namespace

/// An evaluation that Python has in hand.
class PythonBackend::PythonTicket final : public Ticket {
 public:
  PythonTicket(PythonBackend& backend, const Request& request, py::object handle, Finish finish)
      : backend_(backend),
        request_(request),
        handle_(std::move(handle)),
        finish_(std::move(finish)),
        begin_(Begin::now()) {}
  ~PythonTicket() override {
    const py::gil_scoped_acquire lock;
    handle_ = {};
  }
  PythonTicket(const PythonTicket&) = delete;
  PythonTicket& operator=(const PythonTicket&) = delete;

  void wait() override { finish_(backend_.take(request_, handle_, begin_), begin_); }

 private:
  PythonBackend& backend_;
  const Request& request_;
  py::object handle_;
  Finish finish_;
  Begin begin_;
};

PythonBackend::PythonBackend(const Study& study, const Carriers& carriers, StudyProgress& progress)
    : study_(study),
      is_asked_(is_asked(study)),
      start_(carriers.workers.attr("start")),
      finish_(carriers.workers.attr("finish")),
      notify_(carriers.notify),
      progress_(progress) {}

std::unique_ptr<Backend::Ticket> PythonBackend::submit(const Request& request, Finish finish) {
  if (progress_.stop) {
    finish(std::nullopt, {});
    return nullptr;
  }
  if (is_asked_ && is_without_game(request)) {
    finish(Outcome{.payoff = kLevelScore}, Begin::now());
    return nullptr;
  }
  const py::gil_scoped_acquire lock;
  py::object handle;
  try {
    handle = start(request);
  } catch (const py::error_already_set& error) {
    end(request, error);
  }
  return std::make_unique<PythonTicket>(*this, request, std::move(handle), std::move(finish));
}

py::object PythonBackend::start(const Request& request) {
  if (!is_asked_) return start_(remote_request(study_, request).dump());
  const SearchSpace& space = request.objective->space();
  const Json instance = request.instance == nullptr ? Json() : request.instance->json();
  const Json opponent =
      are_duels(*request.objective) ? point_json(opponent_of(request), space) : Json();
  return start_(to_python(point_json(*request.point, space)), request_seed(request),
                to_python(instance), to_python(opponent), to_python(asked_games(request)));
}

void PythonBackend::made_run(const RunTask& task, const RunRecord& run) {
  if (run.finished) searches_.add_finished(*task.objective, run);
}

std::optional<Outcome> PythonBackend::take(const Request& request, const py::object& handle,
                                           const Begin& begin) {
  if (progress_.stop) return std::nullopt;
  const py::gil_scoped_acquire lock;
  try {
    const EvaluationKey& key = request.key;
    const py::object result = finish_(
        handle, py::make_tuple(key.cell, key.repeat, stage_name(key.stage), key.run, key.index));
    Outcome outcome = is_asked_ || py::isinstance<py::str>(result)
                          ? function_outcome(result, request)
                          : carried_out_elsewhere(result.cast<std::string>(), begin.seconds());
    if (!notify_.is_none()) {
      notify_(progress_.evaluations.load() + 1, progress_.total_evaluations);
    }
    return outcome;
  } catch (const py::error_already_set& error) {
    end(request, error);
    return std::nullopt;
  }
}

void PythonBackend::end(const Request& request, const py::error_already_set& error) {
  if (error_) return;
  error_ = error;
  last_ = searches_.json(&request);
  progress_.stop = true;
}

}  // namespace ntune::python
