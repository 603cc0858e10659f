// The line of the table of objectives for Zanzibar Bao.

#include <filesystem>
#include <memory>
#include <utility>

#include "ntune/core/error.h"
#include "ntune/core/yaml.h"
#include "ntune/games/bao/objective.h"
#include "ntune/games/bao/start_positions.h"
#include "ntune/games/bao/weights.h"
#include "ntune/objective/game_entry.h"

namespace ntune {

namespace {

/// The evaluation of this name, or of a file in the folder, which comes first.
BaoEvaluation opponent_of(const std::string& name, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / name;
  return find_bao_evaluation(std::filesystem::is_regular_file(file) ? file.string() : name)
      .evaluation;
}

/// The start positions of a file; none for "random".
std::vector<Bao> starts_of(const std::string& name, const std::filesystem::path& folder) {
  std::vector<Bao> starts;
  if (name == "random") return starts;
  const std::filesystem::path file = folder / name;
  for (const BaoStartPosition& start : read_bao_start_positions(file).usable) {
    starts.push_back(start.position);
  }
  if (starts.empty()) throw InputError(file.string() + ": has no usable start position");
  return starts;
}

/// load(), whose messages get the place of the key.
template <class Load>
auto at_key(const YamlNode& node, const char* key, Load load) {
  try {
    return load();
  } catch (const InputError& error) {
    if (const YamlNode* place = node.find(key)) place->fail(error.what());
    node.fail_at(key, error.what());
  }
}

/// The objective of the node, with the files of its options seen from its folder.
std::unique_ptr<Objective> make(const BaoOptions& options, const std::optional<SearchSpace>& space,
                                const YamlNode& node) {
  const std::filesystem::path folder = std::filesystem::path(node.file()).parent_path();
  const auto opponent =
      at_key(node, "opponent", [&] { return opponent_of(options.opponent, folder); });
  auto starts = at_key(node, "starts", [&] { return starts_of(options.starts, folder); });
  return std::make_unique<BaoObjective>(options, space, opponent, std::move(starts));
}

}  // namespace

void BaoOptions::visit(Options& visitor) {
  visitor.text("opponent", opponent,
               "material, default, or a weights file, seen from the study file's folder");
  visitor.integer("opponent_depth", opponent_depth, between(1, 100),
                  "plies of the opponent's alpha-beta; auto: as many as depth says");
  visitor.text("starts", starts,
               "random: ten random moves of each player; or a CSV file of start positions, seen "
               "from the study file's folder");
  player.visit(visitor);
}

ObjectiveEntry bao_entry() {
  return game_entry<BaoOptions>(
      "bao", "Zanzibar Bao against a fixed opponent, won or lost; an evaluation is tuned",
      [](const BaoOptions& options) { return options.player; }, make, {"opponent", "starts"});
}

}  // namespace ntune
