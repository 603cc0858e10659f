#include "ntune/games/amazons/sums/sum_player.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/clock.h"
#include "ntune/core/error.h"
#include "ntune/core/options.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

/// Makes a uniform random move.
template <int kSide>
class RandomSumAgent final : public SumAgent<kSide> {
 private:
  AmazonsSumMove decide(const AmazonsSum<kSide>& sum, Rng& rng, SumCounts& /*counts*/) override {
    std::vector<AmazonsSumMove> moves;
    sum.for_each_move([&](const AmazonsSumMove& move) {
      moves.push_back(move);
      return true;
    });
    return moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
  }
};

/// Searches the whole sum by alpha-beta within the budget.
template <int kSide>
class AlphaBetaSumAgent final : public SumAgent<kSide> {
 public:
  explicit AlphaBetaSumAgent(const SumPlayerOptions& options)
      : search_(options.search), budget_(options.budget()) {}

 private:
  AmazonsSumMove decide(const AmazonsSum<kSide>& sum, Rng& /*rng*/, SumCounts& counts) override {
    const std::int64_t before = search_.nodes();
    const auto found = search_.best_move(sum, budget_);
    counts.nodes += search_.nodes() - before;
    return found.move;
  }

  AmazonsSumSearch<kSide> search_;
  SumBudget budget_;
};

}  // namespace

void SumPlayerOptions::visit(Options& options) {
  options.choice("strategy", strategy,
                 {{"hotstrat", SumStrategy::kHotstrat},
                  {"sentestrat", SumStrategy::kSentestrat},
                  {"alpha_beta", SumStrategy::kAlphaBeta},
                  {"random", SumStrategy::kRandom}},
                 "how the board to move on is chosen");
  options.choice("source", source, {{"tds", SumSource::kTds}, {"database", SumSource::kDatabase}},
                 "where temperatures come from; the database has boards of 4x4");
  options.choice("unknown", unknown,
                 {{"rule", UnknownTemperature::kRule}, {"swing", UnknownTemperature::kSwing}},
                 "the temperature where no search came to an end: no_board_move, or half of what "
                 "one move of either player changes the evaluation by");
  options.number("temperature_share", temperature_share, between(0.01, 0.99),
                 "part of a decision's budget for the temperatures of all boards");
  tds.visit(options);
  search.visit(options);
}

TdsOptions SumPlayerOptions::small_tds() {
  TdsOptions options;
  options.table_mb = 2;
  return options;
}

SumBudget SumPlayerOptions::budget() const {
  SumBudget budget;
  if (!tds.nodes.automatic) budget.nodes = tds.nodes.value;
  if (!tds.seconds.automatic) budget.seconds = tds.seconds.value;
  return budget;
}

SumPlayerOptions parse_sum_player(std::string_view name) {
  SumPlayerOptions player;
  // Names without a source: "arrow" is another name of alpha-beta.
  if (name == "random" || name == "arrow" || name == "alpha-beta") {
    player.strategy = name == "random" ? SumStrategy::kRandom : SumStrategy::kAlphaBeta;
    return player;
  }
  const std::size_t dash = name.find('-');
  const std::string_view strategy = name.substr(0, dash);
  const std::string_view source =
      dash == std::string_view::npos ? std::string_view("TDS+") : name.substr(dash + 1);
  if (strategy != "hotstrat" && strategy != "sentestrat") {
    throw InputError(
        fmt::format("is '{}', hotstrat-SOURCE, sentestrat-SOURCE (database, TDS, TDS_13, TDS+ "
                    "or all), arrow or random is allowed",
                    printable(name, 40)));
  }
  player.strategy = strategy == "hotstrat" ? SumStrategy::kHotstrat : SumStrategy::kSentestrat;
  if (source == "database") {
    player.source = SumSource::kDatabase;
    return player;
  }
  try {
    player.tds.enhancements = parse_tds_variant(source);
  } catch (const InputError& error) {
    throw InputError(fmt::format("is '{}': {}", printable(name, 40), error.what()));
  }
  return player;
}

SumCounts& SumCounts::operator+=(const SumCounts& other) {
  moves += other.moves;
  nodes += other.nodes;
  unknown += other.unknown;
  guesses += other.guesses;
  seconds += other.seconds;
  return *this;
}

template <int kSide>
AmazonsSumMove SumAgent<kSide>::choose(const Sum& sum, Rng& rng) {
  // Time is processor time of this thread, as other games may run beside this one.
  const double begin = thread_seconds();
  const AmazonsSumMove move = decide(sum, rng, counts_);
  ++counts_.moves;
  counts_.seconds += thread_seconds() - begin;
  return move;
}

template <int kSide>
std::unique_ptr<SumAgent<kSide>> make_sum_agent(const SumPlayerOptions& options,
                                                std::shared_ptr<const AmazonsDatabase> database) {
  switch (options.strategy) {
    case SumStrategy::kRandom:
      return std::make_unique<RandomSumAgent<kSide>>();
    case SumStrategy::kAlphaBeta:
      return std::make_unique<AlphaBetaSumAgent<kSide>>(options);
    case SumStrategy::kHotstrat:
    case SumStrategy::kSentestrat:
      break;
  }
  // Hotstrat and Sentestrat need temperatures, from searches or from the database of 4x4 boards.
  std::unique_ptr<AmazonsAppraiser<kSide>> appraiser;
  if (options.source == SumSource::kTds) {
    appraiser =
        std::make_unique<TdsAppraiser<kSide>>(options.tds, options.unknown, options.search.weights);
  } else if constexpr (kSide == 4) {
    if (!database) throw InputError("source database: there is no database");
    appraiser = std::make_unique<DatabaseAppraiser>(std::move(database));
  } else {
    throw InputError(fmt::format("source database: has boards of 4x4, none of {0}x{0}", kSide));
  }
  return make_temperature_agent<kSide>(options, std::move(appraiser));
}

template <int kSide>
SumGame play_amazons_sum(AmazonsSum<kSide> sum, const std::array<SumAgent<kSide>*, 2>& agents,
                         const Rng& rng) {
  for (SumAgent<kSide>* agent : agents) agent->begin_game();
  SumGame game;
  std::optional<AmazonsSumOutcome> outcome;
  for (outcome = sum.outcome(); !outcome; outcome = sum.outcome()) {
    const auto player = static_cast<std::size_t>(sum.on_turn());
    // Each ply has its own stream, so that a player's draws do not depend on the other's.
    Rng draw = rng.stream("agent", player, game.plies);
    sum.apply(agents[player]->choose(sum, draw));
    ++game.plies;
  }
  game.outcome = *outcome;
  for (std::size_t p = 0; p < 2; ++p) game.counts[p] = agents[p]->counts();
  return game;
}

#define NTUNE_SUM_PLAYER(SIDE)                                                                     \
  template class SumAgent<SIDE>;                                                                   \
  template std::unique_ptr<SumAgent<SIDE>> make_sum_agent<SIDE>(                                   \
      const SumPlayerOptions&, std::shared_ptr<const AmazonsDatabase>);                            \
  template SumGame play_amazons_sum<SIDE>(AmazonsSum<SIDE>, const std::array<SumAgent<SIDE>*, 2>&, \
                                          const Rng&);
NTUNE_SUM_PLAYER(4)
NTUNE_SUM_PLAYER(5)
NTUNE_SUM_PLAYER(6)
#undef NTUNE_SUM_PLAYER

}  // namespace ntune
