#include "ntune/objective/command/command_workers.h"

#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/clock.h"
#include "ntune/core/json_parser.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

constexpr std::size_t kErrorTail = 4096;
constexpr double kFarewell = 2.0;  ///< seconds

/// Takes lines from the text until one begins as a JSON object does.
bool take_object(std::string& text, std::size_t& begin, std::string& line) {
  // Other lines may be log messages of the program and are passed over.
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string_view candidate = trimmed(std::string_view(text).substr(begin, end - begin));
    if (!candidate.starts_with('{')) continue;
    line = candidate;
    // What has come behind the answer stays for the next request.
    text.erase(0, end + 1);
    return true;
  }
  return false;
}

/// The line of the next answer; where there is none, the event says why.
bool read_answer(Process& worker, const ProcessLimits& limits, std::string& line,
                 Process::Event& event) {
  std::size_t begin = 0;
  event = Process::Event::kOutput;
  // Output that holds no answer yet is waited on; any other event ends the request.
  while (!take_object(worker.out(), begin, line)) {
    if (event != Process::Event::kOutput) return false;
    event = worker.wait(limits);
  }
  return true;
}

/// Reads an answer; `without_value` means that it need not have a value. `broken` is set where it
/// is no answer to this request.
ParsedResult parse_line(std::int64_t id, const std::string& line, bool without_value,
                        bool& broken) {
  constexpr std::size_t kQuoted = 200;
  const Json answer = parse_json(line);
  // An answer that cannot be trusted ends its worker; a failure that it reports does not.
  broken = true;
  if (answer.is_discarded()) {
    return {.problem =
                fmt::format("the answer {}: '{}'", json_problem(line), printable(line, kQuoted))};
  }
  if (!answer.contains("id") || answer["id"] != id) {
    return {.problem = fmt::format("the answer has not the request's id {}: '{}'", id,
                                   printable(line, kQuoted))};
  }
  broken = false;
  return without_value ? parse_end(answer) : parse_answer(answer);
}

}  // namespace

WorkerPool::WorkerPool(Program program, const AnswerLimits& limits)
    : program_(std::move(program)), limits_(limits) {}

WorkerPool::~WorkerPool() {
  // All workers are told first and then waited for, so that they end at the same time.
  std::vector<std::unique_ptr<Process>> workers;
  while (std::unique_ptr<Process> worker = idle_.take()) workers.push_back(std::move(worker));
  for (const auto& worker : workers) worker->close_input();
  const ProcessLimits limits{.deadline = seconds_from_now(kFarewell), .error_tail = kErrorTail};
  // A worker that still writes is read, so that it does not wait for its pipe.
  for (const auto& worker : workers) {
    while (worker->wait(limits) == Process::Event::kOutput) worker->out().clear();
  }
}

std::unique_ptr<Process> WorkerPool::take_idle() {
  while (std::unique_ptr<Process> worker = idle_.take()) {
    // One that has ended in the meantime did nothing wrong.
    worker->wait({.deadline = Clock::now()});
    if (!worker->status()) return worker;
  }
  return nullptr;
}

CommandAttempt WorkerPool::ask(std::int64_t id, const std::string& line,
                               const std::atomic<bool>* stop, double cap) {
  const Request request{.id = id, .line = line, .stop = stop, .cap = cap};
  if (std::unique_ptr<Process> worker = take_idle()) {
    // A worker may have ended just before the request, which is then asked of a new one.
    CommandAttempt attempt = ask(std::move(worker), request);
    if (!attempt.unheard) return attempt;
  }
  return ask(std::make_unique<Process>(program_), request);
}

CommandAttempt WorkerPool::ask(std::unique_ptr<Process> worker, const Request& request) {
  ProcessLimits limits = limits_.process(request.cap, request.stop);
  limits.error_tail = kErrorTail;
  CommandAttempt attempt;
  // Text that was there before the request is no word to it.
  const std::size_t before = worker->out().size();
  const auto begin = Clock::now();
  worker->send(request.line + '\n');
  auto event = Process::Event::kOutput;
  bool broken = true;
  if (read_answer(*worker, limits, attempt.out, event)) {
    const double seconds = seconds_since(begin);
    broken = !read_result(request.id, seconds, attempt);
  } else {
    attempt.out = std::move(worker->out());
    // Without an answer the worker is not used again, and it is killed when it goes out of scope.
    if (event == Process::Event::kEnded) {
      attempt.status = worker->kill();
      attempt.result.problem = "the worker ended before it had answered";
      attempt.retry = is_temporary(*attempt.status);
      attempt.unheard = !attempt.retry && attempt.out.size() == before;
    } else {
      limits_.end(attempt, event, request.cap);
    }
  }
  attempt.stood_still = worker->stood_still();
  attempt.err = worker->err();
  if (broken) return attempt;
  // Only a worker that answered properly waits for the next request.
  worker->err().clear();
  idle_.give_back(std::move(worker));
  return attempt;
}

/// Reads the result from the answer in `attempt.out`; false if it is none to this request.
bool WorkerPool::read_result(std::int64_t id, double seconds, CommandAttempt& attempt) const {
  bool broken = true;
  attempt.result = parse_line(id, attempt.out, limits_.time.is_result(), broken);
  attempt.retry = attempt.result.retry;
  // The time of the answer is the result; a cost that the answer names is kept.
  if (limits_.time.is_result() && attempt.result.problem.empty()) {
    const std::optional<double> cost = attempt.result.cost;
    attempt.result = limits_.time.result_of({.wall = seconds}, attempt.ending);
    attempt.result.cost = cost;
  }
  return !broken;
}

}  // namespace ntune
