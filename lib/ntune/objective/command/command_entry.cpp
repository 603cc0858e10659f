// The line of the table of objectives for `command`.

#include <filesystem>

#include <nlohmann/json.hpp>

#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/command/command_objective.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

namespace {

/// The options of the node, with their rules checked at its place.
CommandOptions read_command_options(const YamlNode& node) {
  auto options = read_options<CommandOptions>(node);
  options.says_direction = node.find("direction") != nullptr;
  refuse_at(node, options.problem());
  return options;
}

/// The objective of the node, on the space beside it; `directory` is seen from the file's folder.
std::unique_ptr<Objective> make_command(const YamlNode& node, const YamlNode* space) {
  CommandOptions options = read_command_options(node);
  if (space == nullptr || space->is_null()) {
    node.fail("needs 'space:' beside it, the parameters of the program");
  }
  const std::filesystem::path folder = std::filesystem::path(node.file()).parent_path();
  return std::make_unique<CommandObjective>(std::move(options), read_space(*space), folder,
                                            CommandPlaces(&node));
}

/// A shell's arithmetic in place of an agent: best at depth 5, with noise from the seed.
Json command_example() {
  const Json command = {"sh", "-c",      "echo $(( $1 * (10 - $1) + $2 % 9 ))",
                        "sh", "{depth}", "{seed}"};
  return {{"objective", {{"command", command}, {"payoffs", {9, 33}}}},
          {"space", {{"depth", {{"integers", {1, 9}}}}}},
          {"runs", 2},
          {"iterations", 50},
          {"hold_out", 50},
          {"seed", 1}};
}

}  // namespace

ObjectiveEntry command_entry() {
  return {.kind = "command",
          .name = {},
          .summary = "a program of your own, started for every evaluation or as a worker",
          .make = make_command,
          .schema = [] { return options_schema(CommandOptions(), "command"); },
          .resolved = [](const YamlNode& node) { return options_json(read_command_options(node)); },
          .needs_budget = true,
          .example = command_example()};
}

}  // namespace ntune
