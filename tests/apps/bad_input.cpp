// Wrong input: one line that says where and what, exit code 2, and nothing written.

#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/command.h"
#include "catch.h"
#include "support/temporary_folder.h"
#include "support/unwrapped.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::command;
using test::CommandOutcome;

namespace {

/// `text` is what follows the name of the file: ":line: key: …".
struct Case {
  std::string study;
  std::string text;
};

std::string bomb() {
  std::string yaml = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 8; ++i) {
    const std::string one = fmt::format("*a{}", i - 1);
    yaml += fmt::format("a{}: &a{} [{}", i, i, one);
    for (int k = 1; k < 10; ++k) yaml += ", " + one;
    yaml += "]\n";
  }
  return yaml;
}

const std::string kHartmann = "objective: hartmann6\n";

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      // Keys
      {kHartmann + "iteration: 5\n",
       ":2: iteration: unknown key, did you mean 'iterations'?; allowed: name, objective, "},
      {kHartmann + "xyzzy: 5\n", ":2: xyzzy: unknown key; allowed: name, "},
      {"objektive: hartmann6\n", ":1: objektive: unknown key, did you mean 'objective'?"},
      {kHartmann + "optimiser: {neighbour: 5}\n",
       ":2: optimiser.neighbour: unknown key, did you mean 'neighbours'?"},
      {"objective: {function: nk, dimension: 5}\n",
       ":1: objective.dimension: unknown key, did you mean 'dimensions'?"},
      {kHartmann + "re_evaluation:\n  metod: repeats\n",
       ":3: re_evaluation.metod: unknown key, did you mean 'method'?"},
      {kHartmann + "budget: 500\nsplits:\n  - {run: 5}\n",
       ":4: splits[1].run: unknown key, did you mean 'runs'?"},
      {kHartmann + "space:\n  x1: {rang: [0, 1], points: 3}\n",
       ":3: space.x1.rang: unknown kind of parameter, did you mean 'range'?"},
      {kHartmann + "space:\n  x1: {range: [0, 1], point: 3}\n",
       ":3: space.x1.point: unknown key, did you mean 'points'?"},
      {kHartmann + "space: {x7: [0, 1]}\n",
       ":2: space.x7: there is no such parameter, did you mean"},
      {kHartmann + "runs: 2\nruns: 3\n", ":3: runs: this key stands twice in one map"},
      // Types
      {kHartmann + "runs: many\n",
       ":2: runs: is 'many', a whole number from 1 to 1000000 is allowed"},
      {kHartmann + "runs: 2.5\n", ":2: runs: is '2.5', a whole number"},
      {kHartmann + "runs: [5]\n", ":2: runs: is a list, a whole number"},
      {kHartmann + "budget: 99.5\n", ":2: budget: is '99.5', 'auto' or a whole number"},
      {kHartmann + "name: [a]\n", ":2: name: is a list, a text is allowed"},
      {kHartmann + "optimiser: {different: 1}\n",
       ":2: optimiser.different: is '1', true or false is allowed"},
      {"objective: [hartmann6]\n", ":1: objective: is a list, "},
      {"objectives: hartmann6\n",
       ":1: objectives: is 'hartmann6', a list of objectives is allowed"},
      {kHartmann + "optimiser: [ntbea]\n",
       ":2: optimiser: is a list, one is allowed; write 'optimisers:' for several"},
      {kHartmann + "optimisers: ntbea\n",
       ":2: optimisers: is 'ntbea', a list of optimisers is allowed"},
      {"- objective\n", ":1: is a list, a map of options is allowed"},
      {"hartmann6\n", ":1: is 'hartmann6', a map of options is allowed"},
      // Names
      {"objective: hartman6\n",
       ":1: objective: is 'hartman6', did you mean 'hartmann6'?; allowed: "},
      {kHartmann + "optimiser: ntbae\n",
       ":2: optimiser: 'ntbae' is not an optimiser, did you mean 'ntbea'?; allowed: "},
      {kHartmann + "optimiser: {weighting: linaer}\n",
       ":2: optimiser.weighting: is 'linaer', did you mean 'linear'?; allowed: "},
      {kHartmann + "re_evaluation: {method: repeat}\n",
       ":2: re_evaluation.method: is 'repeat', did you mean 'repeats'?; allowed: "},
      {kHartmann + "record: all\n",
       ":2: record: is 'all'; allowed: auto, evaluations, runs or none"},
      {kHartmann + "fail: never\n",
       ":2: fail: is 'never', abort, skip or {value: number} is allowed"},
      {kHartmann + "parallel_evaluations: 0\n",
       ":2: parallel_evaluations: is '0', a whole number from 1 to 1024 is allowed"},
      // Spaces
      {kHartmann + "space: {x1: {range: [1, 0], points: 3}}\n",
       ":2: space.x1.range: is from 1 to 0, the low end may not be above the high end"},
      {kHartmann + "space: {x1: []}\n", ":2: space.x1: has no values, at least one is needed"},
      {kHartmann + "space: {x1: [0.1, 0.2, 0.1]}\n",
       ":2: space.x1: has the value 0.1 twice, at places 1 and 3; values must differ"},
      {kHartmann + "space:\n  x1: [0, 1]\n  x1: [0, 1]\n",
       ":4: space.x1: this key stands twice in one map"},
      {kHartmann + "space: {x1: [0, .nan]}\n",
       ":2: space.x1[2]: is '.nan', a finite number is allowed"},
      {kHartmann + "space:\n  x1: [0, 1]\n  forbid:\n    - x1: [0, 1]\n", ":4: space.forbid: "},
      {kHartmann + "space: {forbid: [{x9: 1}]}\n",
       ":2: space.forbid[1].x9: there is no such parameter"},
      {kHartmann + "space: none.yaml\n",
       ":2: space: is 'none.yaml', a map of parameters or the path"},
      // Tuples
      {kHartmann + "optimiser:\n  tuples: [1, [x1, x9]]\n",
       ":3: optimiser.tuples[2][2]: 'x9' is not a parameter of the space"},
      {kHartmann + "optimiser: {tuples: []}\n", ":2: optimiser.tuples: is a list, a list of sizes"},
      {kHartmann + "optimiser: {tuples: [1, 1]}\n", ":2: optimiser.tuples[2]: size 1 stands twice"},
      // Numbers
      {kHartmann + "runs: 0\n", ":2: runs: is '0', a whole number from 1 to 1000000 is allowed"},
      {kHartmann + "iterations: 0\n", ":2: iterations: is '0', a whole number of at least 1"},
      {kHartmann + "iterations: [10, 0]\n",
       ":2: iterations[2]: is '0', a whole number of at least 1"},
      {kHartmann + "iterations: []\n", ":2: iterations: is an empty list, one or more"},
      {kHartmann + "budget: 0\n", ":2: budget: is '0', 'auto' or a whole number"},
      {kHartmann + "budget: 9\nruns: 10\n", ":2: budget: 9 leaves nothing for 10 runs"},
      {kHartmann + "budget: 90\nre_evaluation: 20\n",
       ":3: re_evaluation: compares the recommendations of several runs, but there is one run; "
       "`runs` says how many"},
      {kHartmann + "repeats: 0\n", ":2: repeats: is '0', a whole number"},
      {kHartmann + "seed: -1\n", ":2: seed: is '-1', a whole number"},
      {kHartmann + "threads: 5000\n", ":2: threads: is '5000', a whole number from 0 to 1024"},
      {kHartmann + "optimiser: {k: .nan}\n", ":2: optimiser.k: is '.nan', 'auto' or a number"},
      {kHartmann + "optimiser: {T: .inf}\n",
       ":2: optimiser.T: is '.inf', a number above 0 is allowed"},
      {kHartmann + "optimiser: {mutation_rate: .nan}\n", ":2: optimiser.mutation_rate: is '.nan'"},
      {kHartmann + "re_evaluation: {share: .nan}\n", ":2: re_evaluation.share: is '.nan'"},
      {"objective: {function: hartmann6, noise: {gaussian: .nan}}\n",
       ":1: objective.noise.gaussian: is '.nan'"},
      {kHartmann + "hold_out: .nan\n", ":2: hold_out: is '.nan'"},
      // Combinations
      {"runs: 5\n", ":1: objective: is missing"},
      {"", ":1: objective: is missing: the study is empty"},
      {kHartmann + "objectives: [hartmann3]\n", ":2: objectives: stands beside 'objective'"},
      {kHartmann + "split: auto\n", ":2: split: needs a `budget`"},
      // YAML itself
      {"objective: [hartmann6\n", ":1: not valid YAML: "},
      {"objective: hartmann6\n\truns: 5\n", ":2: not valid YAML: "},
      {kHartmann + "---\nruns: 5\n", ":2: a second YAML document begins"},
      {bomb(), ": the document expands to more than the 100000 nodes allowed"},
      {std::string(50'000, '['), ":1: "},
      {"&a [*a]\n", ":1: an alias may not stand inside its own anchor"},
      {std::string("objective: hart\0mann6\n", 22), ":1: holds the control character \\x00"},
      {"name: caf\xe9\n", ":1: holds a byte that is not UTF-8, \\xe9"},
      {"\x7f"
       "ELF\x02\x01",
       ":1: holds the control character \\x7f"},
  };
  return kCases;
}

void check_refused(const CommandOutcome& outcome) {
  CHECK(outcome.code == cli::kWrongInput);
  CHECK(outcome.out == "");
  CHECK(test::is_one_line(outcome.err));
}

}  // namespace

TEST_CASE("wrong studies are one line with file, line and key") {
  const test::TemporaryFolder folder;
  for (const Case& c : cases()) {
    const std::string path = folder.file("study.yaml", c.study);
    CAPTURE(c.study.substr(0, 200));
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"check", path},
          {"run", path, "--out", (folder / "out").string()},
          {"eval", path}}) {
      const CommandOutcome outcome = command(arguments);
      check_refused(outcome);
      CHECK_THAT(outcome.err, StartsWith(path));
      CHECK_THAT(outcome.err, ContainsSubstring(c.text));
    }
    CHECK(folder.names() == std::vector<std::string>{"study.yaml"});
  }
}

TEST_CASE("a study of a program or a game must say how many evaluations it makes") {
  const test::TemporaryFolder folder;
  for (const std::string yaml :
       {"objective: {command: [echo, '{a}']}\nspace: {a: [1, 2]}\n",
        "objective: {ask_tell: me}\nspace: {a: [1, 2]}\nrepeats: 3\nbudget: auto\n",
        "objective: {game: bao}\nhold_out: 5\n", "objectives: [hartmann3, planet_wars]\n"}) {
    CAPTURE(yaml);
    const std::string study = folder.file("study.yaml", yaml);
    for (const std::string name : {"check", "run", "serve"}) {
      const CommandOutcome outcome = command({name, study});
      check_refused(outcome);
      CHECK(outcome.err == study +
                               ":1: budget: is missing: how many evaluations, such as 'budget: "
                               "300', or how long, such as 'time: 2h'\n");
    }
    for (const char* key : {"budget: 40", "iterations: 20", "runs: 2"}) {
      std::string said = yaml;
      if (const std::size_t at = said.find("budget: auto"); at != std::string::npos) said.erase(at);
      CHECK(command({"check", folder.file("said.yaml", said + key + "\n")}).code == 0);
    }
  }
  // To evaluate a point nothing needs to be said.
  const std::string study =
      folder.file("study.yaml", "objective: {command: [echo, '{a}']}\nspace: {a: [1, 2]}\n");
  CHECK(command({"eval", study, "--set", "a=2", "--times", "2"}).code == 0);
}

TEST_CASE("files that cannot be read are one line") {
  const test::TemporaryFolder folder;
  const std::string none = (folder / "none.yaml").string();
  const std::string large = folder.file("large.yaml", std::string(5'000'000, '#'));
  const std::vector<std::pair<std::string, std::string>> files = {
      {none, none + ": cannot read it: No such file or directory\n"},
      {folder.path().string(), folder.path().string() + ": is a folder, a file is needed\n"},
      {large, large + ": is larger than the 4194304 bytes allowed\n"},
      {large + "/x", large + "/x: cannot read it: Not a directory\n"},
      {"/dev/zero", "/dev/zero: is larger than the 4194304 bytes allowed\n"},
      {"two\nlines", "two\\nlines: cannot read it: No such file or directory\n"},
  };
  for (const auto& [path, text] : files) {
    for (const char* name : {"check", "run", "eval"}) {
      const CommandOutcome outcome = command({name, path});
      check_refused(outcome);
      CHECK(outcome.err == text);
    }
  }
}

TEST_CASE("outputs that cannot be written are one line, before anything runs") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kHartmann + "runs: 2\niterations: 20\n");
  for (const std::string& out : {study, study + "/below", std::string("/proc/ntune-test")}) {
    const CommandOutcome outcome = command({"run", study, "--out", out});
    check_refused(outcome);
    CHECK_THAT(outcome.err, StartsWith(out + ": cannot "));
  }
  CHECK(folder.names() == std::vector<std::string>{"study.yaml"});
}

TEST_CASE("a folder with the result of another study is left alone") {
  const test::TemporaryFolder folder;
  const std::string first = folder.file("first.yaml", kHartmann + "runs: 2\niterations: 20\n");
  const std::string second = folder.file("second.yaml", kHartmann + "runs: 2\niterations: 30\n");
  const std::string out = (folder / "out").string();
  REQUIRE(command({"run", first, "--out", out, "--quiet"}).code == cli::kDone);
  const std::string before = test::content_of(folder / "out" / "result.json");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", second, "--out", out},
        {"run", first, "--seed", "2", "--out", out}}) {
    const CommandOutcome outcome = command(arguments);
    check_refused(outcome);
    const bool larger = arguments[1] == second;
    CHECK_THAT(outcome.err,
               StartsWith(out + (larger ? ": holds a result of this study with another size"
                                        : ": holds the result of another study")));
  }
  CHECK(test::content_of(folder / "out" / "result.json") == before);
  CHECK(command({"run", first, "--out", out, "--quiet", "--threads", "1", "--resume"}).code ==
        cli::kDone);
  CHECK(test::content_of(folder / "out" / "result.json") == before);
}

TEST_CASE("commands on a folder that is none of a study say what to name") {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("study.txt", kHartmann);
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& reason) {
    const CommandOutcome outcome = command(arguments);
    CAPTURE(arguments[0], outcome.err);
    check_refused(outcome);
    CHECK_THAT(outcome.err, ContainsSubstring(reason));
  };
  const std::string empty = folder.path().string();
  for (const char* name : {"top", "watch"}) {
    refused({name, file, "--once"}, file + ": is not a folder; name the one of 'ntune run");
    refused({name, empty, "--once"}, empty + ": holds no study; name the folder of 'ntune run");
    refused({name, "--once"}, "required (see ntune " + std::string(name) + " --help)");
  }
  refused({"status", empty}, "holds no study yet; ntune run STUDY.yaml --out DIR and ntune ask");
  refused({"recommend"}, "(see ntune recommend --help)");
}

TEST_CASE("a folder with a broken result.json is left alone") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("given.yaml", kHartmann + "runs: 2\niterations: 20\n");
  for (const char* content : {"", "{", "[1, 2]", "5", "\"text\"", "{\"study\": 5}", "null"}) {
    CAPTURE(content);
    const std::string path = folder.file("result.json", content);
    const CommandOutcome outcome = command({"run", study, "--out", folder.path().string()});
    check_refused(outcome);
    CHECK_THAT(test::unwrapped(outcome.err), ContainsSubstring("and no journal stands beside it"));
    CHECK(test::content_of(path) == content);
  }
}

TEST_CASE("wrong command lines are one line") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kHartmann + "runs: 2\niterations: 20\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> lines = {
      {{}, "subcommand"},
      {{"fly"},
       "ntune: 'fly' is not a command; allowed: init, tune, describe, list, check, run, eval, "},
      {{"rnu", study}, "ntune: 'rnu' is not a command, did you mean 'run'?; allowed: "},
      {{study}, "study.yaml' is not a command; allowed: "},
      {{"run"}, "study"},
      {{"run", study, "--sed", "5"},
       "ntune: '--sed' is not an option of ntune run, did you mean '--seed'? (see ntune run "
       "--help)"},
      {{"run", "--thread", "2", study}, "'--thread' is not an option of ntune run, did you mean"},
      {{"run", "--thread=2", study}, "'--thread' is not an option of ntune run, did you mean"},
      {{"run", "-t", "2", study},
       "ntune: '-t' is not an option of ntune run (see ntune run --help)"},
      {{"run", study, "--nonsense"}, "'--nonsense' is not an option of ntune run (see "},
      {{"run", study, "--seed", "-1"}, "--seed"},
      {{"run", study, "--seed", "1.5"}, "--seed"},
      {{"run", study, "--seed", "many"}, "--seed"},
      {{"run", study, "--seed", "99999999999999999999"}, "--seed"},
      {{"run", study, "--seed"}, "--seed"},
      {{"run", study, "--threads", "2000"}, "--threads"},
      {{"run", study, "--format", "xml"}, "--format"},
      {{"run", study, study}, "study.yaml"},
      {{"check"}, "studies"},
      {{"list", "games"}, "games"},
      {{"describe"}, "name"},
      {{"describe", "hartman6"}, "'hartman6' is not known, did you mean 'hartmann6'?; allowed: "},
      {{"describe", "two\nlines"}, "'two\\nlines' is not known"},
      {{"eval", study, "--times", "0"}, "--times"},
      {{"completion", "zsh"}, "zsh"},
      {{"schema", "x"}, "x"},
  };
  for (const auto& [arguments, text] : lines) {
    const CommandOutcome outcome = command(arguments);
    CAPTURE(outcome.err, text);
    check_refused(outcome);
    CHECK_THAT(outcome.err, ContainsSubstring(text));
  }
}

TEST_CASE("wrong points of eval are one line") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml", "objective: branin\nspace: {x1: [0, 5], x2: {range: [0, 15], step: 5}}\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> lines = {
      {{}, "--set: has no value for 'x1'; allowed: 0 or 5"},
      {{"--set", "x1=0"}, "has no value for 'x2'"},
      {{"--set", "x1=0", "--set", "x2=3"},
       "--set: x2: is 3, which is no value of 'x2'; allowed: 0, 5, 10 or 15"},
      {{"--set", "x1=0", "--set", "x3=3"}, "x3: there is no such parameter, did you mean"},
      {{"--set", "x1=0", "--set", "x1=5"}, "x1: this key stands twice"},
      {{"--set", "x1"}, "--set: is 'x1', name=value is allowed"},
      {{"--set", "=5"}, "--set: is '=5', name=value is allowed"},
      {{"--set", "x1=0\nx2: 5"}, "--set: is 'x1=0\\nx2: 5', name=value is allowed"},
      {{"--set", "x1=\xff"}, "--set: is 'x1=\\xff', name=value is allowed"},
      {{"--set", "x1=[0", "--set", "x2=5"}, "--set x1=[0: "},
      {{"--set", "x1=[0]", "--set", "x2=5"}, "x1: is '[0]', which is no value of 'x1'"},
      {{"--set", "x1=", "--set", "x2=5"}, "x1: is '', which is no value of 'x1'"},
  };
  for (const auto& [settings, text] : lines) {
    std::vector<std::string> arguments = {"eval", study};
    arguments.insert(arguments.end(), settings.begin(), settings.end());
    const CommandOutcome outcome = command(arguments);
    CAPTURE(outcome.err, text);
    check_refused(outcome);
    CHECK_THAT(outcome.err, ContainsSubstring(text));
  }
}

TEST_CASE("check names every wrong file and passes the good ones") {
  const test::TemporaryFolder folder;
  const std::string good = folder.file("good.yaml", kHartmann);
  const std::string bad = folder.file("bad.yaml", "runs: 5\n");
  const std::string worse = folder.file("worse.yaml", "[");
  const CommandOutcome outcome = command({"check", bad, good, worse});
  CHECK(outcome.code == cli::kWrongInput);
  CHECK_THAT(outcome.out, StartsWith(good + ": ok\n"));
  CHECK_THAT(outcome.err, StartsWith(bad + ":1: objective: is missing"));
  CHECK_THAT(outcome.err, ContainsSubstring("\n" + worse + ":"));
}

TEST_CASE("check and run name every wrong key of a study, in the order of the file") {
  const test::TemporaryFolder folder;
  const auto errors_of = [&](const std::string& study) {
    const std::string file = folder.file("study.yaml", study);
    const CommandOutcome outcome = command({"check", file});
    CHECK(outcome.code == cli::kWrongInput);
    CHECK(outcome.out.empty());
    CHECK(command({"run", file}).err == outcome.err);
    std::string text = outcome.err;
    for (std::size_t at = text.find(file); at != std::string::npos; at = text.find(file)) {
      text.erase(at, file.size());
    }
    return text;
  };
  // Keys of the study, options, parameters and the optimiser do not depend on one another.
  CHECK_THAT(
      errors_of("hold_out: -1\n"
                "objective: {command: [sh, -c, 'echo 1', '{a}'], timeout: soon, retires: 3}\n"
                "space:\n"
                "  a: {integers: [1, 8], defalt: 2}\n"
                "  b: {range: [0, 1], point: 3, step: -1}\n"
                "  c: [1, 2, 1]\n"
                "optimiser: {k: low, weighting: linaer}\n"
                "budget: 100\n"
                "bugdet: 300\n"),
      Catch::Matchers::Matches(
          ":1: hold_out: is '-1', 'auto' or a whole number at least 0 is allowed\n"
          ":2: objective.timeout: is 'soon', a duration [^\n]*\n"
          ":2: objective.retires: unknown key, did you mean 'retries'.[^\n]*\n"
          ":4: space.a.defalt: unknown key, did you mean 'default'.[^\n]*\n"
          ":5: space.b.step: is '-1', a number above 0 is allowed\n"
          ":5: space.b.point: unknown key, did you mean 'points'.[^\n]*\n"
          ":6: space.c: has the value 1 twice, [^\n]*\n"
          ":7: optimiser.weighting: is 'linaer', did you mean 'linear'.[^\n]*\n"
          ":7: optimiser.k: is 'low', 'auto' or a number at least 0 is allowed\n"
          ":9: bugdet: unknown key, did you mean 'budget'.[^\n]*\n"));
  // Templates are known by the names of parameters, though one of these is wrong.
  const std::string program =
      "objective: {command: [sh, -c, 'echo 1', '{a}', '{b}', '{d}'], environment: {E: '{e}'}}\n";
  CHECK_THAT(
      errors_of(program + "space: {a: {integers: [8, 1]}, b: [1, 2]}\nbudget: 100\n"),
      Catch::Matchers::Matches(":1: objective.command.6.: has .d., which is not known[^\n]*\n"
                               ":1: objective.environment.E: has .e., which is not known[^\n]*\n"
                               ":2: space.a.integers: is from 8 to 1[^\n]*\n"));
  // What follows from another error is none: of {b}, of a budget, of the values of a.
  CHECK_THAT(
      errors_of("objective: {command: [sh, -c, 'echo 1', '{a}', '{b}']}\n"
                "space: {a: {integers: [8, 1]}, b: [1, 2]}\ndefault: {a: 3}\nbugdet: 100\n"),
      Catch::Matchers::Matches(":2: space.a.integers: [^\n]*\n:4: bugdet: unknown key[^\n]*\n"));
  // Points, conditions and forbidden combinations.
  CHECK_THAT(errors_of("objective: {command: [sh, -c, 'echo 1', '{a}', '{b}']}\nbudget: 100\n"
                       "space: {a: [1, 2], b: [x, y]}\ndefault: {a: 3, b: z}\n"
                       "start:\n  - {a: 1, b: y}\n  - {a: 4, b: x}\n"),
             Catch::Matchers::Matches(":4: default.a: is 3, [^\n]*\n:4: default.b: is 'z', [^\n]*\n"
                                      ":7: start.2..a: is 4, [^\n]*\n"));
  CHECK_THAT(
      errors_of(kHartmann + "space:\n  x1: {range: [0, 1], points: 3, when: {x9: 1}}\n"
                            "  forbid:\n    - {x1: 7}\n    - {x7: 1}\n"),
      Catch::Matchers::Matches(":3: space.x1.when.x9: [^\n]*\n:5: space.forbid.1..x1: [^\n]*\n"
                               ":6: space.forbid.2..x7: [^\n]*\n"));
  CHECK_THAT(errors_of("objectives: [hartman6, {function: nk, dimension: 5}]\n"
                       "re_evaluation: {metod: repeats}\n"),
             Catch::Matchers::Matches(
                 ":1: objectives.1.: is 'hartman6', [^\n]*\n:1: objectives.2..dimension: "
                 "[^\n]*\n:2: re_evaluation.metod: [^\n]*\n"));
  CHECK_THAT(errors_of(kHartmann + "optimisers: [ntbae, {algorithm: random, k: 1}]\n"),
             Catch::Matchers::Matches(
                 ":2: optimisers.1.: 'ntbae' is [^\n]*\n:2: optimisers.2..k: [^\n]*\n"));
}

TEST_CASE("published results are checked before the study runs") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "objective: hartmann3\noptimisers: [{label: a}, {label: b, k: 2}]\niterations: 20\nruns: 3\n"
      "published: results.csv\n");
  const std::string header =
      "objective,optimiser,iterations,runs,mean,sd,delta,delta_ci_low,delta_ci_high\n";
  const std::vector<std::pair<std::string, std::string>> tables = {
      {header + "hartmann3,a,30,9,1,1,0,0,0\n", "results.csv: the row hartmann3, a, 30 iterations"},
      {header + "hartmann3,a,20,9,1,x,0,0,0\n", "results.csv:2: sd: is 'x', a finite number"},
      {header, "results.csv: holds no rows"},
  };
  for (const auto& [table, text] : tables) {
    const std::string path = folder.file("results.csv", table);
    for (const char* name : {"check", "run"}) {
      const CommandOutcome outcome = command({name, study});
      check_refused(outcome);
      CHECK_THAT(outcome.err, ContainsSubstring(text));
    }
  }
  std::filesystem::remove(folder / "results.csv");
  CHECK_THAT(command({"run", study}).err,
             StartsWith(study + ":5: published: the file '" + (folder / "results.csv").string() +
                        "' does not exist"));
}

TEST_CASE("what is no UTF-8 or no JSON of its kind is one line, whatever reads it") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "inst");
  (void)folder.file("inst/caf\xe9.cnf", "");
  const std::string study =
      folder.file("study.yaml",
                  "objective: {command: 'echo {x}', shell: true}\n"
                  "space: {x: [1, 2]}\ninstances: {folder: inst}\nruns: 1\niterations: 10\n");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"check", study}, {"run", study, "--out", folder / "out"}}) {
    const CommandOutcome outcome = command(words);
    check_refused(outcome);
    CHECK_THAT(outcome.err, ContainsSubstring("is not UTF-8"));
  }
  const std::string log = folder.file(
      "opt.log",
      R"({"op_code":0,"worker_id":"w","study_name":"s","directions":[1]})"
      "\n"
      R"({"op_code":4,"worker_id":"w","study_id":0,"datetime_start":null,"state":1,"value":1.5,)"
      R"("params":{"x":0.5},"distributions":{"x":"{\"name\":\"FloatDistribution\"}"},)"
      R"("user_attrs":{}})"
      "\n");
  check_refused(command({"recommend", log}));
  const std::string table = folder.file("table.csv", "x,payoff\ncaf\xe9,1\n");
  check_refused(command({"recommend", table, "--payoff", "payoff"}));
}

TEST_CASE("folders of any bytes are found again, or refused by the true reason") {
  const test::TemporaryFolder folder;
  const std::string text =
      "objective: {command: 'echo {x}', shell: true}\nspace: {x: {integers: [1, 4]}}\nruns: 1\n"
      "iterations: 6\nhold_out: 4\nseed: 1\n";
  const std::string study = folder.file("study.yaml", text);
  const std::string out = folder / "o\xe9";
  CHECK(command({"run", study, "--out", out, "--quiet"}).code == 0);
  CHECK(command({"status", out}).code == 0);
  CHECK(command({"export", out}).code == 0);
  CHECK(command({"run", study, "--out", out, "--quiet", "--resume"}).code == 0);
  std::filesystem::create_directory(folder / "d\xe9");
  const std::string there = folder.file("d\xe9/study.yaml", text);
  CHECK(command({"check", there}).code == 0);
  const CommandOutcome outcome = command({"run", there, "--out", folder / "od", "--quiet"});
  check_refused(outcome);
  CHECK_THAT(outcome.err, ContainsSubstring("d\\xe9: the name is not UTF-8"));
  const CommandOutcome begun =
      command({"init", "-o", folder / "i.yaml", "--", "./pl\xe9y", "{x:1..3}"});
  check_refused(begun);
  CHECK_THAT(begun.err, ContainsSubstring("'./pl\\xe9y' is not UTF-8"));
}

TEST_CASE("damaged journals are one line for every command that reads them") {
  const test::TemporaryFolder folder;
  const std::string study =
      folder.file("given.yaml",
                  "objective: {command: 'echo {x}', shell: true}\nspace: {x: {integers: [0, 4]}}\n"
                  "runs: 1\niterations: 12\nhold_out: 4\n");
  const std::string out = (folder / "out").string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == cli::kDone);
  std::filesystem::remove(folder / "out" / "result.json");
  std::filesystem::remove(folder / "out" / "runs.csv");
  const std::string journal = test::content_of(folder / "out" / "journal.log");
  for (const std::string& line :
       {std::string("s0.9223372036854775807 0 1 5/5"), std::string("7/0/s0.3 0 1 5/5"),
        std::string("o0.3 99 1 5"), std::string("o0.3 1 1 5 i5"),
        std::string(R"({"planned":[4000000000,0,0,0,0,1,1,null,null]})"),
        std::string(R"({"search_state":[9,0,0,1,1,1,1,1,1]})"),
        std::string(R"({"ntune":{"format":2,"version":"1","study":7}})")}) {
    CAPTURE(line);
    (void)folder.file("out/journal.log",
                      journal + line + "\n" + journal.substr(journal.find('\n') + 1));
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"run", study, "--out", out, "--resume"},
          {"status", out},
          {"top", out, "--once"},
          {"watch", out, "--once"},
          {"export", out},
          {"report", out, "-o", (folder / "page.html").string()},
          {"recommend", out}}) {
      CAPTURE(words[0]);
      const CommandOutcome outcome = command(words);
      check_refused(outcome);
      CHECK_THAT(outcome.err, ContainsSubstring("journal.log:"));
    }
  }
}

TEST_CASE("outputs are no files of a study, and a study is not written over another's file") {
  const test::TemporaryFolder folder;
  const std::string given =
      "# mine\n" + kHartmann + "runs: 2\niterations: 20\nrecord: evaluations\n";
  const std::string study = folder.file("study.yaml", given);
  CommandOutcome outcome = command({"run", study, "--out", folder.path().string()});
  check_refused(outcome);
  CHECK_THAT(outcome.err, StartsWith(study + ": was not written by ntune"));
  CHECK(test::content_of(study) == given);
  CHECK(folder.names() == std::vector<std::string>{"study.yaml"});
  const std::string out = (folder / "out").string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == cli::kDone);
  for (const char* name : {"journal.log", "study.yaml", "result.json", "runs.csv"}) {
    const std::string file = out + "/" + name;
    const std::string before = test::content_of(file);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"export", out, "-o", file},
          {"report", out, "-o", file},
          {"verify", out, "--evaluations", "40", "--out", file},
          {"deviations", out, "--evaluations", "40", "--out", file}}) {
      outcome = command(words);
      CAPTURE(words, outcome.err);
      CHECK(outcome.code == cli::kWrongInput);
      CHECK(test::content_of(file) == before);
    }
  }
  CHECK(command({"export", out, "-o", "/dev/null"}).code == cli::kDone);
  CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("an empty argument is refused, and never the current folder") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kHartmann + "iterations: 20\nruns: 1\n");
  const std::string out = (folder / "out").string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == 0);
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"run", study, "--out", ""},
                                             {"run", study, "--out=", "--quiet"},
                                             {"tabulate", study, "--out", ""},
                                             {"serve", study, "--out", ""},
                                             {"merge", out, out, "--out", ""},
                                             {"report", out, "-o", ""},
                                             {"export", out, "--output", ""},
                                             {"plot", out, "--figure", "convergence", "-o", ""},
                                             {"report", ""},
                                             {"verify", ""},
                                             {"ask", ""},
                                             {"recommend", ""},
                                             {"check", ""}}) {
    CAPTURE(arguments);
    const CommandOutcome outcome = command(arguments);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK(test::is_one_line(outcome.err));
    CHECK_THAT(outcome.err, ContainsSubstring(" is empty, which is not allowed"));
  }
  CHECK_FALSE(std::filesystem::exists("--quiet"));
  CHECK_FALSE(std::filesystem::exists("result.json"));
}

}  // namespace ntune
