#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "ntune/games/bao/training/training.h"

namespace ntune {

/// The 27 weights of BaoLinearEvaluation as whole numbers.
using BaoChromosome = std::array<int, kBaoWeights>;

/// The genetic algorithm that made GA3 (Donkers et al. 2005, Section 6). The paper leaves open how
/// large a gene may be, how small a small change is, which games the 100 are, that parents stay in
/// the population, and how long "no improvement" is waited for.
struct BaoGeneticOptions {
  std::int64_t seed = 1;
  int rounds = 3;  ///< the opponent of the first is `games.opponent`, then the winner before
  BaoGamesOptions games;
  int population = 100;
  int parents = 10;  ///< the fittest, which stay and alone have offspring
  int fitness_games = 100;
  /// Other games in each generation, in which the parents play too; the fitness is the share of all
  /// that one has played. Else the games are the same for the round, and chromosomes come up that
  /// win these games and no others: measured 62 of 100 in them and 49 in fresh ones.
  bool fresh_games = true;
  double large_mutation = 0.05;  ///< probability of a gene to be drawn anew
  double small_mutation = 0.20;  ///< probability of a gene to change by 1 … small_step
  int gene_limit = 100;          ///< genes are -gene_limit … gene_limit
  int small_step = 10;
  int patience = 10;  ///< generations without a higher mean fitness of the parents
  int most_generations = 100;
  bool keep_population = false;  ///< rounds after the first begin with the last population
  int validation_games = 400;    ///< other games, by which the winner among the parents is chosen

  void visit(Options& options);
  void move_to(const std::filesystem::path& folder) { games.move_to(folder); }
};

BaoChromosome random_bao_chromosome(int gene_limit, Rng& rng);
/// Genes of the mother up to a point between two genes, of the father from there on.
BaoChromosome cross_bao_chromosomes(const BaoChromosome& mother, const BaoChromosome& father,
                                    Rng& rng);
/// A gene changes largely, or else slightly, each with its probability.
void mutate_bao_chromosome(BaoChromosome& chromosome, const BaoGeneticOptions& options, Rng& rng);

BaoLinearEvaluation bao_evaluation_of(const BaoChromosome& chromosome);

/// The winner of the last round; empty if the run was told to stop.
std::optional<BaoEvaluation> train_bao_genetic(const BaoGeneticOptions& options,
                                               const BaoTrainingRun& run);

}  // namespace ntune
