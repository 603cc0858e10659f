// The line of the table of objectives for temperature discovery search on Amazons.

#include <memory>
#include <utility>
#include <vector>

#include "ntune/core/error.h"
#include "ntune/core/yaml.h"
#include "ntune/games/amazons/objective/objective.h"
#include "ntune/objective/game_entry.h"

namespace ntune {

namespace {

/// The objective of the node; its only remaining fault is that of the opponent.
std::unique_ptr<Objective> make(const AmazonsTdsOptions& options,
                                const std::optional<SearchSpace>& space, const YamlNode& node) {
  if (options.least_empties > options.most_empties) {
    node.fail_at("least_empties", "is more than most_empties");
  }
  try {
    return std::make_unique<AmazonsTdsObjective>(options, space);
  } catch (const InputError& error) {  // all else has been checked
    if (const YamlNode* place = node.find("opponent")) place->fail(error.what());
    node.fail_at("opponent", error.what());
  }
}

/// A flag that is active only where the flag of this index is true.
Parameter flag_after(std::string name, int needed) {
  Parameter parameter = make_choices(std::move(name), {false, true});
  parameter.when = {{needed, {1}}};
  return parameter;
}

}  // namespace

void AmazonsTdsOptions::visit(Options& options) {
  options.choice("observation", observation,
                 {{"temperature", Observation::kTemperature},
                  {"mean", Observation::kMean},
                  {"match", Observation::kMatch}},
                 "the negative error of the temperature or of the mean on a random position of the "
                 "4x4 database, or +1 and -1 for a match of Hotstrat won and lost");
  options.number("node_price", node_price, at_least(0),
                 "what a thousand nodes cost, added to the error");
  options.integer("least_empties", least_empties, between(2, 14),
                  "empty squares of a position, at least");
  options.integer("most_empties", most_empties, between(2, 14), "… at most");
  options.text("opponent", opponent,
               "the opponent in a match: hotstrat-TDS+, arrow, …; it has as many nodes a move");
  options.integer("boards", boards, between(1, 8), "of a sum");
  options.integer("size", size, between(4, 6), "side of a board of a sum");
  options.choice("unknown", unknown,
                 {{"rule", UnknownTemperature::kRule}, {"swing", UnknownTemperature::kSwing}},
                 "in a match: the temperature where no search came to an end, by no_board_move or "
                 "by the evaluation");
  tds.visit(options);
}

SearchSpace default_amazons_tds_space() {
  const auto words = [](const char* name, std::vector<Value> values) {
    return make_choices(name, std::move(values));
  };
  std::vector<Parameter> parameters = {
      words("delta_exponent", {std::string("auto"), 0, 1, 2, 3, 4, 6}),
      words("t_max", {std::string("auto"), 2, 4, 6, 8}),
      words("margin", {1, 2, 4, 8}),
      make_boolean("e1"),
      make_boolean("e2"),
      make_boolean("e3"),
      flag_after("e4", 5),
      flag_after("e5", 5),
      words("ties", {std::string("coupon"), std::string("board")}),
      words("reading", {std::string("rounded"), std::string("prior"), std::string("top")}),
      words("no_board_move",
            {std::string("half_smallest"), std::string("smallest"), std::string("half_largest"),
             std::string("largest"), std::string("minus_one")})};
  return SearchSpace(std::move(parameters));
}

ObjectiveEntry amazons_tds_entry() {
  return game_entry<AmazonsTdsOptions>(
      "amazons_tds", "temperature discovery search on Amazons, by its error or by matches",
      [](const AmazonsTdsOptions& options) { return options.tds; }, make);
}

}  // namespace ntune
