#include "ntune/catalogue/objectives.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "ntune/catalogue/game_entries.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/command/command_objective.h"
#include "ntune/objective/functions/function_entry.h"
#include "ntune/objective/functions/functions.h"
#include "ntune/objective/functions/simulated_games.h"
#include "ntune/objective/recorded/table_objective.h"

namespace ntune {

namespace {

/// The whole table: functions, games, and the kinds that need options.
std::vector<ObjectiveEntry> all_entries() {
  std::vector<ObjectiveEntry> entries = {
      function_entry("hartmann3", "3 parameters, 4 local optima", make_hartmann3),
      function_entry("hartmann6", "6 parameters; constants of the literature", make_hartmann6),
      function_entry("hartmann6_tag", "Hartmann-6 with the constants of TAG", make_hartmann6_tag),
      function_entry("branin", "2 parameters, 3 global optima", make_branin),
      function_entry("goldstein_price", "2 parameters, 1 global optimum", make_goldstein_price),
      function_entry("one_max", "separable: mean of all parameters", make_one_max),
      function_entry("trap", "deceptive blocks of parameters", make_trap),
      function_entry("nk", "random landscape with k interactions per parameter", make_nk),
      function_entry("gaussian_landscape", "random smooth landscape over ordered parameters",
                     make_gaussian_landscape),
  };
  std::ranges::move(game_entries(), std::back_inserter(entries));
  for (const auto& make :
       {simulated_games_entry, table_entry, command_entry, asked_entry, match_entry}) {
    entries.push_back(make());
  }
  return entries;
}

/// Adds a word that is not there yet.
void add_once(std::vector<std::string>& words, const std::string& word) {
  if (!word.empty() && std::ranges::find(words, word) == words.end()) words.push_back(word);
}

/// The entry that a name selects, among one kind or (empty) all. An entry without a name takes any
/// value of its kind.
const ObjectiveEntry& find_by_name(const YamlNode& node, const std::string& kind) {
  std::vector<std::string> names;
  for (const ObjectiveEntry& entry : objective_table()) {
    if (!kind.empty() && entry.kind != kind) continue;
    if (!kind.empty() && entry.name.empty()) return entry;
    if (node.is_scalar() && entry.name == node.text()) return entry;
    if (kind.empty() && node.is_scalar() && entry.kind == node.text()) {
      node.fail(fmt::format("is '{0}', which needs a value: {{{0}: …}}", node.text()));
    }
    add_once(names, entry.name);
  }
  // A build without the games says how to get them.
  const bool may_be_left_out = (kind.empty() || kind == "game") && game_entries().empty();
  node.fail(fmt::format("is {}{}; allowed: {}{}", node.describe(), suggestion(node.text(), names),
                        list_text(names),
                        may_be_left_out ? "; `scripts/build.sh games ntune` builds the games of "
                                          "the papers too, which are left out here"
                                        : ""));
}

}  // namespace

std::span<const ObjectiveEntry> objective_table() {
  static const std::vector<ObjectiveEntry> kTable = all_entries();
  return kTable;
}

const ObjectiveEntry& find_objective(const YamlNode& objective) {
  if (objective.is_scalar()) return find_by_name(objective, "");
  if (!objective.is_map()) {
    objective.fail(fmt::format("is {}, a name or a map such as {{function: hartmann6}} is allowed",
                               objective.describe()));
  }
  // The first kind whose key the map has selects the entry.
  std::vector<std::string> kinds;
  for (const ObjectiveEntry& entry : objective_table()) {
    if (const YamlNode* name = objective.find(entry.kind)) return find_by_name(*name, entry.kind);
    add_once(kinds, entry.kind);
  }
  std::string near;
  for (const YamlNode& child : objective.children()) {
    if (near.empty()) near = suggestion(child.key(), kinds);
  }
  objective.fail(fmt::format("has no kind{}; one of these keys selects the objective: {}", near,
                             list_text(kinds)));
}

}  // namespace ntune
