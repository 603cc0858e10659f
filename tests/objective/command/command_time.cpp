// Programs whose time is their result, cutoffs, accepted exit statuses and reported costs.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/clock.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/instance.h"
#include "objective/command/command_make.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::command_error;
using test::make_command;
using test::observe;

namespace {

/// A program whose child computes for 0.3 s.
constexpr const char* kBusy =
    "[python3, -c, \"import os, time\\nif os.fork() == 0:\\n  while time.process_time() < 0.3: "
    "pass\\n  os._exit(0)\\nos.wait()\", '{depth}']";

}  // namespace

TEST_CASE("the wall time of a program is its result, and is minimised") {
  const auto objective = make_command("{command: [sleep, '0.2', '{depth}'], result: time}");
  CHECK(objective->unit().is_cost());
  CHECK(objective->outside_program()->costs_time());
  CHECK_FALSE(objective->payoffs().low.has_value());
  const auto sleeper = make_command("{command: [sh, -c, 'sleep 0.2', '{depth}'], result: time}");
  const Outcome outcome = observe(*sleeper);
  CHECK(outcome.failure.empty());
  CHECK(outcome.ending == Ending::kWhole);
  CHECK(-outcome.payoff >= 0.2);
  CHECK(-outcome.payoff < 5.0);
  CHECK_FALSE(make_command("{command: [echo, '{depth}']}")->outside_program()->costs_time());
}

TEST_CASE("processor time counts what the program and its children compute, not what they wait") {
  const auto sleeper =
      make_command("{command: [sh, -c, 'sleep 0.3', '{depth}'], result: {time: processor}}");
  CHECK(-observe(*sleeper).payoff < 0.2);
  const auto worker =
      make_command(std::string("{command: ") + kBusy + ", result: {time: processor}}");
  const double seconds = -observe(*worker).payoff;
  CHECK(seconds >= 0.3);
  CHECK(seconds < 5.0);
}

TEST_CASE("what is cut off is ended and costs ten times the cutoff") {
  const auto begin = Clock::now();
  const auto slow =
      make_command("{command: [sh, -c, 'sleep 1000', '{depth}'], result: time, cutoff: 300 ms}");
  const Outcome outcome = observe(*slow);
  CHECK(seconds_since(begin) < 10.0);
  CHECK(outcome.failure.empty());
  CHECK(outcome.ending == Ending::kCutOff);
  CHECK(outcome.payoff == -3.0);
  CHECK((slow->payoffs().low == -3.0 && slow->payoffs().high == 0.0));
  const auto mild = make_command(
      "{command: [sh, -c, 'sleep 1000', '{depth}'], result: {cost: number}, cutoff: 0.2, penalty: "
      "70}");
  CHECK(observe(*mild).payoff == -70.0);
  CHECK(observe(*mild).attempts == 1);
  const auto quick = make_command(
      "{command: [echo, '7', '{depth}'], result: {cost: number}, cutoff: 5 s, penalty: 70}");
  CHECK(observe(*quick).payoff == -7.0);
  CHECK(observe(*quick).ending == Ending::kWhole);
}

TEST_CASE("what is not solved counts as what is cut off") {
  const auto solver = [](const std::string& script, const std::string& options) {
    return make_command("{command: [sh, -c, '" + script + "', sh, '{depth}'], " + options + "}");
  };
  const std::string time = "result: time, cutoff: 20 s, ";
  const std::vector<std::pair<std::string, std::string>> unsolved = {
      {"exit 3", time + "unsolved: [3, 4]"},
      {"exit 3", time + "unsolved: 3"},
      {"exit 3", time + "unsolved: {exit: [3]}"},
      {"echo c; echo s UNKNOWN", time + "unsolved: {text: UNKNOWN}"},
      {"echo gave up after 9", time + "unsolved: {regex: 'up after [0-9]+$'}"},
      {R"(echo "{{\"status\": \"TimeOut\"}}")",
       time + "unsolved: {field: {status: [timeout, gap]}}"},
      {"echo c; echo s UNKNOWN", time + "exit: [10, 20]"},
      {"echo INDETERMINATE", time + "exit: [0, 10]"},
      {"echo nothing", time + "exit: [0, 10, 20]"},
      {"exit 30", time + "exit: [10, 20, 30]"},
      {"echo s UNKNOWN; echo 7", "result: {cost: number}, penalty: 200, exit: [0, 20]"},
      {"echo \"cost=7; status=MEMOUT\"",
       "result: smac, penalty: 200, unsolved: {field: {status: memout}}"},
      // What says that it has found nothing is unsolved, whatever its status and `exit` are.
      {"echo s UNKNOWN", time + "exit: [0]"},
      {"echo s UNKNOWN; exit 10", time + "exit: [10, 20]"},
      {"echo UNKNOWN; exit 30", time + "exit: [0, 30]"},
      {"echo s INDETERMINATE; exit 20", time + "exit: [0, 20]"},
      {"echo c UNKNOWN", time + "exit: [0]"},
      {"echo unknown; echo :time 0.2", "result: time, cutoff: 20 s"},
      {"echo =====UNKNOWN=====", "result: time, cutoff: 20 s"},
      {"echo s UNKNOWN, gave up; echo 3", "result: {cost: number}, penalty: 200"},
      {"echo timeout; echo 3", "result: number, direction: minimise, penalty: 200"},
      // Statuses of wrappers, in all their lines.
      {"echo Result for SMAC: TIMEOUT, 1.5, 0, 0.3, 42", "result: smac, penalty: 200"},
      {"echo Result for ParamILS: TIMEOUT, 1.5, 0, inf, 42", "result: smac, penalty: 200"},
      {"echo Result for SMAC: MEMOUT, 1.5, 0, 0.3, 42", "result: smac, penalty: 200"},
      {"echo \"cost=7; status=TIMEOUT\"", "result: smac, penalty: 200"},
      {R"(echo "Result of this algorithm run: {{\"status\": \"TIMEOUT\", \"cost\": 3}}")",
       "result: smac, penalty: 200, cutoff: 20 s"},
      {R"(echo "Result of this algorithm run: {{\"status\": \"MEMOUT\", \"cost\": 3}}")",
       "result: smac, penalty: 200, cutoff: 20 s"},
  };
  for (const auto& [script, options] : unsolved) {
    CAPTURE(script, options);
    const Outcome outcome = observe(*solver(script, options));
    CHECK(outcome.failure.empty());
    CHECK(outcome.ending == Ending::kCutOff);
    CHECK(outcome.payoff == -200.0);
  }
  const std::vector<std::pair<std::string, std::string>> solved = {
      {"echo s SATISFIABLE", time + "exit: [0, 10, 20]"},
      {"echo s UNSATISFIABLE; exit 20", time + "exit: [0, 10, 20]"},
      {"echo s OPTIMUM FOUND; exit 30", time + "exit: [10, 20, 30]"},
      {"exit 20", time + "exit: [10, 20, 30]"},
      {"echo nothing", time + "exit: [0, 10, 20], unsolved: none"},
      {"echo nothing", time + "exit: [0, 30]"},
      {"echo UNKNOWN >&2", time + "unsolved: {text: UNKNOWN}"},
      {"echo 7", "result: {cost: number}, penalty: 200, exit: [0, 20]"},
      {"echo UNKNOWN; echo s SATISFIABLE", time + "exit: [0]"},
      {"echo c unknown option; echo UNKNOWN terms: 4", time + "exit: [0]"},
      {"echo s UNKNOWN", time + "exit: [0], unsolved: none"},
      {"echo Result for SMAC: SUCCESS, 1.5, 0, 0.3, 42", "result: smac, penalty: 200"},
  };
  for (const auto& [script, options] : solved) {
    CAPTURE(script, options);
    const Outcome outcome = observe(*solver(script, options));
    CHECK(outcome.failure.empty());
    CHECK(outcome.ending == Ending::kWhole);
    CHECK(outcome.payoff > -20.0);
  }
  // Without a penalty a run keeps what it had reached at its limit, and is marked.
  const Outcome kept =
      observe(*solver("echo Result for SMAC: TIMEOUT, 1, 0, 3, 42", "result: smac"));
  CHECK(kept.ending == Ending::kCutOff);
  CHECK(kept.payoff == -3.0);
  // CRASHED is a failure, and ABORT is one of no point.
  const Outcome crashed =
      observe(*solver("echo Result for SMAC: CRASHED, 1, 0, 3, 42", "result: smac, penalty: 200"));
  CHECK_THAT(crashed.failure, StartsWith("the program reports status=CRASHED"));
  CHECK(crashed.blame == Blame::kPoint);
  const Outcome aborted =
      observe(*solver("echo Result for ParamILS: ABORT, 1, 0, 3, 42", "result: smac"));
  CHECK_THAT(aborted.failure, StartsWith("the program reports status=ABORT"));
  CHECK(aborted.blame == Blame::kMachine);
  // A score may say what it likes.
  CHECK(observe(*solver("echo UNKNOWN; echo 0.5", "result: number")).payoff == 0.5);
  // A crash stays one, whatever it has printed; so does an end without a known penalty.
  CHECK_THAT(observe(*solver("echo s UNKNOWN; exit 7", time + "exit: [10, 20]")).failure,
             StartsWith("exit status 7"));
  CHECK_THAT(observe(*solver("echo s UNKNOWN", "result: time, exit: [0, 10]")).failure,
             StartsWith("not solved; with a 'cutoff' or a 'penalty'"));
  CHECK_THAT(observe(*solver("true", time + "exit: [10, 20]")).failure,
             StartsWith("exit status 0"));
}

TEST_CASE("a worker says that it has not solved its problem") {
  const auto worker = make_command(
      "{protocol: worker, result: json, direction: minimise, penalty: 40, unsolved: {field: "
      "{status: [unknown]}}, command: [python3, -c, \"import json, sys\\nfor line in sys.stdin:\\n "
      " "
      "print(json.dumps(dict(id=json.loads(line)['id'], status='unknown')), flush=True)\"]}");
  const Outcome outcome = observe(*worker);
  CHECK(outcome.failure.empty());
  CHECK(outcome.ending == Ending::kCutOff);
  CHECK(outcome.payoff == -40.0);
}

TEST_CASE("an answer is compared with the one that the instance expects") {
  const auto solver = [](const std::string& script) {
    return make_command("{command: [sh, -c, '" + script +
                        "', sh, '{depth}'], result: time, cutoff: 20 s, exit: [0, 10, 20]}");
  };
  const auto on = [](const char* expected) {
    return Instance{.name = "one.cnf", .values = {{"file", "one.cnf"}, {"expect", expected}}};
  };
  const Instance satisfiable = on("SAT");
  const Instance unknown = on("unknown");
  const auto yes = solver("exit 10");
  CHECK(observe(*yes, {.instance = &satisfiable}).failure.empty());
  CHECK(observe(*yes, {.instance = &satisfiable}).answer == SolverAnswer::kSatisfiable);
  const auto no = solver("echo s UNSATISFIABLE");
  CHECK_THAT(observe(*no, {.instance = &satisfiable}).failure,
             StartsWith("wrong answer: unsatisfiable, the instance 'one.cnf' is satisfiable"));
  CHECK(observe(*no, {.instance = &unknown}).failure.empty());
  CHECK(observe(*no).answer == SolverAnswer::kUnsatisfiable);
  CHECK(observe(*solver("exit 0"), {.instance = &satisfiable}).answer == SolverAnswer::kNone);
}

TEST_CASE("a cutoff of processor time lets a program wait") {
  const auto sleeper = make_command(
      "{command: [sh, -c, 'sleep 0.4', '{depth}'], result: {time: processor}, cutoff: 0.2}");
  CHECK(observe(*sleeper).ending == Ending::kWhole);
  const auto endless = make_command(
      "{command: [sh, -c, 'while :; do :; done', '{depth}'], result: {time: processor}, "
      "cutoff: 0.2}");
  const Outcome outcome = observe(*endless);
  CHECK(outcome.ending == Ending::kCutOff);
  CHECK(outcome.payoff == -2.0);
  const auto waiting = make_command(
      "{command: [sh, -c, 'sleep 1000', '{depth}'], result: {time: processor}, cutoff: 0.2, "
      "timeout: 0.5}");
  CHECK_THAT(observe(*waiting).failure, StartsWith("no result within 0.5 s, killed"));
}

TEST_CASE("a program that can no longer win is ended, with the least that its time can be") {
  const auto slow =
      make_command("{command: [sh, -c, 'sleep 1000', '{depth}'], result: time, cutoff: 50 s}");
  const Outcome capped = observe(*slow, {.cap = 0.2});
  CHECK(capped.ending == Ending::kCapped);
  CHECK(capped.payoff == -0.2);
  const auto quick = make_command("{command: ['true', '{depth}'], result: time}");
  CHECK(observe(*quick, {.cap = 10.0}).ending == Ending::kWhole);
  // A cap is of times only.
  const auto number = make_command("{command: [sh, -c, 'sleep 0.3; echo 4', '{depth}']}");
  CHECK(observe(*number, {.cap = 0.1}).payoff == 4.0);
}

TEST_CASE("exit statuses that the study accepts are results") {
  const std::string solver = "{command: [sh, -c, 'echo 3; exit 20', '{depth}']";
  CHECK_THAT(observe(*make_command(solver + "}")).failure, StartsWith("exit status 20; command:"));
  CHECK(observe(*make_command(solver + ", exit: [0, 10, 20]}")).payoff == 3.0);
  CHECK(observe(*make_command(solver + ", exit: 20}")).payoff == 3.0);
  CHECK_THAT(observe(*make_command(solver + ", exit: [0, 10]}")).failure,
             StartsWith("exit status 20; command:"));
  CHECK(observe(*make_command("{command: [sh, -c, 'exit 10', '{depth}'], result: time, exit: 10}"))
            .failure.empty());
}

TEST_CASE("costs are read from a pattern, and a JSON object may say what it used of a budget") {
  CHECK(observe(*make_command("{command: [echo, 'length: 12', '{depth}'], result: {cost: {regex: "
                              "'length: (\\d+)'}}}"))
            .payoff == -12.0);
  const Outcome outcome = observe(*make_command(
      "{command: [echo, '{{\"value\": 4, \"cost\": 2.5, \"depth\": {depth}}}'], result: json}"));
  CHECK(outcome.payoff == 4.0);
  CHECK(outcome.cost == 2.5);
  CHECK_THAT(observe(*make_command("{command: [echo, '{{\"value\": 4, \"cost\": -1, \"x\": "
                                   "{depth}}}']}"))
                 .failure,
             StartsWith("'cost' is -1, a finite number of at least 0 is allowed"));
}

TEST_CASE("the time of a worker is that of its answer") {
  const std::string script =
      "[python3, -c, \"import json, sys, time\\n\\nfor line in sys.stdin:\\n  r = "
      "json.loads(line)\\n  time.sleep(0.2 if r['params']['depth'] < 3 else 1000)\\n  "
      "print(json.dumps(dict(id=r['id'], cost=5)), flush=True)\"]";
  const auto objective =
      make_command("{protocol: worker, command: " + script + ", result: time, cutoff: 1.5 s}");
  const Outcome outcome = observe(*objective);
  CAPTURE(outcome.failure);
  CHECK(outcome.failure.empty());
  CHECK(-outcome.payoff >= 0.2);
  CHECK(outcome.cost == 5.0);
  Rng rng(1);
  const Outcome late = observe(*objective, test::depth_and_book(3, true), rng, {});
  CHECK(late.ending == Ending::kCutOff);
  CHECK(late.payoff == -15.0);
}

TEST_CASE("the start of a worker is no part of the time of its first answer") {
  // It says something while it starts, and ends once it has answered.
  const auto worker = [](const std::string& more) {
    return make_command(
        "{protocol: worker, command: [python3, -c, \"import json, sys, time\\nprint('ready', "
        "flush=True)\\ntime.sleep(0.7)\\nr = json.loads(input())\\ntime.sleep(0.1)\\n"
        "print(json.dumps(dict(id=r['id'], value=1)), flush=True)\"], " +
        more + "}");
  };
  const auto timed = worker("result: time, cutoff: 500 ms");
  for (int i = 0; i < 2; ++i) {
    const Outcome outcome = observe(*timed);
    CAPTURE(outcome.failure, outcome.payoff);
    CHECK(outcome.ending == Ending::kWhole);
    CHECK(-outcome.payoff >= 0.1);
    CHECK(-outcome.payoff < 0.4);
  }
  const auto value = worker("result: json, direction: minimise, cutoff: 500 ms, penalty: 9");
  CHECK(observe(*value).payoff == -1.0);
  // One that never reads is late, and one that ends while it starts has ended.
  CHECK_THAT(observe(*make_command("{protocol: worker, command: [sleep, '1000'], result: time, "
                                   "cutoff: 100 ms, timeout: 300 ms}"))
                 .failure,
             StartsWith("the worker had not read its first request within the timeout"));
  CHECK_THAT(
      observe(*make_command("{protocol: worker, command: [sleep, '0.1'], result: time}")).failure,
      StartsWith("the worker ended before it had answered"));
}

TEST_CASE("costs and times are written back as they were asked for") {
  const auto result = [](const std::string& form) {
    const Json options =
        test::resolved("objective: {command: [a, '{depth}'], result: " + form + "}");
    CHECK(test::resolved("objective: " + options.dump()) == options);
    CHECK(options["direction"] == "minimise");
    return options["result"].dump();
  };
  CHECK(result("time") == "\"time\"");
  CHECK(result("{time: wall}") == "\"time\"");
  CHECK(result("{time: processor}") == "{\"time\":\"processor\"}");
  CHECK(result("{cost: number}") == "{\"cost\":\"number\"}");
  CHECK(result("{cost: {regex: '(.)'}}") == "{\"cost\":{\"regex\":\"(.)\"}}");
}

TEST_CASE("times, cutoffs and exit statuses that cannot be are refused with place and rule") {
  struct Message {
    std::string options;
    std::string text;
  };
  const std::vector<Message> messages = {
      {"result: tim",
       "objective.result: is 'tim', did you mean 'time'?; allowed: auto, json, smac, "
       "number, letters, cutechess, fastchess, time, {time: processor}, {cost: …} or "
       "{regex: 'score: (.*)'}"},
      {"result: {time: cpu}", "objective.result.time: is 'cpu'; allowed: wall or processor"},
      {"result: {cost: letters}",
       "objective.result.cost: is 'letters'; allowed: json, number or {regex: 'cost: (.*)'}"},
      {"result: time\n  direction: maximise",
       "study.yaml:4: objective.direction: must be minimise: the result is a time"},
      {"result: {cost: number}\n  direction: maximise",
       "study.yaml:4: objective.direction: must be minimise: the result is a cost"},
      {"cutoff: 5 s",
       "study.yaml:3: objective.cutoff: needs a result that is minimised, such as 'result: time'"},
      {"result: time\n  timeout: 30\n  cutoff: 1 min",
       "study.yaml:5: objective.cutoff: is 60 s, at most the timeout of 30 s is allowed"},
      {"result: time\n  cutoff: soon", "objective.cutoff: is 'soon', a duration such as 5 s"},
      {"result: time\n  cutoff: 5 s\n  payoffs: [0, 20]",
       "study.yaml:5: objective.payoffs: ends at 20, what is cut off costs 50 (10 times the "
       "cutoff)"},
      {"result: time\n  par: 0.5", "objective.par: is '0.5', a number from 1"},
      {"exit: [0, 300]", "study.yaml:3: objective.exit[2]: is '300', an exit status from 0 to 255"},
      {"exit: 75", "objective.exit: is 75, with which a program asks for another try"},
      {"exit: []", "objective.exit: is an empty list"},
      {"result: {cost: number}\n  cutoff: 5 s",
       "study.yaml:4: objective.cutoff: needs a 'penalty', what such an evaluation counts in the "
       "unit of the result"},
      {"unsolved: [1]", "study.yaml:3: objective.unsolved: needs a 'penalty'"},
      {"result: time\n  cutoff: 5 s\n  penalty: 4",
       "study.yaml:5: objective.penalty: is 4, at least the cutoff of 5 s is allowed"},
      {"result: time\n  cutoff: 5 s\n  penalty: much", "objective.penalty: is 'much', a number"},
      {"result: time\n  cutoff: 5 s\n  unsolved: {exits: 1}",
       "objective.unsolved.exits: unknown key, did you mean 'exit'?; allowed: exit, text, regex or "
       "field"},
      {"result: time\n  cutoff: 5 s\n  unsolved: {field: status}",
       "objective.unsolved.field: is 'status', a map such as {status: [unknown, timeout]}"},
      {"result: {cost: number}\n  direction: minimise\n  cutoff: 5\n  penalty: 9\n  observations: "
       "each",
       "objective.observations: must be mean with a cutoff"},
  };
  for (const Message& message : messages) {
    CAPTURE(message.options);
    CHECK_THAT(command_error("command: [agent, '{depth}']\n  " + message.options),
               ContainsSubstring(message.text));
  }
  CHECK_THAT(command_error("command: [agent]\n  protocol: worker\n  result: {time: processor}"),
             ContainsSubstring("objective.result: must be time: the processor time of a worker"));
  CHECK_THAT(command_error("command: [agent]\n  protocol: worker\n  exit: [0, 10]"),
             ContainsSubstring("objective.exit: must be left out: a worker answers and stays"));
}

TEST_CASE("a rehearsal shows what a time counts for") {
  Rng rng(1);
  const auto objective =
      make_command("{command: [sh, -c, 'sleep 1000', '{depth}'], result: time, cutoff: 200 ms}");
  CHECK_THAT(rehearse(*objective, test::depth_and_book(1, false), rng).text,
             ContainsSubstring("understood  cut off: 2\nvalue       2\n"));
}

}  // namespace ntune
