#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "apps/common/command_help.h"
#include "apps/common/flags.h"
#include "apps/common/terminal.h"

namespace ntune::cli {

/// A program of commands, of which a call chooses one.
class Program {
 public:
  using Act = std::function<int(const Terminal&)>;

  /// A command and its arguments. They visit the command's options, or leave them to the caller.
  template <class Arguments>
  struct Command {
    CLI::App& command;
    Arguments& arguments;
  };

  Program(const std::string& name, const std::string& version, const std::string& description,
          const std::string& footer);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Adds a command to the program, or to one of its groups. The program keeps the arguments.
  template <class Arguments>
  Command<Arguments> add(const std::string& name, const std::string& help,
                         int (*act)(const Arguments&, const Terminal&), CLI::App* group = nullptr) {
    const auto arguments = std::make_shared<Arguments>();
    CLI::App& command = add_command(
        name, help,
        [act, arguments](const Terminal& terminal) { return act(*arguments, terminal); }, group);
    if constexpr (requires(Flags & flags) { arguments->visit(flags); }) {
      Flags flags(command);
      arguments->visit(flags);
    }
    return {command, *arguments};
  }

  /// Adds a command without arguments.
  CLI::App& add_command(const std::string& name, const std::string& help, Act act,
                        CLI::App* group = nullptr);

  /// Adds a command that only holds others.
  CLI::App* add_group(const std::string& name, const std::string& help);

  /// Puts the commands into the sections of the help, and gives each its example. Throws
  /// std::logic_error for a command that has no entry.
  void arrange(std::span<const CommandHelp> entries);

  /// The options of each command.
  [[nodiscard]] std::vector<CommandOptions> options() const;

  /// Runs the command that the arguments name and returns its exit code. Wrong input, a failed
  /// evaluation, output that cannot be written and any other exception are one line on `err`.
  int execute(const std::vector<std::string>& arguments, const Terminal& terminal);

 private:
  void check_command_names(const std::vector<std::string>& arguments) const;
  void refuse_empty(const std::vector<std::string>& arguments) const;
  /// The program with the commands that were chosen: "ntune verify".
  [[nodiscard]] std::string chosen_name() const;
  /// What is wrong with the arguments, given what CLI11 says of them.
  [[nodiscard]] std::string complaint(const std::vector<std::string>& arguments,
                                      const std::string& otherwise) const;
  int run_chosen(const std::vector<std::string>& arguments, const Terminal& terminal);

  CLI::App app_;
  Act chosen_;
};

}  // namespace ntune::cli
