// Whole scenarios of irace.

#include "ntune/space/import/irace_scenario.h"

#include <filesystem>
#include <set>
#include <string>

#include "catch.h"
#include "ntune/core/files.h"
#include "ntune/core/yaml.h"
#include "space/import/import.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using test::TemporaryFolder;

namespace {

const char* const kParameters =
    "algorithm \"--\" c (as, acs)\n"
    "ants \"--ants \" i (5, 9)\n"
    "q0 \"--q0=\" r (0.0, 1.0) | algorithm == \"acs\"\n";

const char* const kScenario =
    "## Ants\n"
    "parameterFile = \"./parameters.txt\"  # ours\n"
    "trainInstancesDir <- './train'\n"
    "trainInstancesFile = \"train.txt\"\n"
    "testInstancesDir = \"test\"\n"
    "maxExperiments = 180\n"
    "seed = 42\n"
    "forbiddenFile = \"forbidden.txt\"\n"
    "configurationsFile = \"first.txt\"\n"
    "eachTest = 2\n";

void write_scenario(const TemporaryFolder& folder, const std::string& scenario = kScenario) {
  (void)folder.file("parameters.txt", kParameters);
  (void)folder.file("forbidden.txt", "algorithm == \"as\" & ants == 9  # too many\n");
  (void)folder.file("first.txt", "ants algorithm q0\n7 \"acs\" 0.98\n8 as NA\n");
  (void)folder.file("target-runner", "#!/bin/sh\n");
  (void)folder.file("train.txt", "a.tsp\n");
  std::filesystem::create_directory(folder.path() / "train");
  std::filesystem::create_directory(folder.path() / "test");
  (void)folder.file("train/a.tsp", "");
  (void)folder.file("test/b.tsp", "");
  (void)folder.file("scenario.txt", scenario);
}

std::string refusal(const TemporaryFolder& folder) {
  return test::input_error([&] { (void)import_space(folder.path() / "scenario.txt"); });
}

}  // namespace

TEST_CASE("a scenario of irace becomes a study") {
  const TemporaryFolder folder;
  write_scenario(folder);
  const ImportedSpace imported = import_space(folder.path() / "scenario.txt");
  const YamlNode study = parse_yaml(imported.yaml);
  const std::string path = folder.path().lexically_normal().string();
  const YamlNode& command = *study.find("objective")->find("command");
  REQUIRE(command.children().size() == 8);
  CHECK(command.children()[0].text() == path + "/target-runner");
  CHECK(command.children()[4].text() == "{instance}");
  CHECK(command.children()[5].text() == "{params[algorithm]:--{value:shell}}");
  CHECK(command.children()[6].text() == "{params[ants]:--ants {value:shell}}");
  CHECK(study.find("objective")->find("direction")->text() == "minimise");
  CHECK(study.find("instances")->find("file")->text() == path + "/train.txt");
  CHECK(study.find("instances")->find("folder")->text() == path + "/train");
  CHECK(study.find("test_instances")->find("folder")->text() == path + "/test");
  CHECK(study.find("budget")->integer() == 180);
  CHECK(study.find("seed")->integer() == 42);
  const SearchSpace space = test::space_in(imported.yaml);
  CHECK(space.dimensions() == 3);
  Point many(3);
  many[1] = 4;
  CHECK_FALSE(space.is_allowed(many));
  CHECK(to_json(*study.find("default")) == Json{{"algorithm", "acs"}, {"ants", 7}, {"q0", 0.98}});
  CHECK(to_json(*study.find("start")) ==
        Json::parse(R"([{"algorithm": "as", "ants": 8, "q0": 0}])"));
  REQUIRE(imported.warnings.size() == 1);
  CHECK_THAT(imported.warnings[0], ContainsSubstring("scenario.txt:10:12: eachTest: left out: "));
}

TEST_CASE("a scenario with bounds and a time becomes a study with a cutoff and a cost") {
  const TemporaryFolder folder;
  const auto study_of = [&](const std::string& more) {
    write_scenario(folder, "trainInstancesDir = \"train\"\n" + more);
    return parse_yaml(import_space(folder.path() / "scenario.txt").yaml);
  };
  const YamlNode bounded =
      study_of("maxTime = 7200\nboundMax = 90.5\nboundPar = 10\ncapping = 1\ndeterministic = 1\n");
  const YamlNode& objective = *bounded.find("objective");
  CHECK(to_json(*bounded.find("budget")) == Json{{"cost", 7200}});
  CHECK(objective.find("cutoff")->text() == "90.5");
  CHECK(objective.find("penalty")->number() == 905.0);
  CHECK(objective.find("timeout")->text() == "90.5");
  CHECK(objective.find("noisy")->text() == "false");
  // The program gets the bound behind the instance.
  CHECK(objective.find("command")->children()[5].text() == "90.5");
  CHECK(objective.find("command")->children()[6].text() == "{params[algorithm]:--{value:shell}}");

  const YamlNode short_bound = study_of("maxExperiments = 300\nmaxTime = 0\nboundMax = 5\n");
  CHECK(short_bound.find("budget")->integer() == 300);
  CHECK(short_bound.find("objective")->find("penalty")->number() == 5.0);  // irace's default
  CHECK(short_bound.find("objective")->find("timeout") == nullptr);
  const YamlNode unbounded = study_of("maxExperiments = 300\nboundMax = 0\nboundPar = 10\n");
  CHECK(unbounded.find("objective")->find("cutoff") == nullptr);
  CHECK(unbounded.find("objective")->find("command")->children().size() == 8);
}

TEST_CASE("what is wrong with bounds and times of a scenario is said at its line") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& lines) {
    write_scenario(folder, "trainInstancesDir = \"train\"\n" + lines);
    return refusal(folder);
  };
  CHECK_THAT(refused("maxTime = 60\nmaxExperiments = 10\n"),
             ContainsSubstring("scenario.txt:2:11: maxTime: stands beside maxExperiments"));
  CHECK_THAT(refused("maxTime = 1e99\n"), ContainsSubstring("maxTime: is '1e99', a whole number"));
  CHECK_THAT(refused("maxExperiments = 9\nboundMax = -1\n"),
             ContainsSubstring("scenario.txt:3:12: boundMax: is '-1', a number of at least 0"));
  CHECK_THAT(refused("maxExperiments = 9\nboundMax = 5\nboundPar = 0.5\n"),
             ContainsSubstring("scenario.txt:4:12: boundPar: is '0.5', a number of at least 1"));
  CHECK_THAT(refused("maxExperiments = 9\nboundMax = 5\ntargetRunnerTimeout = 3\n"),
             ContainsSubstring("scenario.txt:3:12: boundMax: is longer than targetRunnerTimeout"));
}

TEST_CASE("what is wrong with a scenario is said at its line") {
  const TemporaryFolder folder;
  write_scenario(folder, "seed = 1\nmaxExperiment = 3\n");
  CHECK_THAT(
      refusal(folder),
      ContainsSubstring("scenario.txt:2:1: 'maxExperiment' is no word of a scenario of irace, "
                        "did you mean 'maxExperiments'?"));
  write_scenario(folder, "seed = 1\n");
  CHECK_THAT(refusal(folder), ContainsSubstring("maxExperiments: is missing"));
  write_scenario(folder, "maxExperiments = 0\n");
  CHECK_THAT(refusal(folder),
             ContainsSubstring("scenario.txt:1:18: maxExperiments: is '0', a whole"));
  write_scenario(folder, "maxExperiments = 10\n");
  CHECK_THAT(refusal(folder), ContainsSubstring("there are no instances"));
  write_scenario(folder, "parameterFile = \"none.txt\"\n");
  CHECK_THAT(refusal(folder),
             ContainsSubstring("scenario.txt:1:17: parameterFile: there is no file"));
  write_scenario(folder, "maxExperiments = 9\ninstances = c(\"a\",  # one\n  b)\n");
  CHECK_THAT(refusal(folder), ContainsSubstring("scenario.txt:3:3: instances: 'b' is found where a "
                                                "text or a number is expected"));
  write_scenario(folder, "maxExperiments = 9\ntrainInstancesFile = \"none.txt\"\n");
  CHECK_THAT(refusal(folder),
             ContainsSubstring("scenario.txt:2:22: trainInstancesFile: there is no file"));
  write_scenario(folder, "maxExperiments = 9\ntrainInstancesDir = \"none\"\n");
  CHECK_THAT(refusal(folder),
             ContainsSubstring("scenario.txt:2:21: trainInstancesDir: there is no folder"));
  std::filesystem::create_directory(folder.path() / "empty");
  write_scenario(folder, "maxExperiments = 9\ntrainInstancesDir = \"empty\"\n");
  CHECK_THAT(refusal(folder),
             ContainsSubstring("scenario.txt:2:21: trainInstancesDir: there is no file in"));
  write_scenario(folder, "maxExperiments = c(1,\n2)\n");
  CHECK_THAT(refusal(folder),
             ContainsSubstring("scenario.txt:1:18: maxExperiments: is 'c(1, 2)', a whole"));
  write_scenario(folder, "seed = 1\nmaxExperiments = c(1,\n2\n");
  CHECK_THAT(refusal(folder),
             ContainsSubstring("scenario.txt:2:1: has a bracket that is not closed"));
  write_scenario(folder, "maxExperiments = runif(1)\n");
  CHECK_THAT(refusal(folder), ContainsSubstring("maxExperiments: is 'runif(1)', a whole number"));
  write_scenario(folder, "seed = 1\nthis is no R\n");
  CHECK_THAT(refusal(folder), ContainsSubstring("scenario.txt:2:1: is no line of a scenario"));
  write_scenario(folder, "seed = 1\nmaxExperiments <- function(scenario)\n{\n}\n");
  CHECK_THAT(refusal(folder),
             ContainsSubstring("scenario.txt:2:19: maxExperiments: is a function of R"));
}

TEST_CASE("functions of R and a target runner that is not there are left to the user") {
  const TemporaryFolder folder;
  write_scenario(folder,
                 "maxExperiments = 9\ninstances = c(1, 2)\n"
                 "repairConfiguration = function(configuration, parameters) {\n}\n"
                 "targetRunner <- function(experiment, scenario)\n{\n}\n");
  std::filesystem::remove(folder.path() / "target-runner");
  const ImportedSpace imported = import_space(folder.path() / "scenario.txt");
  const std::string runner = (folder.path().lexically_normal() / "target-runner").string();
  const Json command = to_json(*parse_yaml(imported.yaml).find("objective")->find("command"));
  CHECK(command[0] == runner);
  REQUIRE(imported.warnings.size() == 3);
  CHECK_THAT(imported.warnings[0],
             ContainsSubstring("scenario.txt:3:23: repairConfiguration: left out: a function of R; "
                               "`forbid:` in `space:`"));
  CHECK_THAT(imported.warnings[1], ContainsSubstring("write a script that calls it by Rscript"));
  CHECK_THAT(imported.warnings[2], ContainsSubstring("targetRunner: there is no file " + runner));
}

TEST_CASE("a scenario may hold what R calculates, lists of instances and code") {
  const TemporaryFolder folder;
  const std::string scenario =
      "library(parallel)\n"
      ".seconds <- 60\n"
      "if (interactive()) {\n"
      "  cat(\"# not a comment\")\n"
      "}\n"
      "maxTime = 60 * 60  # an hour\n"
      "seed = 687542627L\n"
      "digits = 1\n"
      "instances = c(\"easy.cnf\",  # the first\n"
      "              'hard.cnf')\n"
      "testInstances = list(\"unseen.cnf\")\n";
  write_scenario(folder, scenario);
  const ImportedSpace imported = import_space(folder.path() / "scenario.txt");
  const YamlNode study = parse_yaml(imported.yaml);
  CHECK(to_json(*study.find("budget")) == Json{{"cost", 3600}});
  CHECK(study.find("seed")->integer() == 687542627);
  CHECK(to_json(*study.find("instances")) == Json::array({"easy.cnf", "hard.cnf"}));
  CHECK(to_json(*study.find("test_instances")) == Json::array({"unseen.cnf"}));
  CHECK_THAT(imported.yaml, ContainsSubstring("1 decimal places"));
  REQUIRE(imported.warnings.size() == 3);
  CHECK_THAT(imported.warnings[0],
             ContainsSubstring("scenario.txt:1:1: left out: R would carry out "
                               "library(parallel)"));
  CHECK_THAT(imported.warnings[2],
             ContainsSubstring("scenario.txt:3:1: left out: R would carry out"));
}

TEST_CASE("texts of R may hold quotes behind a backslash") {
  const TemporaryFolder folder;
  write_scenario(folder,
                 "maxExperiments = 9  # \"few\"\n"
                 "instances = c(\"a \\\"b\\\", #1)\",  # the first\n"
                 "              'it\\'s', \"c\\\\\", \"tab\\t\")\n"
                 "testInstances = \"say \\\"hi\\\" # now\"  # one\n");
  const YamlNode study = parse_yaml(import_space(folder.path() / "scenario.txt").yaml);
  CHECK(to_json(*study.find("instances")) == Json::array({"a \"b\", #1)", "it's", "c\\", "tab\t"}));
  CHECK(to_json(*study.find("test_instances")) == Json::array({"say \"hi\" # now"}));
  write_scenario(folder, "maxExperiments = 9\ntargetRunner = \"a\\\"\n");
  CHECK_THAT(refusal(folder), ContainsSubstring("scenario.txt:2:16: has a text without its end"));
}

TEST_CASE("a command line of irace's becomes that of the study") {
  const TemporaryFolder folder;
  const auto command_of = [&](const std::string& more) {
    write_scenario(folder, "maxExperiments = 9\ninstances = c(1, 2)\n" + more);
    const YamlNode study = parse_yaml(import_space(folder.path() / "scenario.txt").yaml);
    return to_json(*study.find("objective")->find("command"));
  };
  const std::string runner = (folder.path().lexically_normal() / "target-runner").string();
  const Json params = {"{params[algorithm]:--{value:shell}}", "{params[ants]:--ants {value:shell}}",
                       "{params[q0]:--q0={value:shell}}"};
  Json expected = {"python", runner, "1", "1", "{seed}", "{instance}"};
  expected.insert(expected.end(), params.begin(), params.end());
  CHECK(command_of("targetRunnerLauncher = \"python\"\n") == expected);
  expected = {runner, "--seed={seed}", "{instance}"};
  expected.insert(expected.end(), params.begin(), params.end());
  expected.push_back("--limit=7");
  CHECK(command_of("boundMax = 7\ntargetCmdline = "
                   "\"--seed={seed} {instance} {targetRunnerArgs} --limit={bound}\"\n") ==
        expected);
}

TEST_CASE("irace's instances need not be files, and may have several words") {
  const TemporaryFolder folder;
  write_scenario(folder);
  const std::string path = folder.path().lexically_normal().string();
  (void)folder.file("train.txt", "a.tsp  --cities 5 # small\n\n# none\nb.tsp\n");
  const auto study = [&] { return parse_yaml(import_space(folder.path() / "scenario.txt").yaml); };
  const auto word = [&] { return to_json(*study().find("objective")->find("command"))[4]; };
  CHECK(word() == "{instance:shell}");
  CHECK(to_json(*study().find("instances")) ==
        Json{path + "/train/a.tsp  --cities 5", path + "/train/b.tsp"});
  (void)folder.file("train.txt", "17\n18\n");
  CHECK(word() == "{instance}");
  CHECK(to_json(*study().find("instances")) == Json{path + "/train/17", path + "/train/18"});
  (void)folder.file("train.txt", "17\n18\n17\n");
  CHECK(to_json(*study().find("instances")) ==
        Json{{{"instance", path + "/train/17"}, {"weight", 2}}, path + "/train/18"});
  write_scenario(folder,
                 "maxExperiments = 9\ninstances = c(\"a\", \"b\")\n"
                 "testInstances = c(\"b\", \"c\")\n");
  CHECK(to_json(*study().find("test_instances")) == Json{"c"});
  CHECK(import_space(folder.path() / "scenario.txt").warnings.size() == 1);
  write_scenario(folder, "maxExperiments = 9\ninstances = c(\"a\")\ntestInstances = c(\"a\")\n");
  CHECK(study().find("test_instances") == nullptr);
  write_scenario(folder, "maxExperiments = 9\ninstances = c(\"--seed 7\", \"--seed 8\")\n");
  CHECK(word() == "{instance:shell}");
}

TEST_CASE("aclib: the call and the result of AClib") {
  const TemporaryFolder folder;
  write_scenario(folder, "maxExperiments = 9\ninstances = \"a\"\naclib = 1\nboundMax = 5\n");
  const ImportedSpace imported = import_space(folder.path() / "scenario.txt");
  const Json objective = to_json(*parse_yaml(imported.yaml).find("objective"));
  Json words = objective["command"];
  words.erase(0);
  CHECK(words == Json{"--cutoff", "5", "--instance", "{instance}", "--seed", "{seed}", "--config",
                      "{params[algorithm]:--- {value:shell}}",
                      "{params[ants]:---ants  {value:shell}}",
                      "{params[q0]:---q0= {value:shell}}"});
  CHECK(objective["result"] == "smac");
  CHECK(imported.warnings.empty());
}

TEST_CASE("what is never active has no word in the command") {
  const TemporaryFolder folder;
  write_scenario(folder, "maxExperiments = 9\ninstances = \"a\"\n");
  (void)folder.file("parameters.txt", "a \"--a=\" c (1)\nb \"--b=\" i (1, 5) | a == 2\n");
  const ImportedSpace imported = import_space(folder.path() / "scenario.txt");
  CHECK_THAT(imported.yaml, !ContainsSubstring("--b="));
}

TEST_CASE("a parameter file that sets digits is no scenario") {
  CHECK_FALSE(is_irace_scenario("x \"--x\" r (0, 1)\n[global]\ndigits = 2\n"));
  CHECK(is_irace_scenario("library(x)\nmaxExperiments = 9\n"));
}

TEST_CASE("what is wrong with irace's first configurations is said at its line") {
  const TemporaryFolder folder;
  write_scenario(folder);
  const auto refused = [&](const std::string& text) {
    (void)folder.file("first.txt", text);
    return refusal(folder);
  };
  CHECK_THAT(refused("ants bees\n"), ContainsSubstring("first.txt:1:6: 'bees' is no parameter"));
  CHECK_THAT(refused("# ours\nants q0\n7\n"),
             ContainsSubstring("first.txt:3:1: has 1 value, the first line names 2 parameters"));
  CHECK_THAT(refused("algorithm\nmmas\n"),
             ContainsSubstring("first.txt:2:1: 'mmas' is no value of 'algorithm'"));
  CHECK_THAT(refused("algorithm\n\"as\n"), ContainsSubstring("first.txt:2:1: has a text without"));
  CHECK_THAT(
      refused("ants algorithm q0\n11 acs 0.5\n"),
      ContainsSubstring("first.txt:2:1: '11' is no value of 'ants'; allowed: whole numbers from "
                        "5 to 9"));
  CHECK_THAT(
      refused("ants algorithm q0\n7 acs 1.5\n"),
      ContainsSubstring("first.txt:2:7: '1.5' is no value of 'q0'; allowed: numbers from 0 to 1"));
  CHECK_THAT(refused("ants algorithm q0\n7 acs \"\"\n"),
             ContainsSubstring("first.txt:2:1: has no value of 'q0', which is active there"));
  CHECK_THAT(refused("ants algorithm q0\n9 as <NA>\n"),
             ContainsSubstring("first.txt:2:1: is a forbidden configuration"));
}

TEST_CASE("irace's first configurations are read as R reads a table") {
  const TemporaryFolder folder;
  write_scenario(folder);
  (void)folder.file("first.txt",
                    "\"ants\" 'algorithm' q0\n\"1\" 7 'acs' 0.5\n2 8 \"as\" \"\"\n3 6 as <NA>\n");
  const YamlNode study = parse_yaml(import_space(folder.path() / "scenario.txt").yaml);
  CHECK(to_json(*study.find("default")) == Json{{"algorithm", "acs"}, {"ants", 7}, {"q0", 0.5}});
  CHECK(study.find("start")->children().size() == 2);
}

TEST_CASE("the documents name every word of a scenario") {
  const std::string document =
      read_file(std::filesystem::path(NTUNE_SOURCE_DIR) / "configs/irace.md", 1 << 20);
  std::set<std::string> names;
  for (const IraceWord& word : irace_words()) {
    CAPTURE(word.name);
    CHECK(names.insert(word.name).second);
    CHECK(document.find('`' + word.name + '`') != std::string::npos);
  }
}

}  // namespace ntune
