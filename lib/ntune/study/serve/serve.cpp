#include "ntune/study/serve/serve.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <istream>
#include <limits>
#include <list>
#include <ostream>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/clock.h"
#include "ntune/core/error.h"
#include "ntune/core/fiber.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluation/backend.h"
#include "ntune/study/evaluation/study_log.h"
#include "ntune/study/evaluation/study_observer.h"
#include "ntune/study/model/incumbent.h"
#include "ntune/study/run/run.h"
#include "ntune/study/run/run_view.h"
#include "ntune/study/run_study.h"
#include "ntune/study/serve/client_request.h"
#include "ntune/study/serve/evaluation_messages.h"
#include "ntune/study/serve/search_recommendation.h"

namespace ntune {

namespace {

/// The session is left.
class Quit {};

}  // namespace

/// Where there is no journal: holds nothing but what was offered.
class OfferLog final : public StudyLog {
 public:
  [[nodiscard]] const OfferedObservations& offered() const override { return offered_; }

  void add(OfferedObservation observation) { offered_.push_back(std::move(observation)); }

 private:
  OfferedObservations offered_;
};

/// The study runs on a stack of its own; while it waits for an evaluation, requests are answered.
class StudySession::Server final : public Backend, public StudyObserver {
 public:
  Server(const Study& study, Journal* journal, ServeOptions options)
      : study_(study),
        journal_(journal),
        options_(std::move(options)),
        fiber_([this] { go_on(); }) {
    fiber_.resume();
  }
  ~Server() override { leave(); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  Json answer(const ClientRequest& request) {
    request_ = &request;
    if (!fiber_.ended()) fiber_.resume();
    request_ = nullptr;
    if (answer_) return *std::exchange(answer_, std::nullopt);
    check();
    throw InputError("the study has ended");
  }

  [[nodiscard]] bool ended() const { return fiber_.ended(); }

  void check() const {
    if (error_) std::rethrow_exception(error_);
  }

  StudyResult leave() {
    if (!fiber_.ended()) fiber_.resume();  // without a request
    return std::move(result_);
  }

  [[nodiscard]] bool threaded() const override { return false; }
  [[nodiscard]] int threads() const override { return 1; }

  std::unique_ptr<Ticket> submit(const Request& request, Finish finish) override {
    if (is_without_game(request)) {
      finish(Outcome{.payoff = kLevelScore}, Begin::now());
      return nullptr;
    }
    OpenEvaluation& added =
        open_.emplace_back(OpenEvaluation{.request = &request, .finish = std::move(finish)});
    if (journal_ != nullptr) added.id = journal_->asked_trial(request.key);
    added.handed_out = added.id >= 0 && !options_.again;
    if (added.id >= 0) {
      added.begin = Begin::now();
      if (const auto asked = journal_->asked_at(request.key)) added.begin = {.time = *asked};
    }
    return std::make_unique<OpenTicket>(*this, added);
  }

  void made_run(const RunTask& task, const RunRecord& run) override {
    if (run.finished) searches_.add_finished(*task.objective, run);
  }

 private:
  /// An evaluation that the study waits for.
  struct OpenEvaluation {
    const Request* request = nullptr;
    Backend::Finish finish;
    Begin begin = {};      ///< of whichever process has handed it out
    std::int64_t id = -1;  ///< -1: never handed out
    bool handed_out = false;
    bool finished = false;
  };

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

  /// Answers requests until the study needs no more, then until the session is left.
  void go_on() {
    try {
      result_ = run_study(study_, *this, progress_, &log(), this);
      final_ = &result_;
      if (options_.finished) options_.finished(result_);
      answer_last();
      while (true) answer_one();
    } catch (const Quit&) {
      if (final_ == nullptr) result_.interrupted = true;
    } catch (...) {
      error_ = std::current_exception();
    }
  }

  StudyLog& log() {
    if (journal_ != nullptr) return *journal_;
    return offers_;
  }

  /// The answer to a tell waits until the study has taken it in, so that nothing that follows from
  /// it is seen before.
  void answer_last() {
    if (!last_answer_.is_null()) send(std::exchange(last_answer_, Json()));
  }

  void send(Json answer) { answer_ = std::move(answer); }

  void answer_one() {
    answer_last();
    fiber_.pause();
    if (request_ == nullptr) throw Quit();
    try {
      handle(*request_);
    } catch (const RequestFault& fault) {
      send({{"error", fault.what()}});
    }
  }

  void handle(const ClientRequest& request) {
    if (is_repeated(request)) {
      const bool told = request.op == ClientRequest::Op::kTell;
      return send({{told ? "told" : "failed", request.id}});
    }
    switch (request.op) {
      case ClientRequest::Op::kAsk:
        return send(ask(request));
      case ClientRequest::Op::kTell:
        return tell(request);
      case ClientRequest::Op::kFail:
        return fail(request);
      case ClientRequest::Op::kRecommend:
        return send(recommend());
      case ClientRequest::Op::kStatus:
        return send(status());
      case ClientRequest::Op::kQuit:
        send({{"quit", true}});
        throw Quit();
    }
  }

  /// Whether the request has been carried out before, and its answer got lost.
  [[nodiscard]] bool is_repeated(const ClientRequest& request) const {
    return request.number && journal_ != nullptr && journal_->has_request(*request.number);
  }

  Json ask(const ClientRequest& request) {
    if (final_ != nullptr) return {{"done", true}};
    auto next = std::ranges::find(open_, false, &OpenEvaluation::handed_out);
    if (next == open_.end()) {
      const double left = seconds_to_lease(request, next);
      if (left > 0.0) return wait_json(left);
    }
    next->handed_out = true;
    next->begin = Begin::now();
    const auto now = next->begin.time;
    if (next->id < 0) {
      next->id = journal_ != nullptr ? journal_->append_asked(*next->request, now) : next_id_++;
    } else if (journal_ != nullptr) {
      journal_->append_asked_again(next->request->key, now);
    }
    if (journal_ != nullptr) journal_->write();
    return asked_json(*next->request, next->id);
  }

  /// Seconds until the lease of the evaluation ends that was handed out first, of those that have
  /// not been told; infinite: none does. Its client may have died, and the study waits for it.
  double seconds_to_lease(const ClientRequest& request,
                          std::list<OpenEvaluation>::iterator& oldest) {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    if (request.lease == ClientRequest::Lease::kNone) return kNever;
    for (auto open = open_.begin(); open != open_.end(); ++open) {
      if (open->finished) continue;
      if (oldest == open_.end() || open->begin.time < oldest->begin.time) oldest = open;
    }
    if (oldest == open_.end()) return kNever;
    return lease_seconds(request) - oldest->begin.seconds();
  }

  [[nodiscard]] double lease_seconds(const ClientRequest& request) const {
    if (request.lease == ClientRequest::Lease::kSeconds) return request.lease_seconds;
    // An evaluation that is only slow is then evaluated twice, by a client that had nothing to do.
    constexpr double kTimesLongest = 10.0;
    constexpr double kLeast = 60.0;
    constexpr double kBeforeTheFirst = 3600.0;
    const double longest =
        journal_ != nullptr ? std::max(longest_, journal_->longest_asked()) : longest_;
    return longest > 0.0 ? std::max(kLeast, kTimesLongest * longest) : kBeforeTheFirst;
  }

  [[nodiscard]] Json wait_json(double seconds) const {
    Json ids = Json::array();
    for (const OpenEvaluation& open : open_) {
      if (!open.finished) ids.push_back(open.id);
    }
    Json answer = {{"wait", ids}};
    constexpr double kForEver = 1e9;
    if (seconds < kForEver) answer["seconds"] = static_cast<std::int64_t>(std::ceil(seconds));
    return answer;
  }

  OpenEvaluation& find_open(const Json& id) {
    const auto found = std::ranges::find_if(open_, [&](const OpenEvaluation& open) {
      return id.is_number_integer() && open.id >= 0 && open.id == id && !open.finished;
    });
    if (found == open_.end()) {
      throw RequestFault(
          fmt::format("there is no open evaluation with id {}", printable(id.dump())));
    }
    return *found;
  }

  /// Takes payoffs of a point that nobody asked for.
  void offer(const ClientRequest& request) {
    if (open_.empty() || open_.front().request->view == nullptr) {
      throw RequestFault("the search has ended and can use no further evaluation");
    }
    const Request& asking = *open_.front().request;
    if (!asking.objective->goals().empty()) {
      throw RequestFault("a study of several goals learns only from what it asks for");
    }
    require_learner(asking.key.cell);
    OfferedObservation observation{.key = asking.key,
                                   .point = told_point(request.params, *asking.objective)};
    observation.key.index = asking.view->asked;
    if (!request.instance.is_null()) {
      observation.instance = told_instance(request.instance, study_.instances.train);
    }
    static_cast<void>(told_outcome(request, *asking.objective));  // refuses what may not be told
    for (const double value : told_values(request, {})) {
      observation.payoffs.push_back(told_payoff(value, *asking.objective));
    }
    if (journal_ != nullptr) {
      journal_->name_request(request.number);
      journal_->append_offered(std::move(observation));
      journal_->sync();
    } else {
      offers_.add(std::move(observation));
    }
    send({{"told", nullptr}});
  }

  void require_learner(std::uint32_t cell) const {
    const StudyOptimiser& optimiser = study_.optimisers[cell % study_.optimisers.size()];
    if (optimiser.plans[study_.objective_of(cell)].uses_prior) return;
    throw RequestFault(fmt::format("the optimiser '{}' learns only from what it asks for",
                                   printable(optimiser.algorithm())));
  }

  void check_instance(const ClientRequest& request, const OpenEvaluation& open) const {
    check_told_instance(request.instance, *open.request,
                        study_.instances.of(open.request->key.stage));
  }

  void tell(const ClientRequest& request) {
    if (!request.params.is_null()) return offer(request);
    OpenEvaluation& open = find_open(request.id);
    check_instance(request, open);
    take(open, request, told_outcome(request, *open.request), {{"told", open.id}});
  }

  void fail(const ClientRequest& request) {
    OpenEvaluation& open = find_open(request.id);
    check_instance(request, open);
    try {
      take(open, request, Outcome{.failure = request.reason, .cost = request.cost},
           {{"failed", open.id}});
    } catch (const EvaluationError& error) {
      send({{"error", error.what()}, {"ended", true}});
      throw;
    }
  }

  void take(OpenEvaluation& open, const ClientRequest& request, Outcome outcome, Json answer) {
    longest_ = std::max(longest_, open.begin.seconds());
    if (journal_ != nullptr) journal_->name_request(request.number);
    open.finish(std::move(outcome), open.begin);
    open.finished = true;
    open.handed_out = true;  // perhaps by an earlier process alone
    if (journal_ != nullptr) {
      journal_->name_request({});
      journal_->sync();
    }
    last_answer_ = std::move(answer);
    // Only what the study waits for lets it go on; the answer to anything else is due now.
    if (&open != &open_.front()) answer_last();
  }

  [[nodiscard]] Json recommend() {
    if (final_ != nullptr) {
      const auto& front = final_->cells[0].picks[0].front;
      if (front && !front->chosen) {
        throw RequestFault("a study of several goals has found a front, which is in result.json");
      }
      if (!study_.is_comparison()) return final_recommendation(study_, *final_);
      throw RequestFault("a comparison recommends nothing; its table is in result.json");
    }
    const Request* asking = open_.empty() ? nullptr : open_.front().request;
    Json now = searches_.json(asking);
    if (now.is_null() && asking != nullptr) {
      now = recommendation_of_offered(study_, asking->key.cell, log().offered());
    }
    if (now.is_null()) throw RequestFault("no value has been told yet");
    return now;
  }

  [[nodiscard]] Json status() const {
    Json waiting = Json::array();
    for (const OpenEvaluation& open : open_) {
      if (open.handed_out && !open.finished) waiting.push_back(open.id);
    }
    const std::int64_t planned = total_evaluations(study_);
    const std::int64_t evaluations = progress_.evaluations.load();
    Json json = {{"evaluations", evaluations},
                 {"total", final_ != nullptr ? evaluations : planned},
                 {"planned", planned},
                 {"runs", progress_.runs.load()},
                 {"total_runs", progress_.total_runs},
                 {"in_flight", waiting},
                 {"done", final_ != nullptr}};
    const Limits& limits = study_.limits;
    if (limits.seconds) {
      const double used = journal_ == nullptr ? seconds_since(begin_)
                          : final_ != nullptr ? journal_->recorded_seconds().value_or(0.0)
                                              : journal_->used().value_or(0.0);
      json["seconds_left"] = std::max(0.0, *limits.seconds - used);
    }
    if (limits.cost) json["cost_left"] = std::max(0.0, *limits.cost - progress_.cost_used);
    return json;
  }

  const Study& study_;
  StudyProgress progress_;
  Journal* journal_;
  ServeOptions options_;
  std::list<OpenEvaluation> open_;  ///< in the order in which the study asked
  std::int64_t next_id_ = 0;
  double longest_ = 0.0;  ///< seconds of an evaluation from `ask` to `tell`
  Clock::time_point begin_ = Clock::now();
  Json last_answer_;
  SearchRecommendation searches_;
  OfferLog offers_;
  StudyResult result_;
  const StudyResult* final_ = nullptr;      ///< the result of a study that is complete
  const ClientRequest* request_ = nullptr;  ///< to be answered; nullptr: the session is left
  std::optional<Json> answer_;
  std::exception_ptr error_;  ///< what has ended the study
  Fiber fiber_;
};

StudySession::StudySession(const Study& study, Journal* journal, ServeOptions options)
    : server_(std::make_unique<Server>(study, journal, std::move(options))) {}

StudySession::~StudySession() = default;

Json StudySession::answer(const ClientRequest& request) { return server_->answer(request); }

bool StudySession::ended() const { return server_->ended(); }

void StudySession::check() const { server_->check(); }

StudyResult StudySession::leave() { return server_->leave(); }

Json answer_line(StudySession& session, const std::string& line) {
  try {
    Json answer = session.answer(read_request(line));
    if (answer.contains("error")) name_evaluation(line, answer);
    return answer;
  } catch (const RequestFault& fault) {
    Json answer = {{"error", fault.what()}};
    name_evaluation(line, answer);
    return answer;
  }
}

StudyResult serve_study(const Study& study, Journal* journal, std::istream& in, std::ostream& out,
                        const ServeOptions& options) {
  StudySession session(study, journal, options);
  for (std::string line; !session.ended() && std::getline(in, line);) {
    if (line.empty()) continue;
    out << json_line(answer_line(session, line)) << '\n' << std::flush;
  }
  session.check();
  return session.leave();
}

}  // namespace ntune
