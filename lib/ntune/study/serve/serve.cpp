#include "ntune/study/serve/serve.h"

#include <algorithm>
#include <cmath>
#include <istream>
#include <list>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/backend.h"
#include "ntune/study/run.h"
#include "ntune/study/run_study.h"
#include "ntune/study/study_observer.h"

namespace ntune {

namespace {

/// The program on the other side has left.
class Quit {};

/// A wrong request, to be answered.
class RequestFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An evaluation that the study waits for.
struct OpenEvaluation {
  const Request* request = nullptr;
  Backend::Finish finish;
  Backend::Time start;
  std::int64_t id = -1;  ///< -1: never handed out
  bool handed_out = false;
  bool finished = false;
};

const Json& field(const Json& request, const char* key, const char* what) {
  if (!request.contains(key)) throw RequestFault(fmt::format("'{}' is missing, {}", key, what));
  return request[key];
}

/// The payoff that is reported as the value of a key.
double payoff_of(const Json& value, const char* key, const Unit& unit) {
  if (!value.is_number() || !std::isfinite(value.get<double>())) {
    throw RequestFault(
        fmt::format("'{}' is {}, a finite number is allowed", key, printable(value.dump())));
  }
  const double payoff = unit.payoff_of(value.get<double>());
  if (const std::string fault = fault_of_payoff(payoff, unit); !fault.empty()) {
    throw RequestFault(fmt::format("'{}': {}", key, fault));
  }
  return payoff;
}

/// The study runs on this thread; while it waits for an evaluation, requests are answered.
class Server final : public Backend, public StudyObserver {
 public:
  Server(const Study& study, Journal* journal, std::istream& in, std::ostream& out,
         const ServeOptions& options)
      : study_(study), journal_(journal), in_(in), out_(out), options_(options) {}

  [[nodiscard]] bool threaded() const override { return false; }
  [[nodiscard]] int threads() const override { return 1; }

  std::optional<Outcome> evaluate(const Request& request) override {
    std::optional<Outcome> result;
    submit(request, [&result](std::optional<Outcome> outcome, Time) {
      result = std::move(outcome);
    })->wait();
    return result;
  }

  std::unique_ptr<Ticket> submit(const Request& request, Finish finish) override {
    OpenEvaluation& added = open_.emplace_back(
        OpenEvaluation{.request = &request, .finish = std::move(finish), .start = {}});
    if (journal_ != nullptr) added.id = journal_->asked_trial(request.key);
    added.handed_out = added.id >= 0 && !options_.again;
    return std::make_unique<OpenTicket>(*this, added);
  }

  /// Answers requests until the study needs no more, then until the program leaves.
  StudyResult serve() {
    StudyResult result;
    try {
      result = run_study(study_, *this, progress_, journal_, this);
      final_ = &result;
      if (options_.finished) options_.finished(result);
      answer_last();
      while (true) answer_one();
    } catch (const Quit&) {
      if (final_ == nullptr) result.interrupted = true;
    }
    return result;
  }

  void made_run(const RunTask& task, const RunRecord& run) override {
    if (run.finished) finished_runs_.emplace_back(task.objective, run);
  }

 private:
  class OpenTicket final : public Ticket {
   public:
    OpenTicket(Server& server, OpenEvaluation& open) : server_(server), open_(open) {}
    ~OpenTicket() override {
      server_.open_.remove_if([this](const OpenEvaluation& other) { return &other == &open_; });
    }
    OpenTicket(const OpenTicket&) = delete;
    OpenTicket& operator=(const OpenTicket&) = delete;

    void wait() override {
      server_.answer_last();
      while (!open_.finished) server_.answer_one();
    }

   private:
    Server& server_;
    OpenEvaluation& open_;
  };

  /// The answer to a tell waits until the study has taken it in, so that nothing that follows from
  /// it is seen before.
  void answer_last() {
    if (!last_answer_.is_null()) send(std::exchange(last_answer_, Json()));
  }

  void send(const Json& answer) {
    out_ << answer.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
  }

  void answer_one() {
    answer_last();
    std::string line;
    if (!std::getline(in_, line)) throw Quit();
    if (line.empty()) return;
    try {
      const Json request = Json::parse(line, nullptr, false);
      if (!request.is_object()) throw RequestFault("the line is not a JSON object");
      handle(request);
    } catch (const RequestFault& fault) {
      send({{"error", fault.what()}});
    }
  }

  void handle(const Json& request) {
    static const std::vector<std::string> kOps = {"ask",       "tell",   "fail",
                                                  "recommend", "status", "quit"};
    const Json& named = field(request, "op", "one of ask, tell, fail, recommend, status, quit");
    const std::string op = named.is_string() ? named.get<std::string>() : named.dump();
    if (op == "ask") return send(ask());
    if (op == "tell") return tell(request);
    if (op == "fail") return fail(request);
    if (op == "recommend") return send(recommend());
    if (op == "status") return send(status());
    if (op == "quit") {
      send({{"quit", true}});
      throw Quit();
    }
    throw RequestFault(
        fmt::format("there is no op '{}'; allowed: {}", printable(op), list_text(kOps)));
  }

  Json ask() {
    if (final_ != nullptr) return {{"done", true}};
    const auto next = std::ranges::find(open_, false, &OpenEvaluation::handed_out);
    if (next == open_.end()) {
      Json ids = Json::array();
      for (const OpenEvaluation& open : open_) {
        if (!open.finished) ids.push_back(open.id);
      }
      return {{"wait", ids}};
    }
    next->handed_out = true;
    next->start = std::chrono::system_clock::now();
    if (next->id < 0) {
      next->id =
          journal_ != nullptr ? journal_->append_asked(*next->request, next->start) : next_id_++;
      if (journal_ != nullptr) journal_->write();
    }
    const Request& request = *next->request;
    const EvaluationKey& key = request.key;
    Rng stream = request.stream;
    constexpr int kSeedShift = 33;  // 31 bits, for programs whose integers are small
    return {{"id", next->id},
            {"params", point_json(*request.point, request.objective->space())},
            {"seed", stream() >> kSeedShift},
            {"stage", stage_name(key.stage)},
            {"repeat", key.repeat},
            {"run", key.run},
            {"evaluation", key.index}};
  }

  OpenEvaluation& find_open(const Json& request) {
    const Json& id = field(request, "id", "the id that the answer to 'ask' named");
    const auto found = std::ranges::find_if(open_, [&](const OpenEvaluation& open) {
      return id.is_number_integer() && open.id >= 0 && open.id == id && !open.finished;
    });
    if (found == open_.end()) {
      throw RequestFault(
          fmt::format("no evaluation with id {} is waited for", printable(id.dump())));
    }
    return *found;
  }

  void tell(const Json& request) {
    OpenEvaluation& open = find_open(request);
    const Objective& objective = *open.request->objective;
    Outcome outcome;
    if (request.contains("values")) {
      const Json& values = request["values"];
      if (!values.is_array() || values.empty()) {
        throw RequestFault("'values' is not a list of one or more numbers");
      }
      for (const Json& value : values) {
        outcome.observations.push_back(payoff_of(value, "values", objective.unit()));
      }
      outcome.payoff = stats_of(outcome.observations).mean();
      if (!objective.payoffs().several || values.size() == 1) outcome.observations.clear();
    } else {
      const Json& value = field(request, "value", "the observed value, a number");
      outcome.payoff = payoff_of(value, "value", objective.unit());
    }
    take(open, std::move(outcome), {{"told", open.id}});
  }

  void fail(const Json& request) {
    OpenEvaluation& open = find_open(request);
    std::string reason = "no reason given";
    if (request.contains("reason") && request["reason"].is_string()) {
      reason = printable(request["reason"].get<std::string>(), 1000);
    }
    try {
      take(open, Outcome{.failure = reason}, {{"failed", open.id}});
    } catch (const EvaluationError& error) {
      send({{"error", error.what()}, {"ended", true}});
      throw;
    }
  }

  void take(OpenEvaluation& open, Outcome outcome, Json answer) {
    open.finish(std::move(outcome), open.start);
    open.finished = true;
    if (journal_ != nullptr) journal_->write();
    last_answer_ = std::move(answer);
    // Only what the study waits for lets it go on; the answer to anything else is due now.
    if (&open != &open_.front()) answer_last();
  }

  [[nodiscard]] Json recommend() const {
    if (final_ != nullptr) return final_recommendation();
    const Objective* objective = nullptr;
    RunRecord best;
    const auto consider = [&](const Objective& searched, const RunRecord& run) {
      const bool cost = searched.unit().is_cost();
      if (objective != nullptr &&
          (cost ? run.estimate >= best.estimate : run.estimate <= best.estimate)) {
        return;
      }
      objective = &searched;
      best = run;
    };
    for (const auto& [searched, run] : finished_runs_) consider(*searched, run);
    if (!open_.empty() && open_.front().request->view != nullptr) {
      const Request& request = *open_.front().request;
      if (request.view->payoffs > 0) {
        const Recommendation now = request.view->optimiser->recommend();
        consider(*request.objective, {.run = request.key.run,
                                      .point = now.point,
                                      .estimate = request.objective->unit().value_of(now.estimate),
                                      .point_evaluations = now.evaluations});
      }
    }
    if (objective == nullptr) throw RequestFault("no value has been told yet");
    return {{"params", point_json(best.point, objective->space())},
            {"estimate", best.estimate},
            {"evaluations", best.point_evaluations},
            {"run", best.run},
            {"final", false}};
  }

  [[nodiscard]] Json final_recommendation() const {
    if (study_.is_comparison()) {
      throw RequestFault("a comparison recommends nothing; its table is in result.json");
    }
    const Pick& pick = final_->cells[0].picks[0];
    const Objective& objective = *study_.objectives[0].objective;
    const bool held_out = pick.hold_out.payoffs.count() > 0;
    Json json = {{"params", point_json(pick.point, objective.space())},
                 {"estimate", pick.estimate},
                 {"value", held_out ? Json(objective.unit().value_of(pick.hold_out.payoffs.mean()))
                                    : Json()},
                 {"interval", Json()},
                 {"run", pick.run},
                 {"final", true}};
    if (pick.hold_out.interval)
      json["interval"] = {pick.hold_out.interval->low, pick.hold_out.interval->high};
    return json;
  }

  [[nodiscard]] Json status() const {
    Json waiting = Json::array();
    for (const OpenEvaluation& open : open_) {
      if (open.handed_out && !open.finished) waiting.push_back(open.id);
    }
    return {{"evaluations", progress_.evaluations.load()},
            {"total", total_evaluations(study_)},
            {"runs", progress_.runs.load()},
            {"total_runs", progress_.total_runs},
            {"in_flight", waiting},
            {"done", final_ != nullptr}};
  }

  const Study& study_;
  StudyProgress progress_;
  Journal* journal_;
  std::istream& in_;
  std::ostream& out_;
  const ServeOptions& options_;
  std::list<OpenEvaluation> open_;  ///< in the order in which the study asked
  std::int64_t next_id_ = 0;
  Json last_answer_;
  std::vector<std::pair<const Objective*, RunRecord>> finished_runs_;
  const StudyResult* final_ = nullptr;
};

}  // namespace

StudyResult serve_study(const Study& study, Journal* journal, std::istream& in, std::ostream& out,
                        const ServeOptions& options) {
  return Server(study, journal, in, out, options).serve();
}

}  // namespace ntune
