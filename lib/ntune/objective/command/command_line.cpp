#include "ntune/objective/command/command_line.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"

namespace ntune {
namespace fs = std::filesystem;

namespace {

/// Calls make and puts the place before its InputError.
template <class Make>
auto at_place(const CommandPlaces& places, const char* key, int item, Make make) {
  try {
    return make();
  } catch (const InputError& error) {
    places.fail(key, item, error.what());
  }
}

fs::path working_folder(const std::string& directory, const fs::path& folder,
                        const CommandPlaces& places) {
  std::error_code error;
  fs::path path = fs::absolute(folder / directory, error).lexically_normal();
  if (path.has_relative_path() && !path.has_filename()) path = path.parent_path();
  if (!fs::is_directory(path, error)) {
    places.fail("directory", -1, fmt::format("there is no folder '{}'", path_text(path)));
  }
  return path;
}

}  // namespace

void CommandPlaces::fail(const char* key, int item, const std::string& message) const {
  const YamlNode* place = options_ != nullptr ? options_->find(key) : nullptr;
  const auto index = static_cast<std::size_t>(item);
  if (place != nullptr && item >= 0 && index < place->children().size()) {
    place = &place->children()[index];
  }
  if (place != nullptr) place->fail(message);
  if (options_ != nullptr) options_->fail_at(key, message);
  throw InputError(fmt::format("{}: {}", key, message));
}

CommandLine::CommandLine(const CommandOptions& options, const SearchSpace& space,
                         const fs::path& folder, const CommandPlaces& places)
    : worker_(options.protocol == CommandOptions::Protocol::kWorker),
      sends_all_(worker_ || options.parameters != CommandOptions::Parameters::kNone),
      memory_(options.memory << 20) {
  if (const auto problem = options.problem()) places.fail(problem->key, -1, problem->message);
  read_command(options, space, places);
  read_environment(options, space, places);
  check(options, places);
  folder_ = working_folder(options.directory, folder, places);
}

void CommandLine::read_command(const CommandOptions& options, const SearchSpace& space,
                               const CommandPlaces& places) {
  using Style = CommandTemplate::Style;
  const Style style = options.shell ? Style::kShell : Style::kArgument;
  if (options.shell) {
    for (const char* word : {"/bin/sh", "-c"}) arguments_.emplace_back(word, space, Style::kText);
  }
  for (std::size_t i = 0; i < options.command.size(); ++i) {
    const std::string& text = options.command[i];
    arguments_.push_back(at_place(places, "command", static_cast<int>(i),
                                  [&] { return CommandTemplate(text, space, style); }));
    if (i > 0) written_ += ' ';
    const bool one_word = !text.empty() && text.find_first_of(" \t'\"") == std::string::npos;
    written_ += options.shell || one_word ? text : shell_word(text);
  }
}

void CommandLine::read_environment(const CommandOptions& options, const SearchSpace& space,
                                   const CommandPlaces& places) {
  int item = 0;
  for (const auto& variable : options.environment) {
    const auto read = [&] {
      return CommandTemplate(variable.second, space, CommandTemplate::Style::kText);
    };
    environment_.emplace_back(variable.first, at_place(places, "environment", item++, read));
  }
}

template <class Visit>
bool CommandLine::any(Visit visit) const {
  return std::ranges::any_of(arguments_, visit) ||
         std::ranges::any_of(environment_, [&](const auto& entry) { return visit(entry.second); });
}

void CommandLine::check(const CommandOptions& options, const CommandPlaces& places) const {
  if (worker_ && any([](const CommandTemplate& t) { return t.changes(); })) {
    places.fail("command", -1,
                "has a template, but a worker is started once: it gets the parameters and the seed "
                "with each request");
  }
  const bool wants_file = options.parameters == CommandOptions::Parameters::kFile;
  const bool uses_file = any([](const CommandTemplate& t) { return t.uses_file(); });
  if (uses_file && !wants_file) {
    places.fail("parameters", -1, "must be file where the command has {params:file}");
  }
  if (wants_file && !uses_file) {
    places.fail("command", -1, "needs {params:file}, the path of the file with the parameters");
  }
  if (!sends_all_ && !any([](const CommandTemplate& t) { return t.mentions_any(); })) {
    places.fail("command", -1,
                "hands over no parameter; write {name} or {params:gnu} into it, or 'parameters: "
                "stdin'");
  }
}

std::vector<std::pair<std::string, std::string>> CommandLine::variables(
    const CommandCall& call) const {
  std::vector<std::pair<std::string, std::string>> list;
  if (!worker_) {
    list = {{"NTUNE_SEED", std::to_string(call.seed)},
            {"NTUNE_RUN", std::to_string(call.id.run)},
            {"NTUNE_EVALUATION", std::to_string(call.id.evaluation)},
            {"NTUNE_REPEAT", std::to_string(call.id.repeat)}};
  }
  for (const auto& [name, text] : environment_) {
    std::erase_if(list, [&, key = name](const auto& entry) { return entry.first == key; });
    list.emplace_back(name, text.text(call));
  }
  return list;
}

Program CommandLine::program(const CommandCall& call) const {
  Program program{
      .arguments = {}, .environment = variables(call), .folder = folder_, .memory = memory_};
  for (const CommandTemplate& argument : arguments_) argument.append_to(program.arguments, call);
  return program;
}

std::string CommandLine::shown(const CommandCall& call, std::string_view input) const {
  std::string text = fmt::format("cd {} && ", shell_word(folder_.string()));
  const auto add = [&](const std::string& word) {
    std::string quoted = shell_word(word);
    const std::size_t at = call.file.empty() ? std::string::npos : quoted.find(call.file);
    if (at != std::string::npos) {
      // The file is gone by the time that somebody reads this.
      const std::string content = shell_word(call.parameters().dump());
      std::string instead = fmt::format("<(echo {})", content);
      if (quoted.front() == '\'') instead = "'" + instead + "'";
      quoted.replace(at, call.file.size(), instead);
    }
    text += quoted;
  };
  for (const auto& [name, value] : variables(call)) {
    text += name + '=';
    if (!value.empty()) add(value);
    text += ' ';
  }
  const Program program = this->program(call);
  for (std::size_t i = 0; i < program.arguments.size(); ++i) {
    if (i > 0) text += ' ';
    add(program.arguments[i]);
  }
  if (!input.empty()) text += fmt::format(" <<< {}", shell_word(input));
  return text;
}

std::string CommandLine::text() const { return printable(written_); }

std::vector<std::string> CommandLine::unused(const SearchSpace& space) const {
  std::vector<std::string> names;
  for (int i = 0; i < space.dimensions() && !sends_all_; ++i) {
    const bool used = any([&](const CommandTemplate& t) { return t.mentions(i); });
    if (!used && space[i].cardinality() > 1) names.push_back(space[i].name);
  }
  return names;
}

ParameterFile::ParameterFile(std::string_view content) {
  constexpr std::string_view kSuffix = ".json";
  std::error_code error;
  fs::path folder = fs::temp_directory_path(error);
  if (error) folder = "/tmp";
  path_ = (folder / "ntune-XXXXXX").string() + std::string(kSuffix);
  const Descriptor file(::mkostemps(path_.data(), static_cast<int>(kSuffix.size()), O_CLOEXEC));
  const std::string text = std::string(content) + '\n';
  if (file.is_open() &&
      ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size())) {
    return;
  }
  const std::string reason = std::generic_category().message(errno);
  if (file.is_open()) ::unlink(path_.c_str());
  throw ProcessError(fmt::format("cannot write {}: {}", printable(path_), reason));
}

ParameterFile::~ParameterFile() { ::unlink(path_.c_str()); }

}  // namespace ntune
