#include "ntune/games/slide/objective/objective.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/parallel.h"
#include "ntune/core/yaml.h"
#include "ntune/games/slide/codes.h"
#include "ntune/games/slide/exact/database.h"
#include "ntune/objective/game_entry.h"

namespace ntune {

namespace {

/// Indices of all positions with the wanted distance to Win.
std::vector<std::uint32_t> starts_of(const SlideOptions& options,
                                     const std::filesystem::path& folder) {
  Parallel parallel;
  const auto database = options.database.empty()
                            ? SlideDatabase<3>::build(parallel)
                            : SlideDatabase<3>::load(folder / options.database);
  std::vector<std::uint32_t> starts = database.positions_at(options.dtw);
  if (starts.empty()) {
    throw InputError(fmt::format("{}: has no position of DTW {}", options.database, options.dtw));
  }
  return starts;
}

/// The objective of the node; the only fault left is that of the database.
std::unique_ptr<Objective> make(const SlideOptions& options,
                                const std::optional<SearchSpace>& space, const YamlNode& node) {
  try {
    return std::make_unique<SlideObjective>(options, space,
                                            std::filesystem::path(node.file()).parent_path());
  } catch (const InputError& error) {
    // All else has been checked.
    if (const YamlNode* place = node.find("database")) place->fail(error.what());
    node.fail_at("database", error.what());
  }
}

}  // namespace

void SlideOptions::visit(Options& visitor) {
  visitor.integer("dtw", dtw, between(1, 26), "moves from the start of a game to Win");
  visitor.integer("moves", moves, between(1, 1'000'000), "a game is lost after so many");
  visitor.choice<Observation>(
      "observation", observation, {{"win", Observation::kWin}, {"moves", Observation::kMoves}},
      "win: +1 for a game won, else -1; moves: as few as possible, all of them in a lost game");
  visitor.text("database", database,
               "file of all distances, seen from the study file's folder; empty: made anew in "
               "about a second");
  player.visit(visitor);
}

SlideObjective::SlideObjective(const SlideOptions& options, const std::optional<SearchSpace>& space,
                               const std::filesystem::path& folder)
    : options_(options),
      player_(options.player, space ? *space : default_slide_space()),
      starts_(starts_of(options_, folder)) {}

double SlideObjective::evaluate(const Point& point, Rng& rng) const {
  const SlidePlayer player = player_.at(point);
  DepthAgent agent(effective_player(player.depth_player), false, searches_.borrow());
  const std::uint32_t start = starts_[rng.below(static_cast<std::uint32_t>(starts_.size()))];
  const SlideGame game = play_slide_game(agent, slide_position_at<3>(start), options_.moves, rng);
  if (options_.observation == SlideOptions::Observation::kMoves) return -game.moves;
  return game.won ? 1.0 : -1.0;
}

// Where leaves are not randomised their intensity has no meaning. A condition on the randomisation
// then switches the parameter off, and 0 need not be one of its values.
Json SlideObjective::defaults() const {
  Json defaults = player_.defaults();
  const int i = space().find("intensity");
  if (i >= 0 && !space()[i].when.empty() && defaults["randomisation"] == "none") {
    defaults.erase("intensity");
  }
  return defaults;
}

std::string SlideObjective::description() const {
  const bool win = options_.observation == SlideOptions::Observation::kWin;
  return fmt::format("slide3 (DTW {}, {} moves), {}", options_.dtw, options_.moves,
                     win ? "win or loss" : "moves of a game");
}

Payoffs SlideObjective::payoffs() const {
  if (options_.observation == SlideOptions::Observation::kWin) {
    return {.low = -1.0, .high = 1.0, .two_valued = true};
  }
  // A won game takes at least as many moves as the distance says.
  const double most = options_.moves;
  return {.low = -most, .high = -std::min<double>(most, options_.dtw)};
}

Unit SlideObjective::unit() const {
  return options_.observation == SlideOptions::Observation::kWin ? Unit::win_probability()
                                                                 : Unit::cost();
}

ObjectiveEntry slide_entry() {
  return game_entry<SlideOptions>(
      "slide3", "a sliding puzzle played by a depth-t search; its evaluation is tuned",
      [](const SlideOptions& options) { return options.player; }, make, {"database"});
}

}  // namespace ntune
