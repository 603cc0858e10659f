#pragma once

#include <functional>
#include <iosfwd>
#include <optional>

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

/// Who carries out the evaluations of a study: a program behind streams, or a caller in turns.
/// Every request is answered once, before the next one is asked for.
class Client {
 public:
  virtual ~Client() = default;

  /// The next request; nothing: the client has left.
  virtual std::optional<ClientRequest> next() = 0;
  /// Takes the answer to the last request.
  virtual void answer(Json answer) = 0;
  /// Takes why the last request cannot be carried out.
  virtual void refuse(const RequestFault& fault) = 0;
};

/// Lets a client carry out the evaluations of a study. Returns when told to quit or when the client
/// has left. Throws EvaluationError where a failure ends the study. `journal` may be nullptr.
StudyResult serve_study(const Study& study, Journal* journal, Client& client,
                        const ServeOptions& options);

/// Lets a program on the other side of two streams carry out the evaluations of a study. It writes
/// one JSON object a line and gets one back:
///   {"op": "ask"}                          {"id": 7, "params": {…}, "seed": …, "run": …, …}
///                                          or {"wait": [ids]}, or {"done": true}
///   {"op": "ask", "lease": 600}            the same; where it would have to wait, what was handed
///                                          out longer ago is handed out again; or "lease": "auto"
///   {"op": "tell", "id": 7, "value": 0.5}  {"told": 7}     or "values": [0, 1]
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
/// for before they are told: as many as `parallel_evaluations`.
StudyResult serve_study(const Study& study, Journal* journal, std::istream& in, std::ostream& out,
                        const ServeOptions& options);

}  // namespace ntune
