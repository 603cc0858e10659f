#pragma once

#include <functional>
#include <iosfwd>
#include <memory>

#include "ntune/core/json_fwd.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/model/study.h"
#include "ntune/study/serve/client_request.h"

namespace ntune {

struct ServeOptions {
  /// Evaluations that an earlier process handed out and that were not told are handed out again.
  bool again = true;
  /// Called when the study is complete, before its last `tell` is answered.
  std::function<void(const StudyResult&)> finished = {};
};

/// A study whose evaluations somebody else carries out. It goes on within each request, on the
/// caller's thread and a stack of its own, until it waits for the next one.
class StudySession {
 public:
  /// Goes on to where the study waits for its first request. `study` and `journal` must outlive the
  /// session; `journal` may be nullptr.
  StudySession(const Study& study, Journal* journal, ServeOptions options);
  /// Leaves the study where it is.
  ~StudySession();
  StudySession(const StudySession&) = delete;
  StudySession& operator=(const StudySession&) = delete;

  /// Carries out a request. What cannot be done is answered by {"error": …} and changes nothing.
  /// Throws what has ended the study, an EvaluationError where a failure has. One thread at a time
  /// may call it.
  Json answer(const ClientRequest& request);
  /// Whether the study takes no more requests: it was told to quit, or something has ended it.
  [[nodiscard]] bool ended() const;
  /// Throws what has ended the study, if anything has.
  void check() const;
  /// What the study has come to, interrupted if it is not complete. Leaves the study.
  StudyResult leave();

 private:
  class Server;

  std::unique_ptr<Server> server_;
};

/// Lets a program on the other side of two streams carry out the evaluations of a study, until it
/// says that it quits or has left. It writes one JSON object a line and gets one back:
///   {"op": "ask"}                          {"id": 7, "params": {…}, "seed": …, "run": …, …}
///                                          or {"wait": [ids]}, or {"done": true}
///   {"op": "ask", "lease": 600}            the same; where it would have to wait, what was handed
///                                          out longer ago is handed out again; or "lease": "auto"
///   {"op": "tell", "id": 7, "value": 0.5}  {"told": 7}     or "values": [0, 1],
///                                          or of several goals {"win": 1, "ms": 12.4}
///   {"op": "tell", "id": 7, "games": […]}  the same of a match with seats, whose `ask` has
///   "games":
///                                          "seed" and "seats" of each; of each "ranks", "scores"
///                                          or "winner"
///   {"op": "tell", "params": {…}, "value": 0.5}  {"told": null}, of a point that nobody asked for
///                                          "instance": its name or as `ask` gave it; with an id it
///                                          is checked, with params the payoff is of that one
///   {"op": "fail", "id": 7, "reason": "…"} {"failed": 7}
///   {"op": "recommend"}                    {"params": {…}, "estimate": …, …}
///   {"op": "status"}                       {"evaluations": …, "total": …, …}
///   {"op": "quit"}                         {"quit": true}
/// A `tell` or `fail` may have a number of its own, "request": with a journal, it is then carried
/// out once however often it comes. What cannot be done is answered by {"error": "…"}, with the
/// "id" that the line names, and changes nothing. Payoffs of points that nobody asked for are not
/// counted; every search that goes on or begins later knows them. Several evaluations can be asked
/// for before they are told: as many as `parallel_evaluations`. Throws EvaluationError where a
/// failure ends the study.
StudyResult serve_study(const Study& study, Journal* journal, std::istream& in, std::ostream& out,
                        const ServeOptions& options);

/// The answer to a line of such a program.
Json answer_line(StudySession& session, const std::string& line);

}  // namespace ntune
