#include "ntune/games/bao/objective.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/text.h"
#include "ntune/games/bao/start_positions.h"
#include "ntune/games/two_player/games.h"

namespace ntune {

BaoObjective::BaoObjective(const BaoOptions& options, const std::optional<SearchSpace>& space,
                           const BaoEvaluation& opponent, std::vector<Bao> starts)
    : options_(options),
      player_(options.player, space ? *space : default_bao_space()),
      starts_(std::move(starts)) {
  // The opponent is a plain alpha-beta player with the fixed evaluation.
  BaoSearchOptions search;
  search.agent.depth = options_.opponent_depth.automatic
                           ? options_.player.search.agent.depth
                           : static_cast<int>(options_.opponent_depth.value);
  opponent_ = bao_player(opponent, search, opponent);
}

BaoPlayer BaoObjective::player_at(const Point& point) const {
  const BaoPlayerOptions options = player_.at(point);
  return bao_player(BaoLinearEvaluation(options.weights), options.search, opponent_.evaluation);
}

double BaoObjective::evaluate(const Point& point, Rng& rng) const {
  const auto ours = make_bao_agent(player_at(point));
  const auto theirs = make_bao_agent(opponent_);
  // The side is drawn before the start, in this order.
  const int side = static_cast<int>(rng.below(2));
  const Bao start = draw_start(rng);
  return play_from_side(start, *ours, *theirs, side, rng).is_won_by(side) ? 1.0 : -1.0;
}

Bao BaoObjective::draw_start(Rng& rng) const {
  if (starts_.empty()) return random_bao_start(rng.stream("start"));
  return starts_[rng.below(static_cast<std::uint32_t>(starts_.size()))];
}

Outcome BaoObjective::play(const Point& first, const Point& second, Rng& rng,
                           const EvaluationId& /*id*/) const {
  const auto ours = make_bao_agent(player_at(first));
  const auto theirs = make_bao_agent(player_at(second));
  // A copy draws the start, so that the games of the pair use the same numbers as without it.
  Rng draw = rng;
  const Bao start = draw_start(draw);
  return outcome_of(play_pair(start, *ours, *theirs, rng));
}

Json BaoObjective::defaults() const { return player_.defaults(); }

std::string BaoObjective::description() const {
  return fmt::format("bao (against {}, depth {}), win or loss", printable(options_.opponent, 60),
                     opponent_.agent.depth);
}

}  // namespace ntune
