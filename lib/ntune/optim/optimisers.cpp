#include "ntune/optim/optimisers.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/options.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/optim/auto_choice.h"
#include "ntune/optim/base/capped_search.h"
#include "ntune/optim/bayesian/bayesian_search.h"
#include "ntune/optim/duels/duels.h"
#include "ntune/optim/goals/goal_search.h"
#include "ntune/optim/ntbea/ntbea_options.h"
#include "ntune/optim/racing/racing.h"
#include "ntune/optim/restarts/multi_start.h"
#include "ntune/optim/restarts/pooled_starts.h"
#include "ntune/optim/rivals/clop.h"
#include "ntune/optim/rivals/compact_ga.h"
#include "ntune/optim/rivals/grid_search.h"
#include "ntune/optim/rivals/incumbent_search.h"
#include "ntune/optim/rivals/spsa.h"
#include "ntune/optim/rivals/spsa_duels.h"
#include "ntune/optim/rivals/tpe.h"

namespace ntune {

namespace {

/// The settings of an entry, which are read for a study and make the optimisers of its runs. Only
/// those of most optimisers are alike.
class Settings {
 public:
  Settings() = default;
  Settings(const Settings&) = delete;
  Settings& operator=(const Settings&) = delete;
  virtual ~Settings() = default;

  /// Sets what the defaults depend on.
  virtual void prepare(const YamlNode& /*node*/, const SearchSpace& /*space*/) {}
  virtual void visit(Options& options) = 0;
  [[nodiscard]] virtual std::unique_ptr<Optimiser> make(const OptimiserContext& context) const = 0;
  /// The optimiser that this one starts, if it starts one.
  [[nodiscard]] virtual const OptimiserPlan* inner() const { return nullptr; }
};

/// Those of an optimiser that is told beforehand what is known. What starts another optimiser hands
/// it that instead.
class InformedSettings : public Settings {
 public:
  /// The budget counts the prior payoffs, as tables are as large as the budget.
  [[nodiscard]] std::unique_ptr<Optimiser> make(const OptimiserContext& context) const override {
    if (context.prior == nullptr) return make_plain(context);
    OptimiserContext informed = context;
    informed.budget += std::ssize(*context.prior);
    std::unique_ptr<Optimiser> optimiser = make_plain(informed);
    for (const PriorPayoff& known : *context.prior) optimiser->tell(known.point, known.payoff);
    return optimiser;
  }

 private:
  [[nodiscard]] virtual std::unique_ptr<Optimiser> make_plain(
      const OptimiserContext& context) const = 0;
};

/// An optimiser whose options need no knowledge of the space.
template <class Search, class SearchOptions>
class PlainSettings : public InformedSettings {
 public:
  void visit(Options& options) override { values_.visit(options); }

 private:
  [[nodiscard]] std::unique_ptr<Optimiser> make_plain(
      const OptimiserContext& context) const override {
    return std::make_unique<Search>(values_, context);
  }

  SearchOptions values_;
};

/// NTBEA, whose tuples may name parameters and whose presets change the defaults.
class NtbeaSettings : public InformedSettings {
 public:
  void prepare(const YamlNode& node, const SearchSpace& space) override {
    yaml_.space = &space;
    if (const YamlNode* preset = node.find("preset")) yaml_.apply_preset(preset->text());
  }
  void visit(Options& options) override { yaml_.visit(options); }

 private:
  [[nodiscard]] std::unique_ptr<Optimiser> make_plain(
      const OptimiserContext& context) const override {
    return make_ntbea(yaml_.values, context);
  }

  NtbeaYaml yaml_;
};

/// An optimiser that ends evaluations that have lost, where they can be ended.
template <class Base>
class CappedSettings : public Base {
 public:
  void visit(Options& options) override {
    Base::visit(options);
    options.flag("capping", capping_,
                 "where the result is a time: end a program when it has lost, and expect what a "
                 "longer time is on average");
  }
  [[nodiscard]] std::unique_ptr<Optimiser> make(const OptimiserContext& context) const override {
    std::unique_ptr<Optimiser> search = Base::make(context);
    if (!capping_ || !context.ends_losers) return search;
    return std::make_unique<CappedSearch>(std::move(search),
                                          context.ends_leaders || !context.payoff_low);
  }

 private:
  bool capping_ = true;
};

/// An optimiser that starts another one, with that one.
template <class Search, class SearchOptions>
class StarterSettings : public Settings {
 public:
  void prepare(const YamlNode& /*node*/, const SearchSpace& space) override {
    space_ = &space;
    inner_ = plan_optimiser(parse_yaml(SearchOptions::kInner), space);
  }
  void visit(Options& options) override {
    const auto schema = [] { return Json{{"$ref", "#/properties/optimiser"}}; };
    options.custom("optimiser",
                   {.read = [this](const YamlNode& node) { inner_ = read(node); },
                    .write = [this] { return inner_.options; },
                    .schema = schema},
                   "the optimiser: a name, or a map");
    values_.visit(options);
  }
  [[nodiscard]] std::unique_ptr<Optimiser> make(const OptimiserContext& context) const override {
    return std::make_unique<Search>(values_, inner_.make, context);
  }
  [[nodiscard]] const OptimiserPlan* inner() const override { return &inner_; }

 private:
  [[nodiscard]] OptimiserPlan read(const YamlNode& node) const {
    OptimiserPlan plan =
        SearchOptions::kPoolsPayoffs ? plan_learner(node, *space_) : plan_optimiser(node, *space_);
    if (!plan.needs_matches && !plan.needs_goals) return plan;
    node.fail(fmt::format(
        "'{}' {}, and cannot be started by another optimiser",
        plan.options["algorithm"].get<std::string>(),
        plan.needs_matches ? "chooses both players of matches" : "searches for several goals"));
  }

  SearchOptions values_;
  OptimiserPlan inner_ = {};
  const SearchSpace* space_ = nullptr;
};

/// Returns the plan of these settings. A Gaussian process in it, alone or started by another
/// optimiser, takes this k and this scale.
OptimiserPlan plan_with(const std::string& settings, const AutoNumber& k, PayoffScaling scale,
                        const SearchSpace& space) {
  OptimiserPlan plan = plan_optimiser(parse_yaml(settings), space);
  Json* searching = &plan.options;
  while (searching->contains("optimiser")) searching = &(*searching)["optimiser"];
  const bool as_usual = k.automatic && scale == PayoffScaling::kAuto;
  if (as_usual || (*searching)["algorithm"] != "gaussian_process") return plan;
  if (!k.automatic) (*searching)["k"] = k.value;
  if (scale == PayoffScaling::kLinear) (*searching)["scale"] = "linear";
  return plan_optimiser(parse_yaml(to_yaml(plan.options)), space);
}

/// For `auto` the choice falls when a run's budget is known.
class AutoSettings : public Settings {
 public:
  void visit(Options& options) override {
    options.number("k", k_, between(0, 1e6), "that of a Gaussian process, if it takes one");
    visit_scale(options, scale_);
  }
  [[nodiscard]] std::unique_ptr<Optimiser> make(const OptimiserContext& context) const override {
    const bool one_of_several = context.common_budget > 0;
    if (!context.goals.empty()) return std::make_unique<GoalSearch>(GoalSearchOptions(), context);
    if (context.matches && !one_of_several) {
      return std::make_unique<Duels>(DuelsOptions(), context);
    }
    const std::int64_t budget = one_of_several ? context.common_budget : context.budget;
    const AutoChoice choice = auto_choice(*context.space, budget, context.noisy, one_of_several);
    return plan_with(choice.settings, k_, scale_, *context.space).make(context);
  }

 private:
  AutoNumber k_ = {};
  PayoffScaling scale_ = PayoffScaling::kAuto;
};

/// What every `optimiser:` map may hold besides the settings of its algorithm.
struct OptimiserMap {
  std::string algorithm;
  std::string label;
  Settings& settings;

  void visit(Options& options) {
    const std::vector<std::string> names = {algorithm};
    options.choice("algorithm", algorithm, std::span(names), "name of the optimiser");
    options.text("label", label, "name in tables; by default made from what differs");
    settings.visit(options);
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

/// What is said of an optimiser in the table beside its settings; see OptimiserEntry.
enum Facts : unsigned {
  kLearns = 1,     ///< from payoffs that it did not ask for
  kMatches = 2,    ///< it chooses both players of matches
  kRival = 4,      ///< it is there to be compared with
  kOneRun = 8,     ///< one run may take any budget
  kShortRun = 16,  ///< a suggestion takes the longer, the longer the run is
  kBlocks = 32,    ///< its proposals have blocks
  kGoals = 64      ///< it searches for several goals
};

/// Makes settings at their defaults.
using NewSettings = std::unique_ptr<Settings> (*)();

/// Reads the map of an optimiser with these settings, and returns the plan of it. A label is made
/// from the options that differ from the defaults, after a preset has changed these.
OptimiserPlan make_plan(const std::string& name, unsigned facts, NewSettings new_settings,
                        const YamlNode& node, const SearchSpace& space) {
  const std::unique_ptr<Settings> defaults = new_settings();
  defaults->prepare(node, space);
  const std::shared_ptr<Settings> settings = new_settings();
  settings->prepare(node, space);
  OptimiserMap map{.algorithm = name, .label = {}, .settings = *settings};
  read_declared(node, [&](Options& options) { map.visit(options); });
  Json options = options_json(map);
  if (map.label.empty()) {
    const OptimiserMap unread{.algorithm = name, .label = {}, .settings = *defaults};
    options["label"] = make_label(options, options_json(unread));
  }
  OptimiserPlan plan = {
      .label = options["label"].get<std::string>(),
      .options = options,
      .make = [settings](const OptimiserContext& context) { return settings->make(context); },
      .uses_prior = (facts & kLearns) != 0,
      .needs_matches = (facts & kMatches) != 0,
      .needs_goals = (facts & kGoals) != 0,
      .asks_in_blocks = (facts & kBlocks) != 0};
  // One that starts another optimiser uses prior payoffs if that one does.
  if (const OptimiserPlan* inner = settings->inner()) plan.uses_prior = inner->uses_prior;
  return plan;
}

/// Returns an entry of the table: how to plan the optimiser, and the schema of its map.
OptimiserEntry entry_of(const char* name, const char* summary, unsigned facts,
                        NewSettings new_settings) {
  constexpr std::int64_t kSlow = 5000;
  OptimiserEntry made = {.name = name,
                         .summary = summary,
                         .plan =
                             [=](const YamlNode& node, const SearchSpace& space) {
                               return make_plan(name, facts, new_settings, node, space);
                             },
                         .schema =
                             [=] {
                               const std::unique_ptr<Settings> defaults = new_settings();
                               return options_schema(OptimiserMap{
                                   .algorithm = name, .label = {}, .settings = *defaults});
                             },
                         .learns_from_others = (facts & kLearns) != 0,
                         .needs_matches = (facts & kMatches) != 0,
                         .needs_goals = (facts & kGoals) != 0,
                         .is_rival = (facts & kRival) != 0};
  if ((facts & kOneRun) != 0) made.longest_single_run = std::numeric_limits<std::int64_t>::max();
  if ((facts & kShortRun) != 0) made.longest_single_run = kSlow;
  return made;
}

template <class OwnSettings>
OptimiserEntry entry(const char* name, const char* summary, unsigned facts = 0) {
  return entry_of(name, summary, facts,
                  []() -> std::unique_ptr<Settings> { return std::make_unique<OwnSettings>(); });
}

/// Returns the table of all optimisers. A line here makes one known to studies, the schema, `ntune
/// list` and the tests.
const std::vector<OptimiserEntry>& table() {
  static const std::vector<OptimiserEntry> entries = {
      entry<AutoSettings>("auto", "the optimiser that the arena suggests for the space and budget",
                          kLearns | kOneRun),
      entry<CappedSettings<NtbeaSettings>>(
          "ntbea", "N-Tuple Bandit Evolutionary Algorithm (Goodman and Lucas 2020)", kLearns),
      entry<CappedSettings<PlainSettings<BayesianSearch, BayesianSearchOptions>>>(
          "gaussian_process", "Bayesian optimisation with NTBEA's neighbourhood",
          kLearns | kOneRun),
      entry<StarterSettings<MultiStart, MultiStartOptions>>(
          "multi_start",
          "restarts of another optimiser, as many as the payoffs suggest, and a comparison",
          kOneRun),
      entry<StarterSettings<PooledStarts, PooledStartsOptions>>(
          "pooled_starts", "separate searches, and one that goes on with the payoffs of all",
          kOneRun),
      entry<PlainSettings<Racing, RacingOptions>>(
          "racing", "iterated racing in irace's manner (López-Ibáñez et al. 2016)", kBlocks),
      entry<PlainSettings<GoalSearch, GoalSearchOptions>>(
          "goals", "several goals at once: a model of each, and weights that change (Knowles 2006)",
          kGoals | kOneRun),
      entry<PlainSettings<Duels, DuelsOptions>>(
          "duels", "candidates play each other, a Gaussian process learns their strengths",
          kMatches | kOneRun),
      entry<PlainSettings<Tpe, TpeOptions>>(
          "tpe", "tree-structured Parzen estimator (Bergstra et al. 2011)",
          kRival | kLearns | kShortRun),
      entry<PlainSettings<CompactGa, CompactGaOptions>>(
          "compact_ga", "sliding-window compact genetic algorithm (Lucas et al. 2017)", kRival),
      entry<PlainSettings<Spsa, SpsaOptions>>(
          "spsa", "simultaneous perturbation over ordered parameters (Spall 1992)", kRival),
      entry<PlainSettings<Rmhc, RmhcOptions>>(
          "rmhc", "random mutation hill climber with a re-sampled incumbent", kRival),
      entry<PlainSettings<RandomSearch, RandomSearchOptions>>(
          "random", "random points against a re-sampled incumbent", kRival),
      entry<PlainSettings<GridSearch, GridSearchOptions>>("grid", "a grid in turn, again and again",
                                                          kRival),
      entry<PlainSettings<SpsaDuels, SpsaDuelsOptions>>(
          "spsa_duels", "SPSA as fishtest and OpenBench run it: the iterate against itself",
          kRival | kMatches | kOneRun),
      entry<PlainSettings<Clop, ClopOptions>>(
          "clop", "weighted quadratic regression of matches with the default (Coulom 2011)",
          kRival | kMatches | kOneRun)};
  return entries;
}

}  // namespace

OptimiserPlan multi_start_of(const OptimiserPlan& plan) {
  return {.label = plan.label,
          .options = plan.options,
          .make =
              [inner = plan.make](const OptimiserContext& context) {
                return std::make_unique<MultiStart>(MultiStartOptions(), inner, context);
              },
          .uses_prior = plan.uses_prior};
}

std::span<const OptimiserEntry> optimiser_table() { return table(); }

std::optional<std::int64_t> longest_single_run(const std::string& algorithm) {
  const auto found = std::ranges::find(table(), algorithm, &OptimiserEntry::name);
  return found == table().end() ? std::nullopt : found->longest_single_run;
}

OptimiserPlan plan_optimiser(const YamlNode& node, const SearchSpace& space) {
  // A map without `algorithm` is one of ntbea's.
  const YamlNode* name = node.is_map() ? node.find("algorithm") : &node;
  if (!node.is_map() && !node.is_scalar()) {
    node.fail(fmt::format("is {}, the name of an optimiser or a map is allowed", node.describe()));
  }
  if (name != nullptr && !name->is_scalar()) {
    name->fail(fmt::format("is {}, the name of an optimiser is allowed", name->describe()));
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

/// Names in the message are those of all optimisers that would do.
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

OptimiserPlan usual_learner(const SearchSpace& space, const std::vector<Point>& points) {
  constexpr std::size_t kMostOfProcess = 3000;  // it takes O(points^3)
  const std::size_t distinct = std::unordered_set<Point>(points.begin(), points.end()).size();
  const char* name = distinct <= kMostOfProcess ? "gaussian_process" : "ntbea";
  return plan_optimiser(parse_yaml(name), space);
}

}  // namespace ntune
