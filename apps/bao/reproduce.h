#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "apps/bao/commands.h"
#include "apps/bao/matches.h"
#include "apps/common/reproduction.h"
#include "apps/common/result_file.h"
#include "apps/common/watched.h"
#include "ntune/games/bao/player.h"

namespace ntune::bao {

// The tournaments of Donkers, van den Herik and Uiterwijk (2005), Section 8.

inline constexpr int kPlayers = 5;
inline constexpr int kTournaments = 8;
inline constexpr int kPublishedGames = 100;  ///< of a match

/// Names of the evaluations as the paper has them, weakest first: MATERIAL, DEFAULT, ….
const std::vector<std::string>& published_players();
/// The name of a player by its place.
const std::string& player_name(int place);

/// A match of Tables 1 to 8, numbered from 1: games of 100 that South won.
int published_wins(int tournament, int south, int north);

/// Deviations from alpha-beta a game of a player as South (Table 10), tournaments 2 to 8.
struct PublishedDeviations {
  double mean;
  double sd;
};
PublishedDeviations published_deviations(int tournament, int south);

/// The setup of a tournament (Table 9). North always searches 6 plies by alpha-beta.
struct PublishedTournament {
  const char* name;
  int depth;        ///< d
  int probe_depth;  ///< p; 0: alpha-beta
  bool avoids_risk;
};
const PublishedTournament& published_tournament(int tournament);

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

/// Results of matches in a file, or nowhere where the path is empty.
using ResultFile = cli::ResultFile<MatchResult>;
ResultFile open_results(const std::string& path);
/// The columns of a result but its key.
std::string result_line(const Cell& cell, const std::string& reading, const MatchResult& result);

/// What the experiments run with. All that plays or searches throws cli::Interrupted.
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
  std::vector<MatchResult> play(std::span<const Cell> cells, const Reading& reading);

  [[nodiscard]] const BaoEvaluation& evaluation(int player) const {
    return evaluations_.at(player);
  }
  [[nodiscard]] Rng rng() const { return rng_of(arguments_.seed); }
  Parallel& parallel() { return parallel_; }
  /// The result of act(progress), with a display of `total` steps.
  template <class Act>
  auto watched(std::size_t total, const Act& act) {
    return cli::watched(static_cast<std::int64_t>(total), "games", arguments_.output, terminal_,
                        act);
  }

 private:
  [[nodiscard]] Match match(const Cell& cell, const Reading& reading) const;
  [[nodiscard]] std::string key(const Cell& cell, const Reading& reading) const;

  const ReproduceArguments& arguments_;
  const Terminal& terminal_;
  Parallel parallel_;
  Reading reading_;
  Starts starts_;
  std::vector<int> players_;
  std::vector<int> absent_;
  std::map<int, BaoEvaluation> evaluations_;
  std::map<int, std::string> evaluation_texts_;
  std::string starts_text_;
  ResultFile results_;
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
inline constexpr const char* kScoreFormat = "{:.1f} [{:.1f}, {:.1f}]";
std::string score_text(const Score& score);

/// A game, with every position in which a move was made.
struct SampleGame {
  std::vector<Bao> positions;
  TurnGameResult result;
};
BaoPlayer alpha_beta_player(const BaoEvaluation& evaluation, int depth);
SampleGame play_sample_game(const BaoPlayer& south_player, const BaoPlayer& north_player,
                            const Bao& start, const Rng& rng);
/// One game for each start and repeat, alpha-beta of this depth on both sides; players take turns.
/// Game i draws from the stream (purpose, i).
std::vector<SampleGame> sample_games(Laboratory& laboratory, int depth, const char* purpose);
/// One position of each game, drawn from the stream (purpose, i); none of a game without any.
std::vector<Bao> draw_positions(const Laboratory& laboratory, const std::vector<SampleGame>& games,
                                const char* purpose);
/// The number of possible moves.
std::size_t move_count(const Bao& at);

// The experiments; the table in reproduce_command.cpp says what each repeats.

Reproduction reproduce_tournament(Laboratory& laboratory);
Reproduction reproduce_scores(Laboratory& laboratory);
Reproduction reproduce_deviations(Laboratory& laboratory);
Reproduction reproduce_prediction(Laboratory& laboratory);
Reproduction reproduce_orderings(Laboratory& laboratory);
Reproduction reproduce_game_size(Laboratory& laboratory);
Reproduction reproduce_readings(Laboratory& laboratory);

// Figures of experiments from their rows.

/// The matrix of a tournament, published and ours.
Figure draw_tournament(const std::string& title, const std::vector<Json>& rows);
/// Published numbers against ours.
Figure draw_numbers(const std::string& title, const std::vector<Json>& rows);

}  // namespace ntune::bao
