// Trials of an Optuna study in the journal of its JournalStorage.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/json_parser.h"
#include "ntune/core/text.h"
#include "ntune/objective/recorded/foreign_readers.h"
#include "ntune/objective/recorded/optuna_codes.h"

namespace ntune {

namespace {

/// A trial as the journal tells of it, line by line.
struct Trial {
  std::int64_t study = 0;
  int state = 0;
  std::vector<double> values = {};
  std::map<std::string, Json> parameters = {};  ///< as the program has seen them
  std::optional<std::string> instance = {};
  std::string opponent = {};  ///< of a match in a journal of ntune, where the search chose it
  std::size_t line = 0;
};

struct OptunaStudy {
  std::string name;
  std::vector<int> directions;
  bool deleted = false;
};

/// Follows the journal's operations, and then collects the trials of the chosen study.
class JournalReader {
 public:
  JournalReader(const std::string& name, const ForeignOptions& options) : options_(options) {
    data_.file = name;
  }

  ForeignObservations read(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      const std::size_t end = text.find('\n');
      // A last line without its end is still being written by another process.
      if (end == std::string_view::npos) break;  // still being written
      read_line(text.substr(0, end));
      text.remove_prefix(end + 1);
    }
    collect(chosen_study());
    return std::move(data_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(fmt::format("{}:{}: {}", printable(data_.file, 1000), line_, message));
  }

  void read_line(std::string_view line) {
    if (line.empty()) return;
    const Json json = parse_json(line);
    if (!json.is_object()) fail("is no line of an Optuna journal: one JSON object is allowed");
    if (!json.contains("op_code")) {
      // Lines of ntune's own have a key by which others pass over them.
      if (json.contains("ntune")) return;  // of ours alone
      fail("is no line of an Optuna journal: it has no op_code");
    }
    try {
      take(json);
      // Json throws where a field is missing or of another type.
    } catch (const Json::exception&) {
      fail("is no known line of an Optuna journal (Optuna 3.1 to 4 are known)");
    }
  }

  void take(const Json& json) {
    // Operations on attributes and intermediate values do not matter here.
    switch (static_cast<OptunaOperation>(json.at("op_code").get<int>())) {
      case OptunaOperation::kCreateStudy:
        studies_.push_back({.name = json.at("study_name").get<std::string>(),
                            .directions = json.at("directions").get<std::vector<int>>()});
        break;
      case OptunaOperation::kDeleteStudy:
        study(json.at("study_id").get<std::int64_t>()).deleted = true;
        break;
      case OptunaOperation::kCreateTrial:
        create_trial(json);
        break;
      case OptunaOperation::kSetTrialParameter:
        set_parameter(json);
        break;
      case OptunaOperation::kSetTrialState:
        set_state(trial(json), json);
        break;
      default:
        break;
    }
  }

  OptunaStudy& study(std::int64_t id) {
    if (id < 0 || id >= static_cast<std::int64_t>(studies_.size())) {
      fail(fmt::format("names study {}, which was never made", id));
    }
    return studies_[static_cast<std::size_t>(id)];
  }
  Trial& trial(const Json& json) {
    const auto id = json.at("trial_id").get<std::int64_t>();
    if (id < 0 || id >= static_cast<std::int64_t>(trials_.size())) {
      fail(fmt::format("names trial {}, which was never made", id));
    }
    return trials_[static_cast<std::size_t>(id)];
  }

  void create_trial(const Json& json) {
    Trial made{.study = json.at("study_id").get<std::int64_t>()};
    study(made.study);
    // A trial may be created whole, with its state and parameters, as enqueued or copied ones are.
    if (json.contains("state")) set_state(made, json);
    if (json.contains("params")) {
      for (const auto& [name, value] : json["params"].items()) made.parameters[name] = value;
    }
    if (json.contains("distributions")) {
      for (const auto& [name, text] : json["distributions"].items()) {
        distributions_[name] = distribution(text);
      }
    }
    // ntune writes the instance and the opponent into the attributes of its journals.
    const Json attributes = json.value("user_attrs", Json::object());
    if (attributes.contains("instance") && attributes["instance"].is_string()) {
      made.instance = attributes["instance"].get<std::string>();
    }
    if (attributes.contains("opponent")) made.opponent = attributes["opponent"].dump();
    made.line = line_;
    trials_.push_back(std::move(made));
  }

  /// Optuna writes distributions as JSON within a text.
  static Json distribution(const Json& text) {
    return text.is_string() ? parse_json(text.get<std::string>()) : text;
  }

  void set_parameter(const Json& json) {
    Trial& changed = trial(json);
    const auto name = json.at("param_name").get<std::string>();
    const Json made = distribution(json.at("distribution"));
    distributions_[name] = made;
    const Json& internal = json.at("param_value_internal");
    const Json& attributes = made.at("attributes");
    const auto kind = made.at("name").get<std::string>();
    // Categories are stored as indices of their choices, integers as real numbers.
    if (kind == "CategoricalDistribution") {
      changed.parameters[name] = attributes.at("choices").at(internal.get<std::size_t>());
    } else if (kind.starts_with("Int")) {
      changed.parameters[name] = static_cast<std::int64_t>(std::llround(internal.get<double>()));
    } else {
      changed.parameters[name] = internal;
    }
  }

  void set_state(Trial& changed, const Json& json) const {
    changed.state = json.at("state").get<int>();
    changed.line = line_;
    if (json.contains("values") && json["values"].is_array()) {
      changed.values = json["values"].get<std::vector<double>>();
    } else if (json.contains("value") && json["value"].is_number()) {
      changed.values = {json["value"].get<double>()};
    }
  }

  /// The index of the wanted study, or of the only one.
  [[nodiscard]] std::int64_t chosen_study() const {
    std::vector<std::string> names;
    std::int64_t chosen = -1;
    for (std::size_t i = 0; i < studies_.size(); ++i) {
      // Deleted studies keep their numbers, but are not offered.
      if (studies_[i].deleted) continue;
      names.push_back(studies_[i].name);
      if (options_.study.empty() || options_.study == names.back()) {
        chosen = static_cast<std::int64_t>(i);
      }
    }
    const std::string file = printable(data_.file, 1000);
    const std::string allowed = names.empty() ? "it holds none" : list_text(names);
    if (chosen < 0) {
      throw InputError(fmt::format("{}: holds no study '{}'; allowed: {}", file,
                                   printable(options_.study, 60), allowed));
    }
    if (options_.study.empty() && names.size() > 1) {
      throw InputError(fmt::format("{}: holds {} studies; --optuna-study says which: {}", file,
                                   names.size(), allowed));
    }
    return chosen;
  }

  /// Takes the complete trials with one finite value, and names the parameters that any of them
  /// has.
  void collect(std::int64_t id) {
    const OptunaStudy& chosen = studies_[static_cast<std::size_t>(id)];
    if (chosen.directions.size() != 1) {
      throw InputError(fmt::format("{}: study '{}' has {} objectives, one is allowed",
                                   printable(data_.file, 1000), printable(chosen.name, 60),
                                   chosen.directions.size()));
    }
    // Values stay as Optuna has them; a payoff is turned round if the study minimises.
    data_.minimise = chosen.directions.front() == optuna_code(OptunaDirection::kMinimise);
    std::size_t left_out = 0;
    std::vector<const Trial*> complete;
    for (const Trial& one : trials_) {
      if (one.study != id) continue;
      if (one.state == optuna_code(OptunaState::kComplete) && one.values.size() == 1 &&
          std::isfinite(one.values[0])) {
        complete.push_back(&one);
      } else {
        ++left_out;
      }
    }
    // Names are collected before observations, whose values stand in the order of the names.
    for (const Trial* one : complete) {
      for (const auto& [name, value] : one->parameters) {
        if (std::ranges::find(data_.names, name) == data_.names.end()) data_.names.push_back(name);
      }
    }
    for (const Trial* one : complete) data_.observations.push_back(observation_of(*one));
    // Parameters come last, because those without a distribution are told by all values.
    for (std::size_t i = 0; i < data_.names.size(); ++i) {
      data_.parameters.push_back(parameter_of(i));
    }
    if (left_out > 0) {
      data_.notes.push_back(fmt::format("{} trials are left out: not complete", left_out));
    }
  }

  /// The trial as an observation, with its payoff turned so that higher is better.
  [[nodiscard]] ForeignObservation observation_of(const Trial& trial) const {
    ForeignObservation observation;
    observation.payoff = data_.minimise ? -trial.values[0] : trial.values[0];
    observation.line = trial.line;
    observation.opponent = trial.opponent;
    observation.instance = trial.instance;
    for (const std::string& name : data_.names) {
      const auto found = trial.parameters.find(name);
      observation.values.push_back(found == trial.parameters.end() ? std::nullopt
                                                                   : json_value(found->second));
    }
    return observation;
  }

  /// The parameter that a distribution declares; nothing where its values tell better.
  std::optional<Parameter> declared_parameter(const std::string& name, const Json& distribution) {
    try {
      return optuna_parameter(name, distribution, options_.points, data_.notes);
    } catch (const Json::exception&) {
      throw InputError(fmt::format("{}: {}: its distribution is none that Optuna writes",
                                   printable(data_.file, 1000), printable(name, 60)));
    }
  }

  /// A parameter as its distribution declares it, or else by its values.
  Parameter parameter_of(std::size_t column) {
    const std::string& name = data_.names[column];
    const auto found = distributions_.find(name);
    if (found != distributions_.end()) {
      auto declared = declared_parameter(name, found->second);
      if (declared) return *std::move(declared);
    }
    std::vector<Value> values;
    for (const ForeignObservation& observation : data_.observations) {
      const auto& value = observation.values[column];
      if (value && std::ranges::find(values, *value) == values.end()) values.push_back(*value);
    }
    return foreign_parameter(name, std::move(values), options_.points, data_.notes);
  }

  const ForeignOptions& options_;
  ForeignObservations data_;
  std::size_t line_ = 0;
  std::vector<OptunaStudy> studies_;
  std::vector<Trial> trials_;
  std::map<std::string, Json> distributions_;
};

}  // namespace

ForeignObservations read_optuna_journal(std::string_view text, const std::string& name,
                                        const ForeignOptions& options) {
  return JournalReader(name, options).read(text);
}

}  // namespace ntune
