#include "apps/bao/training/genetic.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/option_json.h"
#include "ntune/core/options.h"
#include "ntune/games/bao/weights.h"

namespace ntune {
namespace {

double share_of(int wins, int games) {
  return static_cast<double>(wins) / static_cast<double>(std::max(1, games));
}

struct Individual {
  BaoChromosome genes{};
  int wins = 0;
  int games = 0;

  [[nodiscard]] double fitness() const { return share_of(wins, games); }
};

void to_json(Json& json, const Individual& one) { json = {one.genes, one.wins, one.games}; }
void from_json(const Json& json, Individual& one) {
  json.at(0).get_to(one.genes);
  json.at(1).get_to(one.wins);
  json.at(2).get_to(one.games);
}

class GeneticTraining {
 public:
  GeneticTraining(const BaoGeneticOptions& options, const BaoTrainingRun& run)
      : options_(options),
        run_(run),
        checkpoint_(run, "ga", options_json(options)),
        rng_(static_cast<std::uint64_t>(options.seed)),
        opponent_(find_bao_evaluation(options.games.opponent).evaluation) {}

  std::optional<BaoEvaluation> train() {
    checkpoint_.load([this](const Json& state) { restore(state); });
    if (!winners_.empty()) opponent_ = bao_evaluation_of(winners_.back());
    while (winners_.size() < static_cast<std::size_t>(options_.rounds)) {
      const auto winner = round(static_cast<int>(winners_.size()));
      if (!winner) return std::nullopt;
      winners_.push_back(*winner);
      opponent_ = bao_evaluation_of(*winner);
      generation_ = -1;
      save();
    }
    return opponent_;
  }

 private:
  std::optional<BaoChromosome> round(int round) {
    const BaoSparring sparring(options_.games, opponent_);
    if (generation_ < 0) begin(round);
    while (generation_ == 0 || !is_finished()) {
      if (generation_ > 0) breed(round);
      evaluate(sparring, round);
      if (run_.progress.stop) return std::nullopt;
      const double mean = mean_of_parents();
      stalled_ = mean > best_ ? 0 : stalled_ + 1;
      best_ = std::max(best_, mean);
      ++generation_;
      save();
      run_.tell({round + 1, generation_, mean});
    }
    return winner(sparring, round);
  }

  void begin(int round) {
    if (round == 0 || !options_.keep_population) population_.clear();
    for (Individual& one : population_) one.wins = one.games = 0;
    while (population_.size() < static_cast<std::size_t>(options_.population)) {
      Rng rng = rng_.stream("first", round, population_.size());
      population_.push_back({random_bao_chromosome(options_.gene_limit, rng)});
    }
    generation_ = stalled_ = 0;
    best_ = -1.0;
  }

  [[nodiscard]] bool is_finished() const {
    return stalled_ >= options_.patience || generation_ >= options_.most_generations;
  }

  /// The parents, then their offspring.
  void breed(int round) {
    const auto parents = static_cast<std::uint32_t>(options_.parents);
    for (std::size_t i = parents; i < population_.size(); ++i) {
      Rng rng = rng_.stream("offspring", round, generation_, i);
      const BaoChromosome& mother = population_[rng.below(parents)].genes;
      const BaoChromosome& father = population_[rng.below(parents)].genes;
      Individual child = {cross_bao_chromosomes(mother, father, rng)};
      mutate_bao_chromosome(child.genes, options_, rng);
      population_[i] = child;
    }
  }

  /// All that play do so in the same games. The new ones of the population play the games of the
  /// round, or all of them the games of the generation. Sorts by fitness, older ones first.
  void evaluate(const BaoSparring& sparring, int round) {
    const auto plays = [&](const Individual& one) {
      return options_.fresh_games || one.games == 0;
    };
    const auto first = std::find_if(population_.begin(), population_.end(), plays);
    std::vector<BaoEvaluation> contenders;
    for (auto one = first; one != population_.end(); ++one) {
      contenders.emplace_back(bao_evaluation_of(one->genes));
    }
    const int number = options_.fresh_games ? generation_ : 0;
    const std::vector<int> wins =
        sparring.wins(contenders, options_.fitness_games, rng_.stream("fitness", round, number),
                      run_.parallel, run_.progress);
    auto one = first;
    for (const int won : wins) {
      one->wins += won;
      one->games += options_.fitness_games;
      ++one;
    }
    std::stable_sort(
        population_.begin(), population_.end(),
        [](const Individual& a, const Individual& b) { return a.fitness() > b.fitness(); });
  }

  [[nodiscard]] double mean_of_parents() const {
    double sum = 0.0;
    for (int i = 0; i < options_.parents; ++i) {
      sum += population_[static_cast<std::size_t>(i)].fitness();
    }
    return sum / options_.parents;
  }

  /// The fitness of the fittest is a maximum over noise: fresh games decide among the parents.
  std::optional<BaoChromosome> winner(const BaoSparring& sparring, int round) {
    std::vector<BaoEvaluation> contenders;
    for (int i = 0; i < options_.parents; ++i) {
      contenders.emplace_back(bao_evaluation_of(population_[static_cast<std::size_t>(i)].genes));
    }
    const std::vector<int> wins =
        sparring.wins(contenders, options_.validation_games, rng_.stream("validation", round),
                      run_.parallel, run_.progress);
    if (run_.progress.stop) return std::nullopt;
    const auto best = std::max_element(wins.begin(), wins.end());
    run_.tell({round + 1, generation_, best_, share_of(*best, options_.validation_games)});
    return population_[static_cast<std::size_t>(best - wins.begin())].genes;
  }

  void save() const {
    checkpoint_.save({{"winners", winners_},
                      {"generation", generation_},
                      {"stalled", stalled_},
                      {"best", best_},
                      {"population", population_}});
  }

  void restore(const Json& state) {
    state.at("winners").get_to(winners_);
    state.at("generation").get_to(generation_);
    state.at("stalled").get_to(stalled_);
    state.at("best").get_to(best_);
    state.at("population").get_to(population_);
  }

  BaoGeneticOptions options_;
  const BaoTrainingRun& run_;
  BaoCheckpoint checkpoint_;
  Rng rng_;
  BaoEvaluation opponent_;
  std::vector<BaoChromosome> winners_;  // of the rounds that are over
  int generation_ = -1;                 // generations played of this round; -1: not begun
  int stalled_ = 0;
  double best_ = -1.0;                  // mean fitness of parents
  std::vector<Individual> population_;  // the fittest first
};

}  // namespace

void BaoGeneticOptions::visit(Options& options) {
  constexpr double kMany = 1'000'000;
  options.integer("seed", seed, at_least(0), "seed of all random numbers");
  options.integer("rounds", rounds, between(1, kMany),
                  "runs; the opponent of all but the first is the winner of the one before");
  games.visit(options);
  options.integer("population", population, between(2, kMany), "chromosomes");
  options.integer("parents", parents, between(1, kMany),
                  "the fittest, which stay and alone have offspring");
  options.integer("fitness_games", fitness_games, between(1, kMany),
                  "games against the opponent; the fitness is the number of them won");
  options.flag("fresh_games", fresh_games,
               "the games are others in each generation and the parents play too; the fitness is "
               "the share won of all games played");
  options.number("large_mutation", large_mutation, between(0, 1),
                 "probability of a gene to be drawn anew");
  options.number("small_mutation", small_mutation, between(0, 1),
                 "probability of a gene to change slightly");
  options.integer("gene_limit", gene_limit, between(1, kMany), "size of the largest gene");
  options.integer("small_step", small_step, between(1, kMany), "size of the largest slight change");
  options.integer("patience", patience, between(1, kMany),
                  "generations without a higher mean fitness of the parents that end a round");
  options.integer("most_generations", most_generations, between(1, kMany),
                  "generations that end a round");
  options.flag("keep_population", keep_population,
               "rounds after the first begin with the last population, not with a random one");
  options.integer("validation_games", validation_games, between(1, kMany),
                  "other games, by which the winner among the parents is chosen");
}

BaoChromosome random_bao_chromosome(int gene_limit, Rng& rng) {
  BaoChromosome genes;
  const auto values = static_cast<std::uint32_t>(2 * gene_limit + 1);
  for (int& gene : genes) gene = static_cast<int>(rng.below(values)) - gene_limit;
  return genes;
}

BaoChromosome cross_bao_chromosomes(const BaoChromosome& mother, const BaoChromosome& father,
                                    Rng& rng) {
  BaoChromosome child = father;
  std::copy_n(mother.begin(), 1 + rng.below(kBaoWeights - 1), child.begin());
  return child;
}

void mutate_bao_chromosome(BaoChromosome& chromosome, const BaoGeneticOptions& options, Rng& rng) {
  const int limit = options.gene_limit;
  const auto values = static_cast<std::uint32_t>(2 * limit + 1);
  for (int& gene : chromosome) {
    if (rng.bernoulli(options.large_mutation)) {
      gene = static_cast<int>(rng.below(values)) - limit;
    } else if (rng.bernoulli(options.small_mutation)) {
      const int step =
          1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(options.small_step)));
      gene = std::clamp(rng.bernoulli(0.5) ? gene + step : gene - step, -limit, limit);
    }
  }
}

BaoLinearEvaluation bao_evaluation_of(const BaoChromosome& chromosome) {
  BaoWeights weights;
  std::copy(chromosome.begin(), chromosome.end(), weights.begin());
  return BaoLinearEvaluation(weights);
}

std::optional<BaoEvaluation> train_bao_genetic(const BaoGeneticOptions& options,
                                               const BaoTrainingRun& run) {
  if (options.parents >= options.population) {
    throw InputError(fmt::format("parents: must be fewer than population ({}), not {}",
                                 options.population, options.parents));
  }
  return GeneticTraining(options, run).train();
}

}  // namespace ntune
