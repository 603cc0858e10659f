#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "ntune/agents/combinatorial_game/tds_options.h"
#include "ntune/core/rng.h"
#include "ntune/games/amazons/sums/appraiser.h"
#include "ntune/games/amazons/sums/sum.h"
#include "ntune/games/amazons/sums/sum_search.h"

namespace ntune {

class Options;

/// How a player of sums chooses the board to move on.
enum class SumStrategy {
  kHotstrat,    ///< the hottest board (Berlekamp, Conway and Guy 1982)
  kSentestrat,  ///< the board that the opponent has just made hotter than the ambient temperature,
                ///< the lowest that the hottest board ever had; else the hottest (Berlekamp 1996)
  kAlphaBeta,   ///< the board of the best move by alpha-beta over the whole sum
  kRandom,      ///< that of a random move
};
enum class SumSource { kTds, kDatabase };

/// A player of sums of Amazons.
struct SumPlayerOptions {
  SumStrategy strategy = SumStrategy::kHotstrat;
  SumSource source = SumSource::kTds;
  UnknownTemperature unknown = UnknownTemperature::kSwing;
  double temperature_share = 0.5;  ///< part of a decision's budget for all temperatures together
  TdsOptions tds = small_tds();    ///< `nodes` and `seconds` are those of a decision
  AmazonsSumSearchOptions search = {};

  void visit(Options& options);
  [[nodiscard]] SumBudget budget() const;

 private:
  /// The default options with a small table, as it is cleared for every board.
  static TdsOptions small_tds();
};

/// "hotstrat-TDS+", "sentestrat-TDS_13", "hotstrat-database", "alpha-beta" or "arrow", "random";
/// after '-' any variant of parse_tds_variant. Throws InputError "player '…': …".
SumPlayerOptions parse_sum_player(std::string_view name);

/// The cost of a player's decisions.
struct SumCounts {
  std::int64_t moves = 0;
  std::int64_t nodes = 0;
  std::int64_t unknown = 0;  ///< moves on a board whose temperature was a guess
  std::int64_t guesses = 0;  ///< moves by the evaluation, where no local search showed one
  double seconds = 0.0;      ///< of processor time

  SumCounts& operator+=(const SumCounts& other);
};

/// A player of sums. There is one per side and thread. Its moves are a function of the sums and
/// streams that it was given since `begin_game`, and with a limit of seconds of the machine's
/// speed.
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

/// Makes the player that the options describe. Throws InputError: the database is not given or has
/// smaller boards, or as TdsOptions::check.
template <int kSide>
std::unique_ptr<SumAgent<kSide>> make_sum_agent(const SumPlayerOptions& options,
                                                std::shared_ptr<const AmazonsDatabase> database);

struct SumGame {
  AmazonsSumOutcome outcome;
  int plies = 0;
  std::array<SumCounts, 2> counts;  ///< Black's, White's
};

/// Plays until the sum has an outcome. The agents, Black's and White's, get the streams ("agent",
/// player, ply).
template <int kSide>
SumGame play_amazons_sum(AmazonsSum<kSide> sum, const std::array<SumAgent<kSide>*, 2>& agents,
                         const Rng& rng);

/// A player by Hotstrat or Sentestrat. It moves on the board of the highest temperature; Sentestrat
/// first answers where the opponent's last move asks for it. For sides 4 to 6.
template <int kSide>
std::unique_ptr<SumAgent<kSide>> make_temperature_agent(
    const SumPlayerOptions& options, std::unique_ptr<AmazonsAppraiser<kSide>> appraiser);

}  // namespace ntune
