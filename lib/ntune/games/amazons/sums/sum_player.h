#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ntune/agents/combinatorial_game/tds_options.h"
#include "ntune/core/options.h"
#include "ntune/core/rng.h"
#include "ntune/games/amazons/sums/appraiser.h"
#include "ntune/games/amazons/sums/sum.h"
#include "ntune/games/amazons/sums/sum_search.h"

namespace ntune {

/// How a player of sums chooses the board to move on.
enum class SumStrategy {
  kHotstrat,    ///< the hottest (Berlekamp, Conway and Guy 1982)
  kSentestrat,  ///< the one that the opponent has just made hotter than the ambient temperature,
                ///< the lowest that the hottest board ever had; else the hottest (Berlekamp 1996)
  kAlphaBeta,   ///< all as one board
  kRandom,
};
enum class SumSource { kTds, kDatabase };

/// A player of sums of Amazons.
struct SumPlayerOptions {
  SumStrategy strategy = SumStrategy::kHotstrat;
  SumSource source = SumSource::kTds;
  UnknownTemperature unknown = UnknownTemperature::kSwing;
  double temperature_share = 0.5;  ///< of a decision's budget, for all temperatures together
  TdsOptions tds = small_tds();    ///< `nodes` and `seconds` are those of a decision
  AmazonsSumSearchOptions search = {};

  void visit(Options& options);
  [[nodiscard]] SumBudget budget() const;

 private:
  /// With a small table, which is cleared for every board.
  static TdsOptions small_tds();
};

/// "hotstrat-TDS+", "sentestrat-TDS_13", "hotstrat-database", "alpha-beta" or "arrow", "random";
/// after '-' any variant of parse_tds_variant. Throws InputError "player '…': …".
SumPlayerOptions parse_sum_player(std::string_view name);

/// What a player's decisions took.
struct SumCounts {
  std::int64_t moves = 0;
  std::int64_t nodes = 0;
  std::int64_t unknown = 0;  ///< moves on a board whose temperature was a guess
  std::int64_t guesses = 0;  ///< moves by the evaluation, where no local search showed one
  double seconds = 0.0;      ///< of processor time

  SumCounts& operator+=(const SumCounts& other);
};

/// One per player and thread; what it does is a function of the sums that it has seen and of the
/// streams that it was given since `begin_game`, and with a limit of seconds of the machine.
template <int kSide>
class SumAgent {
 public:
  using Sum = AmazonsSum<kSide>;
  virtual ~SumAgent() = default;
  /// Forgets the last game.
  void begin_game() {
    counts_ = {};
    forget();
  }
  /// A legal move of a sum without an outcome.
  AmazonsSumMove choose(const Sum& sum, Rng& rng);
  /// Since `begin_game`.
  [[nodiscard]] const SumCounts& counts() const { return counts_; }

 protected:
  virtual void forget() {}
  virtual AmazonsSumMove decide(const Sum& sum, Rng& rng, SumCounts& counts) = 0;

 private:
  SumCounts counts_;
};

/// Throws InputError: the database is not given or its boards are smaller, or as TdsOptions::check.
template <int kSide>
std::unique_ptr<SumAgent<kSide>> make_sum_agent(const SumPlayerOptions& options,
                                                std::shared_ptr<const AmazonsDatabase> database);

struct SumGame {
  AmazonsSumOutcome outcome;
  int plies = 0;
  std::array<SumCounts, 2> counts;  ///< Black's, White's
};

/// Plays until the sum has an outcome; agents are Black's and White's. They get the streams
/// ("agent", player, ply).
template <int kSide>
SumGame play_amazons_sum(AmazonsSum<kSide> sum, const std::array<SumAgent<kSide>*, 2>& agents,
                         const Rng& rng);

}  // namespace ntune
