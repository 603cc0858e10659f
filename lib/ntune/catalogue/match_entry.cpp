#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/catalogue/objectives.h"
#include "ntune/core/error.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/match/match_objective.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

namespace {

/// What follows `objective:` for matches.
struct MatchYaml {
  Json match = {};
  std::vector<Json> opponents = {"default"};
  std::vector<double> weights = {};
  int games = 2;
  AutoInteger players = {};
  const YamlNode* inner = nullptr;
  const YamlNode* opponents_node = nullptr;

  void visit(Options& options) {
    options.custom("match",
                   {.read = [this](const YamlNode& node) { inner = &node; },
                    .write = [this] { return match; },
                    .schema =
                        [] {
                          return Json{{"$ref", "#/properties/objective"}};
                        }},
                   "what plays: a game of two players, or a program whose command names the "
                   "opponent");
    options.custom("opponents",
                   {.read = [this](const YamlNode& node) { read_opponents(node); },
                    .write = [this] { return Json(opponents); },
                    .schema = [] { return opponents_schema(); }},
                   "fixed opponents: default, or maps of values, where what is left out is as the "
                   "default has it");
    options.custom("weights",
                   {.read = [this](const YamlNode& node) { read_weights(node); },
                    .write = [this] { return Json(weights); },
                    .schema =
                        [] {
                          return Json{{"type", "array"},
                                      {"items", {{"type", "number"}, {"exclusiveMinimum", 0}}}};
                        }},
                   "how often each opponent is drawn, in their order; without them equally often");
    options.integer("games", games, between(2, 1000),
                    "games of a match in this process, or with `players`; even, as they come in "
                    "pairs of both sides");
    options.integer("players", players, between(2, kMostPlayers),
                    "seats of a game, which the players of both points share; a command names them "
                    "as {seat1.x}; auto: a game of two without seats");
  }

  /// A list of `default` and of maps of values.
  void read_opponents(const YamlNode& node) {
    opponents_node = &node;
    opponents.clear();
    if (!node.is_list() || node.children().empty()) {
      node.fail(fmt::format("is {}, a list such as [default, {{depth: 4}}] is allowed",
                            node.is_list() ? "empty" : node.describe()));
    }
    for (const YamlNode& child : node.children()) {
      if (!child.is_map() && !(child.is_scalar() && child.text() == "default")) {
        child.fail(fmt::format("is {}, default or a map of values is allowed", child.describe()));
      }
      opponents.push_back(to_json(child));
    }
  }

  /// A list of numbers above 0; whether there are as many as opponents is checked later.
  void read_weights(const YamlNode& node) {
    if (!node.is_list()) node.fail(fmt::format("is {}, a list is allowed", node.describe()));
    for (const YamlNode& child : node.children()) {
      const auto weight = child.number();
      if (!weight || !(*weight > 0.0)) {
        child.fail(fmt::format("is {}, a number above 0 is allowed", child.describe()));
      }
      weights.push_back(*weight);
    }
  }

  static Json opponents_schema() {
    const Json map = {{"type", "object"},
                      {"additionalProperties", {{"type", {"boolean", "number", "string"}}}}};
    return {
        {"type", "array"}, {"minItems", 1}, {"items", {{"anyOf", {{{"enum", {"default"}}}, map}}}}};
  }
};

/// The options of the node, with the rules between them and those of what plays.
MatchYaml read_match(const YamlNode& node) {
  auto match = read_options(node, MatchYaml());
  if (match.inner == nullptr) node.fail_at("match", "is missing");
  if (match.games % 2 != 0) {
    node.fail_at("games", fmt::format("is {}, an even number is allowed: games come in pairs, one "
                                      "from either side",
                                      match.games));
  }
  if (!match.weights.empty() && match.weights.size() != match.opponents.size()) {
    node.fail_at("weights", fmt::format("has {} numbers for {} opponents", match.weights.size(),
                                        match.opponents.size()));
  }
  const ObjectiveEntry& entry = find_objective(*match.inner);
  if (entry.kind == "match") match.inner->fail("is a match already");
  match.match = entry.resolved(*match.inner);
  return match;
}

/// The point of `default`, or of a map.
Point anchor_of(const YamlNode& place, const Json& opponent, const Objective& objective) {
  if (opponent.is_object()) {
    return read_point(place, objective.space(),
                      declared_values(objective.space(), objective.defaults()));
  }
  try {
    return default_point(objective.space(), objective.defaults());
  } catch (const InputError& error) {
    place.fail(
        fmt::format("the default is an opponent, for which every parameter needs a "
                    "'default:'; {}",
                    error.what()));
  }
}

/// What plays must be for two players, or for the seats; the message says how it can be.
void check_players(const YamlNode& node, const YamlNode& inner, const Objective& objective,
                   int players) {
  if (players > 0) {
    const std::string problem = problem_of_players(objective, players);
    if (!problem.empty()) node.fail_at("players", fmt::format("is {}, but {}", players, problem));
    return;
  }
  if (needs_seats(objective)) {
    node.fail_at("players", "is missing, the command names seats: 2 to 8 are allowed");
  }
  if (objective.matches() != nullptr) return;
  const YamlNode* protocol = inner.find("protocol");
  if (protocol != nullptr && protocol->text() == "worker") {
    protocol->fail(
        "is worker, which plays no matches; a command with {opponent.NAME} or {opponent.params:…} "
        "does, and so does `match: {ask_tell: NAME}`, which is asked from outside; with "
        "`players: 2` a worker is told who sits where");
  }
  inner.fail(
      is_external(objective)
          ? "names no opponent: a match needs {opponent.NAME} or {opponent.params:…} beside the "
            "player's own values"
          : fmt::format("'{}' is for one player, a match needs two",
                        find_objective(inner).title()));
}

std::unique_ptr<Objective> make_match(const YamlNode& node, const YamlNode* space) {
  const MatchYaml match = read_match(node);
  std::shared_ptr<const Objective> objective =
      find_objective(*match.inner).make(*match.inner, space);
  MatchRules rules{.weights = match.weights,
                   .games = match.games,
                   .players = match.players.automatic ? 0 : static_cast<int>(match.players.value)};
  check_players(node, *match.inner, *objective, rules.players);
  // Each opponent is a point of its own, reported at its line in the list.
  const YamlNode& place = match.opponents_node != nullptr ? *match.opponents_node : *match.inner;
  for (std::size_t i = 0; i < match.opponents.size(); ++i) {
    const YamlNode& at =
        match.opponents_node != nullptr ? match.opponents_node->children()[i] : place;
    const Point anchor = anchor_of(at, match.opponents[i], *objective);
    if (std::ranges::find(rules.anchors, anchor) != rules.anchors.end()) {
      at.fail("stands twice among the opponents");
    }
    rules.anchors.push_back(anchor);
  }
  return std::make_unique<MatchObjective>(std::move(objective), std::move(rules));
}

/// Without `players` the study of a game of two is the one that it always was.
Json resolved_match(const YamlNode& node) {
  const MatchYaml match = read_match(node);
  Json options = options_json(match);
  if (match.players.automatic) options.erase("players");
  return options;
}

/// "bao match", or "match" of a program.
std::string match_label(const Json& options) {
  const Json& inner = options["match"];
  for (const char* kind : {"game", "ask_tell"}) {
    if (inner.contains(kind)) return fmt::format("{} match", inner[kind].get<std::string>());
  }
  return "match";
}

}  // namespace

ObjectiveEntry match_entry() {
  return {.kind = "match",
          .name = {},
          .summary = "matches between two points, of a game or a program; tuned by duels",
          .make = make_match,
          .schema = [] { return options_schema(MatchYaml(), "match"); },
          .resolved = resolved_match,
          .needs_budget = true,
          .example = {{"objective", {{"match", {{"game", "bao"}}}}}, {"budget", 2000}, {"seed", 1}},
          .label = match_label};
}

}  // namespace ntune
