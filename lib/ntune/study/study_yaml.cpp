#include "ntune/study/study_yaml.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "ntune/catalogue/objectives.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/options.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/optim/auto_choice.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/study_keys.h"

namespace ntune {

namespace {

constexpr std::size_t kLongestLabel = 1000;

std::optional<std::int64_t> given(const AutoInteger& number) {
  if (number.automatic) return std::nullopt;
  return number.value;
}

/// The elements of a list with at least one.
std::vector<const YamlNode*> elements(const YamlNode& node, const char* what) {
  std::vector<const YamlNode*> list;
  if (!node.is_list())
    node.fail(fmt::format("is {}, a list of {} is allowed", node.describe(), what));
  for (const YamlNode& item : node.children()) list.push_back(&item);
  if (list.empty()) node.fail(fmt::format("is an empty list, one or more {} are allowed", what));
  return list;
}

std::int64_t read_count(const YamlNode& node) {
  const auto value = node.integer();
  if (!value || *value < 1 || *value > kMostEvaluations) {
    node.fail(fmt::format("is {}, a whole number of at least 1 is allowed", node.describe()));
  }
  return *value;
}

/// One node, or the elements of a list where several are given.
std::vector<const YamlNode*> one_or_list(const YamlNode* one, const YamlNode* several,
                                         const char* what) {
  if (several != nullptr) return elements(*several, what);
  if (one->is_list()) {
    one->fail(fmt::format("is a list, one is allowed; write '{}:' for several", what));
  }
  return {one};
}

/// A number of "10 x 2,000": spaces and thousands commas where the user likes them.
std::optional<std::int64_t> read_factor(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == ','; });
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value < 1 || value > kMostEvaluations) return std::nullopt;
  return value;
}

/// Turns the keys into a study.
class StudyReader {
 public:
  StudyReader(const YamlNode& root, std::shared_ptr<const Objective> given) : root_(root) {
    OptionReader reader(root);
    yaml_.visit(reader);
    reader.finish();
    read_objectives(std::move(given));
    read_optimisers();
    read_re_evaluation();
    read_plans();
    read_rest();
    study_.config = options_json(yaml_);
    study_.config.erase("threads");  // does not change the result
    if (yaml_.split != nullptr || yaml_.splits != nullptr) study_.config.erase("runs");
    for (auto item = study_.config.begin(); item != study_.config.end();) {
      item = item->is_null() || *item == "" ? study_.config.erase(item) : std::next(item);
    }
  }

  Study take() { return std::move(study_); }

 private:
  void refuse_both(const YamlNode* one, const YamlNode* other) const {
    if (one != nullptr && other != nullptr) {
      other->fail(fmt::format("stands beside '{}', one of the two is allowed", one->key()));
    }
  }

  void read_objectives(std::shared_ptr<const Objective> given) {
    refuse_both(yaml_.objective, yaml_.objectives);
    const YamlNode* node = yaml_.objective != nullptr ? yaml_.objective : yaml_.objectives;
    if (given) {
      if (node != nullptr) node->fail("the program gives the objective, none is allowed here");
      if (yaml_.space != nullptr)
        yaml_.space->fail("the program gives the space with the objective");
      Json options = {{"program", given->description()}};
      study_.objectives.push_back({given->description(), std::move(options), std::move(given)});
      yaml_.resolved["objective"] = study_.objectives[0].options;
      return;
    }
    if (node == nullptr) {
      root_.fail_at("objective",
                    "is missing, name one, such as 'objective: hartmann6' (see 'ntune "
                    "list objectives')");
    }
    const auto list = one_or_list(yaml_.objective, yaml_.objectives, "objectives");
    if (yaml_.space != nullptr && list.size() > 1) {
      yaml_.space->fail("a space goes with one objective, there are several");
    }
    Json resolved = Json::array();
    std::set<std::string> labels;
    for (const YamlNode* item : list) {
      const ObjectiveEntry& entry = find_objective(*item);
      StudyObjective objective;
      objective.objective = entry.make(*item, yaml_.space);
      objective.options = entry.resolved(*item);
      objective.label = objective_label(entry, objective.options, labels);
      if (!labels.insert(objective.label).second) {
        objective.label += fmt::format(" #{}", labels.size() + 1);
        labels.insert(objective.label);
      }
      resolved.push_back(objective.options);
      study_.objectives.push_back(std::move(objective));
    }
    const bool one = yaml_.objective != nullptr;
    yaml_.resolved[one ? "objective" : "objectives"] = one ? resolved[0] : resolved;
    if (one) yaml_.resolved["space"] = space_json(study_.objectives[0].objective->space());
  }

  /// The name and the options that differ from the defaults; the noise only to tell twins apart.
  static std::string objective_label(const ObjectiveEntry& entry, const Json& options,
                                     const std::set<std::string>& labels) {
    if (entry.label) return printable(entry.label(options), kLongestLabel);
    if (entry.name.empty()) return entry.kind;
    std::string label = entry.name;
    const Json defaults = entry.resolved(parse_yaml(fmt::format("{}: {}", entry.kind, entry.name)));
    for (const auto& [key, value] : options.items()) {
      const bool differs = key == "noise" ? labels.count(label) > 0 : value != defaults.at(key);
      if (!differs || value.is_structured()) continue;
      label +=
          fmt::format(" {}={}", key, value.is_string() ? value.get<std::string>() : value.dump());
    }
    return printable(label, kLongestLabel);
  }

  [[nodiscard]] bool chooses_split() const {
    return yaml_.split != nullptr && yaml_.split->text() == "auto";
  }

  [[nodiscard]] StudyOptimiser read_optimiser(const YamlNode& node) const {
    StudyOptimiser optimiser;
    for (const StudyObjective& objective : study_.objectives) {
      optimiser.plans.push_back(plan_optimiser(node, objective.objective->space()));
    }
    optimiser.label = printable(optimiser.plans[0].label, kLongestLabel);
    optimiser.options = optimiser.plans[0].options;
    return optimiser;
  }

  void read_optimisers() {
    refuse_both(yaml_.optimiser, yaml_.optimisers);
    const YamlNode usual = parse_yaml("{algorithm: auto}");
    const YamlNode ntbea = parse_yaml("{algorithm: ntbea}");
    const YamlNode* one = yaml_.optimiser != nullptr ? yaml_.optimiser : &usual;
    // A split is chosen by thousands of simulated runs: of NTBEA in seconds.
    const bool simulates = chooses_split() && yaml_.optimisers == nullptr &&
                           given(yaml_.budget) > kMostOfGaussianProcess;
    Json resolved = Json::array();
    for (const YamlNode* item : one_or_list(one, yaml_.optimisers, "optimisers")) {
      StudyOptimiser optimiser = read_optimiser(*item);
      if (simulates && optimiser.is_auto()) optimiser = read_optimiser(ntbea);
      for (const StudyOptimiser& earlier : study_.optimisers) {
        if (earlier.label == optimiser.label) {
          item->fail(
              fmt::format("the optimiser '{}' stands twice; give one a `label`", optimiser.label));
        }
      }
      resolved.push_back(optimiser.options);
      study_.optimisers.push_back(std::move(optimiser));
    }
    const bool is_list = yaml_.optimisers != nullptr;
    yaml_.resolved[is_list ? "optimisers" : "optimiser"] = is_list ? resolved : resolved[0];
  }

  void read_re_evaluation() {
    const YamlNode* node = yaml_.re_evaluation;
    if (node == nullptr) return;
    if (node->is_scalar() && node->text() == "none") {
      re_evaluation_.values.method = ReEvaluationMethod::kNone;
    } else if (const auto count = node->integer(); count && *count >= 0) {
      re_evaluation_.evaluations = {.automatic = false, .value = *count};
    } else if (node->is_map()) {
      re_evaluation_ = read_options(*node, ReEvaluationYaml());
    } else {
      node->fail(fmt::format("is {}, a map, a number of evaluations or 'none' is allowed",
                             node->describe()));
    }
  }

  [[nodiscard]] bool any_noise() const {
    return std::ranges::any_of(study_.objectives, [](const StudyObjective& objective) {
      return objective.objective->payoffs().noisy;
    });
  }

  [[nodiscard]] bool any_external() const {
    return std::ranges::any_of(study_.objectives, [](const StudyObjective& objective) {
      return is_external(*objective.objective);
    });
  }

  /// What the file says for all plans alike.
  [[nodiscard]] PlanRequest common_request(bool comparison) const {
    PlanRequest request;
    request.budget = given(yaml_.budget);
    request.hold_out = given(yaml_.hold_out);
    request.re_evaluation = given(re_evaluation_.evaluations);
    request.share = re_evaluation_.share;
    request.noisy = any_noise();
    request.compares_runs = re_evaluation_.values.method != ReEvaluationMethod::kNone &&
                            study_.unit == SampleUnit::kPicks;
    request.holds_out_runs = study_.unit == SampleUnit::kRuns;
    if (comparison && study_.true_values_known()) {
      request.auto_hold_out = PlanRequest::AutoHoldOut::kNone;
    } else if (!request.noisy) {
      request.auto_hold_out = PlanRequest::AutoHoldOut::kOne;
    }
    return request;
  }

  void read_plans() {
    refuse_both(yaml_.split, yaml_.splits);
    const YamlNode* runs_node = root_.find("runs");
    const YamlNode* splits = yaml_.splits != nullptr ? yaml_.splits : yaml_.split;
    refuse_both(splits, runs_node);
    refuse_both(splits, yaml_.iterations);
    study_.repeats = yaml_.repeats;
    std::vector<const YamlNode*> budgets;
    if (yaml_.iterations != nullptr) budgets = read_budgets(*yaml_.iterations);
    const std::size_t plans = yaml_.splits != nullptr ? elements(*yaml_.splits, "splits").size()
                                                      : std::max<std::size_t>(1, budgets.size());
    const bool several_cells = plans * study_.objectives.size() * study_.optimisers.size() > 1;
    const bool comparison = several_cells || yaml_.repeats > 1;
    if (several_cells && splits == nullptr && yaml_.repeats == 1) study_.unit = SampleUnit::kRuns;
    if (study_.unit == SampleUnit::kRuns && yaml_.re_evaluation != nullptr &&
        re_evaluation_.values.method != ReEvaluationMethod::kNone) {
      yaml_.re_evaluation->fail(
          "a comparison counts single runs unless `repeats` is above 1, and "
          "then there is nothing to re-evaluate; set `repeats` or 'none'");
    }
    PlanRequest request = common_request(comparison);
    request.runs = yaml_.runs;
    if (yaml_.split != nullptr) {
      read_split_word(request);
    } else if (yaml_.splits != nullptr) {
      for (const YamlNode* node : elements(*yaml_.splits, "splits")) read_split(*node, request);
    } else if (budgets.empty()) {
      study_.plans.push_back(make_plan(request, root_));
    } else {
      for (const YamlNode* node : budgets) {
        request.iterations = read_count(*node);
        study_.plans.push_back(make_plan(request, *node));
      }
    }
    wrap_optimisers();
    check_size();
    write_plans();
  }

  /// An adaptive plan runs every optimiser inside MultiStart.
  void wrap_optimisers() {
    if (std::ranges::none_of(study_.plans, &RunPlan::adaptive)) return;
    for (StudyOptimiser& optimiser : study_.optimisers) {
      for (const OptimiserPlan& plan : optimiser.plans) {
        optimiser.adaptive.push_back(multi_start_of(plan));
      }
    }
  }

  static std::vector<const YamlNode*> read_budgets(const YamlNode& node) {
    if (node.is_list()) return elements(node, "numbers");
    return {&node};
  }

  /// Refuses what no machine could do before anything is counted or reserved.
  void check_size() const {
    constexpr double kMostRuns = 1e7;
    const auto cells = static_cast<double>(study_.objectives.size() * study_.optimisers.size());
    const double times = static_cast<double>(study_.repeats) * cells;
    double runs = 0.0;
    double evaluations = 0.0;
    for (const RunPlan& plan : study_.plans) {
      const auto plan_runs = static_cast<double>(plan.runs);
      const double points = study_.unit == SampleUnit::kRuns ? plan_runs : 1.0;
      runs += times * plan_runs;
      evaluations +=
          times * (static_cast<double>(plan.search()) + static_cast<double>(plan.re_evaluation) +
                   points * static_cast<double>(plan.hold_out));
    }
    if (runs > kMostRuns) {
      root_.fail(fmt::format("the study makes {} runs, at most {} are allowed", count_text(runs),
                             count_text(kMostRuns)));
    }
    if (evaluations > static_cast<double>(kMostEvaluations)) {
      root_.fail(fmt::format("the study makes {} evaluations, at most {} are allowed",
                             count_text(evaluations), count_text(kMostEvaluations)));
    }
  }

  void read_split_word(const PlanRequest& request) {
    const std::string& word = yaml_.split->text();
    if (word != "auto" && word != "adaptive") {
      yaml_.split->fail(
          fmt::format("is {}, 'auto' or 'adaptive' is allowed (or `splits:` for a list)",
                      yaml_.split->describe()));
    }
    if (word == "adaptive") {
      read_adaptive(*yaml_.split, request);
      return;
    }
    if (!request.budget) yaml_.split->fail("needs a `budget`");
    // `auto` divides the budget of a run by itself.
    const bool divided = std::ranges::all_of(study_.optimisers, &StudyOptimiser::is_auto);
    if (!divided) study_.advise_budget = *request.budget;
    PlanRequest one = request;
    one.runs = 1;
    study_.plans.push_back(make_plan(one, *yaml_.split));
  }

  void read_adaptive(const YamlNode& node, PlanRequest request) {
    if (!request.budget) node.fail("needs a `budget`");
    if (request.re_evaluation) {
      node.fail("decides on the re-evaluation itself, none may be asked for");
    }
    request.runs = 1;
    request.compares_runs = false;
    study_.plans.push_back(make_plan(request, node));
    study_.plans.back().adaptive = true;
  }

  void read_split(const YamlNode& node, PlanRequest request) {
    if (node.is_scalar() && node.text() == "adaptive") {
      read_adaptive(node, request);
      splits_.push_back("adaptive");
      return;
    }
    const SplitYaml split = node.is_map() ? read_options(node, SplitYaml()) : read_product(node);
    request.runs = split.runs;
    request.iterations = given(split.iterations);
    if (!split.re_evaluation.automatic) request.re_evaluation = given(split.re_evaluation);
    study_.plans.push_back(make_plan(request, node));
    splits_.push_back(options_json(split));
  }

  /// "10 x 2000".
  static SplitYaml read_product(const YamlNode& node) {
    const std::size_t cross = node.text().find('x');
    const bool is_product = node.is_scalar() && cross != std::string::npos;
    const auto runs = is_product ? read_factor(node.text().substr(0, cross)) : std::nullopt;
    const auto iterations = is_product ? read_factor(node.text().substr(cross + 1)) : std::nullopt;
    if (!runs || !iterations) {
      node.fail(
          fmt::format("is {}, 'runs x iterations' such as '10 x 2000' or 'adaptive' is allowed",
                      node.describe()));
    }
    SplitYaml split;
    split.runs = *runs;
    split.iterations = {.automatic = false, .value = *iterations};
    return split;
  }

  /// Writes the plans back in a form that reads to the same plans: one plan in numbers, without the
  /// budget that they follow from; several as they were asked for.
  void write_plans() {
    const RunPlan& first = study_.plans.front();
    if (yaml_.split != nullptr) {
      yaml_.resolved["split"] = yaml_.split->text();
    } else if (yaml_.splits != nullptr) {
      yaml_.resolved["splits"] = splits_;
    } else if (study_.plans.size() > 1) {
      Json& iterations = yaml_.resolved["iterations"];
      for (const RunPlan& plan : study_.plans) iterations.push_back(plan.iterations);
    } else {
      yaml_.resolved["iterations"] = first.iterations;
      yaml_.budget = {};
      yaml_.hold_out = {.automatic = false, .value = first.hold_out};
      re_evaluation_.evaluations = {.automatic = false, .value = first.re_evaluation};
    }
    const bool picks = study_.unit == SampleUnit::kPicks;
    yaml_.resolved["re_evaluation"] = picks ? options_json(re_evaluation_) : Json("none");
  }

  void read_rest() {
    study_.name = yaml_.name;
    study_.seed = static_cast<std::uint64_t>(yaml_.seed);
    study_.threads = static_cast<int>(yaml_.threads);
    study_.re_evaluation = re_evaluation_.values;
    study_.parallel_evaluations = yaml_.parallel_evaluations;
    study_.on_failure = yaml_.on_failure;
    if (yaml_.record == "auto") yaml_.record = any_external() ? "evaluations" : "runs";
    study_.record = yaml_.record == "evaluations" ? Recording::kEvaluations
                    : yaml_.record == "runs"      ? Recording::kRuns
                                                  : Recording::kNone;
    if (yaml_.published.empty()) return;
    const std::filesystem::path folder = std::filesystem::path(root_.file()).parent_path();
    const std::filesystem::path file = folder / yaml_.published;
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) {
      root_.find("published")->fail(fmt::format("the file '{}' does not exist", file.string()));
    }
    study_.published_file = file.string();
  }

  const YamlNode& root_;
  StudyYaml yaml_;
  ReEvaluationYaml re_evaluation_;
  Json splits_ = Json::array();  ///< as asked for
  Study study_;
};

}  // namespace

Study read_study(const YamlNode& node, std::shared_ptr<const Objective> objective) {
  if (node.is_null()) {
    node.fail_at("objective", "is missing: the study is empty, see 'ntune describe hartmann6'");
  }
  return StudyReader(node, std::move(objective)).take();
}

}  // namespace ntune
