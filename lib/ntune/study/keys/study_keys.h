#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "ntune/core/json.h"
#include "ntune/core/options.h"
#include "ntune/study/model/candidates.h"
#include "ntune/study/model/evaluation.h"

namespace ntune {

/// `re_evaluation:` of a study.
struct ReEvaluationYaml {
  ReEvaluationOptions values;
  AutoInteger evaluations;
  double share = 0.2;

  void visit(Options& options);
};

/// One entry of `splits:`.
struct SplitYaml {
  std::int64_t runs = 1;
  AutoInteger iterations;
  AutoInteger re_evaluation;

  void visit(Options& options);
};

/// `prior:` of a study.
struct PriorYaml {
  std::string data;
  AutoNumber weight;
  std::string payoff;
  std::string study;
  std::string digest;

  void visit(Options& options);
};

/// The keys of a study file. Nodes are kept until all is read, since they depend on each other.
struct StudyYaml {
  std::string name;
  const YamlNode* objective = nullptr;
  const YamlNode* objectives = nullptr;
  const YamlNode* space = nullptr;
  const YamlNode* instances = nullptr;
  const YamlNode* test_instances = nullptr;
  const YamlNode* aggregate = nullptr;
  const YamlNode* instance_effects = nullptr;
  bool instance_blocks = true;
  bool learn_from_penalties = true;
  const YamlNode* default_point = nullptr;
  const YamlNode* start = nullptr;
  const YamlNode* prior = nullptr;
  const YamlNode* optimiser = nullptr;
  const YamlNode* optimisers = nullptr;
  std::int64_t runs = 10;
  bool runs_given = false;  ///< the file names them
  const YamlNode* iterations = nullptr;
  AutoInteger budget;          ///< of evaluations
  std::optional<double> cost;  ///< of `budget: {cost: …}`
  double cost_exponent = 0.0;  ///< the same
  const YamlNode* budget_node = nullptr;
  std::optional<double> time;  ///< seconds of wall clock
  const YamlNode* re_evaluation = nullptr;
  AutoInteger hold_out;
  const YamlNode* split = nullptr;
  const YamlNode* splits = nullptr;
  std::int64_t repeats = 1;
  std::int64_t seed = 1;
  std::int64_t threads = 0;
  std::int64_t parallel_evaluations = 1;
  FailurePolicy on_failure;
  std::string record = "auto";
  std::string published;
  const YamlNode* extended_from = nullptr;
  /// The keys whose nodes are kept, with every default: written back in their place.
  Json resolved = Json::object();

  void visit(Options& options);

 private:
  void visit_subject(Options& options);
  void visit_beginning(Options& options);
  void visit_search(Options& options);
  void visit_comparison(Options& options);
  void visit_execution(Options& options);
  /// A key whose node is kept.
  void visit_node(Options& options, const char* key, const YamlNode*& target,
                  std::function<Json()> schema, const char* help);
};

}  // namespace ntune
