#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/catalogue/objectives.h"
#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/instanced_objective.h"
#include "ntune/study/keys/instance_keys.h"
#include "ntune/study/keys/study_keys.h"

namespace ntune {

namespace {

/// The option of that name, `rules.ticks` in the map `rules`. Throws InputError.
Json& option_at(Json& options, std::string_view name) {
  const std::size_t dot = name.find('.');
  Json& option = options[std::string(name.substr(0, dot))];
  if (dot == std::string_view::npos) return option;
  if (!option.is_null() && !option.is_object()) {
    throw InputError(fmt::format("'{}' is an option in a map, but {} is none",
                                 printable(std::string(name), 60),
                                 printable(std::string(name.substr(0, dot)), 60)));
  }
  return option_at(option, name.substr(dot + 1));
}

/// The options of an objective with those that the instance names.
YamlNode options_on(const YamlNode& options, const ObjectiveEntry& entry,
                    const Instance& instance) {
  Json merged = options.is_map() ? to_json(options) : Json{{entry.kind, entry.name}};
  for (const auto& [key, value] : instance.values) option_at(merged, key) = value_json(value);
  return parse_yaml(to_yaml(merged), options.file());
}

/// Refuses an option that is a parameter of the space, whose value would stand in for it.
void refuse_tuned(const Instance& instance, const SearchSpace& space) {
  for (const auto& [key, value] : instance.values) {
    if (space.find(key) < 0) continue;
    throw InputError(fmt::format("'{}' is a parameter of the space, it cannot vary by the instance",
                                 printable(key, 60)));
  }
}

/// A message without the place in options that stand in no file.
std::string without_place(const std::string& message, const YamlNode& options) {
  const std::string place = options.shown_file() + ":1: ";
  return message.starts_with(place) ? message.substr(place.size()) : message;
}

/// An objective in this process for each instance, whose named values are options of it.
std::shared_ptr<const Objective> make_instanced(const YamlNode& node, const YamlNode& options,
                                                const YamlNode* space, const Instances& instances) {
  // Each instance is a whole objective of its own: its named values replace options.
  const ObjectiveEntry& entry = find_objective(options);
  std::vector<InstancedObjective::Member> members;
  for (const InstanceList* list : {&instances.train, &instances.test}) {
    for (const Instance& instance : list->all()) {
      const std::string name = printable(instance.name, 60);
      if (instance.values.empty()) {
        node.fail(
            fmt::format("the instance '{}' has no named values; for {} maps of its options "
                        "are allowed (see 'ntune describe {}')",
                        name, entry.title(), entry.title()));
      }
      try {
        members.push_back({instance.name, entry.make(options_on(options, entry, instance), space)});
        refuse_tuned(instance, members.back().objective->space());
      } catch (const InputError& error) {
        node.fail(fmt::format("the instance '{}', as options of {}: {}", name, entry.title(),
                              without_place(error.what(), options)));
      }
    }
  }
  try {
    return std::make_shared<InstancedObjective>(std::move(members));
  } catch (const InputError& error) {
    node.fail(error.what());
  }
}

/// A file of another folder that is called as a training instance, by its folder too: test/7.cnf.
/// Empty: the instance is no file, or the same one.
std::string name_with_folder(const Instance& test, const Instance& train) {
  const std::string path = value_text(test.value);
  if (!test.values.empty() || test.json() == train.json()) return {};
  if (!path.starts_with('/') || !path.ends_with('/' + test.name)) return {};
  const std::size_t folder = path.rfind('/', path.size() - test.name.size() - 2);
  return path.substr(folder + 1);
}

InstanceList read_test_instances(const YamlNode& node, const InstanceList& train) {
  const InstanceList list = read_instance_list(node);
  std::vector<Instance> named(list.all().begin(), list.all().end());
  for (Instance& test : named) {
    // A file of another folder may be called alike: then its folder tells it apart.
    const Instance* known = train.find(test.name);
    if (known == nullptr) continue;
    const std::string name = name_with_folder(test, *known);
    if (name.empty() || train.find(name) != nullptr) {
      node.fail(
          fmt::format("holds '{}', which stands in 'instances' too: test instances are those "
                      "that the search has not seen",
                      printable(test.name, 60)));
    }
    test.name = name;
  }
  return InstanceList(std::move(named));
}

/// Refuses instances of an objective that cannot use them, and templates that they do not fill.
void fit_objective(const YamlNode& node, const StudyYaml& keys, Study& study) {
  // A program is called with the instance; an objective in this process is made for each.
  const std::shared_ptr<const Objective>& objective = study.objectives.front().objective;
  if (keys.objective == nullptr) {
    if (takes_instances(*objective)) return;
    node.fail(fmt::format("has no use: {} takes no instance", objective->description()));
  }
  if (!takes_instances(*objective)) {
    study.objectives.front().objective =
        make_instanced(node, *keys.objective, keys.space, study.instances);
    return;
  }
  if (const OutsideProgram* program = objective->outside_program()) {
    program->check_instances(study.instances.train.all(), *keys.objective);
    if (study.instances.test.empty()) return;
    program->check_instances(study.instances.test.all(), *keys.objective);
  }
}

/// Without noise on an instance, evaluations of a point still differ from instance to instance.
void let_instances_differ(Study& study) {
  std::shared_ptr<const Objective>& objective = study.objectives.front().objective;
  const bool several = study.instances.train.size() > 1 || study.instances.test.size() > 1;
  if (!several || objective->payoffs().noisy) return;
  objective = std::make_shared<ExactOnInstances>(objective);
}

/// `instance_effects: removed`, or kept.
bool reads_removed(const YamlNode& node) {
  if (node.is_scalar() && (node.text() == "removed" || node.text() == "kept")) {
    return node.text() == "removed";
  }
  node.fail(fmt::format("is {}, removed or kept is allowed", node.describe()));
}

}  // namespace

void read_instances(const StudyYaml& keys, Study& study) {
  // Without instances nothing may be said about them, and no template may name one.
  if (keys.instances == nullptr) {
    for (const YamlNode* node : {keys.test_instances, keys.aggregate, keys.instance_effects}) {
      if (node != nullptr) node->fail("needs 'instances:' beside it");
    }
    if (keys.objective == nullptr) return;
    if (const OutsideProgram* program = study.objectives.front().objective->outside_program()) {
      program->check_instances({}, *keys.objective);
    }
    return;
  }
  if (study.objectives.size() > 1) {
    keys.instances->fail("goes with one objective, there are several");
  }
  study.instances.train = read_instance_list(*keys.instances);
  if (keys.test_instances != nullptr) {
    study.instances.test = read_test_instances(*keys.test_instances, study.instances.train);
  }
  if (keys.aggregate != nullptr) study.instances.aggregate = read_aggregate(*keys.aggregate);
  if (keys.instance_effects != nullptr) {
    study.instances.effects_are_learned = reads_removed(*keys.instance_effects);
  }
  fit_objective(*keys.instances, keys, study);
  let_instances_differ(study);
}

}  // namespace ntune
