#pragma once

#include <vector>

#include "apps/common/progress.h"
#include "apps/common/reproduction.h"
#include "apps/slide3/commands.h"
#include "apps/slide3/experiments/autoplay.h"
#include "ntune/core/progress.h"

namespace ntune::slide3 {

/// What an experiment prints, and how it came about.
struct Reproduction : cli::Reproduction {
  std::int64_t evaluations = 0;  ///< of leaves; 0: they are not counted
  bool plays = true;             ///< by the search options of the arguments
};

/// What the experiments run with.
class Laboratory {
 public:
  Laboratory(const ReproduceArguments& arguments, const Terminal& terminal);

  [[nodiscard]] const ReproduceArguments& arguments() const { return arguments_; }
  [[nodiscard]] const SlideDatabase<3>& database() const { return database_; }
  [[nodiscard]] Rng rng() const { return rng_of(arguments_.seed); }
  Parallel& parallel() { return parallel_; }
  [[nodiscard]] std::int64_t games() const { return arguments_.games.value_or(kUsualCount); }

  /// The positions that `slide3 sample --dtw N --count GAMES` draws.
  [[nodiscard]] std::vector<SlidePosition<3>> sample(int dtw) const;
  /// The depth-t player with the search options of the arguments.
  [[nodiscard]] DepthPlayer player(const SlideEvaluation& evaluation, int depth) const;
  /// Every player plays from every position of the sample, up to 100 moves; with `count` ties and
  /// fat moves are counted.
  std::vector<Autoplay> play(const std::vector<DepthPlayer>& players, int dtw, const char* purpose,
                             bool count = false);
  /// The same from the positions that are given; `dtw` is of the random stream alone.
  std::vector<Autoplay> play_from(const std::vector<DepthPlayer>& players,
                                  const std::vector<SlidePosition<3>>& positions, int dtw,
                                  const char* purpose, bool count = false);
  /// Calls act(progress) with a display of `total` steps.
  template <class Act>
  auto watched(std::int64_t total, const char* unit, Act act);

  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  const ReproduceArguments& arguments_;
  const Terminal& terminal_;
  Parallel parallel_;
  SlideDatabase<3> database_;
  bool stopped_ = false;
  double seconds_ = 0.0;  ///< spent in experiments
};

template <class Act>
auto Laboratory::watched(std::int64_t total, const char* unit, Act act) {
  Progress progress;
  progress.total = total;
  const cli::ProgressDisplay display(progress, unit, terminal_, arguments_.output.quiet);
  auto result = act(progress);
  stopped_ = stopped_ || progress.stop;
  seconds_ += display.seconds();
  return result;
}

/// Tables A1 to A3 with the signs of Tables 1 to 3 (Althöfer and Heuser 2005).
Reproduction reproduce_quotas(Laboratory& laboratory);
/// Tables 4.2 and 4.3 (Heuser 2003).
Reproduction reproduce_values(Laboratory& laboratory);
Reproduction reproduce_ties(Laboratory& laboratory);
/// Table E.1 (Heuser 2003).
Reproduction reproduce_tile_tab(Laboratory& laboratory);
/// Sections 6.1.1 and 6.2.1 (Heuser 2003).
Reproduction reproduce_ranking(Laboratory& laboratory);

}  // namespace ntune::slide3
