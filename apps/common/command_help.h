#pragma once

namespace ntune::cli {

/// Where a command stands in the program's help, and a call that shows it at work.
struct CommandHelp {
  const char* command;
  const char* section;
  const char* example;
};

}  // namespace ntune::cli
