#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/common/flags.h"
#include "ntune/core/json.h"
#include "ntune/games/bao/player.h"
#include "ntune/games/bao/start_positions.h"
#include "ntune/games/bao/weights.h"

namespace ntune::bao {

/// The learned evaluations, weights files of these names in the folder.
const std::vector<std::string>& learned_names();

/// Where evaluations and start positions are.
inline constexpr const char* kUsualFolder = "configs/bao";

/// "material" or "MATERIAL", "ga3" for a weights file of the folder, or the path of one. Throws
/// InputError that begins with the option.
NamedBaoEvaluation evaluation_of(const std::string& option, const std::string& text,
                                 const std::string& folder);
/// The weights file that a name of learned_names() stands for.
std::string weights_path(const std::string& name, const std::string& folder);

/// How a player searches, and whom he takes his opponent for.
struct SearchSettings {
  BaoSearchOptions search = {};
  /// "material*0.7+default*0.3"; empty: the opponent's true evaluation.
  std::string models = {};

  void visit(Options& options);
};
/// Of "name=value,name=value". Throws InputError that begins with the option.
SearchSettings read_search(const std::string& option, const std::string& text);

/// Somebody who plays.
struct Player {
  std::string name;
  BaoEvaluation evaluation;
  SearchSettings settings;
  std::vector<BaoModel> models;  ///< of the settings; empty: the opponent's true evaluation
};
/// "EVALUATION" or "EVALUATION:name=value,name=value". Throws InputError.
Player read_player(const std::string& option, const std::string& text, const std::string& folder);
Player make_player(const std::string& option, const NamedBaoEvaluation& evaluation,
                   const SearchSettings& settings, const std::string& folder);
/// The player as he plays against an opponent with this evaluation.
BaoPlayer against(const Player& player, const BaoEvaluation& opponent);
/// "default, alpha-beta, depth 6".
std::string player_text(const Player& player);
Json player_json(const Player& player);

/// Which positions games begin at.
struct StartArguments {
  std::string file;         ///< empty: start_positions.csv of the folder
  std::int64_t random = 0;  ///< positions to draw instead; 0: none

  void visit(cli::Flags& flags);
};

struct Starts {
  std::vector<Bao> positions;
  std::string text;  ///< "95 start positions of FILE; left out: 13, 35 (damaged), 47 (missing)"
  Json json;
};
/// Throws InputError.
Starts read_starts(const StartArguments& arguments, const std::string& folder, std::int64_t seed);

}  // namespace ntune::bao
