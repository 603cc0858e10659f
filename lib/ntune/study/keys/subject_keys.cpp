// The keys of what a study is about: the objective, its space, its instances, and what is known.

#include "ntune/catalogue/objectives.h"
#include "ntune/core/option_json.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/keys/instance_keys.h"
#include "ntune/study/keys/study_keys.h"

namespace ntune {

namespace {

/// What `objective:` may be: the map of any line of the table, or a name alone.
Json objective_schema() {
  Json any = Json::array();
  Json names = Json::array();
  for (const ObjectiveEntry& entry : objective_table()) {
    any.push_back(entry.schema());
    if (!entry.name.empty()) names.push_back(entry.name);
  }
  any.push_back({{"enum", names}});
  return {{"anyOf", any}};
}

Json point_schema() {
  return schema_of(
      R"({"type": "object", "additionalProperties": {"type": ["boolean", "number", "string"]}})");
}

Json default_schema() { return {{"anyOf", {point_schema(), schema_of(R"({"enum": ["none"]})")}}}; }

Json start_schema() { return {{"anyOf", {point_schema(), list_schema(point_schema())}}}; }

Json prior_schema() {
  return {{"anyOf", {options_schema(PriorYaml()), schema_of(R"({"type": "string"})")}}};
}

}  // namespace

void StudyYaml::visit_subject(Options& options) {
  options.text("name", name, "name of the study in its results");
  visit_node(options, "objective", objective, objective_schema,
             "the objective, which is maximised: a name, or a map");
  visit_node(
      options, "objectives", objectives, [] { return list_schema(objective_schema()); },
      "several, to compare optimisers on");
  visit_node(options, "space", space, space_schema,
             "the search space: parameters that are not named keep the objective's own definition");
  visit_node(
      options, "instances", instances, instances_schema,
      "what points are tried on, such as problems, levels or opponents: a list of values or maps, "
      "a file with one a line, or a folder with a pattern; evaluations are spread evenly over "
      "them");
  visit_node(options, "test_instances", test_instances, instances_schema,
             "other instances, on which the recommendation and the default are held out");
  visit_node(
      options, "aggregate", aggregate, aggregate_schema,
      "how the means of the instances become the value by which points are compared and reported: "
      "mean, worst, geometric_mean or {quantile: q}");
  visit_node(
      options, "instance_effects", instance_effects,
      [] { return schema_of(R"({"enum": ["removed", "kept"]})"); },
      "removed, the default: what an instance adds to the payoffs of all points is estimated and "
      "taken out of what the search is told; kept: it counts as noise");
}

void StudyYaml::visit_beginning(Options& options) {
  visit_node(
      options, "default", default_point, default_schema,
      "the point that the recommendation is compared with, a map of values; what it leaves out is "
      "as the space declares it; none: the space's own defaults are not compared");
  visit_node(options, "start", start, start_schema,
             "points that every run evaluates first: a map of values, or a list of maps");
  visit_node(
      options, "prior", prior, prior_schema,
      "observations that were made before, told to the optimiser and not counted: a CSV file, an "
      "Optuna journal, a folder of ntune run --out, or a map");
}

}  // namespace ntune
