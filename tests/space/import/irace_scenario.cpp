// Whole scenarios of irace.

#include "ntune/space/import/irace_scenario.h"

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
    "deterministic = 1\n"
    "eachTest = 2\n";

void write_scenario(const TemporaryFolder& folder, const std::string& scenario = kScenario) {
  (void)folder.file("parameters.txt", kParameters);
  (void)folder.file("target-runner", "#!/bin/sh\n");
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
  CHECK(command.children()[5].text() == "{params[algorithm]:--{value}}");
  CHECK(command.children()[6].text() == "{params[ants]:--ants {value}}");
  CHECK(study.find("objective")->find("direction")->text() == "minimise");
  CHECK(study.find("objective")->find("noisy")->boolean() == false);
  CHECK(study.find("instances")->find("file")->text() == path + "/train.txt");
  CHECK(study.find("instances")->find("folder")->text() == path + "/train");
  CHECK(study.find("test_instances")->find("folder")->text() == path + "/test");
  CHECK(study.find("budget")->integer() == 180);
  CHECK(study.find("seed")->integer() == 42);
  CHECK(test::space_in(imported.yaml).dimensions() == 3);
  REQUIRE(imported.warnings.size() == 1);
  CHECK_THAT(imported.warnings[0], ContainsSubstring("scenario.txt:9: eachTest: left out: "));
}

TEST_CASE("what is wrong with a scenario is said at its line") {
  const TemporaryFolder folder;
  write_scenario(folder, "seed = 1\nmaxExperiment = 3\n");
  CHECK_THAT(refusal(folder),
             ContainsSubstring("scenario.txt:2: 'maxExperiment' is no word of a scenario of irace, "
                               "did you mean 'maxExperiments'?"));
  write_scenario(folder, "seed = 1\n");
  CHECK_THAT(refusal(folder), ContainsSubstring("maxExperiments: is missing"));
  write_scenario(folder, "maxExperiments = 0\n");
  CHECK_THAT(refusal(folder), ContainsSubstring("scenario.txt:1: maxExperiments: is '0', a whole"));
  write_scenario(folder, "maxExperiments = 10\n");
  CHECK_THAT(refusal(folder), ContainsSubstring("there are no instances"));
  write_scenario(folder, "parameterFile = \"none.txt\"\n");
  CHECK_THAT(refusal(folder), ContainsSubstring("scenario.txt:1: parameterFile: there is no file"));
  write_scenario(folder, "seed = c(1,\n2)\n");
  CHECK_THAT(refusal(folder), ContainsSubstring("scenario.txt:1: goes on in the next line"));
}

TEST_CASE("the documents name every word of a scenario") {
  const std::string document =
      read_file(std::filesystem::path(NTUNE_SOURCE_DIR) / "configs/README.md", 1 << 20);
  std::set<std::string> names;
  for (const IraceWord& word : irace_words()) {
    CAPTURE(word.name);
    CHECK(names.insert(word.name).second);
    CHECK(document.find('`' + word.name + '`') != std::string::npos);
  }
}

}  // namespace ntune
