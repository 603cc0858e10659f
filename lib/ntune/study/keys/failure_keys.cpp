#include "ntune/study/keys/failure_keys.h"

#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/objective/objective.h"
#include "ntune/study/keys/key_schemas.h"

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

}  // namespace

CustomOption fail_option(FailurePolicy& policy) {
  return {.read = [&policy](const YamlNode& node) { read_fail(node, policy); },
          .write = [&policy]() -> Json {
            if (policy.kind == FailurePolicy::Kind::kValue) return {{"value", policy.value}};
            return policy.kind == FailurePolicy::Kind::kSkip ? "skip" : "abort";
          },
          .schema = fail_schema};
}

}  // namespace ntune
