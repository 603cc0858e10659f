// Study files with `command:` and `ask_tell:`: what is refused, and what is written back.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/command/command_objective.h"
#include "objective/command/command_make.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using test::command_error;

namespace {

struct Message {
  std::string objective;
  std::string text;
};

}  // namespace

TEST_CASE("wrong commands are refused with place, value and rule") {
  const std::vector<Message> messages = {
      {"command:", "study.yaml:2: objective.command: is empty, a list of arguments is needed"},
      {"command: []", "study.yaml:2: objective.command: is empty"},
      {"command: ['']", "study.yaml:2: objective.command: is empty"},
      {"command: {a: 1}", "objective.command: is a map, a list of arguments is allowed"},
      {"command: [a, [b]]", "study.yaml:2: objective.command[2]: is a list, a text is allowed"},
      {"command: agent {depth}",
       "study.yaml:2: objective.command: is a text, a list of arguments is allowed, such as "
       "[python3, agent.py]; a text for a shell needs 'shell: true'"},
      {"command: [agent, '{depth}']\n  shell: true",
       "objective.command: is a list, with 'shell: true' one text is allowed"},
      {"command:\n  - agent\n  - '--depth={dept}'",
       "study.yaml:4: objective.command[2]: has {dept}, which is not known, did you mean {depth}?"},
      {"command: agent {dept}\n  shell: true", "study.yaml:2: objective.command: has {dept}"},
      {"command: [agent]",
       "study.yaml:2: objective.command: hands over no parameter; write {name} or {params:gnu} "
       "into it, or 'parameters: stdin'"},
      {"command: [agent, '{seed}']", "hands over no parameter"},
      {"command: [agent, '{depth}']\n  protocl: worker",
       "study.yaml:3: objective.protocl: unknown key, did you mean 'protocol'?"},
      {"command: [agent, '{depth}']\n  protocol: worker",
       "objective.command: has a template, but a worker is started once"},
      {"command: [agent]\n  protocol: worker\n  environment: {S: '{seed}'}",
       "has a template, but a worker is started once"},
      {"command: [agent]\n  protocol: worker\n  parameters: stdin",
       "study.yaml:4: objective.parameters: must be none: a worker gets them with each request"},
      {"command: [agent]\n  protocol: worker\n  result: letters",
       "study.yaml:4: objective.result: must be json: a worker answers in JSON lines"},
      {"command: [agent]\n  parameters: file",
       "objective.command: needs {params:file}, the path of the file with the parameters"},
      {"command: [agent, '{params:file}']",
       "objective.parameters: must be file where the command has {params:file}"},
      {"command: [agent, '{depth}']\n  environment: [A]",
       "objective.environment: is a list, a map of names and texts is allowed"},
      {"command: [agent, '{depth}']\n  environment: {A: [1]}",
       "objective.environment.A: is a list, a text is allowed"},
      {"command: [agent, '{depth}']\n  environment:\n    A: 1\n    B: '{x}'",
       "study.yaml:5: objective.environment.B: has {x}, which is not known"},
      {"command: [agent, '{depth}']\n  directory: nowhere",
       "study.yaml:3: objective.directory: there is no folder '"},
      {"command: [agent, '{depth}']\n  result: jsn",
       "objective.result: is 'jsn', did you mean 'json'?; allowed: auto, json, smac, number, "
       "letters, cutechess, fastchess, time, {time: processor}, {cost: …} or {regex: 'score: "
       "(.*)'}"},
      {"command: [agent, '{depth}']\n  result: {regex: '('}",
       "objective.result.regex: '(' is not a regular expression"},
      {"command: [agent, '{depth}']\n  result: {regex: 'x'}",
       "objective.result.regex: 'x' has no group"},
      {"command: [agent, '{depth}']\n  result: {}", "objective.result.regex: is missing"},
      {"command: [agent, '{depth}']\n  result: {regex: '(x)', last: 1}",
       "objective.result.last: unknown key; allowed: regex"},
      {"command: [agent, '{depth}']\n  result: {cots: number}",
       "study.yaml:3: objective.result.cots: unknown key, did you mean 'cost'?; allowed: regex, "
       "time or cost"},
      {"command: [agent, '{depth}']\n  direction: minimize",
       "objective.direction: is 'minimize', did you mean 'minimise'?"},
      {"command: [agent, '{depth}']\n  result: smac\n  direction: maximise",
       "study.yaml:4: objective.direction: must be minimise: SMAC's scripts report a cost"},
      {"command: [agent, '{depth}']\n  result: letters\n  direction: minimise",
       "objective.direction: must be maximise: the result is a score"},
      {"command: [agent, '{depth}']\n  result: cutechess\n  payoffs: [0, 1]",
       "objective.payoffs: must be left out: the score of a game is from 0 to 1"},
      {"command: [agent, '{depth}']\n  payoffs: [1, 0]",
       "objective.payoffs: is [1, 0], a low below the high is allowed"},
      {"command: [agent, '{depth}']\n  payoffs: [1]",
       "objective.payoffs: is a list, 'auto' or [low, high] with two finite numbers is allowed"},
      {"command: [agent, '{depth}']\n  payoffs: [0, .inf]",
       "objective.payoffs: is ['0', '.inf'], 'auto' or [low, high] with two finite numbers is "
       "allowed"},
      {"command: [agent, '{depth}']\n  two_valued: true",
       "study.yaml:3: objective.two_valued: needs 'payoffs: [low, high]', the two values"},
      {"command: [agent, '{depth}']\n  timeout: 0",
       "objective.timeout: is '0', a duration such as 5 s, 10 min or 2h30m is allowed, above 0"},
      {"command: [agent, '{depth}']\n  memory: -1", "objective.memory: is '-1', a whole number"},
      {"command: [agent, '{depth}']\n  max_output: 0", "objective.max_output: is '0', a whole"},
      {"command: [agent, '{depth}']\n  retries: 1000", "objective.retries: is '1000', a whole"},
      {"command: [agent, '{depth}']\n  backoff: -1", "objective.backoff: is '-1', a duration"},
  };
  for (const Message& message : messages) {
    CAPTURE(message.objective);
    CHECK_THAT(command_error(message.objective), ContainsSubstring(message.text));
  }
  CHECK_THAT(test::input_error([] { test::make("objective: {command: [a, '{x}']}"); }),
             ContainsSubstring("study.yaml:1: objective: needs 'space:' beside it"));
}

TEST_CASE("right commands are taken") {
  for (const char* objective : {
           "{command: [agent, '{depth}'], environment: {A: '{seed}', B: 1}}",
           "{command: [agent], environment: {A: '{depth}'}}",
           "{command: [agent], parameters: stdin}",
           "{command: [agent, '{params:file}'], parameters: file}",
           "{command: [agent], protocol: worker, result: json}",
           "{command: [agent, '{depth}'], result: letters, two_valued: true}",
           "{command: [agent, '{depth}'], payoffs: auto, result: smac, direction: minimise}",
           "{command: agent {depth} | tail -n 1, shell: true}",
       }) {
    CAPTURE(objective);
    // The nested braces of the last one are YAML's too; that is why it stands in block style.
    const bool nested = std::string(objective).find("shell") != std::string::npos;
    CHECK(command_error(nested ? "command: 'agent {depth} | tail -n 1'\n  shell: true"
                               : std::string(objective)) == "no error");
  }
}

TEST_CASE("all options of a command are written back, and read again") {
  const auto resolved = [](const std::string& objective) {
    return test::resolved("objective: " + objective);
  };
  const Json options = resolved("{command: [agent, 3, '{depth}'], environment: {A: 1}}");
  CHECK(
      options.dump() ==
      R"({"command":["agent","3","{depth}"],"shell":false,"protocol":"once","parameters":"none",)"
      R"("environment":{"A":"1"},"directory":".","result":"auto","direction":"maximise",)"
      R"("payoffs":"auto","two_valued":false,"noisy":true,"observations":"mean","timeout":60.0,)"
      R"("cutoff":"none","par":10.0,"penalty":"none","unsolved":"auto","exit":[0],"memory":0,"max_output":1000000,"retries":2,"timeout_retries":0,"backoff":1.0})");
  CHECK(resolved(options.dump()) == options);
  const Json other =
      resolved("{command: 'a {depth}', shell: true, result: {regex: '(.)'}, payoffs: [-1, 2.5]}");
  CHECK(other["command"] == "a {depth}");
  CHECK(other["result"].dump() == "{\"regex\":\"(.)\"}");
  CHECK(other["payoffs"].dump() == "[-1.0,2.5]");
  CHECK(resolved(other.dump()) == other);
  CHECK(resolved("{command: [a, '{depth}'], result: smac}")["direction"] == "minimise");
}

TEST_CASE("examples of the table make objectives, and schemas name every option") {
  for (const ObjectiveEntry& entry : objective_table()) {
    CAPTURE(entry.title());
    if (entry.example.is_null()) continue;
    const YamlNode study = parse_yaml(entry.example.dump());
    const YamlNode& options = *study.find("objective");
    CHECK(&find_objective(options) == &entry);
    const bool is_inside = entry.kind == "table" || entry.kind == "match";
    CHECK(is_external(*entry.make(options, study.find("space"))) != is_inside);
    const Json resolved = entry.resolved(options);
    const Json schema = entry.schema();
    CHECK(schema["required"] == Json::array({entry.kind}));
    // The digest of a file stands in the study that a run has recorded, and seats where a game has
    // some: a match of two is recorded as it always was.
    const auto is_of_a_recorded_study = [](const std::string& key) {
      return key == "digest" || key == "players";
    };
    for (const auto& [key, property] : schema["properties"].items()) {
      CAPTURE(key);
      CHECK((resolved.contains(key) || is_of_a_recorded_study(key)));
      CHECK_FALSE(property["description"].get<std::string>().empty());
    }
    for (const auto& [key, value] : resolved.items()) CHECK(schema["properties"].contains(key));
  }
}

TEST_CASE("payoffs follow the direction and the form of the result") {
  const auto of = [](const std::string& objective) { return test::make_command(objective); };
  const auto cost = of("{command: [a, '{depth}'], direction: minimise, payoffs: [2, 5]}");
  CHECK((cost->payoffs().low == -5.0 && cost->payoffs().high == -2.0));
  CHECK(cost->unit().value_of(-3.0) == 3.0);
  const auto letters = of("{command: [a, '{depth}'], result: letters}");
  CHECK((letters->payoffs().low == -1.0 && letters->payoffs().high == 1.0));
  CHECK((letters->unit().value_of(1.0) == 1.0 && letters->unit().value_of(0.0) == 0.5));
  const auto chess = of("{command: [a, '{depth}'], result: cutechess, noisy: false}");
  CHECK((chess->payoffs().low == 0.0 && chess->payoffs().high == 1.0));
  CHECK((chess->unit().value_of(0.25) == 0.25 && !chess->payoffs().noisy));
  const auto open = of("{command: [a, '{depth}']}");
  CHECK((!open->payoffs().low && !open->payoffs().high && !open->payoffs().two_valued));
}

TEST_CASE("an objective that is asked for cannot be evaluated from here") {
  const std::string study =
      "objective: {ask_tell: my agent, direction: minimise, payoffs: [0, 9]}\nspace: {x: [1, 2]}";
  const auto objective = test::make(study);
  CHECK(is_external(*objective));
  CHECK(objective->description() == "my agent");
  CHECK((objective->payoffs().low == -9.0 && objective->payoffs().high == 0.0));
  CHECK(objective->unit().value_of(-4.0) == 4.0);
  Rng rng(1);
  CHECK_THROWS_WITH(objective->evaluate(Point(1), rng),
                    "is evaluated from outside: use 'ntune serve' or 'ntune ask' and 'ntune tell'");
  CHECK_THAT(rehearse(*objective, Point(1), rng).text,
             ContainsSubstring("my agent is evaluated from"));
  CHECK(test::resolved(study).dump() ==
        R"({"ask_tell":"my agent","direction":"minimise","payoffs":[0.0,9.0],)"
        R"("two_valued":false,"noisy":true})");
  CHECK_THAT(test::input_error([] { test::make("objective: {ask_tell: x}"); }),
             ContainsSubstring("study.yaml:1: objective: needs 'space:' beside it"));
  CHECK_THAT(test::input_error([] {
               test::make("objective: {ask_tell: x, two_valued: true}\nspace: {x: [1, 2]}");
             }),
             ContainsSubstring("objective.two_valued: needs 'payoffs: [low, high]'"));
}

TEST_CASE("a command objective can be made without a file") {
  const SearchSpace space({make_integers("depth", 1, 3)});
  CommandOptions options{.command = {"echo", "{depth}"}};
  const CommandObjective objective(options, space);
  Point point(1);
  point[0] = 2;
  Rng rng(1);
  CHECK(objective.evaluate(point, rng) == 3.0);
  options.command = {"echo", "{deep}"};
  CHECK_THAT(test::input_error([&] { CommandObjective(options, space); }),
             ContainsSubstring("command: has {deep}, which is not known"));
}

}  // namespace ntune
