// configs/study.schema.json is what `ntune schema` prints, and agrees with the parser.

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/command.h"
#include "apps/process.h"
#include "catch.h"
#include "ntune/catalogue/objectives.h"
#include "ntune/core/error.h"
#include "ntune/core/yaml.h"
#include "ntune/optim/optimisers.h"
#include "ntune/study/keys/study_yaml.h"

namespace ntune {

namespace fs = std::filesystem;
using test::command;

namespace {

std::string error_of(const std::string& study) {
  try {
    read_study(parse_yaml(study, "study.yaml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// What the schema says of each document; empty where Python has no jsonschema.
std::vector<bool> validate(const std::vector<Json>& documents) {
  const test::TemporaryFolder folder;
  const std::string schema = folder.file("schema.json", study_schema().dump());
  const std::string list = folder.file("documents.json", Json(documents).dump());
  const std::string script = folder.file("validate.py", R"(import json, sys
try:
    from jsonschema import Draft202012Validator
except ImportError:
    sys.exit(77)
schema = json.load(open(sys.argv[1]))
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
for document in json.load(open(sys.argv[2])):
    print(int(validator.is_valid(document)))
)");
  const test::CommandOutcome outcome =
      test::shell("/usr/bin/python3 '" + script + "' '" + schema + "' '" + list + "'");
  if (outcome.code == 77 || outcome.code == 127) {
    WARN("skipped: /usr/bin/python3 has no jsonschema (Debian: python3-jsonschema)");
    return {};
  }
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  std::vector<bool> valid;
  for (const char c : outcome.out) {
    if (c != '\n') valid.push_back(c == '1');
  }
  REQUIRE(valid.size() == documents.size());
  return valid;
}

/// The words after "allowed:" of the error about an unknown key.
std::set<std::string> allowed_keys(const std::string& study) {
  const std::string error = error_of(study);
  CAPTURE(study, error);
  const std::string begin = "unknown key; allowed: ";
  const std::size_t at = error.find(begin);
  REQUIRE(at != std::string::npos);
  std::set<std::string> words;
  std::string word;
  const std::size_t end = error.find('\n', at);  // a study may lack a budget too
  for (const char c : error.substr(at + begin.size(), end - at - begin.size()) + ",") {
    if (c != ',' && c != ' ') {
      word += c;
    } else {
      if (!word.empty() && word != "and") words.insert(word);
      word.clear();
    }
  }
  return words;
}

std::set<std::string> keys_of(const Json& schema) {
  std::set<std::string> keys;
  for (const auto& [key, value] : schema.at("properties").items()) keys.insert(key);
  return keys;
}

/// The alternative of a schema that asks for a certain key, or has it with one certain value.
const Json& alternative(const Json& schema, std::string_view key, std::string_view value = "") {
  for (const Json& choice : schema.at("anyOf")) {
    if (!choice.contains("properties") || !choice["properties"].contains(key)) continue;
    const Json& property = choice["properties"][key];
    if (value.empty() || property.value("enum", Json::array()) == Json::array({value}))
      return choice;
  }
  FAIL("the schema has no " << key << ": " << value);
  return schema;
}

}  // namespace

TEST_CASE("configs/study.schema.json is what ntune schema prints") {
  const fs::path path = fs::path(NTUNE_SOURCE_DIR) / "configs" / "study.schema.json";
  const test::CommandOutcome outcome = command({"schema"});
  CHECK(outcome.code == 0);
  INFO("to renew it: ntune schema > configs/study.schema.json");
  CHECK((test::content_of(path) == outcome.out));
}

TEST_CASE("every study in configs agrees with the schema") {
  std::vector<Json> documents;
  for (const std::string& study : test::studies_in_configs()) {
    documents.push_back(to_json(read_yaml(study)));
  }
  for (const bool valid : validate(documents)) CHECK(valid);
}

TEST_CASE("what describe prints, and what results hold, agrees with the schema") {
  std::vector<Json> documents;
  const auto add = [&](const std::string& name) {
    const std::string study = command({"describe", name}).out;
    documents.push_back(to_json(parse_yaml(study)));
    documents.push_back(read_study(parse_yaml(study)).config);
  };
  for (const ObjectiveEntry& entry : objective_table()) {
    if (!entry.name.empty()) add(entry.name);
  }
  for (const OptimiserEntry& entry : optimiser_table()) add(entry.name);
  for (const char* study :
       {"{objectives: [hartmann3, branin], optimisers: [ntbea, random], iterations: [20, 30]}",
        "{objective: hartmann3, budget: 900, splits: [5 x 100, {runs: 2}], repeats: 3}",
        "{objective: hartmann3, budget: 900, split: auto}",
        "{objective: hartmann3, budget: 900, split: adaptive}"}) {
    documents.push_back(read_study(parse_yaml(study)).config);
  }
  const std::vector<bool> valid = validate(documents);
  for (std::size_t i = 0; i < valid.size(); ++i) {
    CAPTURE(documents[i].dump());
    CHECK(valid[i]);
  }
}

TEST_CASE("schema and parser agree on good and bad studies") {
  const std::vector<std::string> good = {
      "{objective: hartmann6}",
      "{objective: {function: hartmann6}}",
      "{objective: {function: hartmann6, noise: none}}",
      "{objective: {function: hartmann6, noise: {gaussian: 0.5}}}",
      "{objective: {function: nk, dimensions: 8}}",
      "{objectives: [hartmann3, {function: branin}]}",
      "{objective: branin, space: {x1: [0, 5], x2: 3}}",
      "{objective: branin, space: {x1: {range: [0, 5], points: 3}, x2: {integers: [0, 15], step: "
      "5}}}",
      "{objective: branin, space: {x1: {range: [0, 5], step: 2.5, ends: low}}}",
      "{objective: branin, space: {x2: {log_range: [1, 10], points: 3}}}",
      "{objective: branin, space: {x1: {choices: [0, 5]}, x2: {fixed: 3}, forbid: []}}",
      "{objective: branin, space: {x2: {choices: [0, 5], when: {x1: [-5, -2]}}}}",
      "{objective: branin, space: {forbid: [{x1: -5, x2: [0, 3]}]}}",
      "{objective: hartmann6, optimiser: ntbea}",
      "{objective: hartmann6, optimiser: {k: auto}}",
      "{objective: hartmann6, optimiser: {algorithm: ntbea, preset: paper, weighting: linear}}",
      "{objective: hartmann6, optimiser: {tuples: [1, 2, all, [x1, x2]]}}",
      "{objective: hartmann6, optimiser: {algorithm: random}}",
      "{objective: hartmann6, optimisers: [ntbea, {algorithm: rmhc, label: climber}]}",
      "{objective: hartmann6, runs: 5, iterations: 100, seed: 0, threads: 2, name: test}",
      "{objective: hartmann6, name: 2020}",
      "{objective: hartmann6, iterations: [100, 200]}",
      "{objective: hartmann6, budget: 1000}",
      "{objective: hartmann6, budget: auto, hold_out: auto}",
      "{objective: hartmann6, budget: 1e4, hold_out: 0}",
      "{objective: hartmann6, re_evaluation: none}",
      "{objective: hartmann6, re_evaluation: 500}",
      "{objective: hartmann6, re_evaluation: {method: repeats, evaluations: auto, share: 0.5}}",
      "{objective: hartmann6, budget: 1000, split: auto}",
      "{objective: hartmann6, budget: 1000, split: adaptive}",
      "{objective: hartmann6, budget: 1000, splits: [adaptive, 5 x 100]}",
      "{objective: hartmann6, budget: 1000, splits: [5 x 100, {runs: 2, iterations: auto}]}",
      "{objective: hartmann6, record: evaluations}",
      "{objective: hartmann6, record: auto}",
      "{objective: hartmann6, record: none}",
      "{objective: hartmann6, fail: abort}",
      "{objective: hartmann6, fail: skip, max_failure_rate: 1}",
      "{objective: hartmann6, fail: {value: -1.5}}",
      "{objective: hartmann6, parallel_evaluations: 1024}",
  };
  const std::vector<std::string> bad = {
      "{}",
      "[]",
      "text",
      "{runs: 5}",
      "{objective: hartmann6, objectives: [branin]}",
      "{objective: hartman6}",
      "{objective: [hartmann6]}",
      "{objective: {}}",
      "{objective: {function: hartman6}}",
      "{objective: {function: hartmann6, dimensions: 5}}",
      "{objective: {function: hartmann6, noise: loud}}",
      "{objective: {function: hartmann6, noise: {gaussian: 0}}}",
      "{objective: {function: hartmann6, noise: {}}}",
      "{objectives: hartmann6}",
      "{objectives: []}",
      "{objective: branin, space: []}",
      "{objective: branin, space: {x1: []}}",
      "{objective: branin, space: {x1: [0, 0]}}",
      "{objective: branin, space: {x1: {}}}",
      "{objective: branin, space: {x1: {range: [0, 5]}}}",
      "{objective: branin, space: {x1: {range: [0, 5], points: 3, step: 1}}}",
      "{objective: branin, space: {x1: {range: [0], points: 3}}}",
      "{objective: branin, space: {x1: {range: [0, 5], points: 0}}}",
      "{objective: branin, space: {x1: {range: [0, 5], step: 0}}}",
      "{objective: branin, space: {x1: {range: [0, 5], points: 3, end: low}}}",
      "{objective: branin, space: {x2: {log_range: [0, 10], points: 3}}}",
      "{objective: branin, space: {x2: {integers: [0.5, 10]}}}",
      "{objective: branin, space: {x1: {fixed: [1]}}}",
      "{objective: branin, space: {forbid: {x1: 0}}}",
      "{objective: branin, space: {forbid: [{}]}}",
      "{objective: hartmann6, optimiser: ntbae}",
      "{objective: hartmann6, optimiser: [ntbea]}",
      "{objective: hartmann6, optimiser: {algorithm: ntbae}}",
      "{objective: hartmann6, optimiser: {algorithm: random, k: 1}}",
      "{objective: hartmann6, optimiser: {k: -1}}",
      "{objective: hartmann6, optimiser: {k: '1'}}",
      "{objective: hartmann6, optimiser: {neighbours: 0}}",
      "{objective: hartmann6, optimiser: {different: 1}}",
      "{objective: hartmann6, optimiser: {tuples: []}}",
      "{objective: hartmann6, optimiser: {tuples: [0]}}",
      "{objective: hartmann6, optimiser: {tuples: [[]]}}",
      "{objective: hartmann6, optimisers: ntbea}",
      "{objective: hartmann6, runs: 0}",
      "{objective: hartmann6, runs: 1.5}",
      "{objective: hartmann6, runs: '5'}",
      "{objective: hartmann6, runs: [5]}",
      "{objective: hartmann6, iterations: 0}",
      "{objective: hartmann6, iterations: []}",
      "{objective: hartmann6, iterations: [100, 0]}",
      "{objective: hartmann6, budget: 1000.5}",
      "{objective: hartmann6, budget: automatic}",
      "{objective: hartmann6, hold_out: -1}",
      "{objective: hartmann6, re_evaluation: some}",
      "{objective: hartmann6, re_evaluation: -1}",
      "{objective: hartmann6, re_evaluation: {share: 0.99}}",
      "{objective: hartmann6, re_evaluation: {evaluations: 0.5}}",
      "{objective: hartmann6, budget: 1000, split: manual}",
      "{objective: hartmann6, budget: 1000, splits: 5 x 100}",
      "{objective: hartmann6, budget: 1000, splits: []}",
      "{objective: hartmann6, budget: 1000, splits: [5]}",
      "{objective: hartmann6, budget: 1000, splits: [{runs: 0}]}",
      "{objective: hartmann6, budget: 1000, splits: [{run: 1}]}",
      "{objective: hartmann6, seed: -1}",
      "{objective: hartmann6, threads: 1025}",
      "{objective: hartmann6, record: all}",
      "{objective: hartmann6, fail: stop}",
      "{objective: hartmann6, fail: {}}",
      "{objective: hartmann6, fail: {value: many}}",
      "{objective: hartmann6, fail: {value: 1, rate: 2}}",
      "{objective: hartmann6, max_failure_rate: 2}",
      "{objective: hartmann6, parallel_evaluations: 0}",
      "{objective: hartmann6, name: []}",
      "{objective: hartmann6, published: {}}",
      "{objective: hartmann6, iteration: 5}",
  };
  std::vector<Json> documents;
  for (const std::string& study : good) {
    CHECK(error_of(study) == "");
    documents.push_back(to_json(parse_yaml(study)));
  }
  for (const std::string& study : bad) {
    CAPTURE(study);
    CHECK(error_of(study) != "");
    documents.push_back(to_json(parse_yaml(study)));
  }
  const std::vector<bool> valid = validate(documents);
  for (std::size_t i = 0; i < valid.size(); ++i) {
    CAPTURE(documents[i].dump());
    CHECK(valid[i] == (i < good.size()));
  }
}

TEST_CASE("the schema's properties are the keys that the parser knows") {
  const Json schema = study_schema();
  const Json& properties = schema["properties"];
  CHECK(allowed_keys("zzzzz: 1") == keys_of(schema));
  CHECK(allowed_keys("{objective: hartmann6, re_evaluation: {zzzzz: 1}}") ==
        keys_of(alternative(properties["re_evaluation"], "method")));
  CHECK(allowed_keys("{objective: hartmann6, splits: [{zzzzz: 1}]}") ==
        keys_of(alternative(properties["splits"]["items"], "runs")));
  for (const ObjectiveEntry& entry : objective_table()) {
    if (entry.name.empty()) continue;
    const Json& entry_schema = alternative(properties["objective"], entry.kind, entry.name);
    CHECK(allowed_keys(fmt::format("objective: {{{}: {}, zzzzz: 1}}", entry.kind, entry.name)) ==
          keys_of(entry_schema));
    if (!entry_schema["properties"].contains("noise")) continue;
    CHECK(allowed_keys(fmt::format("objective: {{{}: {}, noise: {{gaussian: 1, zzzzz: 1}}}}",
                                   entry.kind, entry.name)) ==
          keys_of(alternative(entry_schema["properties"]["noise"], "gaussian")));
  }
  for (const OptimiserEntry& entry : optimiser_table()) {
    const Json& entry_schema = alternative(properties["optimiser"], "algorithm", entry.name);
    CHECK(allowed_keys(fmt::format(
              "{{objective: hartmann6, optimiser: {{algorithm: {}, zzzzz: 1}}}}", entry.name)) ==
          keys_of(entry_schema));
  }
}

TEST_CASE("the schema's kinds of parameters have the keys that the parser knows") {
  const Json space = alternative(study_schema()["properties"]["space"], "forbid");
  int kinds = 0;
  for (const Json& kind : space["additionalProperties"]["anyOf"]) {
    if (!kind.contains("properties")) continue;
    const std::string name = kind["required"][0];
    const std::string value = name == "choices"   ? "[1, 2]"
                              : name == "boolean" ? "true"
                              : name == "fixed"   ? "1"
                                                  : "[1, 2]";
    CHECK(allowed_keys(fmt::format("{{objective: branin, space: {{x1: {{{}: {}, zzzzz: 1}}}}}}",
                                   name, value)) == keys_of(kind));
    ++kinds;
  }
  CHECK(kinds == 6);
}

}  // namespace ntune
