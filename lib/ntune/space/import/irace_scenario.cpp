// irace's scenario files: R assignments, one a line.
//   parameterFile = "./parameters.txt"
//   maxExperiments <- 5000  # a comment

#include "ntune/space/import/irace_scenario.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/suggestion.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/space/import/irace_configurations.h"
#include "ntune/space/import/irace_words.h"
#include "ntune/space/import/source.h"
#include "ntune/space/import/write.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLargestScenario = 4 * 1024 * 1024;

/// The name that a line sets, or nothing.
std::string_view assigned_name(std::string_view line) {
  const std::size_t end = std::min(line.find_first_of(" \t=<"), line.size());
  const std::string_view rest = without_blanks(line.substr(end));
  return rest.starts_with('=') || rest.starts_with("<-") ? line.substr(0, end) : "";
}

const IraceWord* find_word(std::string_view name) {
  const auto words = irace_words();
  const auto found = std::ranges::find(words, name, &IraceWord::name);
  return found == words.end() ? nullptr : &*found;
}

/// Calls visit(line, place) for what is not a comment.
template <class Visit>
void for_each_setting(const std::string& text, const std::string& name, Visit visit) {
  for_each_line(text, name, [&](std::string_view line, int number) {
    line = without_blanks(line.substr(0, find_unquoted(line, '#')));
    if (!line.empty()) visit(line, fmt::format("{}:{}", name, number));
  });
}

class Scenario {
 public:
  Scenario(const std::string& text, const fs::path& file)
      : name_(printable(file.string(), 1000)), folder_(file.parent_path()) {
    for_each_setting(text, name_,
                     [&](std::string_view line, const Place& place) { read_line(line, place); });
  }

  [[nodiscard]] const std::string* find(const std::string& word) const {
    const auto found = settings_.find(word);
    return found == settings_.end() || found->second.value.empty() ? nullptr : &found->second.value;
  }
  /// The file or folder that a word names, as seen from the scenario.
  [[nodiscard]] fs::path path(const std::string& word, const std::string& usual) const {
    const std::string* given = find(word);
    return fs::absolute(folder_ / (given == nullptr ? usual : *given)).lexically_normal();
  }
  /// A whole number of at least `least`.
  [[nodiscard]] std::optional<std::int64_t> count(const std::string& word,
                                                  std::int64_t least) const {
    const std::string* text = find(word);
    if (text == nullptr) return std::nullopt;
    const auto number = parse_number(*text);
    const double value = number ? value_number(*number) : -1.0;
    if (value < static_cast<double>(least) ||
        value != static_cast<double>(static_cast<std::int64_t>(value))) {
      fail_at(place(word), fmt::format("is '{}', a whole number of at least {} is allowed",
                                       printable(*text, 60), least));
    }
    return static_cast<std::int64_t>(value);
  }
  [[nodiscard]] Place place(const std::string& word) const {
    const auto found = settings_.find(word);
    return found == settings_.end() ? name_ + ": " + word : found->second.place + ": " + word;
  }
  /// What is set and has no counterpart in a study.
  [[nodiscard]] std::vector<std::string> left_out() const {
    std::vector<std::string> list;
    for (const std::string& word : order_) {
      const IraceWord& entry = *find_word(word);
      if (!entry.is_kept) list.push_back(fmt::format("{}: left out: {}", place(word), entry.ours));
    }
    return list;
  }

 private:
  struct Setting {
    std::string value;
    Place place;
  };

  void read_line(std::string_view line, const Place& place) {
    const std::string name(assigned_name(line));
    if (name.empty()) fail_at(place, "is no line of a scenario: word = value is allowed");
    if (find_word(name) == nullptr) {
      std::vector<std::string> known;
      for (const IraceWord& word : irace_words()) known.push_back(word.name);
      fail_at(place, fmt::format("'{}' is no word of a scenario of irace{}", printable(name, 60),
                                 suggestion(name, known)));
    }
    std::string_view value = without_blanks(line.substr(name.size()));
    value = without_blanks(value.substr(value.starts_with('=') ? 1 : 2));
    if (settings_.count(name) == 0) order_.push_back(name);
    settings_[name] = {value_of(value, place), place};
  }

  static std::string value_of(std::string_view value, const Place& place) {
    if (value == "NULL" || value == "NA") return {};
    const char quote = value.empty() ? 0 : value.front();
    if (quote != '"' && quote != '\'') {
      if (value.find('(') == value.npos || value.ends_with(')')) return std::string(value);
      fail_at(place, "goes on in the next line; only values of one line can be read");
    }
    if (value.size() < 2 || value.back() != quote) fail_at(place, "has a text without its end");
    return std::string(value.substr(1, value.size() - 2));
  }

  std::string name_;
  fs::path folder_;
  std::map<std::string, Setting> settings_;
  std::vector<std::string> order_;
};

std::string read_named(const Scenario& scenario, const std::string& word, const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    fail_at(scenario.place(word), fmt::format("there is no file {}", path_text(path)));
  }
  return read_file(path, kLargestScenario);
}

/// The parameters with what the scenario forbids and begins with.
SourceSpace read_parameters(const Scenario& scenario, const fs::path& parameters,
                            const std::string& name) {
  std::string forbidden;
  std::string forbidden_name;
  if (scenario.find("forbiddenFile") != nullptr) {
    const fs::path path = scenario.path("forbiddenFile", "");
    forbidden = read_named(scenario, "forbiddenFile", path);
    forbidden_name = printable(path.string(), 1000);
  }
  SourceSpace source = read_irace(read_named(scenario, "parameterFile", parameters), name,
                                  forbidden, forbidden_name);
  if (scenario.find("configurationsFile") != nullptr) {
    const fs::path path = scenario.path("configurationsFile", "");
    source.configurations = read_irace_configurations(
        read_named(scenario, "configurationsFile", path), printable(path.string(), 1000), source);
  }
  return source;
}

/// A text in a template, where braces are doubled.
std::string template_literal(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += c;
    if (c == '{' || c == '}') result += c;
  }
  return result;
}

/// irace's call: configuration, instance and seed, the instance, and the switches with their
/// values.
Json command_of(const Scenario& scenario, const SourceSpace& source) {
  const fs::path runner = scenario.path("targetRunner", "./target-runner");
  std::error_code error;
  if (!fs::exists(runner, error)) {
    fail_at(scenario.place("targetRunner"), fmt::format("there is no file {}", path_text(runner)));
  }
  Json command = Json::array();
  if (scenario.find("targetRunnerLauncher") != nullptr) {
    command.push_back(template_literal(*scenario.find("targetRunnerLauncher")));
  }
  command.push_back(template_literal(runner.string()));
  for (const char* part : {"1", "1", "{seed}", "{instance}"}) command.push_back(part);
  for (const SourceParameter& parameter : source.parameters) {
    command.push_back(fmt::format("{{params[{}]:{}{{value}}}}", parameter.name,
                                  template_literal(parameter.option)));
  }
  return command;
}

/// `instances:` or `test_instances:`; null where none are named.
Json instances_of(const Scenario& scenario, const std::string& set) {
  const bool has_file = scenario.find(set + "InstancesFile") != nullptr;
  const bool has_folder = scenario.find(set + "InstancesDir") != nullptr;
  Json json;
  if (has_file) json["file"] = scenario.path(set + "InstancesFile", "").string();
  if (has_folder) json["folder"] = scenario.path(set + "InstancesDir", "").string();
  return json;
}

bool is_true(const std::string* value) {
  return value != nullptr && (*value == "1" || *value == "TRUE" || *value == "T");
}

Json objective_of(const Scenario& scenario, const SourceSpace& source) {
  Json objective = {{"command", command_of(scenario, source)}, {"direction", "minimise"}};
  objective["directory"] = scenario.path("execDir", "./").string();
  if (is_true(scenario.find("deterministic"))) objective["noisy"] = false;
  if (const auto timeout = scenario.count("targetRunnerTimeout", 0); timeout.value_or(0) > 0) {
    objective["timeout"] = *timeout;
  }
  if (const auto retries = scenario.count("targetRunnerRetries", 0)) {
    objective["retries"] = *retries;
  }
  return objective;
}

std::string key_line(const char* key, const Json& value) {
  return fmt::format("{}: {}\n", key, to_yaml(value));
}

}  // namespace

bool is_irace_scenario(const std::string& text) {
  bool first = true;
  bool found = false;
  std::string_view rest = text;
  while (first && !rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = without_blanks(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty() || line == "\r" || line.starts_with('#')) continue;
    first = false;
    found = find_word(assigned_name(line)) != nullptr;
  }
  return found;
}

ImportedSpace import_irace_scenario(const std::string& text, const fs::path& file,
                                    const ImportOptions& options) {
  const Scenario scenario(text, file);
  const fs::path parameters = scenario.path("parameterFile", "./parameters.txt");
  const std::string name = printable(parameters.string(), 1000);
  const SourceSpace source = read_parameters(scenario, parameters, name);
  const auto table = space_format_table();
  const auto entry = std::ranges::find(table, SpaceFormat::kIrace, &SpaceFormatEntry::format);
  ImportedSpace imported = write_imported_space(source, name, *entry, options.points);
  const auto budget = scenario.count("maxExperiments", 1);
  if (!budget) fail_at(scenario.place("maxExperiments"), "is missing: how many evaluations");
  std::string study = fmt::format("# From irace's scenario {}\n", printable(file.string(), 1000));
  study += key_line("objective", objective_of(scenario, source));
  const Json train = instances_of(scenario, "train");
  if (train.is_null()) {
    fail_at(scenario.place("trainInstancesFile"),
            "is missing, and trainInstancesDir too: there are no instances");
  }
  study += key_line("instances", train);
  const Json test = instances_of(scenario, "test");
  if (!test.is_null()) study += key_line("test_instances", test);
  study += key_line("budget", *budget);
  study += irace_beginning(source, imported.yaml);
  if (const auto seed = scenario.count("seed", 0)) study += key_line("seed", *seed);
  if (const auto parallel = scenario.count("parallel", 0); parallel.value_or(0) > 1) {
    study += key_line("parallel_evaluations", *parallel);
  }
  imported.yaml = study + imported.yaml;
  for (std::string& warning : scenario.left_out()) imported.warnings.push_back(std::move(warning));
  return imported;
}

}  // namespace ntune
