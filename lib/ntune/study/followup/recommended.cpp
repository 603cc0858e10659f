#include "ntune/study/followup/recommended.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/space/nested_values.h"
#include "ntune/space/space_yaml.h"
#include "ntune/space/value_checks.h"
#include "ntune/study/keys/objective_maps.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/results/result_files.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

constexpr const char* kResult = "result.json";
constexpr const char* kRecommendation = "recommendation";

/// The recommended parameters of a result.
const YamlNode& parameters_of(const YamlNode& result) {
  const YamlNode* found = result.find(kRecommendation);
  if (found != nullptr && found->is_map()) {
    const YamlNode* parameters = found->find("parameters");
    if (parameters == nullptr) found->fail("has no 'parameters'");
    return *parameters;
  }
  throw InputError(fmt::format(
      "{}: {}", printable(result.file(), 1000),
      result.find("front") != nullptr   ? "it has several goals, and this command knows one alone"
      : result.find("cells") != nullptr ? "recommends nothing: it is a comparison; name the folder "
                                          "of a study with one recommendation"
                                        : "recommends nothing: the study was interrupted before; "
                                          "go on with 'ntune run … --resume'"));
}

/// The study of a result, with the files that its folder names.
Study stored_study(const YamlNode& result, const fs::path& folder) {
  const YamlNode* config = result.find("study");
  if (config == nullptr || !config->is_map()) {
    throw InputError(fault_of_result(Json(), result.file()));
  }
  Json json = to_json(*config);
  json.erase("published");
  return read_study(parse_yaml(to_yaml(config_in_folder(json, folder)), result.file()), nullptr,
                    StudyUse::kObjective, SpaceDefaults::kIgnored);
}

/// Refuses what cannot be evaluated from here.
void check_objective(const Study& study, const fs::path& folder, const std::string& study_file,
                     AskedFromOutside asked) {
  if (study.objectives.size() != 1) {
    throw InputError(
        fmt::format("{}: has several objectives, one is allowed",
                    study_file.empty() ? path_text(folder) : printable(study_file, 1000)));
  }
  const Json& options = study.objectives.front().options;
  if (has_option(options, "ask_tell") && asked == AskedFromOutside::kRefused) {
    throw InputError(
        fmt::format("{}: its objective is asked from outside, and cannot be evaluated from here; "
                    "--study names a study file with the same space that can",
                    path_text(folder)));
  }
  std::error_code error;
  const bool held = fs::is_regular_file(folder / kStudyName, error);
  if (has_option(options, "command") && study_file.empty() && !held) {
    throw InputError(
        fmt::format("{}: its objective calls a program; name the study file beside which it is run "
                    "with --study",
                    path_text(folder)));
  }
}

/// What an agent has that the point has not, and the other way round.
std::string difference_note(const YamlNode& agent, const Point& point, const SearchSpace& space) {
  std::set<std::string> names;
  std::vector<std::string> filled_in;
  for (int i = 0; i < space.dimensions(); ++i) {
    names.insert(space[i].name);
    if (find_nested(agent, space[i].name) != nullptr || !space.is_active(point, i)) continue;
    filled_in.push_back(
        fmt::format("{} = {}", printable(space[i].name, 60), shown(space.value(point, i))));
  }
  std::vector<std::string> passed_over;
  for (const YamlNode* node : foreign_nodes(agent, names)) passed_over.push_back(node->path());
  std::string note;
  if (!passed_over.empty()) {
    note = fmt::format("passed over, as the space does not have it: {}",
                       printable(list_text(passed_over, "and"), 1000));
  }
  if (!filled_in.empty()) {
    note += fmt::format("{}filled in, as the file does not have it: {}", note.empty() ? "" : "; ",
                        list_text(filled_in, "and"));
  }
  return note;
}

/// An agent of TAG's nests its values, and has more of them than are tuned.
Incumbent read_agent(const YamlNode& agent, const Objective& objective) {
  const SearchSpace& space = objective.space();
  // The values are known to be of the space here, so that errors are about the whole of them. Empty
  // lines above keep the line of the agent in these.
  const std::string above(static_cast<std::size_t>(agent.line() - 1), '\n');
  const Point point =
      read_point(parse_yaml(above + to_yaml(flat_values(agent, space)), agent.file()), space,
                 declared_values(space, objective.defaults()));
  return {point, difference_note(agent, point, space)};
}

/// The result of a folder.
YamlNode read_result(const fs::path& folder) {
  const fs::path path = folder / kResult;
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw InputError(
        fmt::format("{}: {}; name the folder of 'ntune run … --out'", path_text(folder),
                    !fs::is_directory(folder, error) ? "is not a folder" : "holds no result.json"));
  }
  try {
    return read_yaml(path);
  } catch (const InputError&) {
    // Where a file was cut off says nothing to anybody.
    constexpr std::uintmax_t kLargest = 1'000'000'000;
    const std::string fault = fault_of_result(parse_json(read_file(path, kLargest)), path);
    if (fault.empty()) throw;
    throw InputError(fault);
  }
}

/// The setting of a front that a limit or an order has chosen; nullptr: none is.
const YamlNode* chosen_parameters(const YamlNode& front) {
  const YamlNode* chosen = front.find("chosen");
  const YamlNode* settings = front.find("settings");
  const auto place = chosen == nullptr ? std::nullopt : chosen->number();
  if (!place || settings == nullptr || !settings->is_list()) return nullptr;
  const auto at = static_cast<std::size_t>(*place);
  return at < settings->children().size() ? settings->children()[at].find("parameters") : nullptr;
}

/// What a result recommends, and the setting that its verdict says, in a study that can evaluate
/// both.
RecommendedStudy recommended_in(const YamlNode& result, const YamlNode& parameters,
                                const fs::path& folder, const std::string& study_file,
                                AskedFromOutside asked) {
  RecommendedStudy recommended;
  recommended.study = study_file.empty()
                          ? stored_study(result, folder)
                          : read_study(read_yaml(study_file), nullptr, StudyUse::kObjective);
  check_objective(recommended.study, folder, study_file, asked);
  recommended.point = read_point(parameters, recommended.space());
  // Results of 0.1 name no setting.
  const YamlNode* setting = result.find("setting");
  recommended.setting = setting != nullptr && setting->is_map()
                            ? read_point(*setting, recommended.space())
                            : recommended.point;
  return recommended;
}

}  // namespace

RecommendedStudy read_recommended(const fs::path& folder, const std::string& study_file,
                                  AskedFromOutside asked) {
  const YamlNode result = read_result(folder);
  return recommended_in(result, parameters_of(result), folder, study_file, asked);
}

RecommendedStudy read_setting(const fs::path& folder) {
  const YamlNode result = read_result(folder);
  const YamlNode* front = result.find("front");
  const YamlNode* parameters =
      front == nullptr ? &parameters_of(result) : chosen_parameters(*front);
  if (parameters == nullptr) {
    throw InputError(
        fmt::format("{}: has a front of settings, of which none is chosen; a limit of a goal or an "
                    "order chooses one",
                    printable(result.file(), 1000)));
  }
  return recommended_in(result, *parameters, folder, {}, AskedFromOutside::kAllowed);
}

Incumbent read_incumbent(const std::string& against, const Study& study, std::string_view option) {
  const Objective& objective = *study.objectives.front().objective;
  if (against == "default") {
    if (study.beginning.incumbent) return {*study.beginning.incumbent};
    try {
      return {default_point(objective.space(), objective.defaults())};
    } catch (const InputError& error) {
      throw InputError(
          fmt::format("{} default: {}; or name a file with the values of all parameters", option,
                      error.what()));
    }
  }
  // A folder stands for its result.
  fs::path path = against;
  std::error_code error;
  if (fs::is_directory(path, error)) path /= kResult;
  if (!fs::exists(path, error)) {
    throw InputError(fmt::format(
        "{}: there is no file {}; default, or a file with the values of the parameters is allowed",
        option, path_text(path)));
  }
  // A result, an agent of TAG's or plain values: the keys tell them apart.
  const YamlNode node = read_yaml(path);
  const bool is_result = node.is_map() && node.find(kRecommendation) != nullptr &&
                         objective.space().find(kRecommendation) < 0;
  if (is_result) return {read_point(parameters_of(node), objective.space())};
  const bool is_agent = node.is_map() && (node.find("class") != nullptr ||
                                          std::ranges::any_of(node.children(), &YamlNode::is_map));
  if (!is_agent) return {read_point(node, objective.space())};
  return read_agent(node, objective);
}

}  // namespace ntune
