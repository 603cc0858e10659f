#include "ntune/study/keys/study_identity.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/catalogue/objectives.h"
#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/optim/optimisers.h"
#include "ntune/study/keys/objective_maps.h"
#include "ntune/study/model/evaluation.h"
#include "ntune/study/model/study.h"

namespace ntune {

namespace {

void complete_objective(Json& objective) {
  try {
    const YamlNode node = parse_yaml(to_yaml(objective));
    objective = find_objective(node).resolved(node);
  } catch (const InputError&) {
    // An objective of another version, or of a program that brings it, stays as it is.
  }
}

/// Whether the search is by a model of N-tuples.
bool has_n_tuples(const Json& optimiser) { return optimiser.value("algorithm", Json()) == "ntbea"; }

/// Has tuples without payoffs count as worth 0, unless the options say what they count as.
void keep_zero(Json& optimiser) {
  if (has_n_tuples(optimiser) && !optimiser.contains("unseen")) optimiser["unseen"] = "zero";
}

/// The k of Gaussian processes before there was `k: auto`.
constexpr double kFormerK = 3.0;

/// Whether the optimiser is `auto` as it was recorded before it had a k.
bool lacks_k(const Json& optimiser) {
  return optimiser.value("algorithm", Json()) == "auto" && !optimiser.contains("k");
}

/// Has `auto` explore as it did before it had a k.
void keep_k(Json& optimiser) {
  if (lacks_k(optimiser)) optimiser["k"] = kFormerK;
}

/// Whether the model of the search has a scale of payoffs, and was recorded before it had one.
bool lacks_scale(const Json& optimiser) {
  const Json algorithm = optimiser.value("algorithm", Json());
  const bool has_model = algorithm == "auto" || algorithm == "gaussian_process";
  return has_model && !optimiser.contains("scale");
}

/// Has a model take payoffs as they are, as it did before it had a scale.
void keep_scale(Json& optimiser) {
  if (lacks_scale(optimiser)) optimiser["scale"] = "linear";
}

/// Whether a Gaussian process may follow the payoffs, as none did before there was `k: auto`.
bool leaves_k_open(const Json& optimiser) {
  const Json algorithm = optimiser.value("algorithm", Json());
  return (algorithm == "auto" || algorithm == "gaussian_process") &&
         optimiser.value("k", Json()) == "auto";
}

/// Whether a configuration is of a version that knew no `k: auto`, as far as it can be told.
bool is_before_open_k(const Json& config) {
  bool open = false;
  bool former = false;
  Json copy = config;
  for_each_optimiser(copy, [&](const Json& optimiser) {
    const bool process = optimiser.value("algorithm", Json()) == "gaussian_process";
    open = open || leaves_k_open(optimiser);
    former = former || lacks_k(optimiser) || (process && optimiser.value("k", Json()) == kFormerK);
  });
  return former && !open;
}

/// Whether the objective is a program.
bool is_program(const Json& objective) {
  return objective.is_object() && objective.contains("command");
}

/// Whether the objective is how long a program takes.
bool measures_time(const Json& objective) {
  if (!is_program(objective)) return false;
  const Json result = objective.value("result", Json());
  return result == "time" || (result.is_object() && result.contains("time"));
}

/// The penalties of a program as older versions had them.
void keep_penalties(Json& program) {
  if (!is_program(program)) return;
  // A penalty was a multiple of the cutoff, in seconds, whatever the result was.
  const Json cutoff = program.value("cutoff", Json());
  if (!program.contains("penalty") && cutoff.is_number() && !measures_time(program)) {
    program["penalty"] = program.value("par", 10.0) * cutoff.get<double>();
  }
  if (!program.contains("unsolved")) program["unsolved"] = "none";
}

}  // namespace

Json with_present_options(const Json& config) {
  Json complete = config;
  for_each_named_objective(complete, complete_objective);
  return complete;
}

Json with_recorded_rules(Json config) {
  // Each rule has a key of its own now: a configuration without the key is of before.
  const bool older = !config.contains("fail_limit") && !config.contains("learn_from_failures");
  if (older) config["learn_from_failures"] = false;
  if (compares_in_blocks(config) && !config.contains("instance_blocks")) {
    config["instance_blocks"] = false;
  }
  if (has_penalties(config) && !config.contains("learn_from_penalties")) {
    config["learn_from_penalties"] = false;
  }
  for_each_named_objective(config, keep_penalties);
  if (lacks_cost_exponent(config)) config["budget"]["cost_exponent"] = 0.0;
  for_each_optimiser(config, keep_zero);
  for_each_optimiser(config, keep_k);
  for_each_optimiser(config, keep_scale);
  return config;
}

void keep_search_rules(const Json& written, Study& study) {
  // A study whose optimisers all say what they do goes on as it is.
  bool lacks_unseen = false;
  bool has_no_scale = false;
  Json config = written;
  for_each_optimiser(config, [&](const Json& optimiser) {
    lacks_unseen = lacks_unseen || (has_n_tuples(optimiser) && !optimiser.contains("unseen"));
    has_no_scale = has_no_scale || lacks_scale(optimiser);
  });
  const bool lacks_open_k = is_before_open_k(written);
  if (!lacks_unseen && !lacks_open_k && !has_no_scale) return;
  const auto keep = [&](Json& optimiser) {
    if (lacks_unseen && has_n_tuples(optimiser)) optimiser["unseen"] = "zero";
    if (lacks_open_k && leaves_k_open(optimiser)) optimiser["k"] = kFormerK;
    if (has_no_scale && optimiser.contains("scale")) optimiser["scale"] = "linear";
  };
  for (StudyOptimiser& optimiser : study.optimisers) {
    const Json before = optimiser.options;
    for_each_started(optimiser.options, keep);
    if (optimiser.options == before) continue;
    // The plans hold the options: they are made anew.
    const YamlNode node = parse_yaml(to_yaml(optimiser.options));
    for (std::size_t i = 0; i < optimiser.plans.size(); ++i) {
      optimiser.plans[i] = plan_optimiser(node, study.objectives[i].objective->space());
      if (!optimiser.adaptive.empty()) optimiser.adaptive[i] = multi_start_of(optimiser.plans[i]);
    }
  }
  for_each_optimiser(study.config, keep);
}

bool lacks_cost_exponent(const Json& config) {
  const auto budget = config.find("budget");
  return budget != config.end() && budget->is_object() && !budget->contains("cost_exponent");
}

bool has_penalties(const Json& config) {
  bool found = config.value("fail", Json()).is_object();
  Json copy = config;
  for_each_named_objective(
      copy, [&](const Json& objective) { found = found || measures_time(objective); });
  return found;
}

bool compares_in_blocks(const Json& config) {
  const Json instances = config.value("instances", Json());
  if (!instances.is_array() || instances.size() < 2) return false;
  if (config.value("instance_effects", Json()) == "kept") return false;
  // A race alone compares in blocks, and only where an instance has an effect to be rid of.
  const auto is_race = [](const Json& optimiser) {
    return optimiser.is_object() && optimiser.value("algorithm", Json()) == "racing";
  };
  const Json several = config.value("optimisers", Json());
  return is_race(config.value("optimiser", Json())) || std::ranges::any_of(several, is_race);
}

namespace {

/// Options that older journals lack do not count where they are as usual.
void erase_usual_options(Json& optimiser) {
  for (const auto& [key, usual] : {std::pair("capping", Json(true)),
                                   {"repeats", Json("auto")},
                                   {"unseen", Json("zero")},
                                   {"scale", Json("linear")}}) {
    if (optimiser.value(key, Json()) == usual) optimiser.erase(key);
  }
}

/// Instances that are files count by their names: they may have moved.
void name_files_only(Json& instances) {
  if (!instances.is_array()) return;
  for (Json& instance : instances) {
    if (instance.is_object() && instance.contains("name")) instance.erase("instance");
  }
}

/// Whether a table of the study is known by its digest.
bool has_digest(Json config) {
  bool found = false;
  for_each_objective(config,
                     [&](const Json& objective) { found = found || objective.contains("digest"); });
  return found;
}

/// The name of a study and the patience of its programs, alone.
Json harmless_config(const Json& config) {
  Json harmless = Json::object();
  if (!config.is_object()) return harmless;
  if (config.contains("name")) harmless["name"] = config["name"];
  Json objectives = Json::array();
  Json copy = config;
  for_each_objective(copy, [&](const Json& objective) {
    Json& patience = objectives.emplace_back(Json::object());
    for (const char* key : kCommandPatience) {
      if (objective.contains("command") && objective.contains(key)) patience[key] = objective[key];
    }
  });
  harmless["objective"] = objectives.size() == 1 ? objectives.front() : objectives;
  return harmless;
}

/// Whatever the order of the keys: older journals lack some, which then come last.
bool equal(Json one, Json other) {
  if (has_digest(one) != has_digest(other)) {
    for (Json* config : {&one, &other}) {
      for_each_objective(*config, [](Json& objective) { objective.erase("digest"); });
    }
  }
  if (one.size() != other.size()) return false;
  return std::ranges::all_of(one.items(), [&](const auto& entry) {
    const auto found = other.find(entry.key());
    return found != other.end() && *found == entry.value();
  });
}

/// What two values of one kind differ in, shortened around the first character that does.
std::string shown(const Json& value, const Json& other) {
  constexpr std::size_t kLongest = 100;
  if (value.is_null()) return "missing";
  const std::string text = value.dump();
  const std::string rest = other.dump();
  // Equal beginnings say nothing: the place of the difference is shown.
  const auto [differs, ignored] = std::ranges::mismatch(text, rest);
  const auto place = static_cast<std::size_t>(differs - text.begin());
  if (text.size() <= kLongest || place < kLongest / 2) return printable(text, kLongest);
  return "…" + printable(text.substr(place - kLongest / 4), kLongest);
}

void add_differences(const Json& there, const Json& here, const std::string& path,
                     std::vector<std::string>& found);

/// The keys of both, those of this side first. Labels come last: they follow from the other keys.
std::vector<std::string> keys_of(const Json& there, const Json& here) {
  std::vector<std::string> keys;
  std::vector<std::string> labels;
  for (const Json* side : {&here, &there}) {
    for (const auto& [key, value] : side->items()) {
      if (side == &there && here.contains(key)) continue;
      (key == "label" ? labels : keys).push_back(key);
    }
  }
  keys.insert(keys.end(), labels.begin(), labels.end());
  return keys;
}

/// The entries that differ, or else that one list is longer.
void add_differences_of_lists(const Json& there, const Json& here, const std::string& path,
                              std::vector<std::string>& found) {
  const std::size_t before = found.size();
  for (std::size_t i = 0; i < there.size() && i < here.size(); ++i) {
    add_differences(there[i], here[i], fmt::format("{}[{}]", path, i + 1), found);
  }
  if (found.size() > before) return;
  found.push_back(fmt::format("'{}' has {} entries there, {} here", printable(path), there.size(),
                              here.size()));
}

/// Adds all that two values differ in, each with its path.
void add_differences(const Json& there, const Json& here, const std::string& path,
                     std::vector<std::string>& found) {
  if (there == here) return;
  if (there.is_object() && here.is_object()) {
    const std::size_t before = found.size();
    for (const std::string& key : keys_of(there, here)) {
      add_differences(there.value(key, Json()), here.value(key, Json()),
                      path.empty() ? key : path + "." + key, found);
    }
    if (found.size() > before) return;
  }
  if (there.is_array() && here.is_array()) {
    return add_differences_of_lists(there, here, path, found);
  }
  found.push_back(fmt::format("'{}' is {} there, {} here", printable(path), shown(there, here),
                              shown(here, there)));
}

std::vector<std::string> differences(const Json& there, const Json& here) {
  std::vector<std::string> found;
  add_differences(there, here, "", found);
  return found;
}

}  // namespace

bool has_limits(const Json& config) {
  return config.is_object() &&
         (config.contains("time") || (config.contains("budget") && config["budget"].is_object()));
}

Json comparable_config(const Json& config) {
  if (!config.is_object()) return Json::object();
  // Both sides first get every option of this version, by the rules of the one that wrote them.
  Json comparable = with_present_options(with_recorded_rules(config));
  // What is printed, and what the study is called.
  comparable.erase("published");
  comparable.erase("name");
  comparable.erase("max_failure_rate");  // says when to give up, not what to ask for
  // Up to the first failure both are the same study: what one has ended goes on by the other.
  if (comparable.value("fail", Json()).is_string()) comparable["fail"] = "abort or skip";
  const double fail_limit = FailurePolicy().recommended;  // journals before it was a key lack it
  if (comparable.value("fail_limit", fail_limit) == fail_limit) comparable.erase("fail_limit");
  if (comparable.value("learn_from_failures", false)) comparable.erase("learn_from_failures");
  if (comparable.value("learn_from_penalties", false)) comparable.erase("learn_from_penalties");
  // How much a study may use up may change; that it is limited so may not.
  if (comparable.contains("time")) comparable["time"] = "limited";
  if (has_limits(config) && comparable["budget"].is_object()) {
    comparable["budget"] = {{"cost", "limited"},
                            {"cost_exponent", comparable["budget"]["cost_exponent"]}};
  }
  // It changes how long losers are looked at, not what is chosen; older journals lack it.
  if (comparable.contains("re_evaluation") && comparable["re_evaluation"].is_object()) {
    comparable["re_evaluation"].erase("capping");
  }
  for_each_optimiser(comparable, erase_usual_options);
  // Without a default there is none to compare with, whether or not the file says so.
  if (comparable.value("default", Json()) == "none") comparable.erase("default");
  if (comparable.contains("prior") && comparable["prior"].is_object()) {
    comparable["prior"].erase("data");
  }
  for (const char* key : {"instances", "test_instances"}) {
    if (comparable.contains(key)) name_files_only(comparable[key]);
  }
  for_each_objective(comparable, [](Json& objective) {
    if (objective.contains("command")) {
      objective.erase("directory");
      for (const char* key : kCommandPatience) objective.erase(key);
    }
    // What older versions had for `auto` goes on by it.
    const Json unsolved = objective.value("unsolved", Json());
    if (unsolved == "auto" || unsolved == "none") objective.erase("unsolved");
    // Files count by their names: they stand in another place as seen from a study's own copy.
    for (const char* key : {"table", "opponent", "starts", "database"}) {
      const auto file = objective.find(key);
      if (file == objective.end() || !file->is_string()) continue;
      const auto& text = file->get_ref<const std::string&>();
      if (text.find('\n') == std::string::npos) *file = text.substr(text.rfind('/') + 1);
    }
  });
  return comparable;
}

Json study_identity(const Json& config) {
  Json identity = comparable_config(config);
  for (const char* key : {"iterations", "runs", "hold_out", "repeats", "budget", "time", "split",
                          "splits", "extended_from", "space", "default"}) {
    identity.erase(key);
  }
  if (identity.contains("re_evaluation") && identity["re_evaluation"].is_object()) {
    // How the runs are compared stays; how many evaluations that takes may grow.
    for (const char* key : {"evaluations", "share"}) identity["re_evaluation"].erase(key);
  } else {
    identity.erase("re_evaluation");
  }
  return identity;
}

bool is_same_study(const Json& one, const Json& other) {
  return equal(comparable_config(one), comparable_config(other));
}

bool is_same_study_but_for_size(const Json& one, const Json& other) {
  return equal(study_identity(one), study_identity(other));
}

std::size_t stages_of_config(const Json& config) {
  if (!config.is_object()) return 0;
  const auto stages = config.find("extended_from");
  return stages == config.end() || !stages->is_array() ? 0 : stages->size();
}

std::string harmless_difference(const Json& there, const Json& here) {
  return fmt::format("{}", fmt::join(differences(harmless_config(with_present_options(there)),
                                                 harmless_config(with_present_options(here))),
                                     "; "));
}

std::string config_difference(const Json& there, const Json& here) {
  const std::vector<std::string> found = differences(there, here);
  return found.empty() ? "" : found.front();
}

}  // namespace ntune
