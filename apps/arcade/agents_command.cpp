#include <fmt/format.h>

#include "apps/arcade/commands.h"
#include "apps/common/rows.h"
#include "ntune/core/option_json.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"

namespace ntune::arcade {

namespace {

/// A group of options: an agent's, or a game's rules.
struct Group {
  std::string kind;  ///< "agent" or "rules"
  std::string name;
  std::string summary;
  Json properties;   ///< schema
  Json planet_wars;  ///< defaults there
  Json asteroids;
};

Group group_of(const AgentKind& kind) {
  const auto schema = [](const auto& options) { return options_schema(options)["properties"]; };
  const auto values = [](const auto& options) { return options_json(options); };
  return {.kind = "agent",
          .name = kind.name,
          .summary = kind.summary,
          .properties = std::visit(schema, kind.planet_wars),
          .planet_wars = std::visit(values, kind.planet_wars),
          .asteroids = std::visit(values, kind.asteroids)};
}

template <class Rules>
Group rules_group(Game game) {
  const Json values = options_json(Rules());
  return {.kind = "rules",
          .name = game_name(game),
          .summary = fmt::format("rules of {} (--rules)", game_title(game)),
          .properties = options_schema(Rules())["properties"],
          .planet_wars = values,
          .asteroids = values};
}

std::vector<Group> groups_of(const std::string& name) {
  std::vector<Group> groups;
  for (const AgentKind& kind : agent_kinds()) {
    if (name.empty() || kind.name == name) groups.push_back(group_of(kind));
  }
  if (!name.empty()) return groups;
  groups.push_back(rules_group<PlanetWarsRules>(Game::kPlanetWars));
  groups.push_back(rules_group<AsteroidsRules>(Game::kAsteroids));
  return groups;
}

std::string plain(const Json& value) {
  if (value.is_number()) return number_text(value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// What an option may be, from its schema.
std::string allowed(const Json& schema) {
  if (schema.contains("anyOf")) {
    std::vector<std::string> ways;
    for (const Json& way : schema["anyOf"]) {
      ways.push_back(way.contains("const") ? plain(way["const"]) : allowed(way));
    }
    return list_text(ways);
  }
  if (schema.contains("enum")) {
    std::vector<std::string> words;
    for (const Json& word : schema["enum"]) words.push_back(plain(word));
    return list_text(words);
  }
  const std::string type = schema.value("type", "");
  if (type == "boolean") return "true or false";
  const bool excluded = schema.contains("exclusiveMinimum");
  const Bounds bounds = {.low = schema[excluded ? "exclusiveMinimum" : "minimum"].get<double>(),
                         .high = schema["maximum"].get<double>(),
                         .low_excluded = excluded};
  return (type == "integer" ? "whole, " : "") + bounds.text();
}

std::string default_text(const Group& group, const std::string& key) {
  const std::string value = plain(group.planet_wars[key]);
  if (group.asteroids[key] == group.planet_wars[key]) return value;
  return fmt::format("{} (asteroids {})", value, plain(group.asteroids[key]));
}

Json rows_of(const Group& group) {
  Json rows = Json::array();
  for (const auto& [key, schema] : group.properties.items()) {
    rows.push_back({{"of", group.kind},
                    {"name", group.name},
                    {"option", key},
                    {"default", group.planet_wars[key]},
                    {"default_asteroids", group.asteroids[key]},
                    {"allowed", allowed(schema)},
                    {"meaning", schema["description"]}});
  }
  return rows;
}

/// "sequence_length 5, gene_probability 0.01": where the defaults are not rhea's.
std::string differences(const Group& group, const Group& rhea) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : group.planet_wars.items()) {
    if (value != rhea.planet_wars[key] || value != rhea.asteroids[key]) {
      parts.push_back(fmt::format("{} {}", key, plain(value)));
    }
  }
  return fmt::format("  rhea with {}\n", list_text(parts, "and"));
}

std::string options_text(const Group& group) {
  if (group.properties.empty()) return "  no options\n";
  TextTable table({"<  option", "<default", "<allowed", "<meaning"});
  for (const auto& [key, schema] : group.properties.items()) {
    table.add_row({"  " + key, default_text(group, key), allowed(schema),
                   schema["description"].get<std::string>()});
  }
  return table.text();
}

std::string text_of(const std::vector<Group>& groups) {
  const Group rhea = group_of(agent_kinds().front());
  std::string text;
  for (const Group& group : groups) {
    const bool repeats = groups.size() > 1 && group.name != rhea.name &&
                         group.properties.size() == rhea.properties.size() && group.kind == "agent";
    if (!text.empty()) text += '\n';
    text += group.kind == "agent" ? fmt::format("{}: {}\n", group.name, group.summary)
                                  : group.summary + '\n';
    text += repeats ? differences(group, rhea) : options_text(group);
  }
  return text;
}

}  // namespace

int agents_command(const AgentsArguments& arguments, const Terminal& terminal) {
  const std::vector<Group> groups = groups_of(arguments.name);
  std::vector<Json> rows;
  Json json = Json::array();
  for (const Group& group : groups) {
    const Json options = rows_of(group);
    rows.insert(rows.end(), options.begin(), options.end());
    json.push_back({{"of", group.kind},
                    {"name", group.name},
                    {"summary", group.summary},
                    {"options", options}});
  }
  cli::print_result(terminal.out, arguments.format, json, rows, text_of(groups));
  return cli::kDone;
}

}  // namespace ntune::arcade
