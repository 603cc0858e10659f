#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "apps/bao/training/training.h"

namespace ntune {

/// The 27 weights of BaoLinearEvaluation as whole numbers.
using BaoChromosome = std::array<int, kBaoWeights>;

/// The genetic algorithm that made GA3 (Donkers et al. 2005, Section 6). The paper leaves open how
/// large a gene may be, how small a small change is, and which games the 100 are. It also leaves
/// open that parents stay in the population, and after how many generations "no improvement" ends a
/// round.
struct BaoGeneticOptions {
  std::int64_t seed = 1;
  int rounds = 3;  ///< the first plays against `games.opponent`, later ones the last winner
  BaoGamesOptions games;
  int population = 100;
  int parents = 10;  ///< the fittest chromosomes, which stay and alone have offspring
  int fitness_games = 100;
  /// Every generation plays new games, the parents too, and the fitness is the share won of all
  /// games played. Otherwise a round has one set of games, and breeds chromosomes that win these
  /// and no others. Measured were 62 wins of 100 in them and 49 in fresh ones.
  bool fresh_games = true;
  double large_mutation = 0.05;  ///< probability that a gene is drawn anew
  double small_mutation = 0.20;  ///< probability that a gene changes by 1 … small_step
  int gene_limit = 100;          ///< genes are -gene_limit … gene_limit
  int small_step = 10;
  int patience = 10;  ///< generations without a higher mean fitness of the parents
  int most_generations = 100;
  bool keep_population = false;  ///< rounds after the first begin with the last population
  int validation_games = 400;    ///< further games, which choose the winner among the parents

  void visit(Options& options);
  void move_to(const std::filesystem::path& folder) { games.move_to(folder); }
};

BaoChromosome random_bao_chromosome(int gene_limit, Rng& rng);
/// Genes of the mother up to a point between two genes, of the father from there on.
BaoChromosome cross_bao_chromosomes(const BaoChromosome& mother, const BaoChromosome& father,
                                    Rng& rng);
/// Each gene is drawn anew with one probability, or else changed slightly with the other.
void mutate_bao_chromosome(BaoChromosome& chromosome, const BaoGeneticOptions& options, Rng& rng);

BaoLinearEvaluation bao_evaluation_of(const BaoChromosome& chromosome);

/// The winner of the last round; empty if the run was told to stop.
std::optional<BaoEvaluation> train_bao_genetic(const BaoGeneticOptions& options,
                                               const BaoTrainingRun& run);

}  // namespace ntune
