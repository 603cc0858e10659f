#include "ntune/games/amazons/objective/objective.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/parallel.h"
#include "ntune/core/text.h"
#include "ntune/games/amazons/tds.h"

namespace ntune {

namespace {

/// Usual limit of nodes of a search.
constexpr std::int64_t kUsualNodes = 3000;

/// Plays one sum against the opponent, with sides drawn: +1 if `player` wins, else -1.
template <int kSide>
double play_match(const SumPlayerOptions& player, const SumPlayerOptions& opponent, int boards,
                  const std::shared_ptr<const AmazonsDatabase>& database, Rng& rng) {
  constexpr int kBurnt = 3;
  const auto ours = make_sum_agent<kSide>(player, database);
  const auto theirs = make_sum_agent<kSide>(opponent, database);
  // The side is drawn before the sum, and the sum from a stream of its own.
  const std::size_t side = rng.below(2);
  std::array<SumAgent<kSide>*, 2> agents = {ours.get(), theirs.get()};
  if (side == 1) std::swap(agents[0], agents[1]);
  Rng draw = rng.stream("sum");
  const auto sum = random_amazons_sum<kSide>(static_cast<std::size_t>(boards), kBurnt, draw);
  const SumGame game = play_amazons_sum<kSide>(sum, agents, rng);
  return game.outcome.winner == static_cast<Player>(side) ? 1.0 : -1.0;
}

}  // namespace

TdsOptions AmazonsTdsOptions::usual_tds() {
  TdsOptions tds;
  tds.enhancements = parse_tds_variant("TDS+");
  tds.nodes = {false, kUsualNodes};
  tds.table_mb = 2;
  return tds;
}

AmazonsPosition<4> random_amazons_position(int least_empties, int most_empties, Rng& rng) {
  // Positions are drawn from the whole database until one fits and is no integer.
  for (;;) {
    const auto position = AmazonsDatabase::position_at(rng.below(AmazonsDatabase::kPositions));
    const int empties = position.empties();
    if (empties >= least_empties && empties <= most_empties && !position.integer_value()) {
      return position;
    }
  }
}

TdsError tds_error(const TdsOptions& options, const AmazonsPosition<4>& position,
                   const ThermographValue& truth) {
  const auto found = TemperatureDiscovery<AmazonsPosition<4>>(options).solve(position);
  return {.temperature = (found.value.temperature - truth.temperature).abs().to_double(),
          .mean = (found.value.mean - truth.mean).abs().to_double(),
          .nodes = found.nodes};
}

TdsOptions supported(TdsOptions options) {
  // The dependencies are those of TdsOptions::check. Here an enhancement that lacks another one is
  // switched off.
  TdsEnhancements& on = options.enhancements;
  const auto needs = [&](TdsEnhancement one, TdsEnhancement other) {
    if (!on.has(other)) on.set(one, false);
  };
  needs(TdsEnhancement::kRecursive, TdsEnhancement::kPresearches);
  needs(TdsEnhancement::kRecursive, TdsEnhancement::kGeneralTable);
  needs(TdsEnhancement::kPseudoTerminal, TdsEnhancement::kGeneralTable);
  needs(TdsEnhancement::kWalls, TdsEnhancement::kGeneralTable);
  needs(TdsEnhancement::kSharedBounds, TdsEnhancement::kWalls);
  needs(TdsEnhancement::kProbing, TdsEnhancement::kGeneralTable);
  return options;
}

std::shared_ptr<const AmazonsDatabase> shared_amazons_database() {
  static const std::shared_ptr<const AmazonsDatabase> kDatabase = [] {
    Parallel parallel(1);  // within an evaluation: other threads may wait for it
    return std::make_shared<const AmazonsDatabase>(AmazonsDatabase::build(parallel));
  }();
  return kDatabase;
}

AmazonsTdsObjective::AmazonsTdsObjective(const AmazonsTdsOptions& options,
                                         const std::optional<SearchSpace>& space)
    : options_(options),
      tds_(options.tds, space ? *space : default_amazons_tds_space()),
      opponent_(parse_sum_player(options.opponent)) {
  // Both players have the same budget, so that a match compares settings alone.
  opponent_.tds.nodes = options_.tds.nodes;
  opponent_.tds.seconds = options_.tds.seconds;
  if (is_match() && options_.size != 4 && opponent_.source == SumSource::kDatabase) {
    throw InputError(fmt::format("opponent '{}': the database has boards of 4x4 only",
                                 printable(options_.opponent, 60)));
  }
}

TdsOptions AmazonsTdsObjective::settings_at(const Point& point) const {
  return supported(tds_.at(point));
}

double AmazonsTdsObjective::evaluate(const Point& point, Rng& rng) const {
  const TdsOptions tds = settings_at(point);
  if (is_match()) return match(tds, rng);
  Rng draw = rng.stream("position");
  const auto position =
      random_amazons_position(options_.least_empties, options_.most_empties, draw);
  const TdsError error = tds_error(tds, position, shared_amazons_database()->value(position));
  const double size = options_.observation == AmazonsTdsOptions::Observation::kTemperature
                          ? error.temperature
                          : error.mean;
  return -size - options_.node_price * static_cast<double>(error.nodes) / 1000.0;
}

double AmazonsTdsObjective::match(const TdsOptions& tds, Rng& rng) const {
  SumPlayerOptions player;
  player.tds = tds;
  player.unknown = options_.unknown;
  const auto database =
      opponent_.source == SumSource::kDatabase ? shared_amazons_database() : nullptr;
  if (options_.size == 4) return play_match<4>(player, opponent_, options_.boards, database, rng);
  if (options_.size == 5) return play_match<5>(player, opponent_, options_.boards, database, rng);
  return play_match<6>(player, opponent_, options_.boards, database, rng);
}

Json AmazonsTdsObjective::defaults() const { return tds_.defaults(); }

std::string AmazonsTdsObjective::description() const {
  if (is_match()) {
    return fmt::format("amazons_tds ({} boards of {}x{} against {}), win or loss", options_.boards,
                       options_.size, options_.size, printable(options_.opponent, 60));
  }
  const bool temperature = options_.observation == AmazonsTdsOptions::Observation::kTemperature;
  const std::string price =
      options_.node_price == 0.0
          ? ""
          : fmt::format(" and {} for a thousand nodes", number_text(options_.node_price));
  return fmt::format("amazons_tds ({} to {} empty squares), error of the {}{}, negative",
                     options_.least_empties, options_.most_empties,
                     temperature ? "temperature" : "mean", price);
}

Payoffs AmazonsTdsObjective::payoffs() const {
  if (is_match()) return {.low = -1.0, .high = 1.0, .two_valued = true};
  return {.high = 0.0};
}

Unit AmazonsTdsObjective::unit() const { return is_match() ? Unit::win_probability() : Unit{}; }

}  // namespace ntune
