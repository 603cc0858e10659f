#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/core/options.h"
#include "ntune/core/yaml.h"
#include "ntune/study/model/study.h"

namespace ntune {

// JSON Schemas that several keys of a study are made of.

/// The schema that is written so.
inline Json schema_of(const char* text) { return Json::parse(text); }
/// A list with at least one such item.
inline Json list_schema(const Json& item) {
  return {{"type", "array"}, {"items", item}, {"minItems", 1}};
}

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
  Study study;  ///< what has been read of it; keys that say nothing more stand there alone
  const YamlNode* objective = nullptr;
  const YamlNode* objectives = nullptr;
  const YamlNode* goals = nullptr;
  const YamlNode* space = nullptr;
  const YamlNode* instances = nullptr;
  const YamlNode* test_instances = nullptr;
  const YamlNode* aggregate = nullptr;
  const YamlNode* instance_effects = nullptr;
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
  double cost_exponent = 0.0;  ///< as in Study
  const YamlNode* budget_node = nullptr;
  std::optional<double> time;  ///< seconds of wall clock
  const YamlNode* re_evaluation = nullptr;
  AutoInteger hold_out;
  const YamlNode* split = nullptr;
  const YamlNode* splits = nullptr;
  std::int64_t seed = 1;
  std::int64_t threads = 0;
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

// The steps of read_study, in the order in which they are taken. All throw InputError.

/// The number of an option, unless it is left to the program.
std::optional<std::int64_t> given_value(const AutoInteger& number);
/// The elements of a list with at least one. `plural` names them in messages.
std::vector<const YamlNode*> elements_of(const YamlNode& node, const char* plural);
/// Refuses a file in which both keys stand.
void refuse_both(const YamlNode* one, const YamlNode* other);

/// The objectives of a study; `given` instead where a program brings it.
std::vector<StudyObjective> read_objectives(const YamlNode& root, const StudyYaml& keys,
                                            std::shared_ptr<const Objective> given);

/// Refuses what does not go together with the goals of a study whose other keys are read.
void check_goals(const YamlNode& root, const StudyYaml& keys, const Study& study);

/// Fills in the instances of a study whose objectives are read, and makes an objective in this
/// process that has none of its own anew for each of them.
void read_instances(const StudyYaml& keys, Study& study);

/// Refuses a study of a program or a game that does not say how many evaluations it makes.
void require_budget(const YamlNode& root, const StudyYaml& keys);

/// Reads the optimisers of a study whose objectives cannot be read, for their errors.
void check_optimisers(const StudyYaml& keys);

std::vector<StudyOptimiser> read_optimisers(const StudyYaml& keys,
                                            const std::vector<StudyObjective>& objectives);

ReEvaluationYaml read_re_evaluation(const YamlNode* node);

/// The default that the study declares, in `default:` or in the space of its only objective.
std::optional<Point> read_default(const YamlNode& root, const StudyYaml& keys, const Study& study);
/// The points of `start:`, a map or a list of maps.
std::vector<Point> read_starts(const YamlNode& node, const Study& study);
/// Fills in what every run begins with, where objectives, plans and the default are known. A
/// comparison has no incumbent.
void read_beginning(const StudyYaml& keys, Study& study);
/// Fills in the prior observations, and returns the options with the path and digest of the data.
PriorYaml read_prior(const YamlNode& node, Study& study);

struct StudyPlans {
  std::vector<RunPlan> plans;
  SampleUnit unit = SampleUnit::kPicks;
  std::int64_t advise_budget = 0;           ///< as in Study
  std::optional<LimitedPlan> limited = {};  ///< as in Study
  Json splits = Json::array();              ///< as asked for, where there is a list
  /// The word of `split:` that makes the same plans; empty: they are told in numbers, or by a list.
  std::string split = {};
};

/// The plans of a study whose objectives and optimisers are read.
StudyPlans read_plans(const YamlNode& root, const StudyYaml& keys,
                      const ReEvaluationYaml& re_evaluation, const Study& study);

/// The stages in `extended_from:` of a study whose objectives, optimisers and plans are read.
/// Throws InputError.
std::vector<EarlierStage> read_earlier_stages(const YamlNode& node, const Study& study);
Json earlier_stages_json(const std::vector<EarlierStage>& stages);
/// JSON Schema of `extended_from:`.
Json earlier_stages_schema();

}  // namespace ntune
