#include "ntune/optim/optimisers.h"

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/suggestion.h"
#include "ntune/core/text.h"
#include "ntune/optim/auto_choice.h"
#include "ntune/optim/baselines/compact_ga.h"
#include "ntune/optim/baselines/grid_search.h"
#include "ntune/optim/baselines/racing.h"
#include "ntune/optim/baselines/random_search.h"
#include "ntune/optim/baselines/rmhc.h"
#include "ntune/optim/baselines/spsa.h"
#include "ntune/optim/baselines/tpe.h"
#include "ntune/optim/bayesian/gaussian_process_search.h"
#include "ntune/optim/bayesian/regression_n_tuple.h"
#include "ntune/optim/ntbea_options.h"
#include "ntune/optim/restarts/multi_start.h"
#include "ntune/optim/restarts/pooled_starts.h"
#include "ntune/optim/smoothed_n_tuple.h"

namespace ntune {

namespace {

/// What every `optimiser:` map may hold besides the options of its algorithm.
template <class Own>
struct Described {
  std::string algorithm;
  std::string label;
  Own own;

  void visit(Options& options) {
    const std::vector<std::string> names = {algorithm};
    options.choice("algorithm", algorithm, std::span(names), "name of the optimiser");
    options.text("label", label, "name in tables; by default made from what differs");
    own.visit(options);
  }
};

/// "ntbea" and the options that differ from the defaults: "ntbea weighting=linear".
std::string make_label(const Json& options, const Json& defaults) {
  std::string label = options.at("algorithm").get<std::string>();
  for (const auto& [key, value] : options.items()) {
    if (key == "label" || value == defaults.at(key)) continue;
    label +=
        fmt::format(" {}={}", key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  return label;
}

/// An entry whose options need no knowledge of the space.
template <class Search, class SearchOptions>
OptimiserEntry simple_entry(const char* name, const char* summary,
                            bool learns_from_others = false) {
  return {.name = name,
          .summary = summary,
          .plan =
              [name](const YamlNode& node, const SearchSpace&) {
                const Described<SearchOptions> defaults{name, "", {}};
                auto described = read_options(node, defaults);
                Json options = options_json(described);
                if (described.label.empty()) {
                  options["label"] = make_label(options, options_json(defaults));
                }
                return OptimiserPlan{.label = options["label"].get<std::string>(),
                                     .options = options,
                                     .make = [own = described.own](const OptimiserContext& context)
                                         -> std::unique_ptr<Optimiser> {
                                       return std::make_unique<Search>(own, context);
                                     }};
              },
          .schema =
              [name] {
                return options_schema(Described<SearchOptions>{name, "", {}});
              },
          .learns_from_others = learns_from_others};
}

OptimiserPlan plan_ntbea(const YamlNode& node, const SearchSpace& space) {
  Described<NtbeaYaml> defaults;
  defaults.algorithm = "ntbea";
  defaults.own.space = &space;
  Described<NtbeaYaml> described = defaults;
  if (const YamlNode* preset = node.find("preset")) {
    described.own.apply_preset(preset->text());
    defaults.own.apply_preset(preset->text());
  }
  described = read_options(node, described);
  Json options = options_json(described);
  if (described.label.empty()) {
    Json reference = options_json(defaults);
    reference["preset"] = "none";
    options["label"] = make_label(options, reference);
  }
  return {.label = options["label"].get<std::string>(),
          .options = options,
          .make = [own = described.own.values](const OptimiserContext& context) {
            return make_ntbea(own, context);
          }};
}

Json ntbea_schema() {
  Described<NtbeaYaml> defaults;
  defaults.algorithm = "ntbea";
  return options_schema(defaults);
}

/// An optimiser that starts another one, with that one.
template <class Own>
struct StarterYaml {
  Own values;
  OptimiserPlan inner;
  const SearchSpace* space = nullptr;

  void visit(Options& options) {
    options.custom("optimiser",
                   {.read =
                        [&](const YamlNode& node) {
                          inner = Own::kPoolsPayoffs ? plan_learner(node, *space)
                                                     : plan_optimiser(node, *space);
                        },
                    .write = [&] { return inner.options; },
                    .schema =
                        [] {
                          return Json{{"$ref", "#/properties/optimiser"}};
                        }},
                   "what searches: a name, or a map");
    values.visit(options);
  }
};

template <class Search, class SearchOptions>
OptimiserPlan plan_starter(const std::string& name, const std::string& inner, const YamlNode& node,
                           const SearchSpace& space) {
  Described<StarterYaml<SearchOptions>> defaults{name, "", {}};
  defaults.own.space = &space;
  defaults.own.inner = plan_optimiser(parse_yaml(inner), space);
  const auto described = read_options(node, defaults);
  Json options = options_json(described);
  if (described.label.empty()) {
    Json reference = options_json(defaults);
    options["label"] = make_label(options, reference);
  }
  return {
      .label = options["label"].get<std::string>(),
      .options = options,
      .make = [own = described.own](const OptimiserContext& context) -> std::unique_ptr<Optimiser> {
        return std::make_unique<Search>(own.values, own.inner, context);
      }};
}

/// An entry of an optimiser that starts another one, by default `inner`.
template <class Search, class SearchOptions>
OptimiserEntry starter_entry(const char* name, const char* inner, const char* summary) {
  return {.name = name,
          .summary = summary,
          .plan =
              [name, inner](const YamlNode& node, const SearchSpace& space) {
                return plan_starter<Search, SearchOptions>(name, inner, node, space);
              },
          .schema =
              [name] {
                return options_schema(Described<StarterYaml<SearchOptions>>{name, "", {}});
              }};
}

/// `auto` has no options: the choice falls when a run's budget is known.
struct AutoYaml {
  void visit(Options& /*options*/) {}
};

OptimiserPlan plan_auto(const YamlNode& node, const SearchSpace& /*space*/) {
  const Described<AutoYaml> defaults{"auto", "", {}};
  auto described = read_options(node, defaults);
  Json options = options_json(described);
  if (described.label.empty()) options["label"] = "auto";
  return {.label = options["label"].get<std::string>(),
          .options = options,
          .make = [](const OptimiserContext& context) {
            const bool one_of_several = context.common_budget > 0;
            const AutoChoice choice =
                auto_choice(*context.space, one_of_several ? context.common_budget : context.budget,
                            one_of_several);
            return plan_optimiser(parse_yaml(choice.settings), *context.space).make(context);
          }};
}

const std::vector<OptimiserEntry>& table() {
  static const std::vector<OptimiserEntry> entries = {
      {"auto", "the optimiser that the arena suggests for the space and budget", plan_auto,
       [] {
         return options_schema(Described<AutoYaml>{"auto", "", {}});
       },
       true},
      {"ntbea", "N-Tuple Bandit Evolutionary Algorithm (Goodman and Lucas 2020)", plan_ntbea,
       ntbea_schema, true},
      simple_entry<GaussianProcessSearch, GaussianProcessOptions>(
          "gaussian_process", "Bayesian optimisation with NTBEA's neighbourhood", true),
      starter_entry<MultiStart, MultiStartOptions>(
          "multi_start", "ntbea",
          "restarts of another optimiser, compared, as many as what is seen suggests"),
      starter_entry<PooledStarts, PooledStartsOptions>(
          "pooled_starts", "gaussian_process",
          "separate searches, and one that goes on with the payoffs of all"),
      simple_entry<RegressionNTuple, RegressionNTupleOptions>(
          "regression_n_tuple", "Bayesian regression over 1-tuples, pairs and points", true),
      simple_entry<SmoothedNTuple, SmoothedNTupleOptions>(
          "smoothed_n_tuple", "NTBEA with payoffs shared between neighbouring values", true),
      simple_entry<RandomSearch, RandomSearchOptions>(
          "random", "random points against a re-sampled incumbent"),
      simple_entry<GridSearch, GridSearchOptions>("grid", "a grid in turn, again and again"),
      simple_entry<Rmhc, RmhcOptions>("rmhc",
                                      "random mutation hill climber with a re-sampled incumbent"),
      simple_entry<CompactGa, CompactGaOptions>(
          "compact_ga", "sliding-window compact genetic algorithm (Lucas et al. 2017)"),
      simple_entry<Tpe, TpeOptions>(
          "tpe", "tree-structured Parzen estimator (Bergstra et al. 2011)", true),
      simple_entry<Spsa, SpsaOptions>(
          "spsa", "simultaneous perturbation over ordered parameters (Spall 1992)"),
      simple_entry<Racing, RacingOptions>(
          "racing", "iterated racing in irace's manner (López-Ibáñez et al. 2016)")};
  return entries;
}

}  // namespace

OptimiserPlan multi_start_of(const OptimiserPlan& plan) {
  return {.label = plan.label,
          .options = plan.options,
          .make = [plan](const OptimiserContext& context) -> std::unique_ptr<Optimiser> {
            return std::make_unique<MultiStart>(MultiStartOptions(), plan, context);
          }};
}

std::span<const OptimiserEntry> optimiser_table() { return table(); }

OptimiserPlan plan_optimiser(const YamlNode& node, const SearchSpace& space) {
  const YamlNode* name = node.is_map() ? node.find("algorithm") : &node;
  if (!node.is_map() && !node.is_scalar()) {
    node.fail(fmt::format("is {}, the name of an optimiser or a map is allowed", node.describe()));
  }
  const std::string wanted = name == nullptr ? "ntbea" : name->text();
  std::vector<std::string> names;
  for (const OptimiserEntry& entry : table()) {
    if (entry.name == wanted) return entry.plan(node.is_map() ? node : YamlNode(), space);
    names.push_back(entry.name);
  }
  name->fail(fmt::format("'{}' is not an optimiser{}; allowed: {}", printable(wanted, 60),
                         suggestion(wanted, names), list_text(names)));
}

OptimiserPlan plan_learner(const YamlNode& node, const SearchSpace& space) {
  OptimiserPlan plan = plan_optimiser(node, space);
  const std::string algorithm = plan.options["algorithm"];
  std::vector<std::string> names;
  for (const OptimiserEntry& entry : table()) {
    if (!entry.learns_from_others) continue;
    if (entry.name == algorithm) return plan;
    names.push_back(entry.name);
  }
  node.fail(fmt::format("'{}' learns only from what it asked for; allowed: {}", algorithm,
                        list_text(names)));
}

}  // namespace ntune
