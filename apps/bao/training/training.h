#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/core/parallel.h"
#include "ntune/core/progress.h"
#include "ntune/core/rng.h"
#include "ntune/games/bao/player.h"

namespace ntune {

class Options;

/// The common part of all trainings of a Bao evaluation (Donkers et al. 2005, Section 6): games
/// against a fixed opponent, and a file from which an interrupted training goes on.

/// How training games are played: alpha-beta of one depth on both sides.
struct BaoGamesOptions {
  int depth = 6;
  std::string opponent = "default";  ///< an evaluation's name or a weights file
  /// "random": ten random moves of each player from the opening, as the start positions of Appendix
  /// C were made. Else their CSV file, whose usable positions are taken in turn.
  std::string starts = "random";

  void visit(Options& options);
  /// Turns names of files relative to `folder` into names relative to the working directory.
  void move_to(const std::filesystem::path& folder);
};

/// "random" and the names of evaluations stay; any other name becomes a file of the folder.
void move_bao_file(std::string& name, const std::filesystem::path& folder);

/// The games of a training: starts, sides and the opponent. Game i begins at start i / 2, and the
/// contender is South if i is even.
class BaoSparring {
 public:
  BaoSparring(const BaoGamesOptions& options, BaoEvaluation opponent);

  [[nodiscard]] Bao start(std::int64_t game, const Rng& rng) const;
  static int side(std::int64_t game) { return static_cast<int>(game % 2); }
  /// A player of the training's depth.
  [[nodiscard]] BaoPlayer player(const BaoEvaluation& evaluation) const;
  [[nodiscard]] const BaoEvaluation& opponent() const { return opponent_; }
  [[nodiscard]] int depth() const { return depth_; }

  /// Numbers of games that each contender wins, of games 0 … games - 1. All contenders play the
  /// same games, draws included (streams ("start", game / 2), ("game", game)). Counts games as
  /// done.
  [[nodiscard]] std::vector<int> wins(std::span<const BaoEvaluation> contenders, int games,
                                      const Rng& rng, Parallel& parallel, Progress& progress) const;

 private:
  int depth_;
  BaoEvaluation opponent_;
  std::vector<Bao> starts_;  // empty: random
};

/// The progress of a training after one step.
struct BaoTrainingStep {
  int round = 0;       ///< of the genetic algorithm, else 0
  int step = 0;        ///< generation or batch
  double share = 0.0;  ///< share of games won: the parents' mean, or the batch's
  double best = -1.0;  ///< share of the validation games that the best weights won; -1: none yet
};

/// How a training is carried out: everything besides its options.
struct BaoTrainingRun {
  Parallel& parallel;
  Progress& progress;
  std::filesystem::path checkpoint = {};  ///< written whole after each step; empty: none
  bool resume = false;                    ///< go on from the checkpoint, if there is one
  std::function<void(const BaoTrainingStep&)> report = {};

  void tell(const BaoTrainingStep& step) const {
    if (report) report(step);
  }
};

/// The state of a training in a file, which only the same training goes on from.
class BaoCheckpoint {
 public:
  /// Throws InputError if the file is there and the run is not to resume.
  BaoCheckpoint(const BaoTrainingRun& run, std::string_view method, const Json& options);

  /// Hands the stored state to `read`, if there is one. Throws InputError "file: reason" where the
  /// file belongs to another training or is damaged.
  void load(const std::function<void(const Json&)>& read) const;
  void save(const Json& state) const;

 private:
  std::filesystem::path file_;
  Json header_;
};

}  // namespace ntune
