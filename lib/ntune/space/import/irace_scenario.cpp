#include "ntune/space/import/irace_scenario.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/space/import/irace_tokens.h"
#include "ntune/space/import/source.h"
#include "ntune/space/import/write.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLargestScenario = 4 * 1024 * 1024;
constexpr std::int64_t kMostDigits = 15;  ///< decimal places

/// The content of a file that a word of the scenario names.
std::string read_named(const IraceSettings& scenario, const std::string& word, const fs::path& path,
                       std::uintmax_t largest = kLargestScenario) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    fail_at(scenario.place(word), fmt::format("there is no file {}", path_text(path)));
  }
  return read_file(path, largest);
}

/// The parameters with what the scenario forbids and begins with.
SourceSpace read_parameters(const IraceSettings& scenario, const fs::path& parameters,
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
  // `digits` of the scenario holds for parameters whose file sets none.
  const auto digits = scenario.count("digits", 0);
  for (SourceParameter& parameter : source.parameters) {
    auto* reals = std::get_if<SourceReals>(&parameter.domain);
    if (reals != nullptr && digits && !reals->digits) {
      reals->digits = static_cast<int>(std::min(*digits, kMostDigits));
    }
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

/// Seconds after which irace bounds a run; nothing: it does not.
std::optional<double> bound_of(const IraceSettings& scenario) {
  const auto bound = scenario.number("boundMax", 0.0);
  return bound && *bound > 0.0 ? bound : std::nullopt;
}

/// The words of irace's command line, with the program where a launcher starts it.
std::vector<std::string> words_of_call(const IraceSettings& scenario) {
  const std::string* given = scenario.find("targetCmdline");
  // The order of irace's own arguments, where `targetCmdline` does not change it.
  std::vector<std::string> words;
  std::string_view rest =
      "{configurationID} {instanceID} {seed} {instance} {bound} {targetRunnerArgs}";
  if (given != nullptr) rest = *given;
  // The call of AClib has an order of its own.
  if (scenario.is_true("aclib")) {
    rest = bound_of(scenario)
               ? "--cutoff {bound} --instance {instance} --seed {seed} --config {targetRunnerArgs}"
               : "--instance {instance} --seed {seed} --config {targetRunnerArgs}";
  }
  // A launcher such as Rscript gets the program as its first argument.
  const bool is_launched = scenario.find("targetRunnerLauncher") != nullptr;
  if (is_launched && rest.find("{targetRunner}") == rest.npos) words.emplace_back("{targetRunner}");
  while (!(rest = without_blanks(rest)).empty()) {
    words.emplace_back(take_until(rest, " \t"));
  }
  return words;
}

/// A word of irace's command line as one of `command`; nothing: it is left out.
std::optional<std::string> word_of_command(std::string word, const fs::path& runner,
                                           std::optional<double> bound) {
  if (word == "{bound}" && !bound) return std::nullopt;
  // A study has no configurations and instances by number, so each of them is 1.
  const std::map<std::string, std::string> meanings = {
      {"{configurationID}", "1"},
      {"{instanceID}", "1"},
      {"{bound}", bound ? number_text(*bound) : ""},
      {"{targetRunner}", template_literal(runner.string())}};
  for (const auto& [name, meaning] : meanings) {
    const std::size_t at = word.find(name);
    if (at != word.npos) word.replace(at, name.size(), meaning);
  }
  return word;
}

/// The words of the parameters that are ever active. As a shell does for irace, they are split at
/// blanks outside of quotes, and numbers have no exponents.
void add_parameters(const SourceSpace& source, const std::vector<std::string>& never_active,
                    bool aclib, Json& command) {
  for (const SourceParameter& parameter : source.parameters) {
    if (std::ranges::count(never_active, parameter.name) > 0) continue;
    const std::string option = template_literal(parameter.option);
    command.push_back(fmt::format("{{params[{}]:{}{{value:shell}}}}", parameter.name,
                                  aclib ? "-" + option + " " : option));
  }
}

/// The program, which may be yet to be written.
fs::path runner_of(const IraceSettings& scenario) {
  return scenario.path("targetRunner", "./target-runner");
}

/// irace's call, the program first: configuration, instance and seed, the instance, the bound if
/// there is one, and the switches with their values; or as `targetCmdline` has it.
Json command_of(const IraceSettings& scenario, const SourceSpace& source,
                const std::vector<std::string>& never_active, const std::string& instance) {
  const fs::path runner = runner_of(scenario);
  const std::string* launcher = scenario.find("targetRunnerLauncher");
  Json command = Json::array();
  command.push_back(template_literal(launcher != nullptr ? *launcher : runner.string()));
  // irace's {targetRunnerArgs} become one word for each parameter, which drops out where it is
  // inactive.
  for (const std::string& word : words_of_call(scenario)) {
    if (word == "{targetRunnerArgs}") {
      add_parameters(source, never_active, scenario.is_true("aclib"), command);
    } else if (word == "{instance}") {
      command.push_back(instance);
    } else if (const auto own = word_of_command(word, runner, bound_of(scenario))) {
      command.push_back(*own);
    }
  }
  return command;
}

/// `cutoff`, `penalty` and `timeout`.
void add_limits(const IraceSettings& scenario, Json& objective) {
  const auto timeout = scenario.count("targetRunnerTimeout", 0);
  if (timeout.value_or(0) > 0) objective["timeout"] = *timeout;
  const auto bound = bound_of(scenario);
  if (!bound) return;
  objective["cutoff"] = *bound;
  objective["penalty"] = *bound * scenario.number("boundPar", 1.0).value_or(1.0);
  if (timeout.value_or(0) > 0 && static_cast<double>(*timeout) < *bound) {
    fail_at(scenario.place("boundMax"), "is longer than targetRunnerTimeout, which ends a run");
  }
  // The usual timeout of a command is a minute.
  if (timeout.value_or(0) == 0 && *bound > 60.0) objective["timeout"] = *bound;
}

/// A number of evaluations, or a cost: the sum of the run times.
Json budget_of(const IraceSettings& scenario) {
  // irace allows one of two budgets: seconds of running time, or a number of runs.
  const auto time = scenario.count("maxTime", 0);
  if (time.value_or(0) == 0) {
    const auto budget = scenario.count("maxExperiments", 1);
    if (budget) return *budget;
    fail_at(scenario.place("maxExperiments"),
            "is missing, and maxTime too: how many evaluations, or seconds of them");
  }
  if (scenario.count("maxExperiments", 0).value_or(0) > 0) {
    fail_at(scenario.place("maxTime"), "stands beside maxExperiments, irace allows one of them");
  }
  return {{"cost", *time}};
}

/// The `objective:` of the study: command, direction, folder, limits and retries.
Json objective_of(const IraceSettings& scenario, const SourceSpace& source,
                  const std::vector<std::string>& never_active, const std::string& instance) {
  Json objective = {{"command", command_of(scenario, source, never_active, instance)},
                    {"direction", "minimise"}};
  if (scenario.is_true("aclib")) objective["result"] = "smac";
  objective["directory"] = scenario.path("execDir", "./").string();
  if (scenario.is_true("deterministic")) objective["noisy"] = false;
  add_limits(scenario, objective);
  if (const auto retries = scenario.count("targetRunnerRetries", 0)) {
    objective["retries"] = *retries;
  }
  return objective;
}

/// Most bytes of a file of instances.
constexpr std::uintmax_t kLargestList = 16 * 1024 * 1024;

/// The lines of the file of instances that a word names, without comments.
std::vector<std::string> lines_of(const IraceSettings& scenario, const std::string& word) {
  const fs::path file = scenario.path(word, "");
  const std::string text = read_named(scenario, word, file, kLargestList);
  std::vector<std::string> lines;
  for_each_line(text, file.string(), [&](std::string_view line, int) {
    const std::string_view words = without_blanks(line.substr(0, line.find('#')));
    if (!words.empty()) lines.emplace_back(words);
  });
  return lines;
}

/// Throws InputError unless the folder that a word names holds files.
void check_folder(const IraceSettings& scenario, const std::string& word) {
  const fs::path folder = scenario.path(word, "");
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    fail_at(scenario.place(word), fmt::format("there is no folder {}", path_text(folder)));
  }
  if (std::ranges::none_of(fs::directory_iterator(folder), [](const fs::directory_entry& entry) {
        std::error_code unreadable;
        return entry.is_regular_file(unreadable);
      })) {
    fail_at(scenario.place(word), fmt::format("there is no file in {}", path_text(folder)));
  }
}

/// The instances, each once: one that stands there several times counts so much more.
Json listed(const std::vector<std::string>& values) {
  Json list = Json::array();
  std::map<std::string, std::int64_t> times;
  for (const std::string& value : values) ++times[value];
  for (const std::string& value : values) {
    const std::int64_t weight = std::exchange(times[value], 0);
    if (weight == 1) list.push_back(value);
    if (weight > 1) list.push_back({{"instance", value}, {"weight", weight}});
  }
  return list;
}

/// The instances that a scenario names: in files and folders, or as lists of R. A line need not be
/// a file and may have several words, which the program gets one by one, as a shell splits them.
class IraceInstances {
 public:
  /// Throws InputError: there are no instances.
  explicit IraceInstances(const IraceSettings& scenario) : scenario_(scenario) {
    train_ = read("instances", "train");
    if (train_.is_null()) {
      fail_at(scenario.place("trainInstancesFile"),
              "is missing, and trainInstancesDir too: there are no instances");
    }
    test_ = read("testInstances", "test");
  }

  /// `instances:` of a study.
  [[nodiscard]] const Json& train() const { return train_; }
  /// `test_instances:`; null where none are named.
  [[nodiscard]] const Json& test() const { return test_; }
  /// Messages about what is left out.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
  /// The word of a command that stands for an instance.
  [[nodiscard]] std::string word() const { return splits_ ? "{instance:shell}" : "{instance}"; }

 private:
  Json read(const std::string& list, const std::string& set) {
    const std::string file = set + "InstancesFile";
    const std::string folder = set + "InstancesDir";
    const auto texts = scenario_.list(list);
    const std::string in_folder =
        !texts && scenario_.find(folder) != nullptr ? scenario_.path(folder, "").string() : "";
    Json json;
    if (!in_folder.empty()) json["folder"] = in_folder;
    // A list in the scenario counts before files, as irace has it.
    if (!texts && scenario_.find(file) == nullptr) {
      if (!in_folder.empty()) check_folder(scenario_, folder);
      return json;
    }
    const std::vector<std::string> lines = texts ? *texts : lines_of(scenario_, file);
    splits_ = splits_ || std::ranges::any_of(lines, [](const std::string& line) {
                return line.find_first_of(" \t'\"\\") != std::string::npos;
              });
    // irace puts the folder before each line, file or not.
    std::vector<std::string> values;
    for (const std::string& line : lines) {
      values.push_back(in_folder.empty() ? line : (fs::path(in_folder) / line).string());
    }
    // What was trained with tests nothing, and a study has it once.
    const auto trained = [this](const std::string& value) { return trained_.contains(value); };
    if (std::erase_if(values, trained) > 0) {
      warnings_.push_back(scenario_.place(texts ? list : file) +
                          ": instances that are for training too are left out");
      return values.empty() ? Json() : listed(values);
    }
    trained_.insert(values.begin(), values.end());
    const bool are_files = std::ranges::all_of(values, [&](const std::string& value) {
      std::error_code error;
      return in_folder.empty() || fs::exists(value, error);
    });
    if (texts || !are_files || listed(values) != Json(values)) return listed(values);
    json["file"] = scenario_.path(file, "").string();
    return json;
  }

  const IraceSettings& scenario_;
  bool splits_ = false;            ///< an instance has what a shell would split
  std::set<std::string> trained_;  ///< instances for training, where they are named one by one
  std::vector<std::string> warnings_;
  Json train_;
  Json test_;
};

/// One line "key: value" of a study.
std::string key_line(const char* key, const Json& value) {
  return fmt::format("{}: {}\n", key, to_yaml(value));
}

}  // namespace

bool is_irace_scenario(const std::string& text) {
  std::string_view rest = text;
  // The first word of a scenario decides; lines that are no assignments are passed over.
  while (!rest.empty()) {
    const IraceWord* word = word_set_by(without_blanks(cut(rest, "\n")));
    // A parameter file may set digits, too.
    if (word != nullptr && word->name != "digits") return true;
  }
  return false;
}

ImportedSpace import_irace_scenario(const std::string& text, const fs::path& file,
                                    const ImportOptions& options) {
  const IraceSettings scenario(text, file);
  const fs::path parameters = scenario.path("parameterFile", "./parameters.txt");
  const std::string name = printable(parameters.string(), 1000);
  const SourceSpace source = read_parameters(scenario, parameters, name);
  const auto table = space_format_table();
  const auto entry = std::ranges::find(table, SpaceFormat::kIrace, &SpaceFormatEntry::format);
  ImportedSpace imported = write_imported_space(source, name, entry->title, options.points);
  imported.format = SpaceFormat::kIrace;
  // Budget and instances are checked before anything is written.
  const Json budget = budget_of(scenario);
  const IraceInstances instances(scenario);
  std::string study = fmt::format("# From irace's scenario {}\n", printable(file.string(), 1000));
  study += key_line("objective",
                    objective_of(scenario, source, imported.never_active, instances.word()));
  study += key_line("instances", instances.train());
  if (!instances.test().is_null()) study += key_line("test_instances", instances.test());
  study += key_line("budget", budget);
  study += irace_beginning(source, imported.yaml);
  if (const auto seed = scenario.count("seed", 0)) study += key_line("seed", *seed);
  if (const auto parallel = scenario.count("parallel", 0); parallel.value_or(0) > 1) {
    study += key_line("parallel_evaluations", *parallel);
  }
  // The space comes last, because it is the longest part.
  imported.yaml = study + imported.yaml;
  std::ranges::copy(instances.warnings(), std::back_inserter(imported.warnings));
  for (std::string& warning : scenario.left_out()) imported.warnings.push_back(std::move(warning));
  std::error_code error;
  if (const fs::path runner = runner_of(scenario); !fs::exists(runner, error)) {
    imported.warnings.push_back(fmt::format("{}: there is no file {} yet, which the study starts",
                                            scenario.place("targetRunner"), path_text(runner)));
  }
  return imported;
}

}  // namespace ntune
