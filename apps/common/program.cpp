#include "apps/common/program.h"

#include <algorithm>
#include <cctype>
#include <new>
#include <ostream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "apps/common/watched.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune::cli {

Program::Program(const std::string& name, const std::string& version,
                 const std::string& description, const std::string& footer)
    : app_(description, name) {
  app_.set_version_flag("--version", version, "print the version");
  app_.set_help_flag("-h,--help", "print this help");
  app_.get_formatter()->column_width(32);  // "--quiet Excludes: --verbose" fits
  app_.require_subcommand(1);
  app_.footer(footer);
}

CLI::App& Program::add_command(const std::string& name, const std::string& help, Act act,
                               CLI::App* group) {
  CLI::App* command = (group != nullptr ? group : &app_)->add_subcommand(name, help);
  command->callback([this, act = std::move(act)] { chosen_ = act; });
  return *command;
}

CLI::App* Program::add_group(const std::string& name, const std::string& help) {
  CLI::App* group = app_.add_subcommand(name, help);
  group->require_subcommand(1);
  return group;
}

void Program::arrange(std::span<const CommandHelp> entries) {
  for (CLI::App* command : app_.get_subcommands([](const CLI::App*) { return true; })) {
    const auto entry = std::ranges::find(entries, command->get_name(), &CommandHelp::command);
    if (entry == entries.end()) {
      throw std::logic_error(
          fmt::format("{}: no entry in the table of the help", command->get_name()));
    }
    command->group(entry->section);
    command->footer(fmt::format("Example: {}", entry->example));
  }
}

std::vector<CommandOptions> Program::options() const {
  std::vector<CommandOptions> all;
  for (const CLI::App* command : app_.get_subcommands([](const CLI::App*) { return true; })) {
    CommandOptions& found = all.emplace_back(CommandOptions{command->get_name(), {}});
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) found.options.push_back("--" + name);
    }
    // The help comes last.
    std::stable_partition(found.options.begin(), found.options.end(),
                          [](const std::string& name) { return name != "--help"; });
  }
  return all;
}

/// CLI11 says of a wrong command that one is missing.
void Program::check_command_names(const std::vector<std::string>& arguments) const {
  const CLI::App* group = &app_;
  std::string called = app_.get_name();
  for (const std::string& name : arguments) {
    const auto commands = group->get_subcommands([](const CLI::App*) { return true; });
    if (commands.empty() || name.starts_with('-')) return;
    std::vector<std::string> names;
    for (const CLI::App* command : commands) names.push_back(command->get_name());
    const auto found = std::ranges::find(commands, name, &CLI::App::get_name);
    if (found == commands.end()) {
      throw InputError(fmt::format("{}: '{}' is not a command{}; allowed: {}", called,
                                   printable(name, 60), suggestion(name, names), list_text(names)));
    }
    group = *found;
    called += " " + name;
  }
}

std::string Program::chosen_name() const {
  std::string name = app_.get_name();
  for (auto chosen = app_.get_subcommands(); !chosen.empty();
       chosen = chosen.front()->get_subcommands()) {
    name += ' ' + chosen.front()->get_name();
  }
  return name;
}

/// CLI11 says of an option that does not exist that arguments were not expected, and names the
/// words that it took for another argument's.
std::string Program::complaint(const std::vector<std::string>& arguments,
                               const std::string& otherwise) const {
  const CLI::App* command = &app_;
  for (auto chosen = app_.get_subcommands(); !chosen.empty(); chosen = command->get_subcommands()) {
    command = chosen.front();
  }
  std::vector<std::string> names;
  std::string letters;
  for (const CLI::Option* option : command->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) letters += name;
  }
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    const std::string name = argument.substr(0, argument.find('='));
    const bool is_letter =
        name.size() > 1 && name[0] == '-' && std::isalpha(static_cast<unsigned char>(name[1])) != 0;
    if (is_letter && letters.find(name[1]) == std::string::npos) {
      return fmt::format("'{}' is not an option of {}", name.substr(0, 2), chosen_name());
    }
    if (!name.starts_with("--") || std::ranges::find(names, name) != names.end()) continue;
    return fmt::format("'{}' is not an option of {}{}", printable(name, 60), chosen_name(),
                       suggestion(name, names));
  }
  return otherwise;
}

/// An empty argument is of a variable that is not set. As a folder it would be the current one, and
/// CLI11 takes the word after `--out=` for its value.
void Program::refuse_empty(const std::vector<std::string>& arguments) const {
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string& argument = arguments[i];
    const bool is_option = argument.starts_with('-') && argument.ends_with('=');
    if (!argument.empty() && !is_option) continue;
    const std::string before = i > 0 ? arguments[i - 1] : "";
    const std::string name = is_option                 ? argument.substr(0, argument.size() - 1)
                             : before.starts_with('-') ? before
                                                       : fmt::format("argument {}", i + 1);
    throw InputError(
        fmt::format("{}: {} is empty, which is not allowed", app_.get_name(), printable(name, 60)));
  }
}

int Program::run_chosen(const std::vector<std::string>& arguments, const Terminal& terminal) {
  check_command_names(arguments);
  refuse_empty(arguments);
  try {
    std::vector<std::string> reversed = with_marks(arguments);
    std::ranges::reverse(reversed);
    app_.parse(reversed);
  } catch (const CLI::Success& success) {
    return app_.exit(success, terminal.out, terminal.err);
  } catch (const CLI::ParseError& error) {
    terminal.err << fmt::format("{}: {} (see {} --help)\n", app_.get_name(),
                                printable(complaint(arguments, error.what())), chosen_name());
    return kWrongInput;
  }
  const int code = chosen_(terminal);
  terminal.out.flush();
  if (terminal.out) return code;
  if (is_output_abandoned()) return kNobodyReads;
  throw InputError("standard output: cannot be written");
}

int Program::execute(const std::vector<std::string>& arguments, const Terminal& terminal) {
  try {
    return run_chosen(arguments, terminal);
  } catch (const Interrupted&) {
    return kInterrupted;
  } catch (const InputError& error) {
    terminal.err << error.what() << '\n';
    return kWrongInput;
  } catch (const EvaluationError& error) {
    terminal.err << error.what() << '\n';
    return kEvaluationFailed;
  } catch (const std::bad_alloc&) {
    terminal.err << app_.get_name() << ": not enough memory\n";
    return kWrongInput;
  } catch (const std::exception& error) {
    // Of the standard library and others, such as a folder that cannot be read.
    constexpr std::size_t kLongest = 1000;
    terminal.err << app_.get_name() << ": " << printable(error.what(), kLongest) << '\n';
    return kWrongInput;
  }
}

}  // namespace ntune::cli
