// What a command objective costs beyond the process that it starts, and what a worker's answer
// costs. Both answers are checked first.

#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "ntune/catalogue/objectives.h"
#include "ntune/core/process.h"
#include "ntune/objective/capabilities.h"

namespace ntune {
namespace {

std::unique_ptr<Objective> make(const std::string& options) {
  const YamlNode study = parse_yaml("{objective: {" + options +
                                    "}, space: {depth: [1, 2, 3], book: {boolean: }, c: [0.5]}}");
  const YamlNode& objective = *study.find("objective");
  return find_objective(objective).make(objective, study.find("space"));
}

/// Evaluates depth 3 and stops unless that gives 3.
void evaluate(benchmark::State& state, const Objective& objective) {
  Point point(3);
  point[0] = 2;
  Rng rng(1);
  for (auto _ : state) {
    const Outcome outcome = observe(objective, point, rng, {});
    if (outcome.payoff == 3.0 && outcome.failure.empty()) continue;
    state.SkipWithError(("wrong answer: " + outcome.failure).c_str());
    return;
  }
}

/// A process alone: /bin/echo prints the number.
void bare_process(benchmark::State& state) {
  const Program program{.arguments = {"/bin/echo", "3"}};
  for (auto _ : state) {
    if (run_program(program, "", {}).out == "3\n") continue;
    state.SkipWithError("wrong answer");
    return;
  }
}

/// The same process as an objective, with templates, environment, time limit and result.
void command(benchmark::State& state) { evaluate(state, *make("command: [/bin/echo, '{depth}']")); }

void command_with_file(benchmark::State& state) {
  evaluate(state, *make("command: [/bin/echo, '{{\"values\": [{depth}]}}', '{params:file}'], "
                        "parameters: file, result: {regex: '\\[(\\d)\\]'}"));
}

/// A request and its answer, with a worker that does nothing but read and write JSON.
void worker(benchmark::State& state) {
  const std::string code =
      "import sys, json\\n"
      "for line in sys.stdin:\\n"
      "    request = json.loads(line)\\n"
      "    answer = dict(id=request['id'], value=request['params']['depth'])\\n"
      "    print(json.dumps(answer), flush=True)\\n";
  evaluate(state, *make("command: [/usr/bin/python3, -c, \"" + code + "\"], protocol: worker"));
}

BENCHMARK(bare_process)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(command)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(command_with_file)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(worker)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
}  // namespace ntune
