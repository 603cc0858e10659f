#include "ntune/games/amazons/sums/sum_player.h"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/agents/combinatorial_game/tds_context.h"
#include "ntune/core/clock.h"
#include "ntune/core/error.h"
#include "ntune/core/options.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

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

/// Hotstrat and Sentestrat.
template <int kSide>
class TemperatureAgent final : public SumAgent<kSide> {
 public:
  using Sum = AmazonsSum<kSide>;

  TemperatureAgent(const SumPlayerOptions& options,
                   std::unique_ptr<AmazonsAppraiser<kSide>> appraiser)
      : options_(options), appraiser_(std::move(appraiser)), search_(options.search) {}

 private:
  struct Known {
    typename Sum::Position board;
    Player player = Player::kLeft;
    BoardAppraisal appraisal;
    std::optional<int> integer;
    bool can_move = false;
  };

  void forget() override {
    known_ = {};
    seen_.reset();
    ambient_.reset();
  }

  AmazonsSumMove decide(const Sum& sum, Rng& rng, SumCounts& counts) override;
  void appraise(const Sum& sum, SumBudget& left);
  [[nodiscard]] std::size_t hottest(const Sum& sum) const;
  [[nodiscard]] std::optional<std::size_t> threatened(const Sum& sum) const;
  AmazonsMove local_move(const Sum& sum, std::size_t board, Dyadic temperature, SumBudget left,
                         SumCounts& counts);
  [[nodiscard]] std::int64_t nodes() const { return appraiser_->nodes() + search_.nodes(); }

  SumPlayerOptions options_;
  std::unique_ptr<AmazonsAppraiser<kSide>> appraiser_;
  AmazonsSumSearch<kSide> search_;
  std::array<Known, Sum::kMostBoards> known_{};
  std::optional<Sum> seen_;        ///< the sum after this player's last move
  std::optional<Dyadic> ambient_;  ///< lowest temperature of a sum with this player on turn
};

/// A budget that is used up: knows how much of it is left.
class Spending {
 public:
  Spending(const SumBudget& budget, std::int64_t nodes) : budget_(budget), nodes_(nodes) {}
  [[nodiscard]] SumBudget left(std::int64_t nodes) const {
    SumBudget left = budget_;
    if (left.nodes < std::numeric_limits<std::int64_t>::max()) {
      left.nodes = std::max<std::int64_t>(left.nodes - (nodes - nodes_), 1);
    }
    left.seconds = std::max(left.seconds - (thread_seconds() - begin_), 0.0);
    return left;
  }

 private:
  SumBudget budget_;
  std::int64_t nodes_;
  double begin_ = thread_seconds();
};

template <int kSide>
AmazonsSumMove TemperatureAgent<kSide>::decide(const Sum& sum, Rng& /*rng*/, SumCounts& counts) {
  const std::int64_t nodes_before = nodes();
  const Spending spending(options_.budget(), nodes_before);
  // 1. Temperatures.
  SumBudget for_temperatures = options_.budget().share(options_.temperature_share);
  appraise(sum, for_temperatures);
  // 2. The board.
  const std::size_t hot = hottest(sum);
  const Dyadic highest = known_[hot].appraisal.value.temperature;
  const auto answer = threatened(sum);
  const std::size_t board = answer.value_or(hot);
  const Dyadic temperature = answer ? *ambient_ : highest;
  ambient_ = std::min(ambient_.value_or(highest), highest);
  // 3. The move there.
  counts.unknown += known_[board].appraisal.is_unknown ? 1 : 0;
  const AmazonsSumMove move = {static_cast<std::uint8_t>(board),
                               local_move(sum, board, temperature, spending.left(nodes()), counts)};
  counts.nodes += nodes() - nodes_before;
  seen_ = sum;
  seen_->apply(move);
  return move;
}

/// Appraises all boards that have changed or could be known better; they share the budget left.
template <int kSide>
void TemperatureAgent<kSide>::appraise(const Sum& sum, SumBudget& left) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    Known& known = known_[i];
    known.can_move = sum[i].can_move(sum.on_turn());
    const bool is_same = known.board == sum[i] && known.player == sum.on_turn();
    if (is_same && known.appraisal.is_final) continue;
    known = {sum[i], sum.on_turn(), {}, sum[i].integer_value(), known.can_move};
    known.appraisal.is_final = true;
    if (known.integer) {
      known.appraisal.value = {Dyadic(*known.integer), Dyadic(-1)};
    } else {
      open.push_back(i);
    }
  }
  const Spending spending(left, nodes());
  for (std::size_t k = 0; k < open.size(); ++k) {
    left = spending.left(nodes()).share(1.0 / static_cast<double>(open.size() - k));
    known_[open[k]].appraisal = appraiser_->appraise(sum[open[k]], sum.on_turn(), left);
  }
}

/// The hottest board that the player can move on; of equally hot ones an integer, then the first.
template <int kSide>
std::size_t TemperatureAgent<kSide>::hottest(const Sum& sum) const {
  std::size_t best = sum.size();
  const auto rank = [&](std::size_t i) {
    return std::pair(known_[i].appraisal.value.temperature, known_[i].integer.has_value());
  };
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (known_[i].can_move && (best == sum.size() || rank(i) > rank(best))) best = i;
  }
  assert(best < sum.size());
  return best;
}

/// The board where, by Sentestrat, the opponent's last move must be answered.
template <int kSide>
std::optional<std::size_t> TemperatureAgent<kSide>::threatened(const Sum& sum) const {
  if (options_.strategy != SumStrategy::kSentestrat || !seen_ || !ambient_) return std::nullopt;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (sum[i] == (*seen_)[i] || !known_[i].can_move) continue;
    if (known_[i].appraisal.value.temperature > *ambient_) return i;
  }
  return std::nullopt;
}

template <int kSide>
AmazonsMove TemperatureAgent<kSide>::local_move(const Sum& sum, std::size_t board,
                                                Dyadic temperature, SumBudget left,
                                                SumCounts& counts) {
  const Known& known = known_[board];
  if (known.integer) return amazons_filler(sum[board], sum.on_turn(), *known.integer);
  const Spending spending(left, nodes());
  if (const auto move = appraiser_->best_move(sum[board], sum.on_turn(), known.appraisal,
                                              temperature, left.share(0.5))) {
    return *move;
  }
  ++counts.guesses;
  const Sum alone(std::span(&sum[board], 1), sum.on_turn());
  return search_.best_move(alone, spending.left(nodes())).move.move;
}

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
  return std::make_unique<TemperatureAgent<kSide>>(options, std::move(appraiser));
}

template <int kSide>
SumGame play_amazons_sum(AmazonsSum<kSide> sum, const std::array<SumAgent<kSide>*, 2>& agents,
                         const Rng& rng) {
  for (SumAgent<kSide>* agent : agents) agent->begin_game();
  SumGame game;
  std::optional<AmazonsSumOutcome> outcome;
  for (outcome = sum.outcome(); !outcome; outcome = sum.outcome()) {
    const auto player = static_cast<std::size_t>(sum.on_turn());
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
