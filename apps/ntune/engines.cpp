#include "apps/ntune/engines.h"

#include <unistd.h>

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <ostream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "apps/common/settings.h"
#include "ntune/core/clock.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/process.h"
#include "ntune/core/program.h"
#include "ntune/core/text.h"
#include "ntune/objective/command/shell_words.h"
#include "ntune/space/import/import_space.h"
#include "ntune/space/space_yaml.h"
#include "ntune/space/value_checks.h"

namespace ntune::cli {

namespace fs = std::filesystem;

namespace {

/// Words of the command behind one `-engine`, or behind `-each`.
struct EngineWords {
  std::map<std::string, std::string> values = {};  ///< of cmd, dir, args and proto
  const YamlNode* word = nullptr;                  ///< the one with cmd
  EngineOptions options = {};
};

/// What stands behind a beginning of the text; nothing where it begins otherwise.
std::optional<std::string_view> behind(std::string_view text, std::string_view beginning) {
  if (!text.starts_with(beginning)) return std::nullopt;
  return text.substr(beginning.size());
}

/// Adds the parameters that a word hands over as options: {params:option.{name}={value}}, or
/// option.Hash={hash}.
void add_options(std::string_view word, const SearchSpace& space, EngineOptions& options) {
  if (const auto single = behind(word, "option.")) {
    const std::size_t sign = single->find("={");
    if (sign == single->npos) return;
    std::string_view name = single->substr(sign + 2);
    name = behind(name, "opponent.").value_or(name);
    const int index = space.find(std::string(name.substr(0, name.find_first_of(":}"))));
    if (index >= 0) options.emplace_back(single->substr(0, sign), &space[index]);
    return;
  }
  std::string_view group = behind(word, "{").value_or("");
  group = behind(group, "opponent.").value_or(group);
  const std::size_t colon = group.find(":option.{name}=");
  if (!group.starts_with("params") || colon == group.npos) return;
  std::vector<std::string> patterns = {"*"};
  if (const auto list = behind(group.substr(0, colon), "params["); list && list->ends_with(']')) {
    patterns = names_between_commas(std::string(list->substr(0, list->size() - 1)));
  }
  for (const Parameter& parameter : space.parameters()) {
    const auto fitting = [&](const std::string& pattern) { return fits(pattern, parameter.name); };
    if (std::ranges::any_of(patterns, fitting)) options.emplace_back(parameter.name, &parameter);
  }
}

/// The words of a command with their places: a list, or the text of a shell.
std::vector<std::pair<std::string, const YamlNode*>> words_of(const YamlNode& command) {
  std::vector<std::pair<std::string, const YamlNode*>> words;
  if (command.is_scalar()) {
    for (std::string& word : shell_words(command.text())) words.emplace_back(word, &command);
  }
  for (const YamlNode& child : command.children()) words.emplace_back(child.text(), &child);
  return words;
}

/// Whether a file may be started.
bool is_program(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
}

/// The program as it is to be started: seen from one of the folders, or by its name on the PATH;
/// nothing: it is not there.
std::optional<std::string> find_engine(const std::string& program,
                                       const std::vector<fs::path>& folders) {
  for (const fs::path& folder : folders) {
    if (is_program(folder / program)) return (folder / program).string();
  }
  if (program.find('/') != program.npos) return std::nullopt;
  if (!find_on_path(program, inherited_path(), X_OK).empty()) return program;
  return std::nullopt;
}

/// The numbers from the first value to the last, or texts and truth values one by one.
std::string outside_of(const Parameter& mine, const Parameter& option) {
  for (int i = 0; i < mine.known_values(); ++i) {
    const Value& value = mine.value(i);
    const double number = value_number(value);
    const bool fits = option.ordered ? number >= value_number(option.values.front()) &&
                                           number <= value_number(option.values.back())
                                     : option.find(value) >= 0;
    if (fits) continue;
    const std::string allowed = option.ordered
                                    ? fmt::format("{} to {}", value_text(option.values.front()),
                                                  value_text(option.values.back()))
                                    : shown(option.values);
    return fmt::format("{} is no value of the engine's option, which has {}", shown(value),
                       allowed);
  }
  return {};
}

}  // namespace

std::vector<const YamlNode*> objectives_of(const YamlNode& study) {
  std::vector<const YamlNode*> nodes;
  if (const YamlNode* one = study.find("objective")) nodes.push_back(one);
  if (const YamlNode* list = study.find("objectives")) {
    for (const YamlNode& child : list->children()) nodes.push_back(&child);
  }
  return nodes;
}

std::string uci_answer(const std::vector<std::string>& arguments, const fs::path& folder) {
  constexpr double kPatience = 10.0;  // seconds
  Process process({.arguments = arguments, .folder = folder}, "uci\nquit\n");
  const ProcessLimits limits{.deadline = seconds_from_now(kPatience), .output = 1'000'000};
  // An engine may stay after `quit`, so its last word ends the wait.
  auto event = Process::Event::kOutput;
  while (event == Process::Event::kOutput && process.out().find("uciok") == std::string::npos) {
    event = process.wait(limits);
  }
  if (process.out().find("uciok") != std::string::npos) return process.out();
  throw EvaluationError(fmt::format("{}: has not answered uci with uciok{}",
                                    printable(arguments.front(), 1000),
                                    event == Process::Event::kTimedOut ? " within 10 s" : ""));
}

SearchSpace uci_options(const std::vector<std::string>& arguments, const fs::path& folder) {
  const ImportedSpace imported = import_space_text(uci_answer(arguments, folder), arguments.front(),
                                                   {.format = SpaceFormat::kUci});
  return read_space(*parse_yaml(imported.yaml).find("space"));
}

std::vector<NamedEngine> named_engines(const YamlNode& objective, const SearchSpace& space) {
  const YamlNode* match = objective.find("match");
  const YamlNode& program = match != nullptr ? *match : objective;
  const YamlNode* command = program.find("command");
  if (command == nullptr) return {};
  std::vector<EngineWords> engines;
  EngineWords each;
  EngineWords* section = nullptr;
  for (const auto& [word, place] : words_of(*command)) {
    if (word == "-engine") {
      section = &engines.emplace_back();
    } else if (word == "-each") {
      section = &each;
    } else if (word.starts_with('-')) {
      section = nullptr;
    } else if (section != nullptr) {
      const std::size_t sign = word.find('=');
      const std::string key = word.substr(0, sign);
      if (key == "cmd") section->word = place;
      if (sign != word.npos && !key.starts_with('{')) section->values[key] = word.substr(sign + 1);
      add_options(word, space, section->options);
    }
  }
  const fs::path here = fs::current_path() / fs::path(objective.file()).parent_path();
  const YamlNode* directory = program.find("directory");
  const fs::path folder = directory == nullptr ? here : here / directory->text();
  std::vector<NamedEngine> named;
  for (EngineWords& words : engines) {
    words.values.insert(each.values.begin(), each.values.end());
    std::ranges::copy(each.options, std::back_inserter(words.options));
    const std::string cmd = words.values["cmd"];
    const std::string dir = words.values["dir"];
    // Braces are templates, whose text a call alone knows.
    if (cmd.empty() || (cmd + dir + words.values["args"]).find('{') != cmd.npos) continue;
    NamedEngine engine{.word = words.word != nullptr ? words.word : each.word,
                       .program = cmd,
                       .arguments = {cmd},
                       .folder = (dir.empty() ? folder : folder / dir).lexically_normal()};
    std::ranges::copy(shell_words(words.values["args"]), std::back_inserter(engine.arguments));
    const std::string protocol = words.values["proto"];
    engine.speaks_uci = protocol.empty() || protocol == "uci";
    // A runner sees a relative path from its own folder, or from that of the engine.
    if (const auto found = find_engine(cmd, {engine.folder, folder})) {
      engine.arguments.front() = *found;
    } else {
      engine.arguments.clear();
    }
    // Both players are usually one engine, which gets the options of both.
    const auto same = std::ranges::find_if(named, [&](const NamedEngine& other) {
      return other.program == engine.program && other.folder == engine.folder &&
             other.arguments == engine.arguments;
    });
    if (same == named.end()) {
      engine.options = std::move(words.options);
      named.push_back(std::move(engine));
      continue;
    }
    for (const auto& option : words.options) {
      if (std::ranges::find(same->options, option) == same->options.end()) {
        same->options.push_back(option);
      }
    }
  }
  return named;
}

bool compare_with_engine(const EngineOptions& mine, const SearchSpace& options,
                         const std::string& file, const Terminal& terminal) {
  bool good = true;
  for (const auto& [name, parameter] : mine) {
    const std::string place = fmt::format("{}: space.{}", file, printable(parameter->name, 200));
    const int index = options.find(name);
    if (index < 0) {
      terminal.err << fmt::format("{}: is no option of the engine{}\n", place,
                                  suggestion(name, options.names()));
      good = false;
      continue;
    }
    const Parameter& option = options[index];
    if (const std::string outside = outside_of(*parameter, option); !outside.empty()) {
      terminal.err << fmt::format("{}: {}\n", place, outside);
      good = false;
    }
    if (!parameter->default_index || !option.default_index) continue;
    const Value& here = parameter->value(*parameter->default_index);
    const Value& there = option.value(*option.default_index);
    if (std::is_eq(compare(here, there))) continue;
    terminal.err << fmt::format("note: {}: the default is {}, that of the engine is {}\n", place,
                                shown(here), shown(there));
  }
  return good;
}

bool check_engines(const YamlNode& node, const Study& study, bool ask, const Terminal& terminal) {
  bool good = true;
  const std::vector<const YamlNode*> objectives = objectives_of(node);
  // A table of objectives may stand for several, which no command does.
  for (std::size_t i = 0; i < std::min(objectives.size(), study.objectives.size()); ++i) {
    const SearchSpace& space = study.objectives[i].objective->space();
    for (const NamedEngine& engine : named_engines(*objectives[i], space)) {
      if (engine.arguments.empty()) {
        const fs::path program = engine.program;
        const std::string place = program.is_absolute()       ? ""
                                  : program.has_parent_path() ? " in " + path_text(engine.folder)
                                                              : " on the PATH";
        const std::string message = fmt::format("there is no '{}' that can be started{}",
                                                printable(engine.program, 200), place);
        if (ask) engine.word->fail(message);
        terminal.err << fmt::format("warning: {}: {}\n", engine.word->place(), message);
      } else if (ask && engine.speaks_uci && !engine.options.empty()) {
        try {
          const SearchSpace options = uci_options(engine.arguments, engine.folder);
          good = compare_with_engine(engine.options, options, node.file(), terminal) && good;
        } catch (const ProcessError& error) {
          engine.word->fail(error.what());
        }
      }
    }
  }
  return good;
}

}  // namespace ntune::cli
