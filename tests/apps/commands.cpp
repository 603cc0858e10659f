#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "apps/command.h"
#include "apps/ntune/command_line.h"
#include "catch.h"
#include "ntune/catalogue/objectives.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/optim/optimisers.h"
#include "ntune/study/keys/study_yaml.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::command;
using test::CommandOutcome;

namespace {

const std::string kSmall = "objective: hartmann3\nruns: 3\niterations: 40\n";
const std::string kTable =
    "objectives: [hartmann3, branin]\noptimisers: [ntbea, random]\niterations: [20, 40]\nruns: 3\n";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::vector<std::string> described_names() {
  std::vector<std::string> names;
  for (const ObjectiveEntry& entry : objective_table()) {
    if (!entry.name.empty()) names.push_back(entry.name);
  }
  for (const OptimiserEntry& entry : optimiser_table()) names.push_back(entry.name);
  return names;
}

}  // namespace

TEST_CASE("optimisers to compare others with stand behind those that one would choose") {
  const std::string text = command({"list", "optimisers"}).out;
  const std::size_t rivals = text.find("optimisers to compare them with\n");
  REQUIRE(rivals != std::string::npos);
  for (const OptimiserEntry& entry : optimiser_table()) {
    CAPTURE(entry.name);
    CHECK((text.find("\n  " + entry.name + " ") > rivals) == entry.is_rival);
  }
}

TEST_CASE("each command has a section of the help, and an example of options that it has") {
  const std::string overview = command({"--help"}).out;
  std::size_t at = 0;
  for (const char* section :
       {"Make a study:", "Run it:", "Look at it:", "Follow it up:", "Other programs:"}) {
    CAPTURE(section);
    const std::size_t here = overview.find(section, at);
    REQUIRE(here != std::string::npos);
    at = here;
  }
  for (const cli::CommandHelp& entry : cli::command_help()) {
    CAPTURE(entry.command);
    CHECK_THAT(overview, ContainsSubstring("\n  " + std::string(entry.command) + " "));
    const std::string help = command({entry.command, "--help"}).out;
    const std::size_t example = help.find(std::string("Example: ") + entry.example);
    REQUIRE(example != std::string::npos);
    std::istringstream words(entry.example);
    for (std::string word; words >> word && word != "--";) {  // behind it stands another program
      if (word.starts_with("--")) CHECK(help.find(word) < example);
    }
  }
}

TEST_CASE("help names the commands, the options and the exit codes") {
  const CommandOutcome help = command({"--help"});
  CHECK(help.code == 0);
  CHECK(help.err == "");
  for (const char* phrase : {"run", "check", "list", "describe", "eval", "schema", "completion",
                             "--version", "Exit codes: 0 done, 2 wrong input, 3 an evaluation",
                             "130 interrupted", "ntune init -- ./program"}) {
    CHECK_THAT(help.out, ContainsSubstring(phrase));
  }
  const std::vector<std::pair<std::string, std::vector<std::string>>> commands = {
      {"run", {"STUDY.yaml", "--out", "--seed", "--threads", "--format", "--quiet"}},
      {"check", {"STUDY.yaml"}},
      {"list", {"TABLE", "--names", "--format", "objectives, optimisers"}},
      {"describe", {"NAME"}},
      {"eval", {"STUDY.yaml", "--set", "--times", "--seed", "--format"}},
      {"schema", {"JSON Schema"}},
      {"completion", {"SHELL", "bash"}},
  };
  for (const auto& [name, phrases] : commands) {
    const CommandOutcome outcome = command({name, "--help"});
    CHECK(outcome.code == 0);
    for (const std::string& phrase : phrases) CHECK_THAT(outcome.out, ContainsSubstring(phrase));
  }
}

TEST_CASE("the version") {
  const CommandOutcome outcome = command({"--version"});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, StartsWith("ntune "));
  CHECK(test::is_one_line(outcome.out));
}

TEST_CASE("run prints plan and recommendation") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kSmall);
  const CommandOutcome outcome = command({"run", study});
  CHECK(outcome.code == 0);
  for (const char* phrase : {"Use this setting: it ", "  x1 ", "\nDetails\n", "95 % interval [",
                             "true value", "estimate", "evaluations: 120 search, "}) {
    CHECK_THAT(outcome.out, ContainsSubstring(phrase));
  }
  CHECK_THAT(outcome.out, ContainsSubstring("180 evaluations in all, seed"));
  CHECK_THAT(outcome.err, ContainsSubstring("evaluations a second"));
  const CommandOutcome quiet = command({"run", study, "--quiet"});
  CHECK_THAT(quiet.out, StartsWith("Use this setting: "));
  CHECK(quiet.err == "");
}

TEST_CASE("run prints a table of several cells") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kTable);
  const CommandOutcome outcome = command({"run", study, "--quiet"});
  CHECK(outcome.code == 0);
  for (const char* phrase : {"true value of what each run recommends", "mean rank", "hartmann3",
                             "branin", "ntbea", "random", "difference", "\nDetails\n"}) {
    CHECK_THAT(outcome.out, ContainsSubstring(phrase));
  }
  // The verdict is the first line, and no line is wider than a terminal.
  CHECK_THAT(outcome.out.substr(0, outcome.out.find('\n')), ContainsSubstring("best mean rank"));
  std::istringstream lines(command({"run", study}).out);
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    CHECK(text_columns(line) <= 80);
  }
}

TEST_CASE("run prints JSON with the documented fields") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kSmall);
  const CommandOutcome outcome = command({"run", study, "--format", "json", "--seed", "7"});
  REQUIRE(outcome.code == 0);
  const Json json = Json::parse(outcome.out);
  CHECK(json["status"] == "done");
  CHECK(json["seed"] == 7);
  const Json& best = json["recommendation"];
  CHECK(best["parameters"].size() == 3);
  CHECK(best["parameters"]["x1"].is_number());
  CHECK(best["estimate"].is_number());
  CHECK(best["value"].is_number());
  CHECK(best["interval"].size() == 2);
  CHECK(best["interval"][0] <= best["value"]);
  CHECK(best["value"] <= best["interval"][1]);
  CHECK(best["true_value"].is_number());
  const Json& budget = json["budget"];
  CHECK(json["evaluations"] == budget["search"].get<int>() + budget["re_evaluation"].get<int>() +
                                   budget["hold_out"].get<int>());
  CHECK(budget["search"] == 120);
  CHECK(json["evaluations"] <= budget["total"]);
  CHECK(json["objectives"][0]["label"] == "hartmann3");
  CHECK(json["study"]["runs"] == 3);
  CHECK(json["study"]["seed"] == 7);
  CHECK(json["study"]["optimiser"]["algorithm"] == "auto");
  CHECK(json["recommended_by_runs"].size() >= 1);
}

TEST_CASE("run prints the cells as JSON and CSV") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kTable);
  const Json json = Json::parse(command({"run", study, "--format", "json"}).out);
  CHECK(json["recommendation"].is_null());
  REQUIRE(json["cells"].size() == 8);
  for (const Json& cell : json["cells"]) {
    CHECK(cell["score"]["n"] == 3);
    CHECK(cell["score"]["interval"].size() == 2);
    CHECK(cell["delta"]["n"] == 3);
    CHECK(cell["difference"].is_null() == (cell["optimiser"] == "ntbea"));
  }
  const auto rows = lines_of(command({"run", study, "--format", "csv"}).out);
  REQUIRE(rows.size() == 9);
  CHECK_THAT(rows[0], StartsWith("objective,optimiser,runs,iterations,re_evaluation,n,mean,sd,"));
  CHECK_THAT(rows[1], StartsWith("hartmann3,ntbea,3,20,0,3,"));
}

TEST_CASE("run prints the recommendation as CSV") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kSmall);
  const auto rows = lines_of(command({"run", study, "--format", "csv"}).out);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0] == "value,low,high,n,true_value,estimate,x1,x2,x3");
}

TEST_CASE("run writes result.json, runs.csv, the journal and the study") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kSmall);
  const fs::path out = folder / "deep" / "out";
  const CommandOutcome outcome = command({"run", study, "--out", out.string(), "--format", "json"});
  REQUIRE(outcome.code == 0);
  CHECK(test::content_of(out / "result.json") == outcome.out);
  const auto rows = lines_of(test::content_of(out / "runs.csv"));
  REQUIRE(rows.size() == 4);
  CHECK(rows[0] == "run,evaluations,search_estimate,true_value,x1,x2,x3");
  for (int i = 0; i < 3; ++i) {
    CHECK_THAT(rows[static_cast<std::size_t>(i) + 1], StartsWith(std::to_string(i) + ",40,"));
  }
  // The header and one line a run.
  CHECK(lines_of(test::content_of(out / "journal.log")).size() == 4);
  CHECK_THAT(test::content_of(out / "study.yaml"), ContainsSubstring("\nruns: 3\n"));
  CHECK(command({"check", (out / "study.yaml").string()}).code == 0);
}

TEST_CASE("run writes every evaluation where it is asked to") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kSmall + "record: evaluations\n");
  const fs::path out = folder / "out";
  const CommandOutcome outcome = command({"run", study, "--out", out.string(), "--format", "json"});
  REQUIRE(outcome.code == 0);
  const auto rows = lines_of(test::content_of(out / "journal.log"));
  CHECK_THAT(rows[0], StartsWith(R"({"ntune":{"format":2,)"));
  CHECK(rows.size() == Json::parse(outcome.out)["evaluations"].get<std::size_t>() + 1);
}

TEST_CASE("the files of a study are the same for 1, 2 and 8 threads") {
  const test::TemporaryFolder folder;
  for (const std::string& yaml :
       {kSmall + "record: evaluations\n", kTable,
        "objective: hartmann3\nbudget: 400\nrepeats: 3\nsplits: [{runs: 2}, {runs: 5}]\n"
        "record: evaluations\n" +
            std::string()}) {
    const std::string study = folder.file("study.yaml", yaml);
    std::vector<std::string> contents;
    for (const char* threads : {"1", "2", "8"}) {
      const fs::path out = folder / "out";
      REQUIRE(
          command({"run", study, "--out", out.string(), "--threads", threads, "--quiet"}).code ==
          0);
      std::string all;
      for (const char* name : {"result.json", "runs.csv", "study.yaml"}) {
        all += test::content_of(out / name);
      }
      contents.push_back(all);
      fs::remove_all(out);
    }
    CHECK(contents[0] == contents[1]);
    CHECK(contents[0] == contents[2]);
  }
}

TEST_CASE("split: auto chooses a split and runs it") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml", "objective: hartmann3\nbudget: 120\nsplit: auto\noptimiser: random\n");
  const CommandOutcome outcome = command({"run", study});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, ContainsSubstring("<- chosen"));
  CHECK_THAT(outcome.out, ContainsSubstring("\nDetails\n"));
  const Json json = Json::parse(command({"run", study, "--format", "json"}).out);
  CHECK(json["evaluations"] <= 120);

  const CommandOutcome divided = command(
      {"run", folder.file("auto.yaml", "{objective: hartmann3, budget: 120, split: auto}")});
  CHECK(divided.code == 0);
  CHECK_THAT(divided.out,
             ContainsSubstring("auto (gaussian_process): 1 x 96 + 24 hold-out; 120 evaluations"));
  CHECK_THAT(divided.out, !ContainsSubstring("<- chosen"));
}

TEST_CASE(
    "check --dry-run says whether a program depends on its seed alone, and how long it takes") {
  const test::TemporaryFolder folder;
  const auto checked = [&](const std::string& objective) {
    const std::string study =
        folder.file("study.yaml",
                    "{objective: " + objective + ", space: {a: {integers: [0, 3]}}, budget: 300}");
    return command({"check", "--dry-run", study});
  };
  const std::string count = (folder / "count").string();
  const auto other = checked("{command: [sh, -c, 'echo >> " + count + "; wc -l < " + count +
                             "', x, '{a}', '{seed}']}");
  CHECK(other.code == 0);
  CHECK_THAT(other.out, ContainsSubstring("the same call with the same seed gave 1 and 2"));
  // A program of wins and losses may agree with itself by chance.
  const auto luck = checked("{command: [sh, -c, 'echo >> " + count + "2; test $(wc -l < " + count +
                            "2) -lt 3; echo $((1 - $?))', x, '{a}', '{seed}']}");
  CHECK_THAT(luck.out, ContainsSubstring("the same call with the same seed gave 1 and 0"));
  const auto once = checked("{command: [sh, -c, 'echo >> " + count + "3; test $(wc -l < " + count +
                            "3) -lt 2 || exit 3; echo 1', x, '{a}', '{seed}']}");
  CHECK_THAT(once.out, ContainsSubstring("the same call with the same seed gave 1 and a failure"));
  const auto same = checked("{command: [sh, -c, 'echo $1', x, '{seed}', '{a}']}");
  CHECK(same.code == 0);
  CHECK_THAT(same.out, !ContainsSubstring("the same call"));
  const auto timed =
      checked("{command: [sh, -c, 'sleep 0.0$2', x, '{a}', '{seed}'], result: time}");
  CHECK_THAT(timed.out, !ContainsSubstring("the same call"));
  // A worker's start is no part of a call.
  const std::string script = folder.file(
      "worker.sh",
      "sleep 0.5; exec sed -u 's/.*\"id\":\\([0-9]*\\).*/{\"id\": \\1, \"value\": 1}/'\n");
  const auto worker = checked("{command: [sh, " + script + "], protocol: worker}");
  CHECK(worker.code == 0);
  CHECK_THAT(worker.out, Catch::Matchers::Matches("(.|\n)* at 0\\.00[0-9]* s(.|\n)*"));
}

TEST_CASE("check warns of a default outside of its range, at its line") {
  const test::TemporaryFolder folder;
  const auto checked = [&](const std::string& space) {
    return command(
        {"check", folder.file("study.yaml", "objective: {command: [echo, '{a}', '{b}']}\n" + space +
                                                "budget: 20\n")});
  };
  const auto beside = checked(
      "space:\n  a: {integers: [1, 9], default: 20}\n"
      "  b: {range: [0, 1], step: 0.5, default: 0.3}\n");
  CHECK(beside.code == 0);
  CHECK_THAT(beside.err, ContainsSubstring("study.yaml:3: space.a.default: is 20, outside of the "
                                           "range 1 to 9\n") &&
                             !ContainsSubstring("space.b"));
  CHECK_THAT(beside.out, ContainsSubstring("a = 20 (range 1 to 9) is outside of its range"));
}

TEST_CASE("check --dry-run says what a study will take") {
  const test::TemporaryFolder folder;
  const auto study = [&](const std::string& program, const std::string& plan) {
    return folder.file(
        "study.yaml", "objective:\n  command: " + program + "\nspace: {a: [1, 2]}\n" + plan + "\n");
  };
  const CommandOutcome good = command(
      {"check", "--dry-run",
       study("[sh, -c, 'sleep 0.2; echo 1', '{a}']", "runs: 4\niterations: 50\nthreads: 2")});
  CHECK(good.code == 0);
  CHECK_THAT(good.out,
             Catch::Matchers::Matches(
                 "(.|\n)*\n280 evaluations, about [0-9.]+ (s|min) at [0-9.]+ s, 2 at a time\n"));
  const CommandOutcome lone = command(
      {"check", "--dry-run", study("[sh, -c, 'echo 1', '{a}']", "budget: 300\nthreads: 2")});
  CHECK_THAT(lone.out, ContainsSubstring("1 x 270 + 30 hold-out; 300 evaluations in all"));
  CHECK_THAT(lone.out, ContainsSubstring(", 1 at a time (of 2 threads; parallel_evaluations "));

  const CommandOutcome failed =
      command({"check", "--dry-run", study("[sh, -c, 'exit 4', '{a}']", "budget: 300")});
  CHECK(failed.code == 3);
  CHECK_THAT(failed.out, ContainsSubstring("failed      exit status 4\n"));
  CHECK_THAT(failed.err,
             Catch::Matchers::Matches("[^\n]*study.yaml: the call failed.\n"
                                      "  setting     a [12]\n"
                                      "  exit        status 4 after [0-9.]+ s\n"
                                      "  last words  none\n"
                                      "  go on       mend it, then: ntune check --dry-run(.|\n)*"));
  const CommandOutcome missing =
      command({"check", "--dry-run", study("[no-such-agent, '{a}']", "budget: 300")});
  CHECK(missing.code == 2);
  CHECK(test::is_one_line(missing.err));
  CHECK_THAT(missing.err, ContainsSubstring("study.yaml:2: objective.command: cannot start "
                                            "'no-such-agent': there is no such program"));
  // Nothing is started without --dry-run, and the machine of the study may have the program.
  const CommandOutcome elsewhere =
      command({"check", study("[no-such-agent, '{a}']", "budget: 300")});
  CHECK(elsewhere.code == 0);
  CHECK_THAT(elsewhere.err,
             StartsWith("warning: ") &&
                 ContainsSubstring("study.yaml:2: objective.command[1]: there is no program "
                                   "'no-such-agent' on the PATH\n"));
}

TEST_CASE("check names a script of a command that is not there, in every form of a command") {
  const test::TemporaryFolder folder;
  (void)folder.file("agent.py", "print(1)\n");
  const auto errors_of = [&](const std::string& objective) {
    const std::string study =
        folder.file("study.yaml",
                    "budget: 100\n" + objective + "\nspace: {a: {integers: [1, 8], default: 2}}\n");
    const CommandOutcome outcome = command({"check", study});
    CHECK(outcome.code == (outcome.err.empty() ? 0 : cli::kWrongInput));
    CHECK(outcome.err.empty() == (outcome.out.find(": ok\n") != std::string::npos));
    return outcome.err;
  };
  CHECK(errors_of("objective: {command: [python3, agent.py, '{a}']}").empty());
  for (const char* objective :
       {"objective: {command: [python3, none.py, '{a}']}",
        "objective: {command: [python3, none.py], protocol: worker}",
        "objective: {command: 'python3 none.py {a}', shell: true}",
        "objective: {match: {command: [python3, none.py, '{a}', '{opponent.a}']}}"}) {
    CHECK_THAT(errors_of(objective), ContainsSubstring("study.yaml:2: objective.") &&
                                         ContainsSubstring("there is no file 'none.py' in " +
                                                           folder.path().string() + ","));
  }
  // Beside what else is wrong.
  const std::string both = errors_of("objective: {command: [./none, '{a}'], result: leters}");
  CHECK(std::ranges::count(both, '\n') == 2);
  CHECK_THAT(both, ContainsSubstring("objective.result: ") && ContainsSubstring("'./none'"));
}

TEST_CASE("published results are printed beside ours") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "objective: hartmann3\noptimisers: [{label: a}, {label: b, k: 2}]\niterations: 20\nruns: 3\n"
      "published: results.csv\n");
  const std::string published = folder.file(
      "results.csv",
      "# comment\nobjective,optimiser,iterations,runs,mean,sd,delta,delta_ci_low,delta_ci_high\n"
      "hartmann3,a,20,1000,0.5,0.1,0,-0.1,0.1\nhartmann3,b,20,1000,5,0.1,0,-0.1,0.1\n");
  const CommandOutcome outcome = command({"run", study, "--quiet"});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, ContainsSubstring("Ours beside the published numbers"));
  CHECK_THAT(outcome.out, ContainsSubstring("of 2 means"));
}

TEST_CASE("every study in configs passes the check") {
  for (const std::string& study : test::studies_in_configs()) {
    const CommandOutcome outcome = command({"check", study});
    CAPTURE(study, outcome.err);
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.out, StartsWith(study + ": ok\n"));
  }
}

TEST_CASE("list shows every table in every format") {
  const CommandOutcome all = command({"list"});
  CHECK(all.code == 0);
  for (const char* table :
       {"objectives", "optimisers", "weightings", "explorations", "recommendations", "figures"}) {
    CHECK_THAT(all.out, ContainsSubstring(table));
    const CommandOutcome one = command({"list", table, "--format", "json"});
    const Json json = Json::parse(one.out);
    REQUIRE(json.size() == 1);
    CHECK(json[table].size() > 0);
    const auto names = lines_of(command({"list", table, "--names"}).out);
    CHECK(names.size() == json[table].size());
    const auto rows = lines_of(command({"list", table, "--format", "csv"}).out);
    REQUIRE(rows.size() == names.size() + 1);
    CHECK(rows[0] == "table,name,summary");
    for (std::size_t i = 0; i < names.size(); ++i) {
      CHECK(json[table][i]["name"] == names[i]);
      CHECK_FALSE(json[table][i]["summary"].get<std::string>().empty());
      CHECK_THAT(rows[i + 1], StartsWith(std::string(table) + "," + names[i] + ","));
    }
  }
  CHECK(Json::parse(command({"list", "--format", "json"}).out).size() == 6);
}

TEST_CASE("describe prints for every name a study that runs as it is") {
  const test::TemporaryFolder folder;
  for (const std::string& name : described_names()) {
    CAPTURE(name);
    const CommandOutcome described = command({"describe", name});
    REQUIRE(described.code == 0);
    CHECK_THAT(described.out, StartsWith("# " + name + ": "));
    const std::string full = folder.file("study.yaml", described.out);
    CHECK(command({"check", full}).code == 0);
    std::string small = described.out;
    if (name != "goals") small = replaced(small, "runs: 10\n", "runs: 2\n");  // it has one run
    const bool slow = name == "asteroids";                                    // 0.15 s a game
    small =
        replaced(small, "iterations: 1000\n",
                 slow ? "iterations: 3\nhold_out: 3\nre_evaluation: none\n" : "iterations: 30\n");
    const CommandOutcome outcome =
        command({"run", folder.file("small.yaml", small), "--format", "json"});
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
    const Json study = Json::parse(outcome.out)["study"];
    // What describe prints is what the defaults are.
    for (const ObjectiveEntry& entry : objective_table()) {
      if (entry.name != name) continue;
      const YamlNode bare = parse_yaml(entry.kind + ": " + name);
      CHECK(study["objective"] == entry.resolved(bare));
    }
  }
}

TEST_CASE("costs of 0 in a table are 0, not -0") {
  const test::TemporaryFolder folder;
  const std::string table = folder.file("costs.csv", "x,value\n1,0\n2,4\n1,0\n3,0\n");
  const CommandOutcome found =
      command({"recommend", table, "--minimise", "--quiet", "--format", "json"});
  REQUIRE(found.code == cli::kDone);
  CHECK_THAT(found.out, ContainsSubstring("\"mean\": 0.0"));
  CHECK_THAT(found.out, !ContainsSubstring("-0.0,") && !ContainsSubstring("-0.0\n"));
}

TEST_CASE("the standard deviation that eval prints is positive where costs are minimised") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "objective: {table: \"x,payoff\\n1,2\\n1,4\\n2,5\\n2,9\\n\", direction: minimise}\n");
  const CommandOutcome outcome =
      command({"eval", study, "--set", "x=1", "--times", "50", "--format", "json"});
  REQUIRE(outcome.code == 0);
  const Json json = Json::parse(outcome.out);
  CHECK(json["value"] > 2.0);
  CHECK(json["sd"] > 0.5);
  CHECK(json["sd"] < 1.5);
}

TEST_CASE("eval measures one point in every format") {
  const test::TemporaryFolder folder;
  const std::string study =
      folder.file("study.yaml", "objective: branin\nspace: {x1: [0, 3], x2: [0, 2, 10]}\n");
  const std::vector<std::string> point = {"eval", study, "--set", "x1=3", "--set", "x2=2"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), point.begin(), point.end());
    return command(more);
  };
  const Json json = Json::parse(with({"--format", "json", "--times", "400"}).out);
  CHECK(json["parameters"].dump() == R"({"x1":3,"x2":2})");
  CHECK(json["n"] == 400);
  const double truth = json["true_value"];
  CHECK(std::abs(json["value"].get<double>() - truth) < 4 * 0.5 / 20);
  CHECK(json["interval"].size() == 2);
  CHECK(json["sd"].get<double>() <= 0.51);
  CHECK_THAT(with({}).out, ContainsSubstring("x1 = 3, x2 = 2\nvalue "));
  CHECK_THAT(with({}).out, ContainsSubstring(", 100 evaluations, 95 % interval ["));
  const auto rows = lines_of(with({"--format", "csv"}).out);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0] == "n,value,sd,low,high,true_value,failures");
  CHECK_THAT(rows[1], StartsWith("100,"));
  const std::string first = with({"--threads", "1", "--format", "json"}).out;
  CHECK(with({"--threads", "8", "--format", "json"}).out == first);
  CHECK(with({"--seed", "2", "--format", "json"}).out != first);
}

TEST_CASE("eval goes on after failures by the rule of the study, and says what each instance has") {
  const test::TemporaryFolder folder;
  const auto study_with = [&](const std::string& rule) {
    return folder.file("study.yaml",
                       "objective: {command: [sh, -c, 'test $2 = B && exit 1; echo $1$3', sh, "
                       "'{x}', '{instance}', '0'], result: {cost: number}}\n"
                       "space: {x: [1, 2]}\ninstances: [B, A, C]\nbudget: 20\n" +
                           rule);
  };
  const std::vector<std::string> eval = {
      "eval", study_with("fail: skip\n"), "--set", "x=1", "--times", "12", "--format", "json"};
  const Json json = Json::parse(command(eval).out);
  CHECK(json["n"] == 8);
  CHECK(json["failures"] == 4);
  CHECK(json["value"] == 10.0);
  REQUIRE(json["instances"].size() == 3);
  CHECK(json["instances"][0]["instance"] == "B");
  CHECK(json["instances"][0]["failures"] == 4);
  CHECK(json["instances"][0]["value"].is_null());
  CHECK(json["instances"][2]["n"] == 4);
  const std::string text = command({"eval", eval[1], "--set", "x=1", "--times", "12"}).out;
  CHECK_THAT(text, ContainsSubstring("4 failed: exit status 1"));
  study_with("fail: {value: 100}\n");
  const Json priced = Json::parse(command(eval).out);
  CHECK(priced["n"] == 12);
  CHECK(priced["failures"] == 4);
  CHECK(priced["value"] == 40.0);
  study_with("");
  CHECK(command(eval).code == cli::kEvaluationFailed);
  const CommandOutcome none =
      command({"eval", eval[1], "--set", "x=1", "--instance", "B", "--times", "2"});
  CHECK(none.code == cli::kEvaluationFailed);
  CHECK_THAT(none.err, StartsWith("Call 1 of 2 failed; ") &&
                           ContainsSubstring("\n  setting     x 1\n  exit        status 1 after "));
}

TEST_CASE("eval takes values of every type") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "objective: hartmann3\nspace: {x1: [0.5], x2: {range: [0, 1], points: 3}, x3: 1}\n");
  CHECK(command({"eval", study, "--set", "x2=0.5"}).code == 0);
  CHECK(command({"eval", study, "--set", "x2=1", "--set", "x3=1.0"}).code == 0);
  CHECK(command({"eval", study, "--set", "x2='0.5'"}).code == 2);
}

TEST_CASE("an interrupted study returns 130 and does not replace a finished result") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml", "objective: hartmann6\noptimiser: ntbea\nruns: 400\niterations: 1000\n");
  const fs::path out = folder / "out";
  std::atomic<bool> interrupted{true};
  const CommandOutcome first =
      command({"run", study, "--out", out.string(), "--quiet"}, &interrupted);
  if (first.code == cli::kDone) {
    WARN("the study ended before it could be interrupted");
    return;
  }
  CHECK(first.code == cli::kInterrupted);
  CHECK_THAT(first.out, StartsWith("Stopped"));
  CHECK_THAT(first.out, ContainsSubstring("Interrupted: only what had finished is counted.\n"
                                          "Planned and not done: "));
  CHECK_THAT(first.out, ContainsSubstring(" of 400 runs ("));
  CHECK_THAT(first.out, ContainsSubstring("of the comparison"));
  CHECK_THAT(first.out, ContainsSubstring("of the hold-out.\n"));
  CHECK(Json::parse(test::content_of(out / "result.json"))["status"] == "interrupted");

  REQUIRE(command({"run", study, "--out", out.string(), "--quiet", "--resume"}).code == cli::kDone);
  const std::string finished = test::content_of(out / "result.json");
  CHECK(Json::parse(finished)["status"] == "done");
  fs::remove(out / "journal.log");
  const CommandOutcome again = command({"run", study, "--out", out.string()}, &interrupted);
  CHECK(again.code == cli::kInterrupted);
  CHECK_THAT(again.err, ContainsSubstring("keeps its finished result"));
  CHECK(test::content_of(out / "result.json") == finished);
  CHECK(lines_of(test::content_of(out / "runs.csv")).size() == 401);
}

TEST_CASE("an interrupted eval returns 130") {
  const test::TemporaryFolder folder;
  const std::string study =
      folder.file("study.yaml", "objective: hartmann3\nspace: {x1: 0, x2: 0, x3: 0}\n");
  std::atomic<bool> interrupted{true};
  const CommandOutcome outcome = command({"eval", study}, &interrupted);
  CHECK(outcome.code == cli::kInterrupted);
  CHECK(outcome.out == "");
}

}  // namespace ntune
