#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "apps/common/terminal.h"

namespace ntune::cli {

/// A program of commands, of which a call chooses one.
class Program {
 public:
  using Command = std::function<int(const Terminal&)>;

  Program(const std::string& name, const std::string& version, const std::string& description,
          const std::string& footer);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Adds a command to the program, or to one of its commands.
  CLI::App* add_command(const std::string& name, const std::string& help, Command command,
                        CLI::App* parent = nullptr);

  /// Adds a command that only holds others.
  CLI::App* add_group(const std::string& name, const std::string& help);

  /// Runs the command that the arguments name and returns its exit code. Wrong input, a failed
  /// evaluation and output that cannot be written are one line on `err`.
  int execute(const std::vector<std::string>& arguments, const Terminal& terminal);

 private:
  void check_command_names(const std::vector<std::string>& arguments) const;
  int run_chosen(const std::vector<std::string>& arguments, const Terminal& terminal);

  CLI::App app_;
  Command chosen_;
};

}  // namespace ntune::cli
