#include "ntune/optim/bayesian/bayesian_search_options.h"

#include <string>
#include <utility>
#include <vector>

namespace ntune {

void visit_scale(Options& options, PayoffScaling& scale) {
  static const std::vector<std::pair<std::string, PayoffScaling>> kScales = {
      {"auto", PayoffScaling::kAuto}, {"linear", PayoffScaling::kLinear}};
  options.choice(
      "scale", scale, kScales,
      "linear: payoffs as they are; auto: their logarithms where these fit better, of noisy "
      "payoffs of one sign without a declared range, equal worst ones or instances' "
      "effects taken out");
}

void BayesianSearchOptions::visit(Options& options) {
  options.choice("kernel", kernel,
                 {{"product", KernelForm::kProduct},
                  {"tuples", KernelForm::kTuples},
                  {"pairs", KernelForm::kPairs}},
                 "a function of all parameters; a sum over 1-tuples, pairs and all; or 1-tuples, "
                 "pairs and a part of each point alone");
  static const std::vector<std::pair<std::string, Acquisition>> kAcquisitions = {
      {"ucb", Acquisition::kUcb},
      {"thompson", Acquisition::kThompson},
      {"knowledge_gradient", Acquisition::kKnowledgeGradient}};
  options.choice("acquisition", acquisition, kAcquisitions, "what decides between candidates");
  options.number(
      "k", k, between(0, 1e6),
      "standard deviations above the mean, for ucb; auto: 3, and where payoffs are not those of "
      "games their spread is the unit, whatever range is declared");
  visit_scale(options, scale);
  options.integer("candidates", candidates, between(2, 1e6), "mutants rated for each evaluation");
  options.number("mutation_rate", mutation_rate, between(0, 1),
                 "probability that a parameter mutates; auto: 1 / d (one always does)");
  options.integer(
      "initial", initial, between(1, 1e9),
      "random points first; auto: one more than parameters with several values, or with `k: auto` "
      "each point once, if constraints leave no more than candidates and a third of the budget");
  options.integer(
      "repeats", repeats, between(1, 1e9),
      "evaluations in a row of each point asked for, where there is noise; auto: 1 for a "
      "budget of up to most_points, 2 up to twice as many, and so on");
  options.number("refit", refit, between(1.01, 1e6),
                 "hyperparameters are fitted when the payoffs have grown by this factor");
  options.integer("refit_steps", refit_steps, between(1, 1e4), "steps of each fit");
  options.integer("refit_points", refit_points, between(4, 1e4), "most points in a fit");
  options.integer("most_points", most_points, between(4, 1e4),
                  "distinct points, after which only these are evaluated again");
  options.number("price", price, at_least(0),
                 "the run ends when no candidate's expected improvement reaches this payoff, ten "
                 "asks in a row; 0: it uses its budget");
}

}  // namespace ntune
