// Trials of an Optuna study in the journal of its JournalStorage, and the evaluations of an ntune
// study in its own journal, whose grammar stands in study/journal/README.md.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/line_cursor.h"
#include "ntune/core/statistics.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/recorded/foreign_readers.h"
#include "ntune/objective/recorded/optuna_codes.h"
#include "ntune/space/space_yaml.h"

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

/// The line with null for infinite numbers and NaN, which Python writes by names that are no JSON.
std::string with_nulls(std::string_view line) {
  std::string text;
  bool in_string = false;
  while (!line.empty()) {
    std::size_t taken = 1;
    if (in_string && line.front() == '\\') taken = std::min<std::size_t>(2, line.size());
    if (line.front() == '"') in_string = !in_string;
    const auto names = {"NaN", "Infinity", "-Infinity"};
    const auto* const name =
        std::ranges::find_if(names, [&](const char* each) { return line.starts_with(each); });
    if (in_string || name == names.end()) {
      text += line.substr(0, taken);
    } else {
      text += "null";
      taken = std::string_view(*name).size();
    }
    line.remove_prefix(taken);
  }
  return text;
}

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
    if (space_ && line.front() != '{') return read_evaluation(line);
    Json json = parse_json(line);
    if (json.is_discarded()) json = parse_json(with_nulls(line));
    if (!json.is_object()) fail("is no line of an Optuna journal: one JSON object is allowed");
    if (!json.contains("op_code")) {
      if (json.contains("ntune")) return begin_study(json["ntune"]);
      if (space_) return;  // no evaluation
      fail("is no line of an Optuna journal: it has no op_code");
    }
    try {
      take(json);
      // Json throws where a field is missing or of another type.
    } catch (const Json::exception&) {
      fail("is no known line of an Optuna journal (Optuna 3.1 to 4 are known)");
    }
  }

  /// The header of an ntune study, also where it goes on with more.
  void begin_study(const Json& header) {
    if (!header.is_object() || !header.contains("study") || !header.contains("units")) return;
    try {
      const Json& study = header.at("study");
      const Json& space = study.contains("space") ? study.at("space") : header.at("space");
      if (header.at("units").size() != 1) {
        fail(
            "is of a study with several objectives: `ntune export --to optuna-journal` tells them "
            "apart");
      }
      zero_ = header.at("units").at(0).at("zero").get<double>();
      slope_ = header.at("units").at(0).at("slope").get<double>();
      space_.emplace(read_space(parse_yaml(to_yaml(space), data_.file)));
      for (const char* key : {"instances", "test_instances"}) {
        instances_[key] = header.value(key, std::vector<std::string>());
      }
      for (const Parameter& parameter : space_->parameters()) {
        Parameter known = parameter;
        known.when.clear();
        known.or_when.clear();
        declared_.insert_or_assign(known.name, std::move(known));
      }
      if (!studies_.empty()) return;
      studies_.push_back({.name = study.value("name", ""),
                          .directions = {optuna_code(slope_ < 0.0 ? OptunaDirection::kMinimise
                                                                  : OptunaDirection::kMaximise)}});
    } catch (const Json::exception&) {
      fail("is no header of an ntune study");
    }
  }

  /// KEY POINT OUTCOME TIME …
  void read_evaluation(std::string_view line) {
    std::vector<std::string> words;
    std::istringstream stream{std::string(line)};
    for (std::string word; stream >> word;) words.push_back(word);
    if (words.size() < 4) fail("is no line of the journal of an ntune study");
    const std::string& key = words[0];
    if (words[1] == "=") words[1] = handed_out_[key];
    if (words[2] == "?") {
      handed_out_[key] = words[1];
      return;
    }
    Trial made{.state = optuna_code(OptunaState::kFailed), .line = line_};
    const std::size_t colon = words[1].find(':');
    made.parameters = values_of(words[1].substr(0, colon));
    if (colon != std::string::npos) {
      made.opponent = Json(values_of(words[1].substr(colon + 1))).dump();
    }
    if (words[2] != "!") {
      made.state = optuna_code(OptunaState::kComplete);
      const std::vector<double> payoffs = numbers_of<double>(words[2]);
      if (!is_finite(payoffs)) fail("is no line of the journal of an ntune study");
      made.values = {zero_ + slope_ * stats_of(payoffs).mean()};
    }
    for (std::size_t i = 4; i < words.size() && words[i].front() != '"'; ++i) {
      if (words[i] == "m") made.state = optuna_code(OptunaState::kPruned);
      if (words[i].front() == 'i') made.instance = instance_of(key, words[i].substr(1));
    }
    trials_.push_back(std::move(made));
  }

  /// The numbers that are the whole text, with commas between them.
  template <class Number>
  std::vector<Number> numbers_of(std::string_view text) const {
    std::vector<Number> numbers;
    LineCursor at(text);
    at.numbers(numbers);
    if (!at.ok() || !at.is_at_end()) fail("is no line of the journal of an ntune study");
    return numbers;
  }

  std::map<std::string, Json> values_of(const std::string& text) const {
    const Point point(numbers_of<std::uint16_t>(text));
    bool good = point.size() == space_->dimensions();
    for (int i = 0; good && i < point.size(); ++i) good = point[i] < (*space_)[i].known_values();
    if (!good) fail("its point is not in the search space");
    std::map<std::string, Json> values;
    for (int i = 0; i < point.size(); ++i) {
      if (space_->is_active(point, i)) {
        values[(*space_)[i].name] = value_json(space_->value(point, i));
      }
    }
    return values;
  }

  [[nodiscard]] std::string instance_of(const std::string& key, const std::string& place) const {
    const bool held_out = key.find('h') != std::string::npos;
    const auto& test = instances_.at("test_instances");
    const auto& names = held_out && !test.empty() ? test : instances_.at("instances");
    const std::vector<std::size_t> number = numbers_of<std::size_t>(place);
    if (number.size() != 1 || number[0] >= names.size()) {
      fail("is of an instance that the study does not have");
    }
    return names[number[0]];
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
    const Json distributions = json.value("distributions", Json::object());
    const Json parameters = json.value("params", Json::object());
    for (const auto& [name, text] : distributions.items()) {
      distributions_[name] = distribution(text);
      if (parameters.contains(name)) {
        made.parameters[name] = external_value(distributions_[name], parameters[name]);
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

  /// The value of a parameter: categories are stored as indices of their choices, integers as real
  /// numbers.
  static Json external_value(const Json& distribution, const Json& internal) {
    const auto kind = distribution.at("name").get<std::string>();
    if (kind == "CategoricalDistribution") {
      return distribution.at("attributes").at("choices").at(internal.get<std::size_t>());
    }
    if (kind.starts_with("Int")) return std::llround(internal.get<double>());
    return internal;
  }

  void set_parameter(const Json& json) {
    Trial& changed = trial(json);
    const auto name = json.at("param_name").get<std::string>();
    distributions_[name] = distribution(json.at("distribution"));
    changed.parameters[name] =
        external_value(distributions_[name], json.at("param_value_internal"));
  }

  void set_state(Trial& changed, const Json& json) const {
    changed.state = json.at("state").get<int>();
    changed.line = line_;
    if (json.contains("values") && json["values"].is_array()) {
      changed.values.clear();
      for (const Json& value : json["values"]) {
        changed.values.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                                 : value.get<double>());
      }
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
      data_.notes.push_back(fmt::format("{} left out: not complete, or without a finite value",
                                        counted(left_out, "trial")));
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
      observation.values.push_back(found == trial.parameters.end()
                                       ? std::nullopt
                                       : std::optional(json_value(found->second)));
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
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", printable(data_.file, 1000), error.what()));
    }
  }

  /// A parameter as its distribution declares it, or else by its values.
  Parameter parameter_of(std::size_t column) {
    const std::string& name = data_.names[column];
    if (const auto known = declared_.find(name); known != declared_.end()) return known->second;
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
  // Of an ntune study.
  std::optional<SearchSpace> space_;
  double zero_ = 0.0;
  double slope_ = 1.0;
  std::map<std::string, std::vector<std::string>> instances_;  ///< names by their key
  std::map<std::string, Parameter> declared_;
  std::map<std::string, std::string> handed_out_;  ///< points by their keys
};

}  // namespace

ForeignObservations read_optuna_journal(std::string_view text, const std::string& name,
                                        const ForeignOptions& options) {
  return JournalReader(name, options).read(text);
}

}  // namespace ntune
