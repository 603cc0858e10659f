#include "ntune/games/arcade/objective.h"

#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/agents/forward_model/rolling_horizon.h"

namespace ntune {

namespace {

/// Goodman and Lucas 2020, Table 1, the columns I.
SearchSpace first_space(std::vector<Value> sequence_lengths) {
  return SearchSpace({make_choices("sequence_length", std::move(sequence_lengths)),
                      make_integers("mutated_points", 0, 3), make_integers("resample", 1, 3),
                      make_boolean("flip_one"), make_boolean("shift_buffer")});
}

/// Whole numbers as values of a parameter.
std::vector<Value> whole_numbers(std::initializer_list<std::int64_t> numbers) {
  return {numbers.begin(), numbers.end()};
}

/// The spaces of the two games, which differ in the lengths of sequences.
SearchSpace planet_wars_space() { return first_space(whole_numbers({5, 10, 15, 20, 25, 30})); }

SearchSpace asteroids_space() { return first_space(whole_numbers({5, 10, 15, 20, 50, 100, 150})); }

}  // namespace

std::optional<RollingHorizonOptions> arcade_opponent(const std::string& name) {
  RollingHorizonOptions options = {.sequence_length = 5, .mutated_points = 1.0};
  if (name == "2020") {
    options.gene_probability = 0.01;
  } else if (name == "2019") {
    options.variant = RheaVariant::k2019;
  } else if (name != "2020_faithful") {
    return std::nullopt;
  }
  return options;
}

/// The game at its start, with a map or a level from a stream of its own.
PlanetWars start_game(const PlanetWarsRules& rules, const Rng& rng) {
  Rng map = rng.stream("map");
  return {rules, map};
}

Asteroids start_game(const AsteroidsRules& rules, const Rng& rng) {
  Rng level = rng.stream("level");
  return {rules, level};
}

/// What the end of a game pays: a win or a loss, or the score.
double payoff_of(const PlanetWars& end) { return end.score(0) > 0 ? 1.0 : -1.0; }

double payoff_of(const Asteroids& end) { return end.score(); }

ArcadeObjective::ArcadeObjective(const ArcadeAgent& agent, SearchSpace space)
    : agent_(agent.options, std::move(space)), legacy_inert_(agent.legacy_inert) {}

RollingHorizonOptions ArcadeObjective::agent_at(const Point& point) const {
  RollingHorizonOptions options = agent_.at(point);
  // In the published program mutation_transducer and repeat_probability had no effect.
  if (legacy_inert_) options.mutation_transducer = false;
  return options;
}

Json ArcadeObjective::defaults() const { return agent_.defaults(); }

PlanetWarsObjective::PlanetWarsObjective(PlanetWarsOptions options,
                                         std::optional<SearchSpace> space)
    : ArcadeObjective(options.agent, space ? *std::move(space) : planet_wars_space()),
      options_(std::move(options)) {}

PlanetWars PlanetWarsObjective::start(const Rng& rng) const {
  const bool own = options_.map.automatic;
  return start_game(options_.rules,
                    own ? rng : Rng(static_cast<std::uint64_t>(options_.map.value)));
}

double PlanetWarsObjective::evaluate(const Point& point, Rng& rng) const {
  RollingHorizon<PlanetWars> agent(agent_at(point));
  RollingHorizon<PlanetWars> opponent(options_.opponent);
  return payoff_of(play_game(start(rng), {&agent, &opponent}, rng));
}

Outcome PlanetWarsObjective::play(const Point& first, const Point& second, Rng& rng,
                                  const EvaluationId& /*id*/) const {
  RollingHorizon<PlanetWars> ours(agent_at(first));
  RollingHorizon<PlanetWars> theirs(agent_at(second));
  // Both games have one map, with the sides changed.
  const PlanetWars begin = start(rng);
  std::array<double, 2> points{};
  for (const int side : {0, 1}) {
    GameAgents<PlanetWars> agents = {&ours, &theirs};
    if (side == 1) std::swap(agents[0], agents[1]);
    const int lead = play_game(begin, agents, rng.stream("game", side)).score(side);
    points[static_cast<std::size_t>(side)] = lead > 0 ? 1.0 : lead == 0 ? 0.5 : 0.0;
  }
  return outcome_of(pair_of_games(points[0], points[1]));
}

std::string PlanetWarsObjective::description() const { return "planet_wars, win or loss"; }

AsteroidsObjective::AsteroidsObjective(AsteroidsOptions options, std::optional<SearchSpace> space)
    : ArcadeObjective(options.agent, space ? *std::move(space) : asteroids_space()),
      options_(std::move(options)) {}

double AsteroidsObjective::evaluate(const Point& point, Rng& rng) const {
  RollingHorizon<Asteroids> agent(agent_at(point));
  return payoff_of(play_game(start_game(options_.rules, rng), {&agent}, rng));
}

std::string AsteroidsObjective::description() const {
  return fmt::format("asteroids, score after {} ticks", options_.rules.ticks);
}

}  // namespace ntune
