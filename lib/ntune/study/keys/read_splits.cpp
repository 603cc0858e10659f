// `split:` and `splits:`, the ways to spend a budget.

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/optim/optimisers.h"
#include "ntune/study/keys/plan_requests.h"

namespace ntune {

namespace {

/// A number of "10 x 2,000": spaces and thousands commas where the user likes them.
std::optional<std::int64_t> read_factor(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == ','; });
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value < 1 || value > kMostEvaluations) return std::nullopt;
  return value;
}

/// "10 x 2000".
SplitYaml read_product(const YamlNode& node) {
  const std::size_t cross = node.text().find('x');
  const bool is_product = node.is_scalar() && cross != std::string::npos;
  const auto runs = is_product ? read_factor(node.text().substr(0, cross)) : std::nullopt;
  const auto iterations = is_product ? read_factor(node.text().substr(cross + 1)) : std::nullopt;
  if (!runs || !iterations) {
    node.fail(fmt::format("is {}, 'runs x iterations' such as '10 x 2000' or 'adaptive' is allowed",
                          node.describe()));
  }
  SplitYaml split;
  split.runs = *runs;
  split.iterations = {.automatic = false, .value = *iterations};
  return split;
}

RunPlan adaptive_plan(const YamlNode& node, PlanRequest request) {
  if (!request.budget) node.fail("needs a `budget`");
  if (request.re_evaluation) {
    node.fail("decides on the re-evaluation itself, none may be asked for");
  }
  request.runs = 1;
  request.compares_runs = false;
  RunPlan plan = make_plan(request, node);
  plan.adaptive = true;
  return plan;
}

}  // namespace

StudyPlans divide_budget(const YamlNode& node, PlanRequest request, const Study& study) {
  StudyPlans read;
  bool simulates = false;
  std::int64_t longest = *request.budget;
  for (const StudyOptimiser& optimiser : study.optimisers) {
    const std::optional<std::int64_t> most = longest_single_run(optimiser.algorithm());
    simulates = simulates || !most;
    longest = std::min(longest, most.value_or(longest));
  }
  if (simulates) {
    read.advise_budget = *request.budget;
    read.split = "auto";
  }
  request.runs = 1 + (simulates ? 0 : (*request.budget - 1) / longest);
  read.plans.push_back(make_plan(request, node));
  return read;
}

StudyPlans read_split_word(const YamlNode& node, const PlanRequest& request, const Study& study) {
  const std::string& word = node.text();
  if (word != "auto" && word != "adaptive") {
    node.fail(fmt::format("is {}, 'auto' or 'adaptive' is allowed (or `splits:` for a list)",
                          node.describe()));
  }
  if (word == "adaptive") return {.plans = {adaptive_plan(node, request)}, .split = word};
  if (!request.budget) node.fail("needs a `budget`");
  StudyPlans read = divide_budget(node, request, study);
  read.split = word;
  return read;
}

StudyPlans read_splits(const std::vector<const YamlNode*>& entries, const PlanRequest& common) {
  StudyPlans read;
  for (const YamlNode* node : entries) {
    if (node->is_scalar() && node->text() == "adaptive") {
      read.plans.push_back(adaptive_plan(*node, common));
      read.splits.push_back("adaptive");
      continue;
    }
    const SplitYaml split = node->is_map() ? read_options(*node, SplitYaml()) : read_product(*node);
    PlanRequest request = common;
    request.uses_all = false;
    request.runs = split.runs;
    request.iterations = given_value(split.iterations);
    if (!split.re_evaluation.automatic) request.re_evaluation = given_value(split.re_evaluation);
    read.plans.push_back(make_plan(request, *node));
    read.splits.push_back(options_json(split));
  }
  return read;
}

}  // namespace ntune
