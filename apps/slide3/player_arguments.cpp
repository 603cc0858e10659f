#include <cmath>
#include <map>

#include <fmt/format.h>

#include "apps/slide3/commands.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune::slide3 {

namespace {

std::vector<std::string> feature_names() {
  std::vector<std::string> names;
  for (int i = 0; i < kSlideFeatures; ++i) {
    names.emplace_back(slide_feature_name(static_cast<SlideFeature>(i)));
  }
  return names;
}

/// Evaluations that are no sum of weighted ones.
const std::map<std::string, SlideEvaluation>& special_evaluations() {
  static const std::map<std::string, SlideEvaluation> kSpecial = {
      {"random_play", {}},
      {"random", {.randomisation = Randomisation::kRandom}},
      {"tile_tab", {.randomisation = Randomisation::kTileTab}}};
  return kSpecial;
}

/// The index of a feature. Throws InputError.
std::size_t feature_index(const std::string& option, const std::string& name) {
  const std::vector<std::string> names = feature_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return i;
  }
  throw InputError(fmt::format("{}: '{}' is not an evaluation; allowed: {}", option,
                               printable(name, 40), list_text(names)));
}

void set_weight(const std::string& setting, SlideEvaluation& evaluation) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos) {
    throw InputError(fmt::format("--weight: is '{}', name=number is allowed, such as Eu=0.5",
                                 printable(setting, 40)));
  }
  const std::size_t index = feature_index("--weight", setting.substr(0, equals));
  const std::string number = setting.substr(equals + 1);
  double weight = 0.0;
  if (!read_number(number, weight) || !(std::abs(weight) <= kLargestWeight)) {
    throw InputError(fmt::format("--weight {}: is '{}', a number from {} to {} is allowed",
                                 feature_names()[index], printable(number, 40),
                                 number_text(-kLargestWeight), number_text(kLargestWeight)));
  }
  evaluation.weights[index] = weight;
}

void check_randomisation(const PlayerArguments& arguments, bool has_weight, bool special) {
  const bool randomised = arguments.randomisation != Randomisation::kNone;
  if (special && (randomised || arguments.rounded)) {
    throw InputError(
        fmt::format("--eval {}: takes no --randomisation and no --rounded", arguments.name));
  }
  if (randomised && !arguments.intensity) {
    throw InputError("--randomisation: needs --intensity");
  }
  if (!randomised && (arguments.intensity || arguments.both_sides)) {
    throw InputError(
        fmt::format("--{}: needs --randomisation", arguments.intensity ? "intensity" : "interval"));
  }
  if (randomised && !has_weight) {
    throw InputError("--randomisation: needs an evaluation whose weight is not 0");
  }
}

}  // namespace

std::vector<std::string> evaluation_names() {
  std::vector<std::string> names = feature_names();
  for (const auto& [name, evaluation] : special_evaluations()) names.push_back(name);
  return names;
}

std::map<std::string, Randomisation> additive_randomisations() {
  std::map<std::string, Randomisation> names;
  for (const auto& [name, randomisation] : randomisation_names()) {
    if (special_evaluations().count(name) == 0) names[name] = randomisation;
  }
  return names;
}

SlideEvaluation evaluation_of(const PlayerArguments& arguments) {
  SlideEvaluation evaluation;
  const auto special = special_evaluations().find(arguments.name);
  const bool is_special = special != special_evaluations().end();
  if (is_special) {
    evaluation = special->second;
  } else if (arguments.weights.empty()) {
    evaluation.weights[feature_index("--eval", arguments.name.empty() ? "Eu" : arguments.name)] =
        1.0;
  }
  for (const std::string& weight : arguments.weights) set_weight(weight, evaluation);
  const bool has_weight = evaluation.weights != SlideEvaluation().weights;
  check_randomisation(arguments, has_weight, is_special);
  if (is_special) return evaluation;
  evaluation.randomisation = arguments.randomisation;
  evaluation.intensity = arguments.intensity.value_or(0.0);
  evaluation.both_sides = arguments.both_sides;
  evaluation.rounded = arguments.rounded;
  return evaluation;
}

std::string table_name(TableMode mode) {
  for (const auto& [name, known] : table_mode_names()) {
    if (known == mode) return name;
  }
  return "";
}

std::string player_text(const DepthPlayer& player) {
  return fmt::format("{}, table {}, Win {}", player.evaluation.text(),
                     table_name(player.search.table), number_text(player.search.win_value));
}

}  // namespace ntune::slide3
