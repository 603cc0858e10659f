#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "apps/common/reproduction.h"
#include "apps/common/watched.h"
#include "apps/slide3/commands.h"
#include "apps/slide3/experiments/autoplay.h"
#include "ntune/games/slide/evaluation.h"

namespace ntune::slide3 {

/// What chance does to a winning quota: '+' or '-' if the normal 95 % intervals of the two quotas,
/// of so many games each, have no number in common (Heuser 2003, Section 5.2.2), else '='.
char sign_of(double quota, double plain, std::int64_t games);
/// "+", "-", "≈".
std::string sign_text(char sign);

/// How a winning quota goes with the intensity of a randomisation (Heuser 2003, Section 6.2.2):
/// 1 rises at once, 2 rises later, 3 does not rise and falls in the end, 4 falls at once and for
/// good; 5 is none of these. 1 and 2 fall again within the intensities.
struct Pattern {
  int number = 5;
  char sign = '=';  ///< whether the quota rises or falls at any intensity
};
/// The pattern of quotas by rising intensity.
Pattern pattern_of(double plain, std::span<const double> quotas, std::int64_t games);
/// "1", "5 ≈".
std::string pattern_text(const Pattern& pattern);

/// "Det", "Add", "Mult", "Norm+", "Norm-", "Comb".
const char* randomisation_title(Randomisation randomisation);

/// A cell of Tables A1 to A3: the best winning quota over several intensities from one sample of
/// 1,068 positions of DTW 14.
struct PublishedQuota {
  int depth;
  SlideFeature feature;
  Randomisation randomisation;
  double intensity;  ///< negative: not given
  double quota;
  char sign;  ///< '+', '-', or '=' for no significant change; ' ' without randomisation
};
std::span<const PublishedQuota> published_quotas();

/// What the thesis says of a pair of evaluation and randomisation as a whole.
struct PublishedEffect {
  SlideFeature feature;
  Randomisation randomisation;
  int pattern;         ///< Table 6.3 (Table 4 of the report): 1 to 5
  char pattern_sign;   ///< of pattern 5
  char first_sign;     ///< Table 6.2, of the first programs
  char repaired_sign;  ///< Table 7.1, of the repaired ones
  char fat_sign;       ///< Table 6.4: whether weak randomisation raises the fat quota
  char moves_sign;     ///< Table 6.1: '+' or ' '; 0: not tried

  [[nodiscard]] SlideEvaluation at(double intensity) const {
    return SlideEvaluation::of(feature, randomisation, intensity);
  }
};
std::span<const PublishedEffect> published_effects();

/// Table 4.2: different values among successors of 5,000 positions, depths 0 to 5.
double published_values(SlideFeature feature, int depth);
/// Table 4.3: positions with ties in per cent, depths 1 to 6.
double published_ties(SlideFeature feature, int depth);

/// A row of Table E.1: winning quotas.
struct PublishedTileTab {
  int dtw;
  int depth;
  double man;
  double tile_tab;
};
std::span<const PublishedTileTab> published_tile_tab();

/// Rankings of evaluations without chance: mean Hits, mean winning quota.
struct PublishedRank {
  SlideEvaluation evaluation;
  double hits;
  double quota;  ///< negative: not given
};
const std::vector<PublishedRank>& published_ranking();

using cli::Reproduction;

inline constexpr std::array kFeatures = {SlideFeature::kEu,  SlideFeature::kMan,
                                         SlideFeature::kNb,  SlideFeature::kPerm,
                                         SlideFeature::kInv, SlideFeature::kL2};

/// A randomisation with its intensity.
struct Chance {
  Randomisation kind;
  double intensity;
};

/// What the experiments run with. All that plays or searches throws cli::Interrupted.
class Laboratory {
 public:
  Laboratory(const ReproduceArguments& arguments, const Terminal& terminal);

  [[nodiscard]] const ReproduceArguments& arguments() const { return arguments_; }
  [[nodiscard]] const SlideDatabase<3>& database() const { return database_; }
  [[nodiscard]] Rng rng() const { return rng_of(arguments_.seed); }
  Parallel& parallel() { return parallel_; }
  [[nodiscard]] std::int64_t games() const { return arguments_.games.value_or(kUsualCount); }
  [[nodiscard]] int depth() const { return arguments_.depth.value_or(kUsualDepth); }
  [[nodiscard]] int dtw() const { return arguments_.dtw.value_or(kUsualDtw); }

  /// The positions that `slide3 sample --dtw N --count GAMES` draws.
  [[nodiscard]] std::vector<SlidePosition<3>> sample(int dtw) const;
  /// The depth-t player with the search options of the arguments.
  [[nodiscard]] DepthPlayer player(const SlideEvaluation& evaluation, int depth) const;
  /// A player of every feature without chance, in the order of kFeatures.
  [[nodiscard]] std::vector<DepthPlayer> plain_players(int depth) const;
  /// Every player plays from every position of the sample, up to 100 moves; with `count` ties and
  /// fat moves are counted.
  std::vector<Autoplay> play(const std::vector<DepthPlayer>& players, int dtw, const char* purpose,
                             bool count = false);
  /// Every player plays from the positions; `dtw` is of the random stream alone.
  std::vector<Autoplay> play_from(const std::vector<DepthPlayer>& players,
                                  const std::vector<SlidePosition<3>>& positions, int dtw,
                                  const char* purpose, bool count = false);
  /// The result of act(progress), with a display of `total` steps; its leaves are not counted.
  template <class Act>
  auto watched(std::int64_t total, const char* unit, const Act& act) {
    counts_leaves_ = false;
    return cli::watched(total, unit, arguments_.output, terminal_, act, &seconds_);
  }

  /// "3.2 s, 1,068,000 leaves a second": what the experiment took.
  [[nodiscard]] std::string effort_text() const;

 private:
  const ReproduceArguments& arguments_;
  const Terminal& terminal_;
  Parallel parallel_;
  SlideDatabase<3> database_;
  double seconds_ = 0.0;  ///< spent in experiments
  bool counts_leaves_ = true;
  std::int64_t leaves_ = 0;
};

/// The thesis's intervals by their ends, as far as its tables name them, and a weak one before and
/// an intense one behind them.
std::span<const double> intensities_of(Randomisation randomisation);

// The experiments; the table in reproduce_command.cpp says what each repeats of Althöfer and Heuser
// (2005), the report, and of Heuser (2003), the thesis.

Reproduction reproduce_quotas(Laboratory& laboratory);
Reproduction reproduce_values(Laboratory& laboratory);
Reproduction reproduce_ties(Laboratory& laboratory);
Reproduction reproduce_intensity(Laboratory& laboratory);
Reproduction reproduce_distance(Laboratory& laboratory);
Reproduction reproduce_intensities(Laboratory& laboratory);
Reproduction reproduce_weak(Laboratory& laboratory);
Reproduction reproduce_repair(Laboratory& laboratory);
Reproduction reproduce_fat(Laboratory& laboratory);
Reproduction reproduce_starts(Laboratory& laboratory);
Reproduction reproduce_distances(Laboratory& laboratory);
Reproduction reproduce_rounded(Laboratory& laboratory);
Reproduction reproduce_count(Laboratory& laboratory);
Reproduction reproduce_tile_tab(Laboratory& laboratory);
Reproduction reproduce_ranking(Laboratory& laboratory);
Reproduction reproduce_moves(Laboratory& laboratory);
Reproduction reproduce_reasons(Laboratory& laboratory);

// Figures of experiments from their rows.

/// Ours with 95 % intervals over intensity or DTW.
Figure draw_lines(const std::string& title, const std::vector<Json>& rows);
/// Published numbers against ours.
Figure draw_quotas(const std::string& title, const std::vector<Json>& rows);

}  // namespace ntune::slide3
