// Optuna's distributions as `optuna ask --search-space` reads them: {"name": …, "attributes": {…}}
// with the class names of all versions, or {"type": "int", "low": 1, "high": 10}.

#include <string_view>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/space/import/source.h"

namespace ntune {

namespace {

/// What kind of domain a distribution has.
enum class Shape { kChoices, kIntegers, kReals };

/// A class or type of Optuna under one of its names.
struct Distribution {
  std::string_view name;
  Shape shape;
  bool log = false;  ///< by its name
};

constexpr Distribution kDistributions[] = {
    {"CategoricalDistribution", Shape::kChoices},
    {"IntDistribution", Shape::kIntegers},
    {"FloatDistribution", Shape::kReals},
    {"UniformDistribution", Shape::kReals},
    {"LogUniformDistribution", Shape::kReals, true},
    {"DiscreteUniformDistribution", Shape::kReals},
    {"IntUniformDistribution", Shape::kIntegers},
    {"IntLogUniformDistribution", Shape::kIntegers, true},
    {"categorical", Shape::kChoices},
    {"int", Shape::kIntegers},
    {"float", Shape::kReals},
};

/// The distribution of a class name or a type; unknown ones fail with the list.
const Distribution& distribution_of(const YamlNode& node) {
  std::vector<std::string> names;
  for (const Distribution& known : kDistributions) {
    if (known.name == node.text()) return known;
    names.emplace_back(known.name);
  }
  node.fail(fmt::format("is {}, which is no distribution; allowed: {}", node.describe(),
                        list_text(names)));
}

/// The step under its new name or its old one.
const YamlNode* step_of(const YamlNode& map) {
  for (const char* const key : {"step", "q"}) {
    const YamlNode* node = map.find(key);
    if (node != nullptr && !node->is_null()) return node;
  }
  return nullptr;
}

SourceParameter read_distribution(const YamlNode& node) {
  // The long form has a name and attributes, the short one a type beside its bounds.
  const bool is_long = node.find("attributes") != nullptr;
  const YamlNode& name = needed(node, is_long ? "name" : "type");
  const Distribution& distribution = distribution_of(name);
  const YamlNode& map = is_long ? needed(node, "attributes") : node;
  SourceParameter parameter{.name = node.key(), .place = node.place(), .type = name.text()};
  if (distribution.shape == Shape::kChoices) {
    parameter.domain =
        SourceChoices{.values = read_source_values(needed(map, "choices")), .unordered = true};
    return parameter;
  }
  const bool log = distribution.log || read_flag(map, "log");
  if (log) parameter.type += ", log";
  const YamlNode* step = step_of(map);
  if (distribution.shape == Shape::kIntegers) {
    parameter.domain = SourceIntegers{.low = read_whole(needed(map, "low")),
                                      .high = read_whole(needed(map, "high")),
                                      .step = step == nullptr ? 1 : read_whole(*step),
                                      .log = log};
  } else {
    parameter.domain = SourceReals{.low = read_real(needed(map, "low")),
                                   .high = read_real(needed(map, "high")),
                                   .step = step == nullptr ? 0.0 : read_real(*step),
                                   .log = log};
  }
  return parameter;
}

}  // namespace

SourceSpace read_optuna(const YamlNode& document) {
  if (!document.is_map()) {
    document.fail(fmt::format("is {}, a map of distributions is allowed", document.describe()));
  }
  SourceSpace space;
  for (const YamlNode& child : document.children()) space.add(read_distribution(child));
  return space;
}

}  // namespace ntune
