#pragma once

#include <string>
#include <vector>

namespace ntune::cli {

/// Where a command stands in the program's help, and a call that shows it at work.
struct CommandHelp {
  const char* command;
  const char* section;
  const char* example;
};

/// A command and the long names of its options.
struct CommandOptions {
  std::string name;
  std::vector<std::string> options;
};

}  // namespace ntune::cli
