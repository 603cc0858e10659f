#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "apps/bao/commands.h"
#include "apps/bao/matches.h"
#include "apps/bao/published.h"
#include "apps/common/reproduction.h"

namespace ntune::bao {

using cli::Reproduction;

/// A reading of opponent-model search where the paper leaves a choice: options of South, without
/// those that a tournament sets.
struct Reading {
  std::string text;  ///< "own_ties=first,deviation=not_chosen"; empty: the default one
  BaoSearchOptions search;
};
/// Throws InputError.
Reading read_reading(const std::string& text);
/// What the readings experiment compares.
const std::vector<std::string>& candidate_readings();

/// A match of a tournament; players by their place in published_players().
struct Cell {
  int tournament = 1;
  int south = 0;
  int north = 0;
};

/// Results of matches in a CSV file, found by a key that stands for everything they depend on. The
/// file is written whole after every match, so that a long computation can be broken off.
class ResultFile {
 public:
  /// An empty path: results are not kept. Throws InputError "file:line: …" where it is damaged.
  explicit ResultFile(std::string path);

  [[nodiscard]] const MatchResult* find(const std::string& key) const;
  void add(const std::string& key, const Cell& cell, const std::string& reading,
           const MatchResult& result);

 private:
  std::string path_;
  std::vector<std::string> lines_;
  std::map<std::string, MatchResult> results_;
};

/// What the experiments run with.
class Laboratory {
 public:
  /// Throws InputError.
  Laboratory(const ReproduceArguments& arguments, const Terminal& terminal);

  [[nodiscard]] const ReproduceArguments& arguments() const { return arguments_; }
  [[nodiscard]] const Starts& starts() const { return starts_; }
  [[nodiscard]] const Reading& reading() const { return reading_; }
  /// The players that take part, places in published_players(), rising.
  [[nodiscard]] const std::vector<int>& players() const { return players_; }
  /// "left out for want of a weights file: GA3"; empty: none is.
  [[nodiscard]] std::string absent_text() const;

  /// All matches of the players in a tournament, row by row.
  [[nodiscard]] std::vector<Cell> cells(int tournament) const;
  /// The results of matches, of all or of none where it is interrupted.
  std::vector<MatchResult> play(std::span<const Cell> cells, const Reading& reading);

  [[nodiscard]] const BaoEvaluation& evaluation(int player) const {
    return evaluations_.at(player);
  }
  [[nodiscard]] Rng rng() const { return rng_of(arguments_.seed); }
  /// Calls act(progress, parallel) with a display of `total` steps.
  template <class Act>
  void watched(std::int64_t total, Act act) {
    stopped_ = interrupted_while(total, arguments_.output, terminal_, act) || stopped_;
  }

  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  [[nodiscard]] Match match(const Cell& cell, const Reading& reading) const;
  [[nodiscard]] std::string key(const Cell& cell, const Reading& reading) const;

  const ReproduceArguments& arguments_;
  const Terminal& terminal_;
  Reading reading_;
  Starts starts_;
  std::vector<int> players_;
  std::vector<int> absent_;
  std::map<int, BaoEvaluation> evaluations_;
  std::map<int, std::string> evaluation_texts_;
  std::string starts_text_;
  ResultFile results_;
  bool stopped_ = false;
};

/// Games of 100 that South wins, from a share.
struct Score {
  double value = 0.0;
  Interval interval;  ///< 95 %
};
/// The score of one match, with Wilson's interval.
Score score_of(const MatchResult& result);
/// The sum of matches that count alike, with a normal interval.
Score total_of(std::span<const MatchResult> results);
/// 95 % interval of a published number of games won out of 100 (Wilson).
Interval published_interval(int wins);
/// "52.6 [42.7, 62.4]".
std::string score_text(const Score& score);

/// Tables 1 to 8.
Reproduction reproduce_tournament(Laboratory& laboratory, int tournament);
/// Tables 9 and 10, and what the paper concludes from them.
Reproduction reproduce_scores(Laboratory& laboratory);
Reproduction reproduce_deviations(Laboratory& laboratory);
/// Sections 5 and 8: how often a probe predicts the opponent's reply.
Reproduction reproduce_prediction(Laboratory& laboratory);
/// Section 4, orderings of evaluations, and Section 5, admissibility.
Reproduction reproduce_orderings(Laboratory& laboratory);
/// Section 7 and Appendix A: infinite moves, numbers of moves and plies.
Reproduction reproduce_game_size(Laboratory& laboratory);
/// How near each candidate reading comes to Tables 3 to 8.
Reproduction reproduce_readings(Laboratory& laboratory);

}  // namespace ntune::bao
