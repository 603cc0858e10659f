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
#include "ntune/core/input_errors.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/instance.h"

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

/// The working directory of the program, as a full path; it must exist.
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

/// A quoted word of a shell in which `instead`, outside of quotes, stands for the path.
std::string replaced(std::string quoted, const std::string& path, std::string instead) {
  // In single quotes a shell would not replace "$scratch", so the quotes are closed around it.
  if (quoted.front() == '\'') instead = "'" + instead + "'";
  std::size_t at = path.empty() ? std::string::npos : quoted.find(path);
  while (at != std::string::npos) {
    quoted.replace(at, path.size(), instead);
    at = quoted.find(path, at + instead.size());
  }
  return quoted;
}

/// The folder that temporary files belong in.
fs::path temporary_root() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  return error ? "/tmp" : fs::absolute(folder);
}

}  // namespace

void CommandPlaces::fail(const char* key, int item, const std::string& message) const {
  const YamlNode* place = options_ != nullptr ? options_->find(key) : nullptr;
  // The most exact place that the file has: the item, else the key, else the map.
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
  InputErrors errors;
  errors.hold([&] { read_command(options, space, places); });
  errors.hold([&] { read_environment(options, space, places); });
  for (const CommandTemplate& argument : arguments_) uses_.add(argument.uses());
  for (const auto& variable : environment_) uses_.add(variable.second.uses());
  if (!errors.any()) errors.hold([&] { check(options, places); });
  errors.hold([&] { folder_ = working_folder(options.directory, folder, places); });
  errors.throw_any();
}

void CommandLine::read_command(const CommandOptions& options, const SearchSpace& space,
                               const CommandPlaces& places) {
  using Style = CommandTemplate::Style;
  const Style style = options.shell ? Style::kShell : Style::kArgument;
  if (options.shell) {
    // A shell gets the text as the argument behind "-c"; these two words are not the user's.
    for (const char* word : {"/bin/sh", "-c"}) arguments_.emplace_back(word, space, Style::kText);
    leading_ = static_cast<int>(arguments_.size());
  }
  InputErrors errors;
  for (std::size_t i = 0; i < options.command.size(); ++i) {
    const std::string& text = options.command[i];
    errors.hold([&] {
      arguments_.push_back(at_place(places, "command", static_cast<int>(i),
                                    [&] { return CommandTemplate(text, space, style); }));
    });
    if (i > 0) written_ += ' ';
    // The text for descriptions shows words as a shell would need them.
    const bool one_word = !text.empty() && text.find_first_of(" \t'\"") == std::string::npos;
    written_ += options.shell || one_word ? text : shell_word(text);
  }
  errors.throw_any();
}

void CommandLine::read_environment(const CommandOptions& options, const SearchSpace& space,
                                   const CommandPlaces& places) {
  int item = 0;
  InputErrors errors;
  for (const auto& variable : options.environment) {
    const auto read = [&] {
      return CommandTemplate(variable.second, space, CommandTemplate::Style::kText);
    };
    errors.hold([&] {
      environment_.emplace_back(variable.first, at_place(places, "environment", item, read));
    });
    ++item;
  }
  errors.throw_any();
}

void CommandLine::check(const CommandOptions& options, const CommandPlaces& places) const {
  // A worker is started before any evaluation is known, so its command cannot change.
  if (worker_ && uses_.any) {
    places.fail("command", -1,
                "has a template, but a worker is started once: it gets the parameters and the seed "
                "with each request");
  }
  const bool wants_file = options.parameters == CommandOptions::Parameters::kFile;
  if (uses_.file && !wants_file) {
    places.fail("parameters", -1, "must be file where the command has {params:file}");
  }
  if (wants_file && !uses_.file) {
    places.fail("command", -1, "needs {params:file}, the path of the file with the parameters");
  }
  // A command without any parameter would evaluate all points alike.
  if (!sends_all_ && !uses_.parameters && !names_seats()) {
    places.fail("command", -1,
                "hands over no parameter; write {name} or {params:gnu} into it, or 'parameters: "
                "stdin'");
  }
}

std::vector<std::pair<std::string, std::string>> CommandLine::variables(
    const CommandCall& call) const {
  std::vector<std::pair<std::string, std::string>> list;
  // Workers get all of this with each request instead.
  if (!worker_) {
    list = {{"NTUNE_SEED", std::to_string(call.seed)},
            {"NTUNE_RUN", std::to_string(call.id.run)},
            {"NTUNE_EVALUATION", std::to_string(call.id.evaluation)},
            {"NTUNE_REPEAT", std::to_string(call.id.repeat)}};
    if (call.id.instance != nullptr) list.emplace_back("NTUNE_INSTANCE", call.id.instance->text());
  }
  for (const auto& [name, text] : environment_) {
    // The user's variables replace those of the same name.
    std::erase_if(list, [&, key = name](const auto& entry) { return entry.first == key; });
    list.emplace_back(name, text.text(call));
  }
  return list;
}

Program CommandLine::program(const CommandCall& call) const {
  Program program{
      .arguments = {}, .environment = variables(call), .folder = folder_, .memory = memory_};
  for (const CommandTemplate& argument : arguments_) argument.append_to(program, call);
  return program;
}

std::string CommandLine::shown(const CommandCall& call, std::string_view input) const {
  std::string text = fmt::format("cd {} && ", shell_word(folder_.string()));
  if (!call.scratch.empty()) text += "scratch=$(mktemp -d) && ";
  const std::string file =
      call.file.empty() ? "" : fmt::format("<(echo {})", shell_word(call.sent().dump()));
  const auto add = [&](const std::string& word) {
    // The file and the folder are gone by the time that somebody reads this.
    std::string quoted = replaced(shell_word(word), call.file, file);
    text += replaced(std::move(quoted), call.scratch, "\"$scratch\"");
  };
  const Program program = this->program(call);
  for (const auto& [name, value] : program.environment) {
    text += name + '=';
    if (!value.empty()) add(value);
    text += ' ';
  }
  for (std::size_t i = 0; i < program.arguments.size(); ++i) {
    if (i > 0) text += ' ';
    add(program.arguments[i]);
  }
  if (!input.empty()) text += fmt::format(" <<< {}", shell_word(input));
  return text;
}

void CommandLine::check_instances(std::span<const Instance> instances,
                                  const CommandPlaces& places) const {
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    // The index counts the user's arguments, without those of the shell in front.
    const std::string problem = arguments_[i].problem_with(instances);
    if (!problem.empty()) places.fail("command", static_cast<int>(i) - leading_, problem);
  }
  int item = 0;
  for (const auto& variable : environment_) {
    const std::string problem = variable.second.problem_with(instances);
    if (!problem.empty()) places.fail("environment", item, problem);
    ++item;
  }
}

std::string CommandLine::problem_with(int players) const {
  const bool has_all = sends_all_ || uses_.all_seats;
  if (uses_.opponent) {
    return "the command names an opponent: a game with seats has {seat1.NAME} and so on";
  }
  if (uses_.parameters) {
    return "the command names parameters of no seat: write {seat1.NAME} for one of the first seat";
  }
  for (int seat = 1; seat <= kMostPlayers; ++seat) {
    const bool named = uses_.seats[static_cast<std::size_t>(seat - 1)];
    if (named && seat > players) return fmt::format("the command names seat {}", seat);
    if (named || has_all || seat > players) continue;
    return fmt::format(
        "the command does not name seat {0}: write {{seat{0}.NAME}} or {{seat{0}.params:…}}, or "
        "{{seats:json}} for all",
        seat);
  }
  return {};
}

std::string CommandLine::text() const { return printable(written_); }

std::vector<std::string> CommandLine::unused(const SearchSpace& space) const {
  std::vector<std::string> names;
  if (sends_all_) return names;
  // A parameter that decides whether another one is handed over is of use by that. It stands before
  // the other.
  std::vector<bool> used(static_cast<std::size_t>(space.dimensions()));
  for (int i = space.dimensions() - 1; i >= 0; --i) {
    const auto place = static_cast<std::size_t>(i);
    const auto mentions = [i](const CommandTemplate& text) { return text.mentions(i); };
    used[place] = used[place] || std::ranges::any_of(arguments_, mentions) ||
                  std::ranges::any_of(environment_, [&](const auto& variable) {
                    return mentions(variable.second);
                  });
    if (!used[place]) continue;
    for (const Term& term : space[i].when) used[static_cast<std::size_t>(term.parameter)] = true;
  }
  // Parameters of one value are no loss if they are not handed over.
  for (int i = 0; i < space.dimensions(); ++i) {
    if (!used[static_cast<std::size_t>(i)] && space[i].cardinality() > 1) {
      names.push_back(space[i].name);
    }
  }
  return names;
}

std::string CommandLine::switch_of(int parameter, const std::string& name) const {
  for (const CommandTemplate& argument : arguments_) {
    const std::string before = argument.text_before(parameter, name);
    if (!before.empty()) return before;
  }
  return {};
}

TemporaryPath::TemporaryPath(ProgramGuard& guard, std::string path)
    : guard_(&guard), path_(std::move(path)) {
  if (guard_->start()) guard_->watch(path_);
}

TemporaryPath TemporaryPath::file(ProgramGuard& guard, std::string_view content) {
  constexpr std::string_view kSuffix = ".json";
  std::string path = (temporary_root() / "ntune-XXXXXX").string() + std::string(kSuffix);
  Descriptor file(::mkostemps(path.data(), static_cast<int>(kSuffix.size()), O_CLOEXEC));
  const bool is_made = file.is_open();
  int error = is_made ? write_all(file, std::string(content) + '\n') : errno;
  if (const int closing = file.close(); error == 0) error = closing;
  if (error == 0) return {guard, std::move(path)};
  // A program must not read half of the parameters.
  if (is_made) ::unlink(path.c_str());
  throw_process_error(error, fmt::format("cannot write {}: {}", printable(path),
                                         std::generic_category().message(error)));
}

TemporaryPath TemporaryPath::folder(ProgramGuard& guard) {
  std::string path = (temporary_root() / "ntune-scratch-XXXXXX").string();
  if (::mkdtemp(path.data()) != nullptr) return {guard, std::move(path)};
  const int error = errno;
  throw_process_error(error, fmt::format("cannot make the folder {}: {}", printable(path),
                                         std::generic_category().message(error)));
}

TemporaryPath::~TemporaryPath() {
  // What is left of a folder is no reason to fail an evaluation that is done.
  std::error_code ignored;
  if (path_.empty()) return;
  fs::remove_all(path_, ignored);
  guard_->forget(path_);
}

}  // namespace ntune
