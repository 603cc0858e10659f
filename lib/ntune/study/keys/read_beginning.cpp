#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/input_errors.h"
#include "ntune/core/json.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/recorded/foreign_observations.h"
#include "ntune/optim/optimisers.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/instances/instance_effects.h"
#include "ntune/study/keys/study_keys.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

/// The one objective of a study, to which points of the study file belong.
const Objective& only_objective(const YamlNode& node, const Study& study) {
  if (study.objectives.size() > 1) {
    node.fail("goes with one objective, there are several");
  }
  return *study.objectives.front().objective;
}

/// Whether the key says that there is none.
bool is_none(const YamlNode* node) {
  return node != nullptr && node->is_scalar() && node->text() == "none";
}

/// The data of a prior: the file, or the journal of a folder.
fs::path prior_path(const YamlNode& node, const std::string& data) {
  const fs::path named = fs::path(node.file()).parent_path() / data;
  std::error_code error;
  const fs::path file = fs::is_directory(named, error) ? named / kJournalName : named;
  if (!fs::is_regular_file(file, error)) {
    node.fail(
        fmt::format("there is no file {}; a CSV file of observations, an Optuna journal or a "
                    "folder of ntune run --out is allowed",
                    path_text(file)));
  }
  return fs::absolute(file).lexically_normal();
}

/// Refuses a journal of ntune whose lines are not one payoff each.
void refuse_other_lines(const YamlNode& node, const MappedFile& file) {
  const std::string_view line = file.text().substr(0, file.text().find('\n'));
  if (!line.starts_with(R"({"ntune":{)")) return;
  const Json header = parse_json(line);
  const Json study =
      header.is_discarded() ? Json::object() : header["ntune"].value("study", Json::object());
  if (study.contains("goals")) {
    node.fail(
        "holds several goals: `ntune export --to csv` writes them, and `payoff:` names the column "
        "that counts here");
  }
  if (study.value("record", "") != "runs") return;
  node.fail("holds finished runs, not evaluations: `record: evaluations` keeps these");
}

/// The name of the file, or of the folder that the journal stands in.
std::string prior_name(const fs::path& path) {
  return (path.filename() == kJournalName ? path.parent_path() : path).filename().string();
}

/// The payoffs that are known; `notes` gets what was left out or moved.
std::vector<PriorPayoff> read_payoffs(const YamlNode& node, const PriorYaml& prior,
                                      const fs::path& file, const Objective& objective,
                                      std::vector<std::string>& notes) {
  // The values in the unit of the objective, and in its direction.
  const Unit unit = objective.unit();
  const Payoffs range = objective.payoffs();
  const ForeignOptions options{
      .payoff = prior.payoff, .minimise = unit.is_cost(), .study = prior.study};
  ForeignObservations data = read_foreign_observations(file, options);
  if (data.minimise != unit.is_cost()) {
    node.fail(fmt::format("holds values to be {}, the objective is {}",
                          data.minimise ? "minimised" : "maximised",
                          unit.is_cost() ? "minimised" : "maximised"));
  }
  // Every observation must be a point of the space, with a value that the objective can have.
  refuse_several_opponents(data);
  leave_out_beyond(data, objective.space(), notes);
  const std::vector<Point> points = place_observations(data, objective.space(), notes);
  const auto payoff_of = [&](const ForeignObservation& observation) {
    return unit.payoff_of(data.minimise ? -observation.payoff : observation.payoff);
  };
  for (const ForeignObservation& observation : data.observations) {
    const double payoff = payoff_of(observation);
    if ((range.low && payoff < *range.low) || (range.high && payoff > *range.high)) {
      node.fail(fmt::format("{}:{}: the value {} is none that the objective can have",
                            printable(data.file, 1000), observation.line,
                            number_text(unit.value_of(payoff))));
    }
  }
  // Observations on instances are told without what their instance adds.
  take_out_instances(data, objective.space(), points,
                     usual_learner(objective.space(), points).make);
  std::vector<PriorPayoff> payoffs;
  for (std::size_t i = 0; i < points.size(); ++i) {
    payoffs.push_back({points[i], payoff_of(data.observations[i])});
  }
  return payoffs;
}

/// This share of the payoffs, spread evenly over the points.
std::vector<PriorPayoff> thinned(std::vector<PriorPayoff> payoffs, double weight) {
  std::ranges::stable_sort(payoffs, {}, &PriorPayoff::point);
  std::vector<PriorPayoff> kept;
  constexpr double kSlack = 1e-9;  // of products that are whole numbers but for rounding
  for (std::size_t i = 0; i < payoffs.size(); ++i) {
    const double wanted = std::floor(weight * static_cast<double>(i + 1) + kSlack);
    if (wanted > static_cast<double>(kept.size())) kept.push_back(payoffs[i]);
  }
  return kept;
}

/// Refuses an optimiser that a prior would not teach. In matches `auto` stands for one.
void refuse_optimisers(const YamlNode& node, const Study& study) {
  const bool duels = are_duels(*study.objectives.front().objective);
  for (const StudyOptimiser& optimiser : study.optimisers) {
    const OptimiserPlan& plan = optimiser.plans.front();
    const bool is_auto = plan.options["algorithm"] == "auto";
    if (plan.uses_prior && !(duels && is_auto)) continue;
    std::vector<std::string> names;
    for (const OptimiserEntry& entry : optimiser_table()) {
      if (entry.learns_from_others && !(duels && entry.name == "auto")) names.push_back(entry.name);
    }
    node.fail(fmt::format("the optimiser '{}'{} learns only from what it asked for; allowed: {}",
                          optimiser.label, duels && is_auto ? ", here 'duels'," : "",
                          list_text(names)));
  }
}

}  // namespace

void PriorYaml::visit(Options& options) {
  options.text("data", data,
               "a CSV file with a column per parameter and one of values, an Optuna journal, or a "
               "folder of ntune run --out");
  options.number("weight", weight, {.low = 0.0, .high = 1.0, .low_excluded = true},
                 "share of the observations that the optimiser is told; auto: at most as many as a "
                 "run has evaluations");
  options.text("payoff", payoff, "column of the values in a CSV file; default: payoff or value");
  options.text("study", study, "name of the study in an Optuna journal that holds several");
  options.text("digest", digest,
               "digest of the data; ntune writes it, and refuses data that has changed");
}

std::vector<Point> read_starts(const YamlNode& node, const Study& study) {
  const Objective& objective = only_objective(node, study);
  // A start may name some parameters alone: the others are as they are declared.
  const Json left_out = declared_values(objective.space(), objective.defaults());
  std::vector<const YamlNode*> maps = {&node};
  if (!node.is_map()) maps = elements_of(node, "points");
  std::vector<Point> starts;
  InputErrors errors;
  for (const YamlNode* map : maps) {
    errors.hold([&] {
      const Point point = read_point(*map, objective.space(), left_out);
      const auto near = objective.space().nearest_on_grid(point);
      if (!near) map->fail("is forbidden on the grid of the space");
      starts.push_back(*near);
    });
  }
  errors.throw_any();
  return starts;
}

std::optional<Point> read_default(const YamlNode& root, const StudyYaml& keys, const Study& study) {
  const YamlNode* node = keys.default_point;
  if (is_none(node)) return std::nullopt;
  if (node == nullptr && study.objectives.size() > 1) return std::nullopt;
  const Objective& objective =
      node == nullptr ? *study.objectives.front().objective : only_objective(*node, study);
  const SearchSpace& space = objective.space();
  // The file names it, all or some of its values.
  if (node != nullptr) {
    if (!node->is_map()) {
      node->fail(fmt::format("is {}, a map from parameters to their values or none is allowed",
                             node->describe()));
    }
    return read_point(*node, space, declared_values(space, objective.defaults()));
  }
  // Of matches the default is an opponent, though only what plays may declare it.
  const bool any = are_duels(objective) ||
                   std::ranges::any_of(space.parameters(), [](const Parameter& parameter) {
                     return parameter.default_index && parameter.cardinality() > 1;
                   });
  if (!any || !has_default_point(space, objective.defaults())) return std::nullopt;
  try {
    return default_point(space, objective.defaults());
  } catch (const InputError& error) {
    const YamlNode* forbid = keys.space == nullptr ? nullptr : keys.space->find("forbid");
    const YamlNode& place = forbid != nullptr       ? *forbid
                            : keys.space != nullptr ? *keys.space
                                                    : root;
    place.fail(fmt::format("{}; `default: none` leaves the defaults alone", error.what()));
  }
}

void read_beginning(const StudyYaml& keys, Study& study) {
  Beginning& beginning = study.beginning;
  if (beginning.incumbent && study.is_comparison()) {
    if (keys.default_point != nullptr) {
      keys.default_point->fail(
          "a comparison has no one recommendation to compare with it; `start:` makes it the first "
          "point of every run");
    }
    beginning.incumbent.reset();
  }
  // Every run begins with the default, or with the nearest point that it may ask for.
  if (beginning.incumbent) {
    const SearchSpace& space = study.objectives.front().objective->space();
    if (const auto near = space.nearest_on_grid(*beginning.incumbent)) {
      beginning.starts.push_back(*near);
    }
  }
  if (keys.start != nullptr) {
    for (const Point& start : read_starts(*keys.start, study)) {
      if (std::ranges::find(beginning.starts, start) == beginning.starts.end()) {
        beginning.starts.push_back(start);
      }
    }
  }
}

PriorYaml read_prior(const YamlNode& node, Study& study) {
  // The name alone, or a map.
  PriorYaml prior;
  if (node.is_scalar()) {
    prior.data = node.text();
  } else {
    prior = read_options(node, PriorYaml());
  }
  if (prior.data.empty()) node.fail("names no data: a CSV file, an Optuna journal or a folder");
  const Objective& objective = only_objective(node, study);
  refuse_optimisers(node, study);
  const fs::path path = prior_path(node, prior.data);
  const MappedFile file(path);
  refuse_other_lines(node, file);
  // A study that goes on must be told the same: its configuration has the digest of the data.
  const std::string digest = file.digest();
  if (!prior.digest.empty() && prior.digest != digest) {
    node.fail(fmt::format("{} is not what it was when the study began (digest {}, then {})",
                          path_text(path), digest, printable(prior.digest, 60)));
  }
  PriorObservations& known = study.beginning.prior;
  std::vector<PriorPayoff> payoffs = read_payoffs(node, prior, path, objective, known.notes);
  // A prior with more observations than a run has evaluations would drown them.
  known.source = prior_name(path);
  known.observed = std::ssize(payoffs);
  known.weight = prior.weight.automatic
                     ? std::min(1.0, static_cast<double>(study.plans.front().iterations) /
                                         static_cast<double>(known.observed))
                     : prior.weight.value;
  known.told =
      std::make_shared<const std::vector<PriorPayoff>>(thinned(std::move(payoffs), known.weight));
  prior.data = path.string();
  prior.digest = digest;
  return prior;
}

}  // namespace ntune
