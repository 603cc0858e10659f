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
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string_view candidate = trimmed(std::string_view(text).substr(begin, end - begin));
    if (!candidate.starts_with('{')) continue;
    line = candidate;
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
  while (!take_object(worker.out(), begin, line)) {
    if (event != Process::Event::kOutput) return false;
    event = worker.wait(limits);
  }
  return true;
}

/// `without_value`: an answer need not have one.
ParsedResult parse_line(std::int64_t id, const std::string& line, bool without_value,
                        bool& broken) {
  constexpr std::size_t kQuoted = 200;
  const Json answer = parse_json(line);
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
  std::vector<std::unique_ptr<Process>> workers;
  while (std::unique_ptr<Process> worker = idle_.take()) workers.push_back(std::move(worker));
  for (const auto& worker : workers) worker->close_input();
  const ProcessLimits limits{.deadline = seconds_from_now(kFarewell), .error_tail = kErrorTail};
  for (const auto& worker : workers) {
    while (worker->wait(limits) == Process::Event::kOutput) worker->out().clear();
  }
}

std::unique_ptr<Process> WorkerPool::take() {
  while (std::unique_ptr<Process> worker = idle_.take()) {
    // One that has ended in the meantime did nothing wrong.
    worker->wait({.deadline = Clock::now()});
    if (!worker->status()) return worker;
  }
  return std::make_unique<Process>(program_);
}

CommandAttempt WorkerPool::ask(std::int64_t id, const std::string& request,
                               const std::atomic<bool>* stop, double cap) {
  std::unique_ptr<Process> worker = take();
  ProcessLimits limits = limits_.process(cap, stop);
  limits.error_tail = kErrorTail;
  CommandAttempt attempt;
  const auto begin = Clock::now();
  worker->send(request + '\n');
  auto event = Process::Event::kOutput;
  bool broken = true;
  if (read_answer(*worker, limits, attempt.out, event)) {
    const double seconds = seconds_since(begin);
    broken = !read_result(id, seconds, attempt);
  } else {
    attempt.out = std::move(worker->out());
    if (event == Process::Event::kEnded) {
      const ProcessStatus status = worker->kill();
      attempt.result.problem = "the worker ended before it had answered";
      attempt.retry = is_temporary(status);
      attempt.status = status.text();
    } else {
      limits_.end(attempt, event, cap);
    }
  }
  attempt.err = worker->err();
  if (broken) return attempt;
  worker->err().clear();
  idle_.give_back(std::move(worker));
  return attempt;
}

/// From the answer in `attempt.out`; false if it is none to this request.
bool WorkerPool::read_result(std::int64_t id, double seconds, CommandAttempt& attempt) const {
  bool broken = true;
  attempt.result = parse_line(id, attempt.out, limits_.time.is_result(), broken);
  attempt.retry = attempt.result.retry;
  if (limits_.time.is_result() && attempt.result.problem.empty()) {
    const std::optional<double> cost = attempt.result.cost;
    attempt.result = limits_.time.result_of({.wall = seconds}, attempt.ending);
    attempt.result.cost = cost;
  }
  return !broken;
}

}  // namespace ntune
