#include "ntune/study/keys/study_keys.h"

#include <utility>
#include <vector>

#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/objective/payoff_limit.h"
#include "ntune/study/keys/earlier_stage_keys.h"
#include "ntune/study/keys/study_yaml.h"

namespace ntune {

namespace {

/// `fail: {value: x}`.
struct FailValue {
  double value = 0.0;
  void visit(Options& options) {
    options.number("value", value, between(-kLargestPayoff, kLargestPayoff),
                   "value in place of a failed evaluation");
  }
};

void read_fail(const YamlNode& node, FailurePolicy& policy) {
  using Kind = FailurePolicy::Kind;
  if (node.is_map() && node.find("value") != nullptr) {
    policy.kind = Kind::kValue;
    policy.value = read_options(node, FailValue()).value;
  } else if (node.is_scalar() && node.text() == "abort") {
    policy.kind = Kind::kAbort;
  } else if (node.is_scalar() && node.text() == "skip") {
    policy.kind = Kind::kSkip;
  } else {
    node.fail("is " + node.describe() + ", abort, skip or {value: number} is allowed");
  }
}

Json fail_schema() {
  Json value = options_schema(FailValue());
  value["required"] = {"value"};
  return {{"anyOf", {schema_of(R"({"enum": ["abort", "skip"]})"), value}}};
}

/// `fail:` of a study: abort, skip or {value: x}.
CustomOption fail_option(FailurePolicy& policy) {
  return {.read = [&policy](const YamlNode& node) { read_fail(node, policy); },
          .write = [&policy]() -> Json {
            if (policy.kind == FailurePolicy::Kind::kValue) return {{"value", policy.value}};
            return policy.kind == FailurePolicy::Kind::kSkip ? "skip" : "abort";
          },
          .schema = fail_schema};
}

}  // namespace

void StudyYaml::visit_node(Options& options, const char* key, const YamlNode*& target,
                           std::function<Json()> schema, const char* help) {
  options.custom(key,
                 {.read = [&target](const YamlNode& found) { target = &found; },
                  .write = [this, key] { return resolved.value(key, Json()); },
                  .schema = std::move(schema)},
                 help);
}

void StudyYaml::visit(Options& options) {
  visit_subject(options);
  visit_beginning(options);
  visit_search(options);
  visit_comparison(options);
  visit_execution(options);
}

void StudyYaml::visit_execution(Options& options) {
  options.integer("repeats", repeats, between(1, 1e6), "how often each cell is repeated");
  constexpr double kLargestSeed = 0x1p53;
  options.integer("seed", seed, between(0, kLargestSeed), "every random number follows from it");
  options.integer("threads", threads, between(0, 1024), "0: one per core");
  options.integer("parallel_evaluations", parallel_evaluations, between(1, 1024),
                  "evaluations of one run in flight at once; changes what a run does, as `threads` "
                  "does not");
  options.custom("fail", fail_option(on_failure),
                 "what a failed evaluation leads to: abort the study, skip it (it counts, without "
                 "a payoff), or {value: x} in its place");
  options.number("max_failure_rate", on_failure.max_rate, between(0, 1),
                 "ends the study when more than this share of a hundred evaluations in a row has "
                 "failed, within a run or the hold-out; 1: never");
  options.number("fail_limit", on_failure.recommended, between(0, 1),
                 "with fail: skip, no point is recommended that is more likely to fail by the "
                 "run's model of failures, unless all are");
  options.flag("learn_from_failures", on_failure.learn,
               "whether searches are told of skipped failures; false is for studies that older "
               "versions have begun, and is set when they are resumed");
  options.flag(
      "instance_blocks", instance_blocks,
      "whether a race has the same instances and seeds for all its candidates; false is for "
      "studies that older versions have begun, and is set when they are resumed");
  options.flag(
      "learn_from_penalties", learn_from_penalties,
      "whether searches know what failed with a value or was cut off, and run leading points to "
      "their ends; false is for studies that older versions have begun, and is set when they are "
      "resumed");
  static const std::vector<std::string> kRecords = {"auto", "evaluations", "runs", "none"};
  options.choice("record", record, kRecords,
                 "what the journal in the result folder keeps; auto: evaluations of programs, else "
                 "runs");
  options.text("published", published,
               "CSV file of published results to print beside the table, relative to this file");
  visit_node(options, "extended_from", extended_from, earlier_stages_schema,
             "the study before `ntune run … --resume` was given more; written by ntune");
}

Json study_schema() {
  Json schema = options_schema(StudyYaml());
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "ntune study";
  schema["oneOf"] = schema_of(R"([{"required": ["objective"]}, {"required": ["objectives"]}])");
  schema["patternProperties"] = {{"^x-", Json::object()}};
  return schema;
}

}  // namespace ntune
