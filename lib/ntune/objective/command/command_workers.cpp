#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/clock.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/objective/command/command_objective.h"

namespace ntune {

namespace {

constexpr std::size_t kErrorTail = 4096;
constexpr std::size_t kQuotedAnswer = 200;
constexpr double kFarewell = 2.0;  ///< seconds

/// Takes lines from the text until those of an answer, which may be several. What else begins with
/// a brace is a line of the program's own, and `passed_over` is the last of them.
bool take_answer(std::string& text, std::string& answer, std::string& passed_over) {
  constexpr std::size_t kMostLines = 200;
  static constexpr const char* kAnswers[] = {"id",    "value",  "values", "wins",
                                             "ranks", "scores", "winner", "error"};
  // Colours are taken out of whole lines, since a sequence may still be on its way.
  if (text.find('\x1b') != std::string::npos) {
    const std::size_t whole = text.rfind('\n') + 1;
    text.replace(0, whole, without_escapes(std::string_view(text).substr(0, whole)));
  }
  std::vector<std::string_view> lines;
  const auto last_brace = [&](std::size_t end) {
    while (end > 0 && !lines[end - 1].starts_with('{')) --end;
    passed_over = end > 0 ? lines[end - 1] : std::string_view();
  };
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    lines.push_back(trimmed(std::string_view(text).substr(begin, end - begin)));
    if (!lines.back().ends_with('}')) continue;
    std::size_t first = 0;
    const std::optional<Json> object = object_at_end(lines, first);
    // One that was meant as an answer is taken, so that its fault is said at once.
    const bool is_meant =
        object
            ? std::ranges::any_of(kAnswers, [&](const char* key) { return object->contains(key); })
            : lines.back().starts_with('{') &&
                  lines.back().find("\"id\"") != std::string_view::npos;
    if (is_meant) {
      if (!object) first = lines.size() - 1;
      const auto length = static_cast<std::size_t>(text.data() + end - lines[first].data());
      answer = trimmed(std::string_view(lines[first].data(), length));
      last_brace(first);
      // What has come behind the answer stays for the next request.
      text.erase(0, end + 1);
      return true;
    }
    if (lines.size() > kMostLines) lines.erase(lines.begin());
  }
  last_brace(lines.size());
  return false;
}

/// The line of the next answer; where there is none, the event says why.
bool read_answer(Process& worker, const ProcessLimits& limits, CommandAttempt& attempt,
                 Process::Event& event) {
  event = Process::Event::kOutput;
  // Output that holds no answer yet is waited on; any other event ends the request.
  while (!take_answer(worker.out(), attempt.out, attempt.passed_over)) {
    if (event != Process::Event::kOutput) return false;
    event = worker.wait(limits);
  }
  return true;
}

/// Reads an answer; `without_value` means that it need not have a value. `broken` is set where it
/// is no answer to this request.
ParsedResult parse_line(std::int64_t id, const std::string& line, bool without_value,
                        std::span<const Goal> goals, bool& broken) {
  const Json answer = parse_loose_json(line);
  // An answer that cannot be trusted ends its worker; a failure that it reports does not.
  broken = true;
  if (answer.is_discarded()) {
    return {.problem = fmt::format("the answer {}: '{}'", json_problem(line),
                                   printable(line, kQuotedAnswer))};
  }
  if (!answer.contains("id") || answer["id"] != id) {
    return {.problem = fmt::format("the answer has not the request's id {}: '{}'", id,
                                   printable(line, kQuotedAnswer))};
  }
  broken = false;
  if (without_value) return parse_end(answer);
  return goals.empty() ? parse_answer(answer) : parse_goals(answer, goals);
}

}  // namespace

WorkerPool::WorkerPool(Program program, const AttemptLimits& limits)
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

CommandAttempt WorkerPool::ask(const Request& request) {
  if (std::unique_ptr<Process> worker = take_idle()) {
    // A worker may have ended just before the request, which is then asked of a new one.
    CommandAttempt attempt = ask(std::move(worker), request, false);
    if (!attempt.unheard) return attempt;
  }
  return ask(std::make_unique<Process>(program_), request, true);
}

Process::Event WorkerPool::wait_for_start(Process& worker, const Request& request,
                                          Clock::time_point& begin) const {
  constexpr auto kLook = std::chrono::milliseconds(1);
  ProcessLimits limits = limits_.start(request.stop);
  limits.by_the_clock = !request.rehearsed;
  limits.error_tail = kErrorTail;
  const auto latest = limits.deadline;
  // What a worker writes while it starts is read, so that it does not wait for its pipe.
  while (worker.has_unread_input()) {
    begin = Clock::now();
    limits.deadline = std::min(latest, begin + kLook);
    const auto event = worker.wait(limits);
    const bool goes_on = event == Process::Event::kOutput ||
                         (event == Process::Event::kTimedOut && Clock::now() < latest);
    // One that has ended may have answered before.
    if (event == Process::Event::kEnded) break;
    if (!goes_on) return event;
  }
  return Process::Event::kOutput;
}

CommandAttempt WorkerPool::ask(std::unique_ptr<Process> worker, const Request& request,
                               bool is_new) {
  CommandAttempt attempt;
  // Text that was there before the request is no word to it.
  const std::size_t before = worker->out().size();
  auto begin = Clock::now();
  worker->send(request.line + '\n');
  auto event = Process::Event::kOutput;
  // The start of a process is no part of the time of its first answer.
  if (is_new && limits_.are_by_the_clock()) event = wait_for_start(*worker, request, begin);
  ProcessLimits limits = limits_.process(request.cap, request.stop);
  limits.by_the_clock = limits.by_the_clock && !request.rehearsed;
  limits.error_tail = kErrorTail;
  bool broken = true;
  if (event == Process::Event::kTimedOut) {
    attempt.late = true;
    attempt.result.problem = "the worker had not read its first request within the timeout";
  } else if (event == Process::Event::kOutput && read_answer(*worker, limits, attempt, event)) {
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
    if (!attempt.passed_over.empty() && !attempt.result.problem.empty()) {
      attempt.result.problem += fmt::format("; a line that begins with a brace is no answer: '{}'",
                                            printable(attempt.passed_over, kQuotedAnswer));
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
  attempt.result = parse_line(id, attempt.out, limits_.are_of_result(), goals_, broken);
  attempt.retry = attempt.result.retry;
  // The time of the answer is the result; a cost that the answer names is kept.
  if (limits_.are_of_result() && attempt.result.problem.empty()) {
    const std::optional<double> cost = attempt.result.cost;
    attempt.result = limits_.result_of({.wall = seconds}, attempt.ending);
    attempt.result.cost = cost;
  }
  return !broken;
}

}  // namespace ntune
